// The parts of verify: what is checked, and what is found.
#pragma once

#include "host/gen/random.hpp"
#include "host/program/jobs/inputs.hpp"

#include <mutex>

namespace sightline::cli {

struct VerifyArguments {
  std::string result;
  std::vector<NamedFile> inputs;
  std::uint64_t sample = 20000;
  bool full = false;
  bool scalar = false;
  std::uint64_t seed = 1;
};

/// `count` of `total` elements in rising order: element k lies anywhere in the k-th of `count`
/// equal parts, so no element is drawn twice and no region is left out.
struct Sample {
  std::uint64_t total = 0;
  std::uint64_t count = 0;
  std::uint64_t seed = 0;

  bool is_full() const { return count == total; }
  std::uint64_t operator[](std::uint64_t k) const {
    if (is_full()) return k;
    const std::uint64_t begin = part(k), size = part(k + 1) - begin;
    return begin + scaled(gen::random_bits(seed + gen::random_bits(k)), size);
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t part(std::uint64_t k) const {
    return static_cast<std::uint64_t>(Wide{total} * k / count);
  }
  static std::uint64_t scaled(std::uint64_t random, std::uint64_t size) {
    return static_cast<std::uint64_t>(Wide{random} * size >> 64);
  }
};

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

/// Throws Error{bad_input} where the file's answers are not of this program's version.
void require_answers_version(const std::string& file, std::uint32_t version);

/// The elements to check of `total`.
Sample sample_of(const VerifyArguments& arguments, std::uint64_t total);
/// What would be checked, and what was found: the verb's exit code.
int report_dry_run(Job& job, const Sample& sample, const char* unit);
int report_outcome(Job& job, const Differences& d, std::uint64_t total, const VerifyArguments& a,
                   const char* unit);

/// verify of a navigation map.
int verify_nav_file(Job& job, const VerifyArguments& arguments);

}  // namespace sightline::cli
