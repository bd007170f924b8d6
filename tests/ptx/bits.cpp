// Logic, shifts, and what moves bits about.
#include "tests/ptx/lanes.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

struct And {
  static auto of(auto a, auto b) { return a & b; }
};
struct Or {
  static auto of(auto a, auto b) { return a | b; }
};
struct Xor {
  static auto of(auto a, auto b) { return a ^ b; }
};

template <class T, class O>
void logic(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) { return O::of(a[lane], b[lane]); });
}

template <class O>
void logic_of_predicates(Warp& w, const Instruction& i, std::uint32_t mask) {
  set_predicate(w, i.d[0], O::of(predicate(w, i.s[0]), predicate(w, i.s[1])), mask);
}

template <class T>
void invert(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) { return ~a[lane]; });
}

void invert_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto* a = source<std::uint32_t>(w, i.s[0]);
  put(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) { return ~a[lane] & 0xFFFF; });
}

void invert_predicate(Warp& w, const Instruction& i, std::uint32_t mask) {
  set_predicate(w, i.d[0], ~predicate(w, i.s[0]), mask);
}

/// Shifts by the width or more give zeros, or copies of the sign.
template <class T, bool left>
void shift(Warp& w, const Instruction& i, std::uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t width = 8 * sizeof(T);
  const T* a = source<T>(w, i.s[0]);
  const auto* b = source<std::uint32_t>(w, i.s[1]);
  put(target<T>(w, i.d[0]), mask, [&](int lane) -> T {
    const std::uint32_t by = b[lane] < width ? b[lane] : width - 1;
    if constexpr (!left && std::is_signed_v<T>) return a[lane] >> by;
    if constexpr (left)
      return b[lane] < width ? static_cast<T>(static_cast<U>(a[lane]) << by) : T{0};
    return b[lane] < width ? static_cast<T>(a[lane] >> by) : T{0};
  });
}

template <class T, bool left>
void shift_half(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) -> std::uint32_t {
    const std::uint32_t by = std::min(b[lane], 31u);
    const int value = static_cast<T>(a[lane]);
    return static_cast<std::uint16_t>(
        left ? a[lane] << by : static_cast<std::uint32_t>(value >> std::min(by, 16u)));
  });
}

template <class T>
void count_ones(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask,
           [&](int lane) { return static_cast<std::uint32_t>(std::popcount(a[lane])); });
}

template <class T>
void leading_zeros(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask,
           [&](int lane) { return static_cast<std::uint32_t>(std::countl_zero(a[lane])); });
}

template <class T>
void reverse(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T* a = source<T>(w, i.s[0]);
  put_each(target<T>(w, i.d[0]), mask, [&](int lane) {
    T turned = 0;
    for (std::size_t bit = 0; bit < 8 * sizeof(T); ++bit)
      turned = turned << 1 | (a[lane] >> bit & 1);
    return turned;
  });
}

/// Bytes of two words, chosen one by one; 8: all bits are the sign of the byte.
void permute(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  const auto* choice = source<std::uint32_t>(w, i.s[2]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) {
    const std::uint64_t both = std::uint64_t{b[lane]} << 32 | a[lane];
    std::uint32_t result = 0;
    for (int k = 0; k < 4; ++k) {
      const std::uint32_t which = choice[lane] >> 4 * k & 15;
      std::uint32_t byte = static_cast<std::uint32_t>(both >> 8 * (which & 7)) & 255;
      if ((which & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << 8 * k;
    }
    return result;
  });
}

template <class T>
void insert_field(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  const auto *from = source<std::uint32_t>(w, i.s[2]), *bits = source<std::uint32_t>(w, i.s[3]);
  put_each(target<T>(w, i.d[0]), mask, [&](int lane) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const std::uint32_t start = from[lane] & 255, length = bits[lane] & 255;
    if (start >= width || length == 0) return b[lane];
    const T ones = length >= width ? ~T{0} : (T{1} << length) - 1;
    return (b[lane] & ~(ones << start)) | (a[lane] & ones) << start;
  });
}

template <class T>
void extract_field(Warp& w, const Instruction& i, std::uint32_t mask) {
  using U = std::make_unsigned_t<T>;
  const T* a = source<T>(w, i.s[0]);
  const auto *from = source<std::uint32_t>(w, i.s[1]), *bits = source<std::uint32_t>(w, i.s[2]);
  put_each(target<T>(w, i.d[0]), mask, [&](int lane) {
    constexpr std::uint32_t top = 8 * sizeof(T) - 1;
    const std::uint32_t start = from[lane] & 255, length = bits[lane] & 255;
    const U sign = std::is_signed_v<T> && length != 0
                       ? static_cast<U>(a[lane]) >> std::min(start + length - 1, top) & 1
                       : 0;
    U field = 0;
    for (std::uint32_t k = 0; k <= top; ++k) {
      const bool inside = k < length && start + k <= top;
      field |= (inside ? static_cast<U>(a[lane]) >> (start + k) & 1 : sign) << k;
    }
    return static_cast<T>(field);
  });
}

