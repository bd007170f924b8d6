#include "host/common/fp_environment.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sightline::detail {

#if defined(__x86_64__)
// Round to nearest, all exceptions masked, flush-to-zero and denormals-are-zero off.
constexpr std::uint32_t default_mxcsr = 0x1f80;

FpEnvironment::FpEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(default_mxcsr); }
FpEnvironment::~FpEnvironment() { _mm_setcsr(saved_); }
#else
FpEnvironment::FpEnvironment() {
  std::fegetenv(&saved_);
  std::fesetenv(FE_DFL_ENV);
}
FpEnvironment::~FpEnvironment() { std::fesetenv(&saved_); }
#endif

}  // namespace sightline::detail
