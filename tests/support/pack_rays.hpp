// A lane type of N floats for tests: proves that the arithmetic is generic over the lane type, and
// that its lanes give the bits of scalar code. Plain loops; no speed is meant.
#pragma once

#include <sightline/geometry/base/lane.hpp>

namespace sightline::testing {

/// What comparing two packs gives.
template <int N>
struct PackMask {
  bool lane[N] = {};

  PackMask() = default;
  explicit PackMask(bool all) {
    for (bool& l : lane) l = all;
  }
  bool operator[](int i) const { return lane[i]; }
};

/// N floats.
template <int N>
struct Pack {
  float lane[N] = {};

  Pack() = default;
  explicit Pack(float all) {
    for (float& l : lane) l = all;
  }
  float operator[](int i) const { return lane[i]; }
};

/// As many doubles as a pack has floats.
template <int N>
struct PackOfDoubles {
  double lane[N] = {};

  double operator[](int i) const { return lane[i]; }
};

/// Lane by lane: result[i] = f(a[i]), f(a[i], b[i]) ...
template <class Result, int N, class Function, class... Packs>
Result lanewise(Function f, const Packs&... packs) {
  Result r;
  for (int i = 0; i < N; ++i) r.lane[i] = f(packs[i]...);
  return r;
}

#define SIGHTLINE_PACK_OPERATOR(op, Result, Operand)                            \
  template <int N>                                                              \
  Result<N> operator op(const Operand<N>& a, const Operand<N>& b) {             \
    return lanewise<Result<N>, N>([](auto x, auto y) { return x op y; }, a, b); \
  }
SIGHTLINE_PACK_OPERATOR(+, Pack, Pack)
SIGHTLINE_PACK_OPERATOR(-, Pack, Pack)
SIGHTLINE_PACK_OPERATOR(*, Pack, Pack)
SIGHTLINE_PACK_OPERATOR(/, Pack, Pack)
SIGHTLINE_PACK_OPERATOR(<, PackMask, Pack)
SIGHTLINE_PACK_OPERATOR(<=, PackMask, Pack)
SIGHTLINE_PACK_OPERATOR(>, PackMask, Pack)
SIGHTLINE_PACK_OPERATOR(>=, PackMask, Pack)
SIGHTLINE_PACK_OPERATOR(==, PackMask, Pack)
SIGHTLINE_PACK_OPERATOR(+, PackOfDoubles, PackOfDoubles)
SIGHTLINE_PACK_OPERATOR(-, PackOfDoubles, PackOfDoubles)
SIGHTLINE_PACK_OPERATOR(*, PackOfDoubles, PackOfDoubles)
SIGHTLINE_PACK_OPERATOR(/, PackOfDoubles, PackOfDoubles)
#undef SIGHTLINE_PACK_OPERATOR

template <int N>
Pack<N> operator-(const Pack<N>& a) {
  return lanewise<Pack<N>, N>([](float x) { return -x; }, a);
}
template <int N>
PackMask<N> operator&(const PackMask<N>& a, const PackMask<N>& b) {
  return lanewise<PackMask<N>, N>([](bool x, bool y) { return x && y; }, a, b);
}
template <int N>
PackMask<N> operator|(const PackMask<N>& a, const PackMask<N>& b) {
  return lanewise<PackMask<N>, N>([](bool x, bool y) { return x || y; }, a, b);
}
template <int N>
PackMask<N> operator!(const PackMask<N>& a) {
  return lanewise<PackMask<N>, N>([](bool x) { return !x; }, a);
}

template <int N>
bool any(const PackMask<N>& m) {
  bool r = false;
  for (const bool l : m.lane) r = r || l;
  return r;
}
template <int N>
Pack<N> select(const PackMask<N>& m, const Pack<N>& a, const Pack<N>& b) {
  return lanewise<Pack<N>, N>([](bool s, float x, float y) { return s ? x : y; }, m, a, b);
}
template <int N>
PackMask<N> select(const PackMask<N>& m, const PackMask<N>& a, const PackMask<N>& b) {
  return lanewise<PackMask<N>, N>([](bool s, bool x, bool y) { return s ? x : y; }, m, a, b);
}
template <int N>
Pack<N> fma(const Pack<N>& a, const Pack<N>& b, const Pack<N>& c) {
  return lanewise<Pack<N>, N>([](float x, float y, float z) { return sightline::fma(x, y, z); }, a,
                              b, c);
}
template <int N>
Pack<N> sqrt(const Pack<N>& a) {
  return lanewise<Pack<N>, N>([](float x) { return sightline::sqrt(x); }, a);
}
template <int N>
Pack<N> abs(const Pack<N>& a) {
  return lanewise<Pack<N>, N>([](float x) { return sightline::abs(x); }, a);
}
template <int N>
Pack<N> min(const Pack<N>& a, const Pack<N>& b) {
  return lanewise<Pack<N>, N>([](float x, float y) { return sightline::min(x, y); }, a, b);
}
template <int N>
Pack<N> max(const Pack<N>& a, const Pack<N>& b) {
  return lanewise<Pack<N>, N>([](float x, float y) { return sightline::max(x, y); }, a, b);
}
template <int N>
Pack<N> normalising_power(const Pack<N>& a) {
  return lanewise<Pack<N>, N>([](float x) { return sightline::normalising_power(x); }, a);
}

template <int N>
PackOfDoubles<N> operator-(const PackOfDoubles<N>& a) {
  return lanewise<PackOfDoubles<N>, N>([](double x) { return -x; }, a);
}
template <int N>
PackOfDoubles<N> wide_sqrt(const PackOfDoubles<N>& a) {
  return lanewise<PackOfDoubles<N>, N>([](double x) { return sightline::wide_sqrt(x); }, a);
}
template <int N>
PackOfDoubles<N> widened(const Pack<N>& a) {
  return lanewise<PackOfDoubles<N>, N>([](float x) { return sightline::widened(x); }, a);
}
template <int N>
Pack<N> narrowed(const PackOfDoubles<N>& a) {
  return lanewise<Pack<N>, N>([](double x) { return sightline::narrowed(x); }, a);
}

}  // namespace sightline::testing

template <int N>
struct sightline::LaneTraits<sightline::testing::Pack<N>> {
  using Mask = testing::PackMask<N>;
  using Double = testing::PackOfDoubles<N>;
  static constexpr int lanes = N;
  static void store(const testing::Pack<N>& x, float* to) {
    for (int i = 0; i < N; ++i) to[i] = x.lane[i];
  }
  static testing::Pack<N> load(const float* from) {
    testing::Pack<N> r;
    for (int i = 0; i < N; ++i) r.lane[i] = from[i];
    return r;
  }
};
