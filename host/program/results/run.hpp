// Runs that write a result: chunks, journal, progress and report, the same for all kinds.
#pragma once

#include "host/program/results/result.hpp"

namespace sightline::cli {

struct Output {
  std::string file;
  io::ResumeOptions resume;
  std::vector<std::string> others = {};  ///< more files that the run writes
};

/// Loads the inputs, answers all of the grid that is left into the output, and reports it; of a dry
/// run what would be done.
int run_result(Job& job, Result& result, InputFiles& inputs, const Output& output);

/// The same of a result that is loaded; `others` are not looked at.
void write_result(Job& job, Result& result, const Output& output);

/// Says and reports what a finished run counted, and how fast it was.
void report_run(Job& job, const Result& result, const Done& done);

double percent(std::uint64_t part, std::uint64_t whole);

}  // namespace sightline::cli
