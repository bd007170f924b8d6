#include "host/common/workers.hpp"

#include <sightline/error.hpp>

#include <tbb/info.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sightline::detail {
namespace {

constexpr int most_threads = 1024;
constexpr std::chrono::seconds longest_wait{1};

/// How many of n threads the system gives at once.
int threads_given(int n) {
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(n));
  std::latch tried(1);
  try {
    while (static_cast<int>(all.size()) < n) all.emplace_back([&] { tried.wait(); });
  } catch (const std::exception&) {  // no thread, or no memory for one
  }
  tried.count_down();
  for (std::thread& one : all) one.join();
  return static_cast<int>(all.size());
}

/// Workers that wait for each other, so that none does the task of two.
struct Muster {
  std::mutex mutex;
  std::condition_variable changed;
  int present = 0;
  bool over = false;

  void attend() {
    std::unique_lock lock(mutex);
    ++present;
    changed.notify_all();
    changed.wait(lock, [&] { return over; });
  }
  /// False where they come too late.
  bool wait_for(int n) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, longest_wait, [&] { return present >= n; });
  }
  void end() {
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }
};
/// Ends a muster, whatever happens before.
struct Dismissal {
  Muster& muster;
  ~Dismissal() { muster.end(); }
};

/// What all Workers share: oneTBB's threads, which it keeps, and starts where there are too few.
/// A worker that starts another one ends the process where that is refused, so that this thread
/// starts all that may be wanted at a time, one after the other.
class Pool {
 public:
  static Pool& get() {
    static Pool& pool = *new Pool;  // whose threads may outlive main()
    return pool;
  }

  /// Takes n threads, or as many as there are; returns how many.
  int take(int n) {
    const std::lock_guard lock(mutex_);
    // Never more at a time than oneTBB allows: jobs then share them.
    const auto allowed =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int all = std::min(taken_ + n, static_cast<int>(allowed) - 1);
    if (!is_broken() && all > there_) start(all - there_);
    const int got = is_broken() ? 0 : all <= there_ ? n : std::clamp(there_ - taken_, 0, n);
    taken_ += got;
    return got;
  }
  void give_back(int n) {
    const std::lock_guard lock(mutex_);
    taken_ -= n;
  }

  /// Since it was refused a thread, oneTBB may wait for it.
  bool is_broken() const { return broken_; }
  void set_broken() { broken_ = true; }

 private:
  Pool() { keeps_threads_.initialize(); }

  void start(int n) {
    const int given = threads_given(n);
    if (given == 0) return;
    const auto muster = std::make_shared<Muster>();
    // Each worker in an arena of its own: the demand grows by one at a time.
    std::vector<std::unique_ptr<tbb::task_arena>> arenas;
    const Dismissal dismissal{*muster};
    bool in_time = true;
    for (int present = 1; present <= there_ + given; ++present) {
      arenas.push_back(std::make_unique<tbb::task_arena>(2, 1));
      try {
        arenas.back()->enqueue([muster] { muster->attend(); });
      } catch (const std::runtime_error&) {
        set_broken();
        static_cast<void>(arenas.back().release());  // still waits for its worker
        return;
      }
      // Workers that are late are at work on other jobs, or on their way.
      in_time = in_time && muster->wait_for(present);
    }
    there_ += given;
  }

  std::mutex mutex_;
  int there_ = 0, taken_ = 0;
  std::atomic<bool> broken_ = false;
  tbb::task_arena keeps_threads_{1};
};

/// Ends the use of an arena.
struct Use {
  std::atomic<bool>& in_use;
  ~Use() { in_use = false; }
};

void run_alone(const std::function<void()>& job) {
  tbb::task_arena alone(1);
  alone.execute(job);
}

}  // namespace

int thread_count(int requested) {
  const int cores = tbb::info::default_concurrency(), most = std::max(most_threads, cores);
  if (requested < 0 || requested > most) {
    throw Error(ErrorKind::usage, "the number of threads is " + std::to_string(requested) +
                                      ", not 0 to " + std::to_string(most));
  }
  return requested > 0 ? requested : cores;
}

Workers::Loan::Loan(int most) : count(Pool::get().take(most)) {}
Workers::Loan::~Loan() { Pool::get().give_back(count); }

Workers::Workers(int threads) : asked_(thread_count(threads)) {
  const int cores = tbb::info::default_concurrency();
  // Otherwise oneTBB would silently use no more threads than cores.
  const auto allow = [&](int n) {
    more_than_cores_.reset();
    if (n > cores) {
      more_than_cores_.emplace(tbb::global_control::max_allowed_parallelism,
                               static_cast<std::size_t>(n));
    }
  };
  allow(asked_);
  if (asked_ > 1) others_.emplace(asked_ - 1);
  if (count() < asked_) allow(count());
  arena_.initialize(count());
}

bool Workers::is_alone() const { return count() == 1 || Pool::get().is_broken(); }

std::string Workers::description() const {
  std::string words = std::to_string(count()) + (count() == 1 ? " thread" : " threads");
  if (count() < asked_) {
    words += " of " + std::to_string(asked_) +
             " (the system refuses more: raise its limit of processes, or ask for fewer)";
  }
  return words;
}

void Workers::execute(const std::function<void()>& job) const {
  if (Pool::get().is_broken()) return run_alone(job);
  // In an arena of one thread a second caller would wait for a worker that nobody has started.
  if (count() == 1 && in_use_.exchange(true)) return run_alone(job);
  const Use use{in_use_};
  try {
    arena_.execute(job);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {  // oneTBB's
    Pool::get().set_broken();
    throw Error(ErrorKind::out_of_memory,
                std::string("the system refuses a thread: raise its limit of processes, or ask "
                            "for one thread (--threads 1): ") +
                    error.what());
  }
}

}  // namespace sightline::detail
