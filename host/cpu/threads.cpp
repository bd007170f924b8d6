#include "host/cpu/threads.hpp"

#include "host/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <new>
#include <string>
#include <vector>

namespace sightline::detail {
namespace {

// 2^19 rays at once, 68 bytes each: see RayBatches.
constexpr std::uint64_t bytes_a_thread = std::uint64_t{68} << 19;

int thread_count(int asked) {
  if (asked < 0) throw Error(ErrorKind::usage, "the number of threads is negative");
  return asked > 0 ? asked : tbb::info::default_concurrency();
}

}  // namespace

Threads::Threads(int threads) : count_(thread_count(threads)), arena_(count_) {
  // Without this, more threads than cores would quietly be fewer.
  if (count_ > tbb::info::default_concurrency()) {
    more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(count_));
  }
}

void Threads::run(std::uint64_t n, std::uint64_t part, const TaskMaker& make_task) const {
  const std::uint64_t parts = n / part + (n % part != 0);
  run_parts(
      parts, [&](std::uint64_t k) { return k < parts ? k * part : n; }, make_task);
}

void Threads::run_shrinking(std::uint64_t n, std::uint64_t least, std::uint64_t most,
                            const TaskMaker& make_task) const {
  const std::uint64_t shares = count_ == 1 ? 1 : static_cast<std::uint64_t>(count_) * 2;
  std::vector<std::uint64_t> begins = {0};
  while (begins.back() < n) {
    const std::uint64_t rest = n - begins.back();
    const std::uint64_t size = std::clamp(rest / shares, least, most) / 64 * 64;
    begins.push_back(begins.back() + std::min(rest, size));
  }
  run_parts(
      begins.size() - 1, [&](std::uint64_t k) { return begins[k]; }, make_task);
}

void Threads::run_parts(std::uint64_t parts,
                        const std::function<std::uint64_t(std::uint64_t)>& begin_of,
                        const TaskMaker& make_task) const {
  std::atomic<std::uint64_t> next{0};
  const auto work = [&](const auto&) {
    // Whatever environment the pool gives its threads, this one is ours.
    const FpEnvironment environment;
    try {
      const Task task = make_task();
      for (std::uint64_t k = next++; k < parts; k = next++) task(begin_of(k), begin_of(k + 1));
    } catch (...) {
      next = parts;  // the others need not go on
      throw;
    }
  };
  const std::uint64_t workers = std::min(parts, static_cast<std::uint64_t>(count_));
  try {
    arena_.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, workers, 1), work,
                        tbb::simple_partitioner());
    });
    next.load();  // oneTBB orders what the threads did before this, but no sanitizer sees it
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "batches of rays on " + std::to_string(count_) + " threads need up to " +
                    std::to_string(bytes_a_thread * static_cast<std::uint64_t>(count_)) + " bytes");
  }
}

}  // namespace sightline::detail
