// Sums, products, quotients, roots.
#include "tests/ptx/lanes.hpp"

namespace sightline::ptx {
namespace {

struct Add {
  static auto of(auto a, auto b) { return a + b; }
};
struct Sub {
  static auto of(auto a, auto b) { return a - b; }
};
struct Mul {
  static auto of(auto a, auto b) { return a * b; }
};
struct Div {
  static auto of(auto a, auto b) { return a / b; }
};
struct Least {
  static auto of(auto a, auto b) { return a < b ? a : b; }
};
struct Most {
  static auto of(auto a, auto b) { return a > b ? a : b; }
};

/// Of a number and a NaN, the number; -0 is less than 0.
struct FloatLeast {
  template <class T>
  static T of(T a, T b) {
    const T least = a < b || (a == b && std::signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : least;
  }
};
struct FloatMost {
  template <class T>
  static T of(T a, T b) {
    const T most = a > b || (a == b && !std::signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : most;
  }
};

template <class T, class O>
void binary(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) {
    if constexpr (std::is_floating_point_v<T>)
      return canonical(O::of(a[lane], b[lane]));
    else
      return O::of(a[lane], b[lane]);
  });
}

/// Of 16 bits, in slots of 32.
template <class T, class O>
void binary_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  put(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) -> std::uint32_t {
    const int result = O::of(int{static_cast<T>(a[lane])}, int{static_cast<T>(b[lane])});
    return static_cast<std::uint16_t>(result);
  });
}

/// A quotient by zero is unspecified on a device; here all its bits are set.
template <class T, bool remainder>
void divide(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  put_each(target<T>(w, i.d[0]), mask, [&](int lane) {
    if (b[lane] == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b[lane] == static_cast<T>(-1)) {  // the least has no opposite
      return remainder ? T{0}
                       : static_cast<T>(std::make_unsigned_t<T>{0} -
                                        static_cast<std::make_unsigned_t<T>>(a[lane]));
    }
    return static_cast<T>(remainder ? a[lane] % b[lane] : a[lane] / b[lane]);
  });
}

template <class T>
void fused(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]), *c = source<T>(w, i.s[2]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) {
    if constexpr (sizeof(T) == 4)
      return canonical(__builtin_fmaf(a[lane], b[lane], c[lane]));
    else
      return __builtin_fma(a[lane], b[lane], c[lane]);
  });
}

template <class T>
void multiply_add(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]), *c = source<T>(w, i.s[2]);
  put(target<T>(w, i.d[0]), mask,
      [&](int lane) { return static_cast<T>(a[lane] * b[lane] + c[lane]); });
}

/// A product of twice the width, and a sum with it.
template <class Narrow, class Wide, bool adds>
void widening(Warp& w, const Instruction& i, std::uint32_t mask) {
  using U = std::make_unsigned_t<Wide>;
  const Narrow *a = source<Narrow>(w, i.s[0]), *b = source<Narrow>(w, i.s[1]);
  const U* c = adds ? source<U>(w, i.s[2]) : nullptr;
  put(target<U>(w, i.d[0]), mask, [&](int lane) {
    const U product = static_cast<U>(Wide{a[lane]} * Wide{b[lane]});
    if constexpr (adds)
      return static_cast<U>(product + c[lane]);
    else
      return product;
  });
}

/// The product alone of 16 bits, in slots of 32.
template <class Narrow, class Wide>
void widening_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  put(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) {
    return static_cast<std::uint32_t>(Wide{static_cast<Narrow>(a[lane])} *
                                      Wide{static_cast<Narrow>(b[lane])});
  });
}

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

template <class T, class Wide>
void upper_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  put_each(target<T>(w, i.d[0]), mask, [&](int lane) {
    return static_cast<T>((static_cast<Wide>(a[lane]) * static_cast<Wide>(b[lane])) >>
                          (8 * sizeof(T)));
  });
}

struct Negate {
  static auto of(auto a) { return canonical(-a); }
};
struct Absolute {
  static auto of(auto a) { return canonical(std::fabs(a)); }
};
struct Root {
  static auto of(auto a) { return canonical(std::sqrt(a)); }
};
struct Reciprocal {
  static auto of(auto a) { return canonical(1 / a); }
};
struct Opposite {
  static auto of(auto a) { return 0 - a; }
};

template <class T, class O>
void unary(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) { return O::of(a[lane]); });
}

