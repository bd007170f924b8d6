// A flag that is raised once and can be waited for.
//
// std::atomic::wait shares a table of waiters among all atomics, and a mutex orders whoever takes
// it: both would order threads that CUDA does not. This orders the raiser before the waiter, and
// nobody else.
#pragma once

#include <atomic>
#include <climits>
#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sightline::standin {

class Signal {
 public:
  void raise() {
    raised_.store(1, std::memory_order_release);
    syscall(SYS_futex, &raised_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }
  bool raised() const { return raised_.load(std::memory_order_acquire) != 0; }
  void wait() const {
    while (!raised()) syscall(SYS_futex, &raised_, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }

 private:
  std::atomic<std::uint32_t> raised_ = 0;
};

}  // namespace sightline::standin
