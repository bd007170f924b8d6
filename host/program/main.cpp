// The program: reads the command line, runs a verb, turns errors into exit codes.
#include "host/files/core/file.hpp"
#include "host/files/core/journal.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/interrupt.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <new>

namespace sightline::cli {

std::span<const VerbRow> all_verbs();  // verbs.cpp

namespace {

constexpr char no_memory[] = "the system has no more memory";
constexpr int interrupted_exit_code = 130, stopped_exit_code = 75;

struct Outcome {
  int exit_code = 0;
  std::string error;
};

/// Calls f, which returns an exit code, and turns what it throws into one.
template <class F>
Outcome guarded(F&& f) {
  const auto failed = [](ErrorKind kind, std::string error) {
    return Outcome{static_cast<int>(kind), std::move(error)};
  };
  try {
    return {f(), ""};
  } catch (const Interrupted&) {
    return {interrupted_exit_code, "interrupted"};
  } catch (const Error& error) {
    return failed(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ErrorKind::out_of_memory, no_memory);
  } catch (const std::exception& error) {
    return failed(ErrorKind::internal, fmt::format("a defect of sightline: {}", error.what()));
  }
}

/// What there is to say of work that a run which came to nothing has left; "" when there is none.
std::string kept_work(const std::string& output) {
  if (output.empty() || io::is_being_written(output)) return "";
  const auto journal = io::read_journal(output);
  if (!journal || journal->records == 0 || !io::exists(io::partial_name(output))) return "";
  const auto all = static_cast<double>(io::cells_in(output, journal->header));
  return fmt::format("{:.2f}% is done and kept: the same command resumes",
                     100 * static_cast<double>(io::cells_of(*journal)) / all);
}

/// A run that was stopped, or that lacked disk, memory or its device, may go on later.
void mention_kept_work(Outcome& outcome, const Command& command, const Job& job) {
  const bool interrupted = outcome.exit_code == interrupted_exit_code;
  if (!interrupted && outcome.exit_code < static_cast<int>(ErrorKind::device)) return;
  std::string kept;
  // A journal that cannot be read may be what ended the run, which is reported anyway.
  guarded([&] {
    kept = kept_work(command.resumable ? command.resumable() : "");
    return 0;
  });
  if (kept.empty()) {
    const std::string& files = job.finished_files();
    if (interrupted) {
      outcome.error += files.empty() ? "; nothing was kept" : "; what is finished stays: " + files;
    }
    return;
  }
  outcome.error = interrupted ? "stopped; " + kept : outcome.error + "; " + kept;
  if (interrupted) outcome.exit_code = stopped_exit_code;
}

/// Needs no memory.
void print_error(const char* error) {
  for (const char* part : {"sightline: ", error, "\n"}) std::fputs(part, stderr);
}
void print_error(const Outcome& outcome) {
  if (!outcome.error.empty()) print_error(outcome.error.c_str());
}

int run(int argc, const char* const* argv) {
  Command command;
  if (const auto exit_code = parse_command_line(argc, argv, all_verbs(), command))
    return *exit_code;
  watch_signals();
  Job job(command.verb, command.common);
  Outcome outcome = guarded([&] { return command.run(job); });
  mention_kept_work(outcome, command, job);
  const Outcome report = guarded([&] {
    job.finish(outcome.exit_code, outcome.error);
    return 0;
  });
  print_error(report);
  print_error(outcome);
  return outcome.exit_code != 0 ? outcome.exit_code : report.exit_code;
}

}  // namespace
}  // namespace sightline::cli

int main(int argc, char** argv) {
  using namespace sightline;
  try {
    return cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    cli::print_error(cli::no_memory);
    return static_cast<int>(ErrorKind::out_of_memory);
  } catch (const std::exception& error) {
    std::fputs("sightline: a defect of sightline: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return static_cast<int>(ErrorKind::internal);
  }
}
