#include "host/cli/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace sightline::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may only use these");

extern "C" void on_signal(int) { interrupted.store(true); }

}  // namespace

void watch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

bool is_interrupted() { return interrupted.load(); }

void poll_interrupt() {
  if (is_interrupted()) throw Interrupted{};
}

}  // namespace sightline::cli
