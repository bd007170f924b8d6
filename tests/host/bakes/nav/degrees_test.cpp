// Cosines and sines of degrees, against long double.
#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/base/degrees.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sightline::testing {
namespace {

/// The sine of 0 to 90 degrees, and as exact near 180, 90 and 0.
long double true_sine(long double degrees) {
  return std::sin(degrees * std::numbers::pi_v<long double> / 180);
}
long double true_cosine(long double degrees) {
  return degrees <= 90 ? true_sine(90 - degrees) : -true_sine(degrees - 90);
}

void expect_exact(float degrees) {
  const long double cosine = true_cosine(degrees);
  const long double sine = degrees <= 90 ? true_sine(degrees) : true_sine(180.0L - degrees);
  const double c = cosine_of_degrees(degrees), s = sine_of_degrees(degrees);
  ASSERT_LE(std::abs(c - cosine), std::abs(cosine) * 0x1p-51L) << degrees;
  ASSERT_LE(std::abs(s - sine), std::abs(sine) * 0x1p-51L) << degrees;
  ASSERT_EQ(narrowed(c), static_cast<float>(cosine)) << degrees;
  ASSERT_EQ(narrowed(s), static_cast<float>(sine)) << degrees;
}

TEST(Degrees, AreTheNearestFloats) {
  for (std::uint64_t k = 0; k <= 180'000;
       k += std::max<std::uint64_t>(1, 180'000 / scaled(180'000))) {
    expect_exact(static_cast<float>(k) / 1000);
  }
  float below = 90, above = 90, last = 180;
  for (int k = 0; k < 1000; ++k) {
    below = next_down(below), above = next_up(above), last = next_down(last);
    expect_exact(below);
    expect_exact(above);
    expect_exact(last);
  }
  oracle::Dice dice(1);
  for (std::uint64_t k = 0; k < scaled(100'000); ++k) {
    expect_exact(static_cast<float>(dice.uniform(0, 180)));
  }
}

TEST(Degrees, OfRightAnglesAreExact) {
  const auto is = [](float degrees, double cosine, double sine) {
    EXPECT_EQ(cosine_of_degrees(degrees), cosine);
    EXPECT_EQ(sine_of_degrees(degrees), sine);
    EXPECT_FALSE(std::signbit(cosine_of_degrees(90)) || std::signbit(sine_of_degrees(degrees)));
  };
  is(0, 1, 0);
  is(90, 0, 1);
  is(180, -1, 0);
}

}  // namespace
}  // namespace sightline::testing
