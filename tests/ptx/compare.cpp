// Comparisons: a predicate of two numbers.
#include "tests/ptx/lanes.hpp"

#include <immintrin.h>

namespace sightline::ptx {
namespace {

// The plain ones are false of a NaN, those with a u are true of it.
struct Eq {
  static auto of(auto a, auto b) { return a == b; }
};
struct Ne {
  static auto of(auto a, auto b) { return (a < b) | (a > b); }
};
struct Lt {
  static auto of(auto a, auto b) { return a < b; }
};
struct Le {
  static auto of(auto a, auto b) { return a <= b; }
};
struct Gt {
  static auto of(auto a, auto b) { return a > b; }
};
struct Ge {
  static auto of(auto a, auto b) { return a >= b; }
};
struct Equ {
  static auto of(auto a, auto b) { return ~((a < b) | (a > b)); }
};
struct Neu {
  static auto of(auto a, auto b) { return ~(a == b); }
};
struct Ltu {
  static auto of(auto a, auto b) { return ~(a >= b); }
};
struct Leu {
  static auto of(auto a, auto b) { return ~(a > b); }
};
struct Gtu {
  static auto of(auto a, auto b) { return ~(a <= b); }
};
struct Geu {
  static auto of(auto a, auto b) { return ~(a < b); }
};
struct Num {
  static auto of(auto a, auto b) { return (a == a) & (b == b); }
};
struct Nan {
  static auto of(auto a, auto b) { return (a != a) | (b != b); }
};

template <class T>
struct Vector {
  using type [[gnu::vector_size(32)]] = T;
};

/// A bit a lane, from vectors of 32 bytes.
template <class T, class O>
std::uint32_t compare_lanes(const T* a, const T* b) {
  using V = typename Vector<T>::type;
  constexpr int lanes = 32 / sizeof(T);
  std::uint32_t bits = 0;
  for (int at = 0; at < warp_lanes; at += lanes) {
    V x, y;
    std::memcpy(&x, a + at, 32);
    std::memcpy(&y, b + at, 32);
    const auto result = O::of(x, y);
    int found = 0;
    if constexpr (sizeof(T) == 4)
      found = _mm256_movemask_ps(std::bit_cast<__m256>(result));
    else
      found = _mm256_movemask_pd(std::bit_cast<__m256d>(result));
    bits |= static_cast<std::uint32_t>(found) << at;
  }
  return bits;
}

template <class T, class O>
void compare(Warp& w, const Instruction& i, std::uint32_t mask) {
  set_predicate(w, i.d[0], compare_lanes<T, O>(source<T>(w, i.s[0]), source<T>(w, i.s[1])), mask);
}

/// Of 16 bits: widened by sign or zeros to the slots' 32.
template <class T, class O>
void compare_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  std::int32_t x[warp_lanes], y[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane) {
    x[lane] = static_cast<T>(a[lane]);
    y[lane] = static_cast<T>(b[lane]);
  }
  set_predicate(w, i.d[0], compare_lanes<std::int32_t, O>(x, y), mask);
}

template <class T>
void add_type(Forms& forms, const std::string& type) {
  const char* files = sizeof(T) == 8 ? "pdd" : "pww";
  forms["setp.eq." + type] = {compare<T, Eq>, files};
  forms["setp.ne." + type] = {compare<T, Ne>, files};
  forms["setp.lt." + type] = {compare<T, Lt>, files};
  forms["setp.le." + type] = {compare<T, Le>, files};
  forms["setp.gt." + type] = {compare<T, Gt>, files};
  forms["setp.ge." + type] = {compare<T, Ge>, files};
  if constexpr (std::is_floating_point_v<T>) {
    forms["setp.equ." + type] = {compare<T, Equ>, files};
    forms["setp.neu." + type] = {compare<T, Neu>, files};
    forms["setp.ltu." + type] = {compare<T, Ltu>, files};
    forms["setp.leu." + type] = {compare<T, Leu>, files};
    forms["setp.gtu." + type] = {compare<T, Gtu>, files};
    forms["setp.geu." + type] = {compare<T, Geu>, files};
    forms["setp.num." + type] = {compare<T, Num>, files};
    forms["setp.nan." + type] = {compare<T, Nan>, files};
  }
}

template <class T>
void add_half(Forms& forms, const std::string& type) {
  forms["setp.eq." + type] = {compare_half<T, Eq>, "phh"};
  forms["setp.ne." + type] = {compare_half<T, Ne>, "phh"};
  forms["setp.lt." + type] = {compare_half<T, Lt>, "phh"};
  forms["setp.le." + type] = {compare_half<T, Le>, "phh"};
  forms["setp.gt." + type] = {compare_half<T, Gt>, "phh"};
  forms["setp.ge." + type] = {compare_half<T, Ge>, "phh"};
}

}  // namespace

void add_comparisons(Forms& forms) {
  add_type<float>(forms, "f32");
  add_type<double>(forms, "f64");
  add_type<std::int32_t>(forms, "s32");
  add_type<std::uint32_t>(forms, "u32");
  add_type<std::int64_t>(forms, "s64");
  add_type<std::uint64_t>(forms, "u64");
  add_half<std::int16_t>(forms, "s16");
  add_half<std::uint16_t>(forms, "u16");
  for (const char* which : {"setp.eq.b", "setp.ne.b"}) {
    for (const char* bits : {"16", "32", "64"}) {
      forms[which + std::string(bits)] = forms[std::string(which, 8) + "u" + bits];
    }
  }
}

}  // namespace sightline::ptx
