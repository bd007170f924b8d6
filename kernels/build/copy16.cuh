// Objects copied 16 bytes at a time, which a GPU reads and writes by one instruction each.
#pragma once

#include <sightline/detail/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sightline::kernels {

/// 16 bytes of any object.
struct [[gnu::may_alias]] alignas(16) AnyUnit {
  std::uint32_t word[4];
};

/// Copies all bytes, padding included; a local copy stays in registers.
template <class T>
SIGHTLINE_HD void copy_units(T& to, const T& from) {
  static_assert(alignof(T) >= sizeof(AnyUnit) && std::is_trivially_copyable_v<T>);
  for (std::size_t k = 0; k < sizeof(T) / sizeof(AnyUnit); ++k) {
    reinterpret_cast<AnyUnit*>(&to)[k] = reinterpret_cast<const AnyUnit*>(&from)[k];
  }
}
template <class T>
SIGHTLINE_HD T copied(const T& from) {
  T to;
  copy_units(to, from);
  return to;
}

}  // namespace sightline::kernels
