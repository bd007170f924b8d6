// Whether a sanitizer watches the tests.
#pragma once

namespace sightline::testing {

#if defined(__has_feature)  // clang's way
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SIGHTLINE_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SIGHTLINE_SANITIZED
#endif
#ifdef SIGHTLINE_SANITIZED
inline constexpr bool sanitized = true;  // memory and speed are not the program's own
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace sightline::testing
