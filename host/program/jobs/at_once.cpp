#include "host/program/jobs/at_once.hpp"

#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace sightline::cli {

std::size_t at_once(std::size_t n, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& stop) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&](std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      stop();
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  try {
    others.reserve(n - 1);
    while (others.size() + 1 < n) {
      others.emplace_back([&guarded, worker = others.size() + 1] { guarded(worker); });
    }
  } catch (const std::system_error&) {  // the system refuses a thread
  } catch (const std::bad_alloc&) {     // or memory for one
  }
  guarded(0);
  const std::size_t called = others.size() + 1;
  others.clear();
  if (failure) std::rethrow_exception(failure);
  return called;
}

}  // namespace sightline::cli
