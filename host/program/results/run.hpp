// Runs that write a result: chunks, journal, progress and report, the same for all kinds.
#pragma once

#include "host/program/results/result.hpp"

#include <tuple>

namespace sightline::cli {

/// What some kinds do beside in a run.
struct RunHooks {
  std::string also;                      ///< one more file that is written, or ""
  std::function<void(Job&)> write_also;  ///< called when the output has been begun
  /// Throws Error{bad_input} for a bad input, where the job is strict about them.
  std::function<void(std::uint64_t index)> refuse_bad;
  /// Draws the result to a file, before it takes its name.
  std::function<void(Job&, const io::ContainerWriter&, const std::string&)> draw;
};
/// Those that the class of a kind has as functions.
template <class R>
RunHooks hooks_of(const R& r) {
  RunHooks hooks;
  if constexpr (requires { r.refuse_bad(0); }) {
    hooks.refuse_bad = [&r](std::uint64_t index) { r.refuse_bad(index); };
  }
  if constexpr (requires { &R::draw; }) {
    hooks.draw = [&r](Job& job, const io::ContainerWriter& writer, const std::string& picture) {
      r.draw(job, writer, picture);
    };
  }
  return hooks;
}

/// Loads the inputs, answers all of the grid that is left into the output, and reports it; in a dry
/// run what would be done.
int run_result(Job& job, Result& result, const ResultArguments& arguments, const RunHooks& hooks);
template <class R>
int run_result(Job& job, R& result, const ResultArguments& arguments) {
  return run_result(job, result, arguments, hooks_of(result));
}

/// Joins shards to the result of this name, from these files; `remove`:
/// removes them then.
void merge_shards(Job& job, const std::string& output, const std::vector<std::string>& files,
                  bool remove);
/// Whether the file is this shard of a result with these inputs and parameters.
bool is_shard_of(const std::string& file, Result& result, const Shard& shard);

/// A verb whose options go straight to the result that it writes.
template <class R>
std::tuple<R&, ResultArguments&> add_result(Verb& verb, const char* examples) {
  struct Arguments : ResultArguments {
    R result;
  };
  auto& a = verb.runs<Arguments>(
      [](Job& job, Arguments& of) { return run_result(job, of.result, of); }, examples);
  return {a.result, a};
}

/// Sets what was counted in the report; returns ": 5 hits (2.50%), 1 bad rays", or "".
std::string counted_in_words(Job& job, const Result& result, const io::JobCounts& counts,
                             bool with_percent);

double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace sightline::cli
