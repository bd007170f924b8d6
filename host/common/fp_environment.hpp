// The floating-point environment that the arithmetic is defined in.
#pragma once

#include <cstdint>
#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace sightline::detail {

/// While it lives, this thread rounds to nearest and neither flushes subnormal results nor reads
/// subnormal operands as zero; then the caller's environment is restored.
///
/// Do the floating-point work in a function that is not inlined into the scope: compilers may move
/// arithmetic across the switch, but not across an opaque call.
class FpEnvironment {
 public:
  FpEnvironment();
  ~FpEnvironment();
  FpEnvironment(const FpEnvironment&) = delete;
  FpEnvironment& operator=(const FpEnvironment&) = delete;

 private:
#if defined(__x86_64__)
  std::uint32_t saved_;
#else
  std::fenv_t saved_;
#endif
};

}  // namespace sightline::detail

#define SIGHTLINE_NOINLINE __attribute__((noinline))
