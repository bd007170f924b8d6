// Lines nearly along a capsule that graze its side: where a cylinder's textbook formulas cancel.
#include <sightline/geometry/queries/cast.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sightline {
namespace {

using oracle::Dice;
using oracle::Quad;
using Wide3 = oracle::Wide<long double>;

struct Along {
  Ray ray;
  Capsule capsule;
};

Vec3 narrow(const Wide3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
Wide3 within(Dice& dice, double r) {
  const auto part = [&] { return static_cast<long double>(dice.uniform(-r, r)); };
  return {part(), part(), part()};
}

/// A line at about `angle` to the axis (0: only what rounding leaves), closest to it somewhere
/// along the segment, offsets down to 1e-8 radii from a tangent.
Along draw(Dice& dice, double angle) {
  Along s;
  s.capsule.a = narrow(within(dice, 1));
  s.capsule.b = narrow(within(dice, std::pow(10, dice.uniform(0, 4))));
  s.capsule.radius = static_cast<float>(dice.uniform(0.1, 1));
  const Wide3 a(s.capsule.a), e = Wide3(s.capsule.b) - a;
  const long double length = oracle::root(oracle::dot(e, e));
  s.ray.direction =
      narrow(e * static_cast<long double>(dice.uniform(0.2, 1)) + within(dice, angle) * length);
  const Wide3 d(s.ray.direction), g = oracle::cross(e, d);
  const long double gg = oracle::root(oracle::dot(g, g)), dd = oracle::root(oracle::dot(d, d));
  if (!(gg > 0)) return draw(dice, angle);
  const double stray = dice.uniform(-1, 1) * std::pow(10, dice.uniform(-8, -4));
  const long double off = static_cast<long double>(s.capsule.radius * (1 + stray));
  const long double part = static_cast<long double>(dice.uniform());
  const long double back = static_cast<long double>(std::pow(10, dice.uniform(-1, 3)));
  s.ray.origin = narrow(a + e * part - d * ((part * length + back) / dd) + g * (off / gg));
  return s;
}

TEST(CapsuleAlongTest, KeepsTheBand) {
  for (const double angle : {0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
    Dice dice(91);
    double band = 0, t_error = 0;  // in radii; in radii across the line
    std::uint64_t hits = 0;
    const std::uint64_t cases = scaled(50'000);
    for (std::uint64_t i = 0; i < cases; ++i) {
      const Along s = draw(dice, angle);
      const Line line = scale(s.ray).line;
      const auto truth =
          oracle::see(oracle::WideLine<Quad>(line.origin, line.direction), s.capsule);
      const Interval got = interval(line, s.capsule);
      ASSERT_TRUE(may_hit(line, s.capsule) || !truth.hit) << "angle " << angle << " case " << i;
      const double radius = static_cast<double>(s.capsule.radius);
      hits += truth.hit;
      if (got.hit != truth.hit) {
        band = std::max(band, static_cast<double>(oracle::magnitude(truth.outside)) / radius);
      } else if (truth.hit) {
        // An end is as good as its point is near the surface.
        const Wide3 e = Wide3(s.capsule.b) - Wide3(s.capsule.a), d(line.direction);
        const Wide3 g = oracle::cross(e, d);
        const long double sine =
            oracle::root(oracle::dot(g, g) / (oracle::dot(e, e) * oracle::dot(d, d)));
        const auto error = [&](float t, Quad want) {
          const long double off = std::fabs(static_cast<long double>(Quad(t) - want));
          const long double rounding = std::fabs(static_cast<long double>(t)) * 0x1p-23L;
          return static_cast<double>(std::max(0.0L, off - rounding) * sine) / radius;
        };
        t_error = std::max({t_error, error(got.t_in, truth.t_in), error(got.t_out, truth.t_out)});
      }
    }
    EXPECT_LE(band, 1e-8) << "angle " << angle;
    EXPECT_LE(t_error, 1e-5) << "angle " << angle;
    EXPECT_GT(hits, cases / 4);
    std::printf("  angle %g: band %.2g, t error across %.2g radii\n", angle, band, t_error);
  }
}

}  // namespace
}  // namespace sightline
