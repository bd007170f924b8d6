#include "host/cpu/threads.hpp"

#include "host/fp_environment.hpp"

#include <sightline/error.hpp>

#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <new>
#include <string>

namespace sightline::detail {
namespace {

// 2^18 rays at once, 120 bytes each: see RayBatches.
constexpr std::uint64_t bytes_a_thread = std::uint64_t{120} << 18;

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

void Threads::for_each_part(std::uint64_t n, std::uint64_t part, const Task& task) const {
  const std::uint64_t parts = n / part + (n % part != 0);
  const auto all = [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::uint64_t>(0, parts, 1),
        [&](const auto& range) {
          // Whatever environment the pool gives its threads, this one is ours.
          const FpEnvironment environment;
          for (std::uint64_t k = range.begin(); k < range.end(); ++k) {
            task(k * part, std::min(n, (k + 1) * part));
          }
        },
        tbb::simple_partitioner());
  };
  try {
    arena_.execute(all);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "batches of rays on " + std::to_string(count_) + " threads need up to " +
                    std::to_string(bytes_a_thread * static_cast<std::uint64_t>(count_)) + " bytes");
  }
}

}  // namespace sightline::detail
