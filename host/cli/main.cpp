// The program: reads the command line, runs a verb, turns errors into exit codes.
#include "host/cli/interrupt.hpp"
#include "host/cli/verbs.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <new>

namespace sightline::cli {
namespace {

constexpr int interrupted_exit_code = 130;

int run_verb(Job& job, const Command& command) {
  struct Visitor {
    Job& job;
    int operator()(const InfoArguments& a) const { return run_info(job, a); }
    int operator()(const GenArguments& a) const { return run_gen(job, a); }
    int operator()(const ImportArguments& a) const { return run_import(job, a); }
    int operator()(const CastArguments& a) const { return run_cast(job, a); }
    int operator()(const VisibilityArguments& a) const { return run_visibility(job, a); }
    int operator()(const OverlapArguments& a) const { return run_overlap(job, a); }
    int operator()(const DistanceArguments& a) const { return run_distance(job, a); }
    int operator()(const SweepArguments& a) const { return run_sweep(job, a); }
    int operator()(const FlatArguments& a) const { return run_flat(job, a); }
    int operator()(const AreasArguments& a) const { return run_areas(job, a); }
    int operator()(const SetsArguments& a) const { return run_pvs(job, a); }
    int operator()(const ExposureArguments& a) const { return run_exposure(job, a); }
    int operator()(const ProbesArguments& a) const { return run_probes(job, a); }
    int operator()(const CoverArguments& a) const { return run_cover(job, a); }
    int operator()(const VerifyArguments& a) const { return run_verify(job, a); }
    int operator()(const BenchArguments& a) const { return run_bench(job, a); }
  };
  return std::visit(Visitor{job}, command.arguments);
}

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
    return {interrupted_exit_code, "interrupted; nothing was kept"};
  } catch (const Error& error) {
    return failed(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ErrorKind::out_of_memory, "the system has no more memory");
  } catch (const std::exception& error) {
    return failed(ErrorKind::internal, fmt::format("a defect of sightline: {}", error.what()));
  }
}

int tell(const Outcome& outcome) {
  if (!outcome.error.empty()) {
    std::fputs(fmt::format("sightline: {}\n", outcome.error).c_str(), stderr);
  }
  return outcome.exit_code;
}

int run(int argc, const char* const* argv) {
  Command command;
  if (const auto exit_code = parse_command_line(argc, argv, command)) return *exit_code;
  watch_signals();
  Job job(command.verb, command.common);
  const Outcome outcome = guarded([&] { return run_verb(job, command); });
  const Outcome report = guarded([&] {
    job.finish(outcome.exit_code, outcome.error);
    return 0;
  });
  tell(report);
  tell(outcome);
  return outcome.exit_code != 0 ? outcome.exit_code : report.exit_code;
}

}  // namespace
}  // namespace sightline::cli

int main(int argc, char** argv) {
  try {
    return sightline::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs("sightline: a defect of sightline: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return 7;
  }
}
