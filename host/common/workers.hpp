// oneTBB's threads, as many as the system gives: it would end the process where it is refused one.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace sightline::detail {

/// How many threads that number means: 0 is all cores. Throws Error{usage} for a negative number
/// and for more than there may be.
int thread_count(int requested);

/// A number of threads, the calling one among them, that oneTBB's calls in run() use. The others
/// exist before the first of these calls: a thread that cannot be had is found out here, where the
/// work can be done by fewer.
class Workers {
 public:
  /// Takes as many of thread_count() as the system gives, one at least. Throws as it does.
  explicit Workers(int threads);

  /// How many there are. Until these Workers end, none that come later get their threads, idle or
  /// not, where the system gives no more.
  int count() const { return 1 + (others_ ? others_->count : 0); }
  /// Whether run() uses the calling thread alone.
  bool is_alone() const;
  /// The same in words, and why there are no more where more were asked for.
  std::string description() const;

  /// Runs the job in the arena of these threads. Throws what it throws, and Error{out_of_memory}
  /// where the system refuses oneTBB a thread all the same.
  template <class Job>
  void run(const Job& job) const {
    execute(std::cref(job));
  }

 private:
  void execute(const std::function<void()>& job) const;

  /// Threads that are taken from all that there are, and given back.
  struct Loan {
    explicit Loan(int most);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    int count;
  };

  int asked_;
  std::optional<tbb::global_control> more_than_cores_;
  std::optional<Loan> others_;
  mutable tbb::task_arena arena_;
  mutable std::atomic<bool> in_use_ = false;
};

}  // namespace sightline::detail
