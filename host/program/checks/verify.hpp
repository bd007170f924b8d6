// The parts of verify: what is checked, and what is found.
#pragma once

#include "host/program/checks/sample.hpp"
#include "host/program/engine/inputs.hpp"

#include <mutex>

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

/// Throws Error{bad_input} naming both when the result of this name was computed from something
/// else.
void require_same(const std::string& result, const char* what, const std::string& file,
                  const std::string& expected, const std::string& found);
/// Throws Error{bad_input}: what a result claims to be long must be what it was computed from.
void require_count(const std::string& result, const char* what, std::uint64_t claimed,
                   const std::string& file, std::uint64_t found);
/// Throws Error{bad_input} where the file's answers are not of this program's version.
void require_answers_version(const std::string& file, std::uint32_t version);

/// The elements to check of `total`.
Sample sample_of(const VerifyArguments& arguments, std::uint64_t total);
/// What would be checked, and what was found: the verb's exit code.
int tell_dry_run(Job& job, const Sample& sample, const char* unit);
int tell_outcome(Job& job, const Differences& d, std::uint64_t total, const std::string& file,
                 const char* unit);

/// verify of a result of the list of kinds.
int verify_result(Job& job, const VerifyArguments& arguments);

}  // namespace sightline::cli
