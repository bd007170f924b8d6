// How much work the tests do: SIGHTLINE_TEST_SCALE, 1 when unset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace sightline {

/// Defined in on_standin.cpp alone: by linking it, a test says that its device is made of host
/// code, and other objects of tests serve every device.
[[gnu::weak]] void on_standin_is_linked();
inline bool on_standin() { return &on_standin_is_linked != nullptr; }

/// A factor on the number of cases of the large tests; sanitizer runs take 0.01. Where the device
/// is made of host code the tests do a twentieth of it.
inline double test_scale() {
  const char* text = std::getenv("SIGHTLINE_TEST_SCALE");
  const double scale = text ? std::strtod(text, nullptr) : 1.0;
  return (on_standin() ? 0.05 : 1) * (scale > 0 ? scale : 1.0);
}

/// n cases at the present scale; never fewer than one.
inline std::uint64_t scaled(std::uint64_t n) {
  return std::max<std::uint64_t>(1,
                                 static_cast<std::uint64_t>(static_cast<double>(n) * test_scale()));
}

}  // namespace sightline