void opposite_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto* a = source<std::uint32_t>(w, i.s[0]);
  put(target<std::uint32_t>(w, i.d[0]), mask,
      [&](int lane) -> std::uint32_t { return static_cast<std::uint16_t>(0 - a[lane]); });
}

template <class T>
void add_floats(Forms& forms, const std::string& type, const char* three, const char* four) {
  const std::string_view two = std::string_view(three).substr(1);
  forms["add.rn" + type] = {binary<T, Add>, three};
  forms["sub.rn" + type] = {binary<T, Sub>, three};
  forms["mul.rn" + type] = {binary<T, Mul>, three};
  forms["div.rn" + type] = {binary<T, Div>, three};
  forms["min" + type] = {binary<T, FloatLeast>, three};
  forms["max" + type] = {binary<T, FloatMost>, three};
  forms["fma.rn" + type] = {fused<T>, four};
  forms["neg" + type] = {unary<T, Negate>, two};
  forms["abs" + type] = {unary<T, Absolute>, two};
  forms["sqrt.rn" + type] = {unary<T, Root>, two};
  forms["rcp.rn" + type] = {unary<T, Reciprocal>, two};
}

/// Sums and low halves of products are the same for both signs.
template <class T>
void add_integers(Forms& forms, const std::string& type, const char* three, const char* four) {
  using U = std::make_unsigned_t<T>;
  forms["add" + type] = {binary<U, Add>, three};
  forms["sub" + type] = {binary<U, Sub>, three};
  forms["mul.lo" + type] = {binary<U, Mul>, three};
  forms["mad.lo" + type] = {multiply_add<U>, four};
  forms["min" + type] = {binary<T, Least>, three};
  forms["max" + type] = {binary<T, Most>, three};
  forms["div" + type] = {divide<T, false>, three};
  forms["rem" + type] = {divide<T, true>, three};
}

template <class T>
void add_halves(Forms& forms, const std::string& type) {
  forms["add" + type] = {binary_half<T, Add>, "hhh"};
  forms["sub" + type] = {binary_half<T, Sub>, "hhh"};
  forms["mul.lo" + type] = {binary_half<T, Mul>, "hhh"};
  forms["min" + type] = {binary_half<T, Least>, "hhh"};
  forms["max" + type] = {binary_half<T, Most>, "hhh"};
}

}  // namespace

void add_arithmetic(Forms& forms) {
  add_floats<float>(forms, ".f32", "www", "wwww");
  add_floats<double>(forms, ".f64", "ddd", "dddd");
  add_integers<std::int32_t>(forms, ".s32", "www", "wwww");
  add_integers<std::uint32_t>(forms, ".u32", "www", "wwww");
  add_integers<std::int64_t>(forms, ".s64", "ddd", "dddd");
  add_integers<std::uint64_t>(forms, ".u64", "ddd", "dddd");
  add_halves<std::int16_t>(forms, ".s16");
  add_halves<std::uint16_t>(forms, ".u16");
  forms["neg.s16"] = {opposite_half, "hh"};
  forms["neg.s32"] = {unary<std::uint32_t, Opposite>, "ww"};
  forms["neg.s64"] = {unary<std::uint64_t, Opposite>, "dd"};
  forms["mul.wide.s16"] = {widening_half<std::int16_t, std::int32_t>, "whh"};
  forms["mul.wide.u16"] = {widening_half<std::uint16_t, std::uint32_t>, "whh"};
  forms["mul.wide.s32"] = {widening<std::int32_t, std::int64_t, false>, "dww"};
  forms["mul.wide.u32"] = {widening<std::uint32_t, std::uint64_t, false>, "dww"};
  forms["mad.wide.s32"] = {widening<std::int32_t, std::int64_t, true>, "dwwd"};
  forms["mad.wide.u32"] = {widening<std::uint32_t, std::uint64_t, true>, "dwwd"};
  forms["mul.hi.s32"] = {upper_half<std::int32_t, std::int64_t>, "www"};
  forms["mul.hi.u32"] = {upper_half<std::uint32_t, std::uint64_t>, "www"};
  forms["mul.hi.s64"] = {upper_half<std::int64_t, Signed128>, "ddd"};
  forms["mul.hi.u64"] = {upper_half<std::uint64_t, Unsigned128>, "ddd"};
}

}  // namespace sightline::ptx
