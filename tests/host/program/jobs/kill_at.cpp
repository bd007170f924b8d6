// Preloaded into the program: kills it at its SIGHTLINE_KILL_AT-th call that changes files, before
// the call, or half-way through it where it writes. Or fails calls: see fail_at.cpp.
#include "tests/support/failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdlib>

namespace {

using sightline::testing::Call;
using sightline::testing::fails;

std::atomic<long> calls{0};

bool is_last_call() {
  static const char* const text = std::getenv("SIGHTLINE_KILL_AT");
  static const long last = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return ++calls == last;
}

void die() { ::kill(::getpid(), SIGKILL); }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (fails(Call::transfer)) return -1;
  if (is_last_call()) {
    real(file, from, bytes / 2, offset);
    die();
  }
  return real(file, from, bytes, offset);
}

ssize_t pread(int file, void* to, size_t bytes, off_t offset) {
  static auto* const real = next<ssize_t(int, void*, size_t, off_t)>("pread");
  if (fails(Call::transfer)) return -1;
  return real(file, to, bytes, offset);
}

int fallocate(int file, int mode, off_t offset, off_t bytes) {
  static auto* const real = next<int(int, int, off_t, off_t)>("fallocate");
  if (fails(Call::transfer)) return -1;
  if (is_last_call()) die();
  return real(file, mode, offset, bytes);
}

int ftruncate(int file, off_t bytes) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  if (is_last_call()) die();
  return real(file, bytes);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  if (is_last_call()) die();
  return real(from, to);
}

int unlink(const char* name) noexcept {
  static auto* const real = next<int(const char*)>("unlink");
  if (is_last_call()) die();
  return real(name);
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  if (is_last_call()) die();
  return real(file);
}

int fdatasync(int file) {
  static auto* const real = next<int(int)>("fdatasync");
  if (is_last_call()) die();
  return real(file);
}

int open(const char* name, int flags, ...) {
  static auto* const real = next<int(const char*, int, ...)>("open");
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  if ((flags & O_CREAT) != 0 && is_last_call()) die();
  return real(name, flags, mode);
}

}  // extern "C"
