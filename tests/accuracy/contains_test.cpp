// contains() of points within rounding of a surface, judged in binary128.
#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/sphere.hpp>

#include "tests/accuracy/samples.hpp"
#include "tests/oracle/oracle.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::accuracy {
namespace {

using oracle::Quad;
using Wide = oracle::Wide<Quad>;

/// How far the point lies outside the surface; negative inside.
Quad height(const Wide& p, const Sphere& s) {
  const Wide w = p - Wide(s.center);
  return oracle::root(oracle::dot(w, w)) - Quad(s.radius);
}
Quad height(const Wide& p, const Capsule& s) {
  const Wide a(s.a), e = Wide(s.b) - a, w = p - a;
  const Quad ee = oracle::dot(e, e), along = ee > 0 ? oracle::dot(w, e) / ee : Quad(0);
  const Wide off = w - e * std::clamp(along, Quad(0), Quad(1));
  return oracle::root(oracle::dot(off, off)) - Quad(s.radius);
}
Quad height(const Wide& p, const Cylinder& s) {
  const Wide a(s.a), e = Wide(s.b) - a, w = p - a;
  const Quad ee = oracle::dot(e, e), along = oracle::dot(w, e), length = oracle::root(ee);
  const Wide off = w - e * (along / ee);
  return std::max({oracle::root(oracle::dot(off, off)) - Quad(s.radius), -along / length,
                   along / length - length});
}
Quad beyond_slabs(const Wide& y, const Wide& h) {
  const Quad x = oracle::magnitude(y.x) - h.x, z = oracle::magnitude(y.z) - h.z;
  return std::max({x, oracle::magnitude(y.y) - h.y, z});
}
Quad height(const Wide& p, const ObbFrame& s) {
  const Wide w = p - Wide(s.center);
  return beyond_slabs({oracle::dot(w, Wide(s.axis[0])), oracle::dot(w, Wide(s.axis[1])),
                       oracle::dot(w, Wide(s.axis[2]))},
                      Wide(s.half_extents));
}
Quad height(const Wide& p, const Aabb& s) {
  const Wide lo(s.min), hi(s.max);
  return beyond_slabs(p - (lo + hi) * Quad(0.5), (hi - lo) * Quad(0.5));
}
Quad height(const Wide& p, const Plane& s) {
  return oracle::dot(p, Wide(s.normal)) - Quad(s.offset);
}

template <class Shape>
void check_contains(std::uint64_t seed) {
  Dice dice(seed);
  std::uint64_t inside = 0, judged = 0;
  for (std::uint64_t i = 0; i < scaled(200'000); ++i) {
    Cell cell;
    cell.distance = std::pow(10.0, dice.uniform(0, 5));
    cell.aspect = std::pow(10.0, dice.uniform(0, 4));
    cell.scale = std::exp2(dice.between(-50, 18));
    const Sample<Shape> s = draw<Shape>(dice, cell);
    const auto seen = oracle::truth(s.ray.origin, s.ray.direction, s.shape, s.size);
    const long double t = dice.chance(0.5) ? seen.t_in : seen.t_out;
    if (!seen.hit || oracle::magnitude(t) > 1e20L) continue;
    const auto coordinate = [&](float o, float d) {
      return static_cast<float>(static_cast<long double>(o) + t * static_cast<long double>(d));
    };
    Vec3 p{coordinate(s.ray.origin.x, s.ray.direction.x),
           coordinate(s.ray.origin.y, s.ray.direction.y),
           coordinate(s.ray.origin.z, s.ray.direction.z)};
    float& moved = (&p.x)[dice.below(3)];
    moved = dice.chance(0.5) ? next_up(moved) : next_down(moved);
    const double h = static_cast<double>(height(Wide(p), s.shape));
    if (!(max_abs(p) < domain_limit)) continue;
    ++judged;
    inside += h <= 0;
    if (contains(s.shape, p) != (h <= 0)) {
      ASSERT_LE(std::fabs(h), 1e-12 * (s.size * cell.aspect + static_cast<double>(max_abs(p))))
          << "seed " << seed << " case " << i;
    }
  }
  EXPECT_GT(judged, inside + 5);
  EXPECT_GT(inside, judged / 10);
}

TEST(ContainsTest, Aabb) { check_contains<Aabb>(81); }
TEST(ContainsTest, Obb) { check_contains<ObbFrame>(82); }
TEST(ContainsTest, Sphere) { check_contains<Sphere>(83); }
TEST(ContainsTest, Capsule) { check_contains<Capsule>(84); }
TEST(ContainsTest, Cylinder) { check_contains<Cylinder>(86); }
TEST(ContainsTest, Plane) { check_contains<Plane>(85); }

}  // namespace
}  // namespace sightline::accuracy
