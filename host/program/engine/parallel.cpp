#include "host/program/engine/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sightline::cli {
namespace {

struct Shared {
  std::atomic<std::uint64_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable finished;
  std::uint64_t running = 0;   // guarded by mutex
  std::exception_ptr failure;  // guarded by mutex
};

void take_pieces(Shared& shared, std::uint64_t count,
                 const std::function<std::uint64_t(std::uint64_t)>& work) {
  std::exception_ptr failure;
  try {
    while (!shared.stop) {
      const std::uint64_t piece = shared.next++;
      if (piece >= count) break;
      shared.done += work(piece);
    }
  } catch (...) {
    failure = std::current_exception();
    shared.stop = true;
  }
  const std::lock_guard lock(shared.mutex);
  if (failure && !shared.failure) shared.failure = failure;
  --shared.running;
  shared.finished.notify_one();
}

}  // namespace

void for_each_piece(std::uint64_t count, int threads, Progress& progress,
                    const std::function<std::uint64_t(std::uint64_t)>& work) {
  const std::uint64_t wanted = threads > 0 ? static_cast<std::uint64_t>(threads)
                                           : std::max(1u, std::thread::hardware_concurrency());
  Shared shared;
  shared.running = std::min(wanted, count);
  std::vector<std::jthread> pool;
  for (std::uint64_t i = 0, n = shared.running; i < n; ++i) {
    pool.emplace_back([&] { take_pieces(shared, count, work); });
  }
  std::unique_lock lock(shared.mutex);
  while (shared.running > 0) {
    shared.finished.wait_for(lock, std::chrono::milliseconds(50));
    try {
      progress.update(shared.done);
    } catch (...) {
      if (!shared.failure) shared.failure = std::current_exception();
      shared.stop = true;
    }
  }
  lock.unlock();
  if (shared.failure) std::rethrow_exception(shared.failure);
}

}  // namespace sightline::cli
