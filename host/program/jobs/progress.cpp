#include "host/program/jobs/progress.hpp"

#include "host/files/core/text_file.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace sightline::cli {
namespace {

std::string duration(double seconds) {
  const auto s = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 1e9));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || no_color[0] == '\0';
}

}  // namespace

std::size_t terminal_columns(int descriptor) {
  const char* const columns = std::getenv("COLUMNS");
  const auto asked = io::number_from<std::uint16_t>(columns == nullptr ? "" : columns);
  winsize size = {};
  if (!asked) ioctl(descriptor, TIOCGWINSZ, &size);
  const std::uint16_t found = asked.value_or(size.ws_col);
  return found > 0 ? found : 100;
}

Progress::Progress(std::string verb, std::string unit, std::uint64_t total, bool quiet,
                   std::uint64_t done_before)
    : verb_(std::move(verb)),
      unit_(std::move(unit)),
      total_(total),
      done_before_(done_before),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      color_(wants_color()) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::update(std::uint64_t done) {
  poll_interrupt();
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  const double pause = std::chrono::duration<double>(now - last_).count();
  if (pause < (terminal_ ? 0.1 : 10.0)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  if (terminal_) {
    draw_bar(seconds, done);
  } else {
    std::fputs(fmt::format("{}\n", line(seconds, done, 200)).c_str(), stderr);
  }
}

std::string Progress::line(double seconds, std::uint64_t done, std::size_t columns) const {
  const std::uint64_t now = done - done_before_;
  const double rate = static_cast<double>(now) / std::max(seconds, 1e-9);
  const double share =
      static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(total_, 1));
  const std::string percent = fmt::format("{}: {:.0f}%", verb_, 100 * share);
  const std::string of = fmt::format(", {} of {} {}", grouped(done), grouped(total_), unit_);
  std::string speed, left;
  if (now > 0) {
    speed = fmt::format(", {} {}/s", short_number(rate), unit_);
    left = fmt::format(", {} left", duration(static_cast<double>(total_ - done) / rate));
  }
  for (const std::string& text :
       {percent + of + speed + left, percent + of + left, percent + left}) {
    if (text.size() <= columns) return text;
  }
  return percent.substr(0, columns);
}

void Progress::draw_bar(double seconds, std::uint64_t done) {
  constexpr std::uint64_t width = 24, with_frame = width + 3;
  // A line that reaches the last column would go on below, and stay there.
  const std::size_t columns = terminal_columns(STDERR_FILENO) - 1;
  const std::uint64_t filled =
      total_ == 0 ? width
                  : static_cast<std::uint64_t>(static_cast<double>(done) /
                                               static_cast<double>(total_) * width);
  std::string bar;
  if (columns > 2 * with_frame) {
    bar = fmt::format("[{}{:=<{}}{}{:{}}] ", color_ ? "\033[32m" : "", "", filled,
                      color_ ? "\033[0m" : "", "", width - filled);
  }
  const std::size_t room = bar.empty() ? columns : columns - with_frame;
  std::fputs(("\r\033[K" + bar + line(seconds, done, room)).c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

std::size_t at_once(std::size_t n, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& stop) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      stop();
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    others.reserve(n - 1);
    while (others.size() + 1 < n) {
      others.emplace_back([&guarded, worker = others.size() + 1] { guarded(worker); });
    }
  } catch (const std::system_error&) {  // the system refuses a thread
  } catch (const std::bad_alloc&) {     // or memory for one
  }
  guarded(0);
  const std::size_t called = others.size() + 1;
  others.clear();
  if (failure) std::rethrow_exception(failure);
  return called;
}

void for_each_piece(std::uint64_t count, int threads, Progress& progress,
                    const std::function<std::uint64_t(std::uint64_t)>& work) {
  const std::uint64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::uint64_t most = threads > 0 ? static_cast<std::uint64_t>(threads) : cores;
  std::atomic<std::uint64_t> next{0}, done{0};
  std::mutex mutex;
  const auto take_pieces = [&](std::size_t) {
    for (std::uint64_t i = next++; i < count; i = next++) {
      done += work(i);
      const std::unique_lock lock(mutex, std::try_to_lock);
      if (lock) progress.update(done);
    }
  };
  at_once(static_cast<std::size_t>(std::clamp<std::uint64_t>(count, 1, most)), take_pieces,
          [&] { next = count; });
}

}  // namespace sightline::cli
