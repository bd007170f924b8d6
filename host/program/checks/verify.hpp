// The parts of verify: results over rays, over points and pairs of them, and over shapes that ask
// or move.
#pragma once

#include "host/files/formats/results_file.hpp"
#include "host/program/checks/sample.hpp"
#include "host/program/engine/movers.hpp"

#include <functional>
#include <mutex>
#include <optional>

namespace sightline::cli {

/// What was compared, gathered from many threads.
class Differences {
 public:
  /// So many elements were compared.
  void add_checked(std::uint64_t n);
  /// Element `index` differs; `words` says how, for people.
  void add(std::uint64_t index, const std::string& words);

  std::uint64_t checked = 0;
  std::uint64_t different = 0;
  std::uint64_t first = ~std::uint64_t{0};
  std::string first_words;

 private:
  std::mutex mutex_;
};

struct Verification {
  Job& job;
  const VerifyArguments& arguments;
  const io::ResultReader& result;
  const Caster& judge;  ///< the reference
};

/// Throws Error{bad_input} naming both when the result of this name was computed from something
/// else.
void require_same(const std::string& result, const char* what, const std::string& file,
                  const std::string& expected, const std::string& found);
template <class Result>
void require_same(const Result& result, const char* what, const std::string& file,
                  const std::string& expected, const std::string& found) {
  require_same(result.name(), what, file, expected, found);
}

/// Throws Error{bad_input} where the file's answers are not of this program's version.
void require_answers_version(const std::string& file, std::uint32_t version);

/// What would be checked, and what was found: the verb's exit code.
int tell_dry_run(Job& job, const Sample& sample, const char* unit);
int tell_outcome(Job& job, const Differences& d, std::uint64_t total, const std::string& file,
                 const char* unit);

/// Throws Error{bad_input}: what a result claims to be long must be what it was computed from.
void require_count(const std::string& result, const char* what, std::uint64_t claimed,
                   const std::string& file, std::uint64_t found);
template <class Result>
void require_count(const Result& result, const char* what, std::uint64_t claimed,
                   const std::string& file, std::uint64_t found) {
  require_count(result.name(), what, claimed, file, found);
}

/// The elements to check of `total`.
Sample sample_of(const VerifyArguments& arguments, std::uint64_t total);

/// Recomputes hits or blocked bits of the sample's rays. Throws Error{bad_input} when the rays are
/// not the result's.
void verify_rays(const Verification& v, const io::RaysSource& rays, Differences& differences);

/// Recomputes counts or rows of hits of the sample's rays; throws as verify_rays does.
void verify_rows(const Verification& v, const io::RaysSource& rays, Differences& differences);

/// Recomputes the bits of the sample's pairs, in fields of the viewpoints where there are any.
void verify_pairs(const Verification& v, const io::Points& from,
                  const std::optional<FieldsView>& fields, const io::Points& to,
                  Differences& differences);

/// Recomputes what the sample's shapes that move hit.
void verify_sweeps(const Verification& v, const Movers& movers, Differences& differences);

/// Who knows the ids that belong to each of those that ask.
struct RowsJudge {
  const char *one, *unit;   ///< "shape", "shapes"
  std::uint64_t per_piece;  ///< so many between two looks at the interrupt flag
  std::function<std::vector<std::uint32_t>(std::uint64_t)> ids_of;
};
inline constexpr std::uint64_t most_rows_per_piece = 1 << 12;

/// Compares overlaps of any of the three kinds with the ids of the sample's.
void verify_ids(Job& job, const VerifyArguments& arguments, const io::ResultReader& result,
                const RowsJudge& judge, Differences& differences);

/// Recomputes a result of 2D, whose set this is.
void verify_flat(Job& job, const VerifyArguments& arguments, const io::ResultReader& result,
                 LoadedFlatScene set, Differences& differences);

/// Recomputes what the sample's shapes overlap.
void verify_overlaps(const Verification& v, const Scene& asking, Differences& differences);

/// Recomputes the rows of the sample's points, or of its segments, which end at `to`.
void verify_near(const Verification& v, const io::Points& points, const io::Points* to,
                 Differences& differences);

}  // namespace sightline::cli
