// The two-float operations keep their published bounds, judged in binary128.
#include <sightline/geometry/exact/two_float.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline {
namespace {

using oracle::Dice;
using oracle::Quad;

constexpr double u = 0x1p-24;

Quad value(const Two<float>& a) { return Quad(a.hi) + Quad(a.lo); }

/// Mantissas of all kinds: random, next to a power of two, few bits.
float operand(Dice& dice) {
  const float x = dice.wild(-20, 20);
  switch (dice.below(4)) {
    case 0:
      return float_of(bits_of(x) & 0xff800000u) *
             (1.0f + 0x1p-23f * static_cast<float>(dice.below(3)));
    case 1:
      return next_down(float_of(bits_of(x) & 0x7f800000u));
    case 2:
      return float_of(bits_of(x) & 0xfffff000u);
    default:
      return x;
  }
}

/// A low part of up to half a last place, often just that or nothing.
Two<float> two(Dice& dice, float hi) {
  const float half_place = std::ldexp(1.0f, std::ilogb(hi) - 24);
  const float part[4] = {0.0f, half_place, next_down(half_place),
                         half_place * static_cast<float>(dice.uniform())};
  const float lo = part[dice.below(4)] * (dice.chance(0.5) ? 1.0f : -1.0f);
  const float sum = hi + lo;  // renormalised where the tie or a power of two moves hi
  return {sum, lo - (sum - hi)};
}
Two<float> two(Dice& dice) { return two(dice, operand(dice)); }

/// One that cancels most of `a`.
Two<float> nearly(Dice& dice, const Two<float>& a) {
  Two<float> b = two(dice, float_of(bits_of(a.hi) + static_cast<std::uint32_t>(dice.below(5)) - 2));
  if (dice.chance(0.3)) b.lo = a.lo;
  return quick_two_sum(b.hi, b.lo);
}

/// |got - want| / |want| in units of u^2, and no overlap of the parts.
double error(const Two<float>& got, Quad want) {
  EXPECT_EQ(got.hi + got.lo, got.hi);
  const Quad off = oracle::magnitude(value(got) - want);
  if (off == 0) return 0;
  return want == 0 ? 1e30 : static_cast<double>(off / oracle::magnitude(want)) / (u * u);
}

class TwoFloatTest : public ::testing::Test {
 protected:
  template <class Case>
  void repeat(Case&& one) {
    for (std::uint64_t i = 0; i < scaled(400'000) && !HasFailure(); ++i) one();
  }
  Dice dice{20261};
};

TEST_F(TwoFloatTest, TransformsAreExact) {
  repeat([&] {
    const float a = operand(dice), b = operand(dice);
    EXPECT_TRUE(value(two_sum(a, b)) == Quad(a) + Quad(b)) << a << ' ' << b;
    EXPECT_TRUE(value(two_diff(a, b)) == Quad(a) - Quad(b)) << a << ' ' << b;
    EXPECT_TRUE(value(two_prod(a, b)) == Quad(a) * Quad(b)) << a << ' ' << b;
    const bool ordered = std::fabs(a) >= std::fabs(b);
    const Two<float> quick = ordered ? quick_two_sum(a, b) : quick_two_sum(b, a);
    EXPECT_TRUE(value(quick) == Quad(a) + Quad(b)) << a << ' ' << b;
  });
}

TEST_F(TwoFloatTest, NextFloatsAreTheStandardLibrarys) {
  const auto expect = [](float x) {
    ASSERT_EQ(bits_of(next_up(x)), bits_of(std::nextafter(x, infinity))) << x;
    ASSERT_EQ(bits_of(next_down(x)), bits_of(std::nextafter(x, -infinity))) << x;
  };
  for (const float x :
       {0.0f, 0x1p-149f, 0x1p-126f, 0x1.fffffcp-127f, 1.0f, next_down(largest_float)}) {
    expect(x);
    expect(-x);
  }
  for (int i = 0; i < 100000; ++i) {
    const float x = float_of(static_cast<std::uint32_t>(dice.below(0xffffffffu)));
    if (std::abs(x) < largest_float) expect(x);
  }
}

TEST_F(TwoFloatTest, SumsOfTwoFloats) {
  double worst = 0;
  repeat([&] {
    const Two<float> a = two(dice), b = dice.chance(0.5) ? nearly(dice, -a) : two(dice);
    worst = std::max(worst, error(a + b, value(a) + value(b)));
    worst = std::max(worst, error(a - b, value(a) - value(b)));
  });
  EXPECT_LE(worst, 3 + 13 * u);
  EXPECT_GT(worst, 1);
}

TEST_F(TwoFloatTest, SumsWithAFloat) {
  double worst = 0;
  repeat([&] {
    const Two<float> a = two(dice);
    const float b = dice.chance(0.5) ? -nearly(dice, a).hi : operand(dice);
    worst = std::max(worst, error(a + b, value(a) + Quad(b)));
  });
  EXPECT_LE(worst, 2);
  EXPECT_GT(worst, 0.5);
}

TEST_F(TwoFloatTest, Products) {
  double by_float = 0, by_two = 0;
  repeat([&] {
    const Two<float> a = two(dice), b = two(dice);
    by_float = std::max(by_float, error(a * b.hi, value(a) * Quad(b.hi)));
    by_two = std::max(by_two, error(a * b, value(a) * value(b)));
  });
  EXPECT_LE(by_float, 2);
  EXPECT_LE(by_two, 4);
  EXPECT_GT(by_float, 0.5);
  EXPECT_GT(by_two, 1);
}

TEST_F(TwoFloatTest, Quotients) {
  double worst = 0;
  repeat([&] {
    const Two<float> a = two(dice), b = two(dice);
    worst = std::max(worst, error(a / b, value(a) / value(b)));
  });
  EXPECT_LE(worst, 15 + 56 * u);
  EXPECT_GT(worst, 1);
}

TEST_F(TwoFloatTest, SquareRoots) {
  double worst = 0;
  repeat([&] {
    Two<float> a = two(dice);
    if (a.hi < 0) a = -a;
    worst = std::max(worst, error(sqrt_or_zero(a), oracle::root(value(a))));
  });
  EXPECT_LE(worst, 25.0 / 8);
  EXPECT_GT(worst, 0.5);
  const Two<float> none = sqrt_or_zero(Two<float>{-1.0f, 0.0f});
  EXPECT_EQ(none.hi, 0.0f);
  EXPECT_EQ(none.lo, 0.0f);
}

/// Where the terms of a dot product do not cancel to less, the sum keeps about 45 bits.
TEST_F(TwoFloatTest, DotsAndCrosses) {
  repeat([&] {
    const auto vec = [&] { return Vec3{operand(dice), operand(dice), operand(dice)}; };
    const Vec3 p = vec(), q = vec(), d = vec();
    const TwoVec3<float> w = two_diff(p, q);
    const oracle::Wide<Quad> ww = oracle::Wide<Quad>(p) - oracle::Wide<Quad>(q);
    const oracle::Wide<Quad> dd(d);
    const auto size = [](Quad v) { return oracle::magnitude(v); };
    const Quad terms = size(ww.x * dd.x) + size(ww.y * dd.y) + size(ww.z * dd.z);
    const Quad off = size(value(dot(w, d)) - oracle::dot(ww, dd));
    EXPECT_LE(static_cast<double>(off), static_cast<double>(terms) * 9 * u * u);
    const Quad parts = size(ww.y * dd.z) + size(ww.z * dd.y);
    const Quad cross_off = size(value(cross(w, d).x) - oracle::cross(ww, dd).x);
    EXPECT_LE(static_cast<double>(cross_off), static_cast<double>(parts) * 6 * u * u);
  });
}

}  // namespace
}  // namespace sightline
