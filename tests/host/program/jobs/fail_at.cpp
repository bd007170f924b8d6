// Preloaded into the program: SIGHTLINE_FAIL=KIND:N[+][:ERRNO] fails its N-th call of a kind (see
// failing_calls.hpp), with + all later ones, too, counted from main() on. SIGHTLINE_FAIL_REPORT
// prints at the end how many there were.
#include "tests/support/failing_calls.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace sightline::testing;

struct Kind {
  const char* name;
  Call call;
  int error;
};
constexpr Kind kinds[] = {{"memory", Call::memory, ENOMEM},
                          {"thread", Call::thread, EAGAIN},
                          {"status", Call::status, EIO},
                          {"inode", Call::inode, 0},
                          {"transfer", Call::transfer, EINTR}};

void begin() {
  const char* const text = std::getenv("SIGHTLINE_FAIL");
  if (text == nullptr) return;
  for (const Kind& kind : kinds) {
    const std::size_t length = std::strlen(kind.name);
    if (std::strncmp(text, kind.name, length) != 0 || text[length] != ':') continue;
    char* end = nullptr;
    FailurePlan plan = {kind.call, std::strtol(text + length + 1, &end, 10), false, kind.error};
    if (*end == '+') plan.on = true, ++end;
    if (*end == ':') plan.error = std::atoi(end + 1);
    set_failure_plan(plan);
    return;
  }
  std::fputs("fail_at: no such kind\n", stderr);
  std::_Exit(99);
}

void report() {
  if (std::getenv("SIGHTLINE_FAIL_REPORT") == nullptr) return;
  const long made = planned_calls();
  set_failure_plan({});
  std::fprintf(stderr, "fail_at: %ld calls\n", made);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;
int counted_main(int argc, char** argv, char** environment) {
  begin();
  const int code = real_main(argc, argv, environment);
  report();
  return code;
}

}  // namespace

extern "C" int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                                 void (*rtld_fini)(), void* stack_end) {
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  auto* const real = reinterpret_cast<Start*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(&counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
