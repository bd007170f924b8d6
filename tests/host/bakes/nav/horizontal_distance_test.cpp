// Horizontal distances of upright axes, against slices in long double.
#include "tests/oracle/dice.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/distance/horizontal_distance.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace sightline::testing {
namespace {

using Real = long double;
using oracle::Dice;

/// The least of a convex function, by golden cuts.
Real least_of(Real from, Real to, const std::function<Real(Real)>& f) {
  constexpr Real ratio = 0.61803398874989484820L;
  for (int i = 0; i < 110; ++i) {
    const Real a = to - ratio * (to - from), b = from + ratio * (to - from);
    (f(a) <= f(b) ? to : from) = f(a) <= f(b) ? b : a;
  }
  return std::min({f(from), f(to), f((from + to) / 2)});
}

struct FlatPoint {
  Real x, y;
};

/// The polygon's part with a x + b y <= c.
std::vector<FlatPoint> cut(const std::vector<FlatPoint>& polygon, Real a, Real b, Real c) {
  std::vector<FlatPoint> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const FlatPoint p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const Real u = a * p.x + b * p.y - c, v = a * q.x + b * q.y - c;
    if (u <= 0) kept.push_back(p);
    if ((u < 0 && v > 0) || (u > 0 && v < 0)) {
      const Real t = u / (u - v);
      kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return kept;
}

Real distance_to(const std::vector<FlatPoint>& polygon, Real x, Real y) {
  if (polygon.empty()) return INFINITY;
  bool left = true, right = true;
  Real least = INFINITY;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const FlatPoint p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const Real ex = q.x - p.x, ey = q.y - p.y, ee = ex * ex + ey * ey;
    const Real area = ex * (y - p.y) - ey * (x - p.x);
    left = left && area >= 0;
    right = right && area <= 0;
    const Real t =
        ee > 0 ? std::clamp<Real>(((x - p.x) * ex + (y - p.y) * ey) / ee, 0, 1) : Real(0);
    least = std::min(least, std::hypot(p.x + t * ex - x, p.y + t * ey - y));
  }
  return left || right ? 0 : least;
}

/// Of the slice of a box at height h.
Real slice_distance(const ObbFrame& s, Real h, Real x, Real y) {
  std::vector<FlatPoint> polygon = {{-1e4L, -1e4L}, {1e4L, -1e4L}, {1e4L, 1e4L}, {-1e4L, 1e4L}};
  const Real half[3] = {s.half_extents.x, s.half_extents.y, s.half_extents.z};
  for (int i = 0; i < 3; ++i) {
    const Vec3 n = s.axis[i];
    const Real c = Real(n.x) * s.center.x + Real(n.y) * s.center.y + Real(n.z) * (s.center.z - h);
    // A hair thicker, so that rounding cuts no flat box away.
    const Real reach = half[i] + 1e-12L;
    polygon = cut(polygon, n.x, n.y, c + reach);
    polygon = cut(polygon, -Real(n.x), -Real(n.y), reach - c);
  }
  return distance_to(polygon, x, y);
}

/// Of the slice of a capsule, which is that of balls along its segment.
Real slice_distance(const Capsule& s, Real h, Real x, Real y) {
  const auto at = [&](Real t) {
    const Real cx = s.a.x + t * (Real(s.b.x) - s.a.x), cy = s.a.y + t * (Real(s.b.y) - s.a.y);
    const Real cz = s.a.z + t * (Real(s.b.z) - s.a.z);
    const Real square = Real(s.radius) * s.radius - (cz - h) * (cz - h);
    // Beyond its reach, something convex that falls towards it.
    if (square < 0) return Real(1e3) + (cz - h) * (cz - h);
    return std::hypot(cx - x, cy - y) - std::sqrt(square);
  };
  return std::max<Real>(0, least_of(0, 1, at));
}

float number_in(Dice& dice, float most) {
  return static_cast<float>(dice.between(-1000, 1000)) * (most / 1000);
}
Vec3 place_in_cube(Dice& dice, float most) {
  return {number_in(dice, most), number_in(dice, most), number_in(dice, most)};
}
VerticalSegment some_segment(Dice& dice) {
  const double low = number_in(dice, 4);
  return {number_in(dice, 6), number_in(dice, 6), low, low + std::abs(number_in(dice, 3))};
}
ObbFrame some_turned_box(Dice& dice) {
  Obb box;
  box.center = place_in_cube(dice, 2);
  box.half_extents = {std::abs(number_in(dice, 3)), std::abs(number_in(dice, 3)),
                      dice.chance(0.2) ? 0.0f : std::abs(number_in(dice, 1))};
  Vec3 v = place_in_cube(dice, 1);
  float w = number_in(dice, 1);
  if (dice.chance(0.3)) v = {0, 0, v.z};  // upright
  const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
  if (length > 0.01f) {
    box.rotation = {v.x / length, v.y / length, v.z / length, w / length};
  }
  return frame(box);
}

TEST(HorizontalDistance, MeasuresToTurnedBoxesAsSlicesDo) {
  Dice dice(1);
  int near = 0;
  for (std::uint64_t k = 0; k < scaled(6000); ++k) {
    const ObbFrame box = some_turned_box(dice);
    const VerticalSegment p = some_segment(dice);
    const WideBox w = wide_box(box, Vec3{0, 0, 0});
    Real low = INFINITY, high = -INFINITY;
    horizontal_parts::for_each_edge(w, [&](const WideVec3& a, const WideVec3& b) {
      low = std::min<Real>({low, a.z, b.z});
      high = std::max<Real>({high, a.z, b.z});
    });
    const double found = horizontal_distance(p, box);
    if (low > p.high || high < p.low) {
      EXPECT_EQ(found, infinity) << "case " << k;
      continue;
    }
    if (high - low < 1e-3L) continue;  // its slices are all or nothing
    const Real inset = 1e-9L;
    const Real from = std::max<Real>(low + inset, p.low), to = std::min<Real>(high - inset, p.high);
    if (from > to) continue;
    const Real expected =
        least_of(from, to, [&](Real h) { return slice_distance(box, h, p.x, p.y); });
    EXPECT_NEAR(found, static_cast<double>(expected), 2e-6) << "case " << k;
    if (found > 0 && found < 100) ++near;
  }
  EXPECT_GT(near, static_cast<int>(scaled(6000) / 10));
}

TEST(HorizontalDistance, MeasuresToCapsulesAsSlicesDo) {
  Dice dice(2);
  int near = 0;
  for (std::uint64_t k = 0; k < scaled(600); ++k) {
    const Vec3 a = place_in_cube(dice, 3);
    Vec3 b = place_in_cube(dice, 3);
    if (dice.chance(0.1)) b = a;
    if (dice.chance(0.1)) b.z = a.z;
    const Capsule s = {a, b, 0.05f + std::abs(number_in(dice, 1))};
    const VerticalSegment p = some_segment(dice);
    const double found = horizontal_distance(p, s);
    const Real low = std::min(a.z, b.z) - Real(s.radius),
               high = std::max(a.z, b.z) + Real(s.radius);
    if (low > p.high || high < p.low) {
      EXPECT_EQ(found, infinity) << "case " << k;
      continue;
    }
    const Real from = std::max<Real>(low, p.low), to = std::min<Real>(high, p.high);
    if (to - from < 1e-4L) continue;  // a touch
    const Real expected =
        least_of(from, to, [&](Real h) { return slice_distance(s, h, p.x, p.y); });
    EXPECT_NEAR(found, static_cast<double>(expected), 1e-5) << "case " << k;
    if (found > 0) ++near;
  }
  EXPECT_GT(near, static_cast<int>(scaled(600) / 10));
}

TEST(HorizontalDistance, KnowsTheAnswersOfPlainShapes) {
  const VerticalSegment p = {0, 0, 1, 3};
  EXPECT_EQ(horizontal_distance(p, Aabb{{3, 4, 0}, {5, 6, 1}}), 5) << "touches the lower height";
  EXPECT_EQ(horizontal_distance(p, Aabb{{3, 4, 0}, {5, 6, 0.99f}}), infinity);
  EXPECT_EQ(horizontal_distance(p, Aabb{{3, -1, 3}, {5, 6, 9}}), 3);
  EXPECT_EQ(horizontal_distance(p, Aabb{{-1, -1, 2}, {1, 1, 2}}), 0);
  EXPECT_EQ(horizontal_distance(p, Sphere{{10, 0, 2}, 4}), 6);
  EXPECT_EQ(horizontal_distance(p, Sphere{{10, 0, -2}, 5}), 6) << "its circle at height 1";
  EXPECT_EQ(horizontal_distance(p, Sphere{{10, 0, -2}, 3}), 10) << "its top touches";
  EXPECT_EQ(horizontal_distance(p, Sphere{{10, 0, -2}, 2.5f}), infinity);
  EXPECT_NEAR(horizontal_distance(p, Capsule{{5, -9, 2}, {5, 9, 2}, 1}), 4, 1e-12);
  EXPECT_EQ(horizontal_distance(p, Capsule{{5, -9, 5}, {5, 9, 5}, 1}), infinity);
  EXPECT_EQ(horizontal_distance(p, Plane{{0, 0, 1}, 0.5f}), infinity) << "the ground";
  EXPECT_EQ(horizontal_distance(p, Plane{{0, 0, 1}, 1}), 0);
  EXPECT_EQ(horizontal_distance(p, Plane{{-1, 0, 0}, -7}), 7) << "a wall";
  // A slope that rises away: at 45 degrees it is at height 1 where x is 1.
  const float c = std::sqrt(0.5f);
  EXPECT_NEAR(horizontal_distance(p, Plane{{-c, 0, c}, 0}), 1, 1e-6);
}

TEST(HorizontalDistance, MeasuresFlatBoxes) {
  const ObbFrame floor = frame(Obb{{5, 0, 2}, {1, 1, 0}, {}});
  EXPECT_EQ(horizontal_distance({0, 0, 1, 3}, floor), 4);
  EXPECT_EQ(horizontal_distance({0, 0, 2, 3}, floor), 4);
  EXPECT_EQ(horizontal_distance({0, 0, 2.5, 3}, floor), infinity);
  EXPECT_EQ(horizontal_distance({5, 0.5f, 1, 3}, floor), 0);
}

/// No point of the shape between the heights is nearer; and turning up to y changes nothing.
TEST(HorizontalDistance, IsALowerBoundOfPointsOfTheShape) {
  Dice dice(3);
  for (std::uint64_t k = 0; k < scaled(20000); ++k) {
    const ObbFrame box = some_turned_box(dice);
    const VerticalSegment p = some_segment(dice);
    const double found = horizontal_distance(p, box);
    const WideBox w = wide_box(box, Vec3{0, 0, 0});
    WideVec3 at = w.origin;
    for (int i = 0; i < 3; ++i) {
      at = at + w.edge[i] * (w.low[i] + (w.high[i] - w.low[i]) * (dice.between(0, 8) / 8.0));
    }
    if (at.z < p.low || at.z > p.high) continue;
    EXPECT_LE(found, std::hypot(at.x - p.x, at.y - p.y) + 1e-9) << "case " << k;
  }
}

}  // namespace
}  // namespace sightline::testing
