// The cpu backend's threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace sightline::detail {

/// Does the elements [begin, end) of a job.
using Task = std::function<void(std::uint64_t begin, std::uint64_t end)>;
/// Makes the task of one thread.
using TaskMaker = std::function<Task()>;

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

  /// Cuts [0, n) into parts of so many elements and calls use(state, begin, end) once for each,
  /// possibly at the same time, in the floating-point environment of the arithmetic; every thread
  /// makes a state of its own, and keeps it from part to part. Throws Error{out_of_memory} where
  /// there is no memory for its rays.
  template <class MakeState, class Use>
  void for_each_part(std::uint64_t n, std::uint64_t part, const MakeState& make_state,
                     const Use& use) const {
    run(n, part, maker_of(make_state, use));
  }

  /// The same with parts that shrink, from `most` elements to `least`, all but the last multiples
  /// of 64 (so that `least` is at least 64): rays meet in large parts, and small ones at the end
  /// keep all threads at work.
  template <class MakeState, class Use>
  void for_each_shrinking_part(std::uint64_t n, std::uint64_t least, std::uint64_t most,
                               const MakeState& make_state, const Use& use) const {
    run_shrinking(n, least, most, maker_of(make_state, use));
  }

  /// Does the job on the threads: what it uses of oneTBB is theirs.
  template <class Job>
  void run(const Job& job) const {
    arena_.execute(job);
  }

 private:
  template <class MakeState, class Use>
  static TaskMaker maker_of(const MakeState& make_state, const Use& use) {
    return [&] {
      const auto state = std::make_shared<decltype(make_state())>(make_state());
      return [&use, state](std::uint64_t begin, std::uint64_t end) { use(*state, begin, end); };
    };
  }
  void run(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) const;
  void run_shrinking(std::uint64_t n, std::uint64_t least, std::uint64_t most,
                     const TaskMaker& make_task) const;
  /// Has tasks do parts [begin_of(k), begin_of(k + 1)), k < parts, begun in that order.
  void run_parts(std::uint64_t parts, const std::function<std::uint64_t(std::uint64_t)>& begin_of,
                 const TaskMaker& make_task) const;

  int count_;
  std::optional<tbb::global_control> more_threads_;
  mutable tbb::task_arena arena_;
};

}  // namespace sightline::detail
