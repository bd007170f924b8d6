#include "host/cpu/threads.hpp"

#include "host/common/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <string>

namespace sightline::detail {
namespace {

// 2^20 rays at once, 120 bytes each: see RayBatches.
constexpr std::uint64_t bytes_a_thread = std::uint64_t{120} << 20;

/// Runs the job; reports its lack of memory.
template <class Job>
void with_memory_for(int threads, const Job& job) {
  try {
    job();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "out of memory for " + std::to_string(threads) +
                    " threads: batches of rays alone take up to " +
                    std::to_string(bytes_a_thread * static_cast<std::uint64_t>(threads)) +
                    " bytes");
  }
}

/// Runs the parts of [0, n) on the available threads of this arena.
void run_parts(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) {
  const std::uint64_t parts = n / part + (n % part != 0);
  std::atomic<std::uint64_t> next;
  next = 0;  // oneTBB orders memory before and after its tasks, but sanitizers do not see it
  const auto work = [&](const auto&) {
    if (next >= parts) return;
    // The pool's threads may have another environment.
    const FpEnvironment environment;
    try {
      const Task task = make_task();
      for (std::uint64_t k = next++; k < parts; k = next++) {
        task(k * part, std::min(n, k * part + part));
      }
    } catch (...) {
      next = parts;  // stops the other threads
      throw;
    }
  };
  const auto threads = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency());
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, std::min(parts, threads), 1), work,
                    tbb::simple_partitioner());
  next.load();
}

}  // namespace

void Threads::run(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) const {
  with_memory_for(count(), [&] { workers_.run([&] { run_parts(n, part, make_task); }); });
}

void Threads::run_here(std::uint64_t n, const Task& task) const {
  if (n == 0) return;
  with_memory_for(count(), [&] {
    const FpEnvironment environment;
    task(0, n);
  });
}

void nested_parallel_for(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) {
  // While it waits, this thread must not start another part of the outer loop.
  tbb::this_task_arena::isolate([&] { run_parts(n, part, make_task); });
}

}  // namespace sightline::detail
