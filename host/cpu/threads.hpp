// The cpu backend's threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

namespace sightline::detail {

/// Does the elements [begin, end) of a job.
using Task = std::function<void(std::uint64_t begin, std::uint64_t end)>;

class Threads {
 public:
  /// 0 = all cores. Throws Error{usage} for a negative number.
  explicit Threads(int threads);

  int count() const { return count_; }

  /// Elements of a part so that every thread of several gets eight, within [least, most] and a
  /// multiple of 64.
  std::uint64_t part_of(std::uint64_t n, std::uint64_t least, std::uint64_t most) const {
    const std::uint64_t even = count_ == 1 ? n : n / (static_cast<std::uint64_t>(count_) * 8);
    return std::clamp(even, least, most) / 64 * 64;
  }

  /// Cuts [0, n) into parts of so many elements and has each done once, possibly at the same time,
  /// in the floating-point environment of the arithmetic. Throws Error{out_of_memory} where a task
  /// finds no memory for its rays.
  void for_each_part(std::uint64_t n, std::uint64_t part, const Task& task) const;

  /// The same with parts that shrink, from `most` elements to `least`, all but the last multiples
  /// of 64: rays meet in large parts, and small ones at the end keep all threads at work.
  void for_each_part(std::uint64_t n, std::uint64_t least, std::uint64_t most,
                     const Task& task) const;

  /// Does the job on the threads: what it uses of oneTBB is theirs.
  template <class Job>
  void run(const Job& job) const {
    arena_.execute(job);
  }

 private:
  /// Calls task(k) for all k < parts, in that order, on all threads.
  void run_parts(std::uint64_t parts, const std::function<void(std::uint64_t)>& task) const;

  int count_;
  std::optional<tbb::global_control> more_threads_;
  mutable tbb::task_arena arena_;
};

}  // namespace sightline::detail
