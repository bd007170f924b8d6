// How far a job is: a bar on a terminal, else one line every 10 seconds; and work on several
// threads that shows it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace sightline::cli {

/// How wide the terminal of this descriptor is; COLUMNS goes first, and 100 where neither says it.
std::size_t terminal_columns(int descriptor);

/// Shows `done` of `total` units with rate and time left on stderr. On a terminal the bar is drawn
/// anew up to 10 times a second and cleared at the end, in colour unless NO_COLOR is set. Quiet
/// progress shows nothing. What an earlier run did counts as done, not for the rate.
class Progress {
 public:
  Progress(std::string verb, std::string unit, std::uint64_t total, bool quiet,
           std::uint64_t done_before = 0);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Also polls for interruption: throws Interrupted.
  void update(std::uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  /// As much as fits.
  std::string line(double seconds, std::uint64_t done, std::size_t columns) const;
  void draw_bar(double seconds, std::uint64_t done);

  std::string verb_, unit_;
  std::uint64_t total_, done_before_;
  bool quiet_, terminal_, color_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

/// Calls work(0) on this thread and work(1) .. work(n - 1) on others at the same time, as far as
/// the system gives them: work must take up what others leave. Where one throws, stop() is called,
/// and once all have returned the first exception is thrown here. Returns how many were called.
std::size_t at_once(std::size_t n, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& stop);

/// Calls work(i) once for every i in [0, count), on `threads` threads (0 = all cores), and shows
/// the sum of what it returns as progress. The first exception, or an interruption, ends the rest
/// and is thrown here.
void for_each_piece(std::uint64_t count, int threads, Progress& progress,
                    const std::function<std::uint64_t(std::uint64_t)>& work);

}  // namespace sightline::cli
