#include "tests/support/failing_calls.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

namespace sightline::testing {
namespace {

// Before any constructor has run, malloc() is called.
constinit std::atomic<Call> planned{Call::none};
constinit std::atomic<long> calls{0}, first{0};
constinit std::atomic<bool> all_later{false};
constinit std::atomic<int> error_number{0};

}  // namespace

void set_failure_plan(const FailurePlan& plan) {
  planned = Call::none;
  calls = 0;
  first = plan.at;
  all_later = plan.on;
  error_number = plan.error;
  planned = plan.call;
}

long planned_calls() { return calls; }

bool fails(Call call) {
  if (planned.load(std::memory_order_relaxed) != call) return false;
  const long n = ++calls, at = first;
  if (at == 0 || n < at || (n > at && !all_later)) return false;
  errno = error_number;
  return true;
}

}  // namespace sightline::testing

namespace {

using sightline::testing::Call;
using sightline::testing::fails;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

// glibc's own: dlsym() would call malloc() to find them.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t n, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) { return fails(Call::memory) ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t n, std::size_t bytes) {
  return fails(Call::memory) ? nullptr : __libc_calloc(n, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return fails(Call::memory) ? nullptr : __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(Call::memory) ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static auto* const real =
      next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (fails(Call::thread)) return errno;
  return real(thread, attributes, run, argument);
}

int fstat(int file, struct stat* status) {
  static auto* const real = next<int(int, struct stat*)>("fstat");
  if (fails(Call::status)) return -1;
  const int result = real(file, status);
  if (fails(Call::inode)) status->st_ino += static_cast<ino_t>(sightline::testing::planned_calls());
  return result;
}

}  // extern "C"