/// Ones from a bit on, as many as said; what lies beyond the word is cut off.
void make_mask(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *from = source<std::uint32_t>(w, i.s[0]), *bits = source<std::uint32_t>(w, i.s[1]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) {
    const std::uint64_t ones = (std::uint64_t{1} << std::min(bits[lane], 32u)) - 1;
    return static_cast<std::uint32_t>(ones << std::min(from[lane], 32u));
  });
}

/// Two words shifted as one.
template <bool left, bool wraps>
void funnel(Warp& w, const Instruction& i, std::uint32_t mask) {
  const auto *a = source<std::uint32_t>(w, i.s[0]), *b = source<std::uint32_t>(w, i.s[1]);
  const auto* c = source<std::uint32_t>(w, i.s[2]);
  put_each(target<std::uint32_t>(w, i.d[0]), mask, [&](int lane) {
    const std::uint64_t both = std::uint64_t{b[lane]} << 32 | a[lane];
    const std::uint32_t by = wraps ? c[lane] & 31 : std::min(c[lane], 32u);
    return static_cast<std::uint32_t>(left ? both << by >> 32 : both >> by);
  });
}

template <class T>
void choose(Warp& w, const Instruction& i, std::uint32_t mask) {
  const T *a = source<T>(w, i.s[0]), *b = source<T>(w, i.s[1]);
  const std::uint32_t first = predicate(w, i.s[2]);
  put(target<T>(w, i.d[0]), mask,
      [&](int lane) { return (first >> lane & 1) != 0 ? a[lane] : b[lane]; });
}

template <class T>
void add_width(Forms& forms, const std::string& bits, const char* three, const char* shifts) {
  using S = std::make_signed_t<T>;
  const std::string_view two = std::string_view(three).substr(1);
  const bool wide = sizeof(T) == 8;
  forms["and.b" + bits] = {logic<T, And>, three};
  forms["or.b" + bits] = {logic<T, Or>, three};
  forms["xor.b" + bits] = {logic<T, Xor>, three};
  forms["not.b" + bits] = {invert<T>, two};
  forms["shl.b" + bits] = {shift<T, true>, shifts};
  forms["shr.b" + bits] = forms["shr.u" + bits] = {shift<T, false>, shifts};
  forms["shr.s" + bits] = {shift<S, false>, shifts};
  forms["popc.b" + bits] = {count_ones<T>, wide ? "wd" : "ww"};
  forms["clz.b" + bits] = {leading_zeros<T>, wide ? "wd" : "ww"};
  forms["brev.b" + bits] = {reverse<T>, two};
  forms["bfi.b" + bits] = {insert_field<T>, wide ? "dddww" : "wwwww"};
  forms["bfe.u" + bits] = {extract_field<T>, wide ? "ddww" : "wwww"};
  forms["bfe.s" + bits] = {extract_field<S>, wide ? "ddww" : "wwww"};
  for (const char* kind : {"b", "u", "s", "f"}) {
    forms["selp." + (kind + bits)] = {choose<T>, wide ? "dddp" : "wwwp"};
  }
}

}  // namespace

void add_bits(Forms& forms) {
  add_width<std::uint32_t>(forms, "32", "www", "www");
  add_width<std::uint64_t>(forms, "64", "ddd", "ddw");
  forms["and.b16"] = {logic<std::uint32_t, And>, "hhh"};
  forms["or.b16"] = {logic<std::uint32_t, Or>, "hhh"};
  forms["xor.b16"] = {logic<std::uint32_t, Xor>, "hhh"};
  forms["not.b16"] = {invert_half, "hh"};
  forms["shl.b16"] = {shift_half<std::uint16_t, true>, "hhw"};
  forms["shr.b16"] = forms["shr.u16"] = {shift_half<std::uint16_t, false>, "hhw"};
  forms["shr.s16"] = {shift_half<std::int16_t, false>, "hhw"};
  for (const char* type : {"b16", "u16", "s16"}) {
    forms["selp." + std::string(type)] = {choose<std::uint32_t>, "hhhp"};
  }
  forms["and.pred"] = {logic_of_predicates<And>, "ppp"};
  forms["or.pred"] = {logic_of_predicates<Or>, "ppp"};
  forms["xor.pred"] = {logic_of_predicates<Xor>, "ppp"};
  forms["not.pred"] = {invert_predicate, "pp"};
  forms["prmt.b32"] = {permute, "wwww"};
  forms["bmsk.clamp.b32"] = {make_mask, "www"};
  forms["shf.l.wrap.b32"] = {funnel<true, true>, "wwww"};
  forms["shf.r.wrap.b32"] = {funnel<false, true>, "wwww"};
  forms["shf.l.clamp.b32"] = {funnel<true, false>, "wwww"};
  forms["shf.r.clamp.b32"] = {funnel<false, false>, "wwww"};
}

}  // namespace sightline::ptx
