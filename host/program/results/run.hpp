// Runs that write a result: chunks, journal, progress and report, the same for all kinds.
#pragma once

#include "host/program/results/result.hpp"

namespace sightline::cli {

/// Loads the inputs, answers all of the grid that is left into the output, and reports it; in a dry
/// run what would be done. `others` are more files that the run writes.
int run_result(Job& job, Result& result, const ResultArguments& arguments,
               const std::vector<std::string>& others = {});

/// Says and reports what a finished run counted, and how fast it was.
void report_run(Job& job, const Result& result, const Done& done);

double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace sightline::cli
