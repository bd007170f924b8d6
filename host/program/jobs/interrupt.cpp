#include "host/program/jobs/interrupt.hpp"

#include "host/files/core/file.hpp"

#include <ctime>

#include <atomic>
#include <csignal>
#include <cstdint>

namespace sightline::cli {
namespace {

// Signals of one stop: `timeout` sends it to the program and to its group, a terminal and a
// scheduler may both send one.
constexpr std::int64_t one_stop_ns = 1'500'000'000;

std::atomic<std::int64_t> first_signal{0};  // when it came, in ns; 0: none has
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "signal handlers may only use these");

extern "C" void on_signal(int signal) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t ns = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec + 1;
  std::int64_t before = 0;
  if (first_signal.compare_exchange_strong(before, ns) || ns - before < one_stop_ns) return;
  // Blocked until the handler returns, and then ends the program.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void watch_signals() {
  io::set_poll(poll_interrupt);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // not under nohup
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

void poll_interrupt() {
  if (first_signal.load() != 0) throw Interrupted{};
}

}  // namespace sightline::cli
