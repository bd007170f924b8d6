// Runs that write a result: chunks, journal, progress and report, the same for all kinds.
#pragma once

#include "host/program/command_line/options.hpp"
#include "host/program/results/result.hpp"

#include <tuple>

namespace sightline::cli {

/// Loads the inputs, answers all of the grid that is left into the output, and reports it; in a dry
/// run what would be done.
int run_result(Job& job, Result& result, const ResultArguments& arguments);

/// Joins shards to the result of this name, from these files; `remove`:
/// removes them then.
void merge_shards(Job& job, const std::string& output, const std::vector<std::string>& files,
                  bool remove);
/// Whether the file is this shard of a result with these inputs and parameters.
bool is_shard_of(const std::string& file, Result& result, const Shard& shard);

/// A verb of the result's name, whose options go straight to the result that it writes.
template <class R>
std::tuple<Verb, R&, ResultArguments&> add_result(Verbs& verbs, const char* words,
                                                  const char* examples) {
  struct Arguments : ResultArguments {
    R result;
  };
  const auto run = [](Job& job, Arguments& a) { return run_result(job, a.result, a); };
  auto [verb, a] = verbs.add<Arguments>(std::string(R().names().verb), words, run, examples);
  return {verb, a.result, a};
}

/// Sets what was counted in the report; returns ": 5 hits (2.50%), 1 bad rays", or "".
std::string counted_in_words(Job& job, const Result& result, const io::JobCounts& counts,
                             bool with_percent);

double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace sightline::cli
