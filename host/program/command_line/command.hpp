// A command line that was read: a verb with its arguments.
#pragma once

#include "host/program/jobs/job.hpp"

#include <functional>
#include <span>

namespace sightline::cli {

struct VerbRow;

struct Command {
  std::string verb;
  CommonArguments common;
  std::function<int(Job&)> run;  ///< the verb with its arguments; returns the exit code
  /// The output, where a stopped run can be resumed; else none.
  std::function<std::string()> resumable;
};

/// Reads the command line. Returns an exit code when there is nothing left to do: 0 after --help
/// and --version, 2 after a usage error, which has been reported.
std::optional<int> parse_command_line(int argc, const char* const* argv,
                                      std::span<const VerbRow> verbs, Command& command);

}  // namespace sightline::cli
