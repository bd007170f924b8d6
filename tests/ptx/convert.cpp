// From one type to another.
#include "tests/ptx/lanes.hpp"

#include <limits>

namespace sightline::ptx {
namespace {

template <class T>
using Slot = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// The value in the low bits of a slot.
template <class T>
T value_of(Slot<T> slot) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(slot);
  else
    return static_cast<T>(slot);
}

/// Integers narrower than a slot fill it with their sign or zeros; 16 bits leave the rest zero.
template <class T>
Slot<T> slot_of(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<Slot<T>>(value);
  else if constexpr (sizeof(T) == 2)
    return static_cast<std::uint16_t>(value);
  else
    return static_cast<Slot<T>>(value);
}

template <class From, class To>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Toward zero, to the nearest end of the range, a NaN to zero. Every end is a double but for
    // the upper ones of 64 bits, which round up to the first number beyond.
    if (value != value) return 0;
    const double whole = std::trunc(static_cast<double>(value));
    if (whole <= static_cast<double>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    if (whole >= static_cast<double>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    return static_cast<To>(whole);
  } else if constexpr (std::is_same_v<To, float>) {
    return canonical(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// `Register`: the slot that the value lies in, which may be wider than it.
template <class From, class To, class Register>
void convert_lanes(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto* a = source<Register>(w, i.s[0]);
  put(target<Slot<To>>(w, i.d[0]), mask, [&](int lane) {
    return slot_of<To>(convert<From, To>(value_of<From>(static_cast<Slot<From>>(a[lane]))));
  });
}

template <class T>
constexpr char file_of() {
  return sizeof(T) == 8 ? 'd' : sizeof(T) == 4 ? 'w' : 'h';
}

template <class From, class To>
void add_pair(Forms& forms, const char* name) {
  static constexpr char files[] = {file_of<To>(), file_of<From>(), 0};
  forms[name] = {convert_lanes<From, To, Slot<From>>, files};
  if constexpr (std::is_integral_v<From> && sizeof(From) < 8) {
    forms[name].from_wide = convert_lanes<From, To, std::uint64_t>;
  }
}

/// A NaN of 64 bits goes to other numbers on devices: no kernel of ours has such a conversion.
void add_floats(Forms& forms) {
  add_pair<float, double>(forms, "cvt.f64.f32");
  add_pair<double, float>(forms, "cvt.rn.f32.f64");
  add_pair<float, std::int32_t>(forms, "cvt.rzi.s32.f32");
  add_pair<float, std::uint32_t>(forms, "cvt.rzi.u32.f32");
  add_pair<double, std::int32_t>(forms, "cvt.rzi.s32.f64");
  add_pair<double, std::uint32_t>(forms, "cvt.rzi.u32.f64");
  add_pair<std::int32_t, float>(forms, "cvt.rn.f32.s32");
  add_pair<std::uint32_t, float>(forms, "cvt.rn.f32.u32");
  add_pair<std::int64_t, float>(forms, "cvt.rn.f32.s64");
  add_pair<std::uint64_t, float>(forms, "cvt.rn.f32.u64");
  add_pair<std::int32_t, double>(forms, "cvt.rn.f64.s32");
  add_pair<std::uint32_t, double>(forms, "cvt.rn.f64.u32");
  add_pair<std::int64_t, double>(forms, "cvt.rn.f64.s64");
  add_pair<std::uint64_t, double>(forms, "cvt.rn.f64.u64");
}

}  // namespace

void add_conversions(Forms& forms) {
  add_floats(forms);
  add_pair<std::int16_t, std::int32_t>(forms, "cvt.s32.s16");
  add_pair<std::int8_t, std::int32_t>(forms, "cvt.s32.s8");
  add_pair<std::uint8_t, std::uint32_t>(forms, "cvt.u32.u8");
  add_pair<std::uint16_t, std::uint32_t>(forms, "cvt.u32.u16");
  add_pair<std::uint32_t, std::uint16_t>(forms, "cvt.u16.u32");
  add_pair<std::uint64_t, std::uint16_t>(forms, "cvt.u16.u64");
  add_pair<std::int8_t, std::int16_t>(forms, "cvt.s16.s8");
  add_pair<std::uint8_t, std::uint16_t>(forms, "cvt.u16.u8");
  add_pair<std::int32_t, std::int64_t>(forms, "cvt.s64.s32");
  add_pair<std::int16_t, std::int64_t>(forms, "cvt.s64.s16");
  add_pair<std::uint32_t, std::uint64_t>(forms, "cvt.u64.u32");
  add_pair<std::uint16_t, std::uint64_t>(forms, "cvt.u64.u16");
  add_pair<std::uint64_t, std::uint32_t>(forms, "cvt.u32.u64");
  add_pair<std::int64_t, std::int32_t>(forms, "cvt.s32.s64");
}

}  // namespace sightline::ptx
