#include "tests/ptx/reference.hpp"

namespace sightline::ptx {
namespace {

__extension__ using Float128 = __float128;

template <class T>
void add_integers(References& all, const std::string& type) {
  const auto exact = [&](const char* name, auto f) {
    all[name + type] = [f](const Row& r) {
      return bits_of(static_cast<T>(
          f(Signed128{as<T>(r[0])}, Signed128{as<T>(r[1])}, Signed128{as<T>(r[2])})));
    };
  };
  using I = Signed128;
  exact("add.", [](I a, I b, I) { return a + b; });
  exact("sub.", [](I a, I b, I) { return a - b; });
  exact("min.", [](I a, I b, I) { return a < b ? a : b; });
  exact("max.", [](I a, I b, I) { return a < b ? b : a; });
  const auto product = [](I a, I b) {  // of which the low bits are wanted: without overflow
    __extension__ using U = unsigned __int128;
    return static_cast<U>(a) * static_cast<U>(b);
  };
  exact("mul.lo.", [=](I a, I b, I) { return product(a, b); });
  if constexpr (sizeof(T) > 2) {
    __extension__ using U = unsigned __int128;
    exact("mad.lo.", [=](I a, I b, I c) { return product(a, b) + static_cast<U>(c); });
    exact("div.", [](I a, I b, I) { return b == 0 ? I{-1} : a / b; });
    exact("rem.", [](I a, I b, I) { return b == 0 ? I{-1} : a % b; });
    all["mul.hi." + type] = [](const Row& r) {
      if constexpr (std::is_signed_v<T>)
        return bits_of(static_cast<T>((I{as<T>(r[0])} * I{as<T>(r[1])}) >> (8 * sizeof(T))));
      else
        return bits_of(static_cast<T>((U{as<T>(r[0])} * U{as<T>(r[1])}) >> (8 * sizeof(T))));
    };
  }
}

template <class T>
T least(T a, T b) {
  if (a != a || b != b) return a != a ? b : a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return std::fmin(a, b);
}

/// Rounded from so many more bits that rounding twice is rounding once.
template <class T, class Wide>
void add_floats(References& all, const std::string& type) {
  const auto exact = [&](const char* name, auto f) {
    all[name + type] = [f](const Row& r) {
      return bits_of(
          static_cast<T>(f(static_cast<Wide>(as<T>(r[0])), static_cast<Wide>(as<T>(r[1])))));
    };
  };
  exact("add.rn.", [](Wide a, Wide b) { return a + b; });
  exact("sub.rn.", [](Wide a, Wide b) { return a - b; });
  exact("mul.rn.", [](Wide a, Wide b) { return a * b; });
  exact("div.rn.", [](Wide a, Wide b) { return a / b; });
  exact("rcp.rn.", [](Wide a, Wide) { return 1 / a; });
  const auto own = [&](const char* name, auto f) {
    all[name + type] = [f](const Row& r) {
      return bits_of(f(as<T>(r[0]), as<T>(r[1]), as<T>(r[2])));
    };
  };
  own("min.", [](T a, T b, T) { return least(a, b); });
  own("max.", [](T a, T b, T) { return a != a || b != b ? least(a, b) : -least(-a, -b); });
  own("neg.", [](T a, T, T) { return std::copysign(a, std::signbit(a) ? T{1} : T{-1}); });
  own("abs.", [](T a, T, T) { return std::copysign(a, T{1}); });
  own("sqrt.rn.", [](T a, T, T) { return std::sqrt(a); });
  own("fma.rn.", [](T a, T b, T c) { return std::fma(a, b, c); });
  const auto compare = [&](const char* name, auto f) {
    all["setp." + std::string(name) + "." + type] = [f](const Row& r) -> std::uint64_t {
      const T a = as<T>(r[0]), b = as<T>(r[1]);
      return f(a, b, a != a || b != b);
    };
  };
  compare("eq", [](T a, T b, bool) { return a == b; });
  compare("ne", [](T a, T b, bool nan) { return !nan && a != b; });
  compare("lt", [](T a, T b, bool) { return a < b; });
  compare("le", [](T a, T b, bool) { return a <= b; });
  compare("gt", [](T a, T b, bool) { return a > b; });
  compare("ge", [](T a, T b, bool) { return a >= b; });
  compare("equ", [](T a, T b, bool nan) { return nan || a == b; });
  compare("neu", [](T a, T b, bool nan) { return nan || a != b; });
  compare("ltu", [](T a, T b, bool nan) { return nan || a < b; });
  compare("leu", [](T a, T b, bool nan) { return nan || a <= b; });
  compare("gtu", [](T a, T b, bool nan) { return nan || a > b; });
  compare("geu", [](T a, T b, bool nan) { return nan || a >= b; });
  compare("num", [](T, T, bool nan) { return !nan; });
  compare("nan", [](T, T, bool nan) { return nan; });
}

template <class T>
void add_comparisons(References& all, const std::string& type) {
  const auto compare = [&](const char* name, auto f) {
    all["setp." + std::string(name) + "." + type] = [f](const Row& r) -> std::uint64_t {
      return f(Signed128{as<T>(r[0])}, Signed128{as<T>(r[1])});
    };
  };
  using I = Signed128;
  compare("eq", [](I a, I b) { return a == b; });
  compare("ne", [](I a, I b) { return a != b; });
  if (type[0] == 'b') return;
  compare("lt", [](I a, I b) { return a < b; });
  compare("le", [](I a, I b) { return a <= b; });
  compare("gt", [](I a, I b) { return a > b; });
  compare("ge", [](I a, I b) { return a >= b; });
}

template <class From, class To>
void add_cast(References& all, const char* name) {
  all[name] = [](const Row& r) {
    const From value = as<From>(r[0]);
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      if (value != value) return bits_of(To{0});
      const auto least = static_cast<double>(std::numeric_limits<To>::min());
      const auto most = static_cast<double>(std::numeric_limits<To>::max());
      return bits_of(static_cast<To>(std::fmax(least, std::fmin(most, std::trunc(double{value})))));
    } else if constexpr (std::is_same_v<To, std::int64_t> || std::is_same_v<To, std::uint64_t>) {
      return bits_of(To{value});
    } else {
      return bits_of(static_cast<To>(value));
    }
  };
}

}  // namespace

