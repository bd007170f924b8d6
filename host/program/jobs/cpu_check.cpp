// Tells a machine that is too old, before any other code of the program runs on it. This file is
// compiled for plain x86-64 and uses nothing that is compiled otherwise.
#if defined(__x86_64__)

#include <unistd.h>

namespace {

constexpr int device_exit_code = 4;  // ErrorKind::device

// Priority 101 comes before every static initialiser of the program.
__attribute__((constructor(101))) void check_cpu() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    return;
  }
  constexpr char message[] =
      "sightline: this processor lacks AVX2, FMA or BMI (x86-64-v3), which the program needs\n";
  const auto written = write(STDERR_FILENO, message, sizeof message - 1);
  static_cast<void>(written);  // there is nothing to do about it
  _exit(device_exit_code);
}

}  // namespace

#endif
