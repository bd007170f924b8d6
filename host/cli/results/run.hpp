// Runs that write a result: chunks, journal, progress and report, the same for all kinds.
#pragma once

#include "host/cli/results/result.hpp"

namespace sightline::cli {

struct Output {
  std::string file;
  io::Keeping keeping;
  std::vector<std::string> others = {};  ///< more files that the run writes
};

/// Loads the inputs, answers all of the grid that is left into the output, and reports it; of a dry
/// run what would be done.
int run_result(Job& job, Result& result, InputFiles& inputs, const Output& output);

/// The same of a result that is loaded; `others` are not looked at.
void write_result(Job& job, Result& result, const Output& output);

double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace sightline::cli