void add_integer_references(References& all) {
  add_integers<std::int16_t>(all, "s16");
  add_integers<std::uint16_t>(all, "u16");
  add_integers<std::int32_t>(all, "s32");
  add_integers<std::uint32_t>(all, "u32");
  add_integers<std::int64_t>(all, "s64");
  add_integers<std::uint64_t>(all, "u64");
  for (const char* kind : {"s", "u", "b"}) {
    const bool is_signed = *kind == 's';
    is_signed ? add_comparisons<std::int16_t>(all, "s16")
              : add_comparisons<std::uint16_t>(all, kind + std::string("16"));
    is_signed ? add_comparisons<std::int32_t>(all, "s32")
              : add_comparisons<std::uint32_t>(all, kind + std::string("32"));
    is_signed ? add_comparisons<std::int64_t>(all, "s64")
              : add_comparisons<std::uint64_t>(all, kind + std::string("64"));
  }
  all["neg.s16"] = [](const Row& r) { return (0x10000 - r[0]) & 0xFFFF; };
  all["neg.s32"] = [](const Row& r) { return (0x100000000 - r[0]) & 0xFFFFFFFF; };
  all["neg.s64"] = [](const Row& r) { return ~r[0] + 1; };
  const auto wide = [](auto a, auto b) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  };
  using S = std::int32_t;
  all["mul.wide.s16"] = [=](const Row& r) {
    using H = std::int16_t;
    return wide(std::int64_t{as<H>(r[0])}, std::int64_t{as<H>(r[1])}) & 0xFFFFFFFF;
  };
  all["mul.wide.u16"] = [=](const Row& r) { return wide(r[0], r[1]); };
  all["mul.wide.s32"] = [=](const Row& r) {
    return wide(std::int64_t{as<S>(r[0])}, std::int64_t{as<S>(r[1])});
  };
  all["mul.wide.u32"] = [=](const Row& r) { return wide(r[0], r[1]); };
  all["mad.wide.s32"] = [=](const Row& r) {
    return wide(std::int64_t{as<S>(r[0])}, std::int64_t{as<S>(r[1])}) + r[2];
  };
  all["mad.wide.u32"] = [=](const Row& r) { return wide(r[0], r[1]) + r[2]; };
}

void add_float_references(References& all) {
  add_floats<float, double>(all, "f32");
  add_floats<double, Float128>(all, "f64");
}

void add_conversion_references(References& all) {
  add_cast<float, double>(all, "cvt.f64.f32");
  add_cast<double, float>(all, "cvt.rn.f32.f64");
  add_cast<float, std::int32_t>(all, "cvt.rzi.s32.f32");
  add_cast<float, std::uint32_t>(all, "cvt.rzi.u32.f32");
  add_cast<double, std::int32_t>(all, "cvt.rzi.s32.f64");
  add_cast<double, std::uint32_t>(all, "cvt.rzi.u32.f64");
  add_cast<std::int32_t, float>(all, "cvt.rn.f32.s32");
  add_cast<std::uint32_t, float>(all, "cvt.rn.f32.u32");
  add_cast<std::int64_t, float>(all, "cvt.rn.f32.s64");
  add_cast<std::uint64_t, float>(all, "cvt.rn.f32.u64");
  add_cast<std::int32_t, double>(all, "cvt.rn.f64.s32");
  add_cast<std::uint32_t, double>(all, "cvt.rn.f64.u32");
  add_cast<std::int64_t, double>(all, "cvt.rn.f64.s64");
  add_cast<std::uint64_t, double>(all, "cvt.rn.f64.u64");
  add_cast<std::int16_t, std::int32_t>(all, "cvt.s32.s16");
  add_cast<std::int8_t, std::int32_t>(all, "cvt.s32.s8");
  add_cast<std::uint8_t, std::uint32_t>(all, "cvt.u32.u8");
  add_cast<std::uint16_t, std::uint32_t>(all, "cvt.u32.u16");
  add_cast<std::uint32_t, std::uint16_t>(all, "cvt.u16.u32");
  add_cast<std::uint64_t, std::uint16_t>(all, "cvt.u16.u64");
  add_cast<std::int8_t, std::int16_t>(all, "cvt.s16.s8");
  add_cast<std::uint8_t, std::uint16_t>(all, "cvt.u16.u8");
  add_cast<std::int32_t, std::int64_t>(all, "cvt.s64.s32");
  add_cast<std::int16_t, std::int64_t>(all, "cvt.s64.s16");
  add_cast<std::uint32_t, std::uint64_t>(all, "cvt.u64.u32");
  add_cast<std::uint16_t, std::uint64_t>(all, "cvt.u64.u16");
  add_cast<std::uint64_t, std::uint32_t>(all, "cvt.u32.u64");
  add_cast<std::int64_t, std::int32_t>(all, "cvt.s32.s64");
}

References all_references() {
  References all;
  add_integer_references(all);
  add_float_references(all);
  add_bit_references(all);
  add_conversion_references(all);
  return all;
}

}  // namespace sightline::ptx
