#include "host/cpu/threads.hpp"

#include "host/common/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace sightline::detail {
namespace {

// 2^20 rays at once, 120 bytes each: see RayBatches.
constexpr std::uint64_t bytes_a_thread = std::uint64_t{120} << 20;

constexpr int most_threads = 1024;

int thread_count(int requested) {
  const int cores = tbb::info::default_concurrency(), most = std::max(most_threads, cores);
  if (requested < 0 || requested > most) {
    throw Error(ErrorKind::usage, "the number of threads is " + std::to_string(requested) +
                                      ", not 0 to " + std::to_string(most));
  }
  return requested > 0 ? requested : cores;
}

/// Whether so many threads can be had: oneTBB, where it is refused one, ends the process.
bool can_have(int count) {
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(count));
  std::latch tried(1);
  try {
    while (static_cast<int>(all.size()) < count) all.emplace_back([&] { tried.wait(); });
  } catch (const std::exception&) {  // no thread, or no memory for one
  }
  tried.count_down();
  for (std::thread& one : all) one.join();
  return static_cast<int>(all.size()) == count;
}

/// Runs the job; its lack of memory is told in words.
template <class Job>
void with_memory_for(int threads, const Job& job) {
  try {
    job();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "there is not the memory that " + std::to_string(threads) +
                    " threads need: batches of rays alone take up to " +
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

Threads::Threads(int threads) : count_(thread_count(threads)), arena_(count_) {
  // Otherwise oneTBB would silently use no more threads than cores.
  if (count_ > tbb::info::default_concurrency()) {
    if (!can_have(count_)) {
      throw Error(ErrorKind::usage,
                  "the system does not give " + std::to_string(count_) + " threads");
    }
    more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(count_));
  }
}

void Threads::run(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) const {
  with_memory_for(count_, [&] { arena_.execute([&] { run_parts(n, part, make_task); }); });
}

void Threads::run_here(std::uint64_t n, const Task& task) const {
  if (n == 0) return;
  with_memory_for(count_, [&] {
    const FpEnvironment environment;
    task(0, n);
  });
}

void share(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) {
  // While it waits, this thread must not start another part of the outer loop.
  tbb::this_task_arena::isolate([&] { run_parts(n, part, make_task); });
}

}  // namespace sightline::detail
