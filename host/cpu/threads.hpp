// The cpu backend's threads.
#pragma once

#include "host/common/workers.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace sightline::detail {

/// Runs the elements [begin, end) of a loop.
using Task = std::function<void(std::uint64_t begin, std::uint64_t end)>;
/// Makes the task of one thread.
using TaskMaker = std::function<Task()>;

/// A task with a state of its own, which is kept from part to part.
template <class MakeState, class Use>
TaskMaker maker_of(const MakeState& make_state, const Use& use) {
  return [&] {
    const auto state = std::make_shared<decltype(make_state())>(make_state());
    return [&use, state](std::uint64_t begin, std::uint64_t end) { use(*state, begin, end); };
  };
}

class Threads {
 public:
  /// As Workers, which say how many there are.
  explicit Threads(int threads) : workers_(threads) {}

  int count() const { return workers_.count(); }
  std::string description() const { return workers_.description(); }

  /// The size of parts so that all threads get equal shares in as few parts as possible; within
  /// [least, most], which are multiples of 64, as is the result.
  std::uint64_t part_of(std::uint64_t n, std::uint64_t least, std::uint64_t most) const {
    const auto over = [](std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); };
    const auto threads = static_cast<std::uint64_t>(count());
    const std::uint64_t rounds = std::max<std::uint64_t>(over(n, threads * most), 1);
    return std::clamp(over(over(n, threads * rounds), 64) * 64, least, most);
  }

  /// Divides [0, n) into parts of `part` elements and calls use(state, begin, end) once for each,
  /// possibly in parallel, in the floating-point environment of the arithmetic. Every thread makes
  /// its own state and keeps it from part to part. Throws Error{out_of_memory} where there is no
  /// memory for its rays.
  template <class MakeState, class Use>
  void for_each_part(std::uint64_t n, std::uint64_t part, const MakeState& make_state,
                     const Use& use) const {
    run(n, part, maker_of(make_state, use));
  }

  /// The same with small parts, which begin at multiples of 64: use(begin, end). A single part
  /// runs on this thread: a call of one ray would take twice its time to enter the arena.
  template <class Use>
  void for_each_part(std::uint64_t n, const Use& use, std::uint64_t most = small_part) const {
    const std::uint64_t part = part_of(n, 64, most);
    if (n <= part)
      return run_here(n, [&use](std::uint64_t begin, std::uint64_t end) { use(begin, end); });
    for_each_part(
        n, part, [] { return 0; },
        [&](int, std::uint64_t begin, std::uint64_t end) { use(begin, end); });
  }
  static constexpr std::uint64_t small_part = 512;
  std::uint64_t small_part_of(std::uint64_t n) const { return part_of(n, 64, small_part); }

  /// Runs the job in the arena, so that oneTBB calls in it use these threads.
  template <class Job>
  void run(const Job& job) const {
    workers_.run(job);
  }

 private:
  void run(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) const;
  void run_here(std::uint64_t n, const Task& task) const;

  Workers workers_;
};

void nested_parallel_for(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task);

/// Within a part: divides [0, n) into smaller parts and calls use(state, begin, end) once for each,
/// started in order, on this thread and on idle ones, which make their own states. So the parts of
/// threads can be few and large, in which rays share nodes, and no thread is idle for long.
template <class MakeState, class Use>
void nested_parallel_for(std::uint64_t n, std::uint64_t part, const MakeState& make_state,
                         const Use& use) {
  nested_parallel_for(n, part, maker_of(make_state, use));
}

}  // namespace sightline::detail
