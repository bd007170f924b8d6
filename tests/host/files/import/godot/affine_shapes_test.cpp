// Shapes under affine maps: what is exact has the corners that it should, what is not holds them.
#include "host/files/import/godot/affine_shapes.hpp"

#include <sightline/geometry/shapes/obb.hpp>

#include "host/gen/random.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::io {
namespace {

Double3 in_binary64(const Vec3& v) { return {v.x, v.y, v.z}; }
Double3 minus(const Double3& a, const Double3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double uniform(gen::Draws& draws, double low, double high) {
  return low + (high - low) * 0x1p-53 * static_cast<double>(draws.bits() >> 11);
}

Double3 random_direction(gen::Draws& draws) {
  for (;;) {
    const Double3 v = {uniform(draws, -1, 1), uniform(draws, -1, 1), uniform(draws, -1, 1)};
    if (length(v) > 0.1 && length(v) < 1) return times(v, 1 / length(v));
  }
}

/// A rotation about a random axis by Rodrigues' formula, or by quarter turns, perhaps mirrored.
Affine random_rotation(gen::Draws& draws) {
  Affine map;
  if (draws.below(3) == 0) {
    const std::size_t i = draws.below(3);
    std::array<std::size_t, 3> to{i, (i + 1) % 3, (i + 2) % 3};
    if (draws.below(2) == 0) std::swap(to[1], to[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      map.column[k] = {0, 0, 0};
      map.column[k][to[k]] = draws.below(2) == 0 ? 1 : -1;
    }
    return map;
  }
  const Double3 axis = random_direction(draws);
  const double angle = uniform(draws, 0, 7);
  for (Double3& v : map.column) {
    const Double3 across = cross(axis, v);
    const double along = dot(axis, v) * (1 - std::cos(angle));
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] = v[k] * std::cos(angle) + across[k] * std::sin(angle) + axis[k] * along;
    }
  }
  return map;
}

Affine scaling(const Double3& by) {
  Affine map;
  for (std::size_t k = 0; k < 3; ++k) map.column[k] = times(map.column[k], by[k]);
  return map;
}

enum class Distortion { none, unequal, shear };

Affine random_map(gen::Draws& draws, Distortion distortion) {
  const double scale = std::exp2(uniform(draws, -3, 3));
  Affine map = random_rotation(draws) * scaling({scale, scale, scale});
  if (distortion != Distortion::none) {
    map = map * scaling({uniform(draws, 0.2, 3), uniform(draws, 0.2, 3), uniform(draws, 0.2, 3)});
  }
  if (distortion == Distortion::shear) map = scaling({1, 2.5, 0.7}) * map * random_rotation(draws);
  map.origin = {uniform(draws, -50, 50), uniform(draws, -50, 50), uniform(draws, -50, 50)};
  return map;
}

/// How far outside of a shape a point lies, at least; negative or 0 inside.
struct Outside {
  Double3 p;
  double operator()(const Aabb& s) const {
    const Double3 low = minus(in_binary64(s.min), p), high = minus(p, in_binary64(s.max));
    return std::max({low[0], low[1], low[2], high[0], high[1], high[2]});
  }
  double operator()(const Obb& s) const {
    const ObbFrame f = frame(s);
    const Double3 w = minus(p, in_binary64(f.center)), h = in_binary64(f.half_extents);
    double out = -INFINITY;
    for (std::size_t k = 0; k < 3; ++k) {
      out = std::max(out, std::abs(dot(w, in_binary64(f.axis[k]))) - h[k]);
    }
    return out;
  }
  double operator()(const Sphere& s) const {
    return length(minus(p, in_binary64(s.center))) - double{s.radius};
  }
  double operator()(const Capsule& s) const {
    const Double3 a = in_binary64(s.a), e = minus(in_binary64(s.b), a), w = minus(p, a);
    const double t = dot(e, e) > 0 ? std::clamp(dot(w, e) / dot(e, e), 0.0, 1.0) : 0;
    return length(minus(w, times(e, t))) - double{s.radius};
  }
  double operator()(const Plane& s) const {
    return dot(in_binary64(s.normal), p) - double{s.offset};
  }
};

double volume_of(const PlacedShape& placed) {
  constexpr double pi = 3.14159265358979323846;
  if (const auto* box = std::get_if<Aabb>(&placed.shape)) {
    const Double3 e = minus(in_binary64(box->max), in_binary64(box->min));
    return e[0] * e[1] * e[2];
  }
  if (const auto* box = std::get_if<Obb>(&placed.shape)) {
    const Double3 h = in_binary64(box->half_extents);
    return 8 * h[0] * h[1] * h[2];
  }
  if (const auto* ball = std::get_if<Sphere>(&placed.shape)) {
    return 4.0 / 3 * pi * std::pow(ball->radius, 3);
  }
  const Capsule& c = std::get<Capsule>(placed.shape);
  const double r = c.radius;
  return pi * r * r * (length(minus(in_binary64(c.b), in_binary64(c.a))) + 4.0 / 3 * r);
}

/// Expects the points to lie in the shape, which is to be exact or not, but for rounding.
void expect_holds(const std::optional<PlacedShape>& placed, const Affine& map,
                  const std::vector<Double3>& points, bool exact, double own_volume) {
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->approximation == nullptr, exact);
  for (const Double3& p : points) {
    const Double3 moved = map.move(p);
    const double size = length(moved) + length(minus(moved, map.origin));
    ASSERT_LE(std::visit(Outside{moved}, placed->shape), 3e-6 * size);
  }
  if (std::holds_alternative<Plane>(placed->shape)) return;
  const double ratio = volume_of(*placed) / (own_volume * std::abs(map.determinant()));
  EXPECT_NEAR(ratio / placed->volume, 1, 1e-3);  // the floats of far boxes are rounded
  EXPECT_GE(placed->volume, 1 - 1e-12);
}

std::vector<Double3> corners_of(const Double3& half) {
  std::vector<Double3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({(i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1],
                      (i & 4) != 0 ? half[2] : -half[2]});
  }
  return points;
}

constexpr double circle = 4 * 3.14159265358979323846 / 3;  // 4/3 pi

class AffineShapes : public ::testing::TestWithParam<Distortion> {
 protected:
  /// Runs `test(draws, map)` for many maps.
  template <class Test>
  void for_maps(std::uint64_t stream, Test test) {
    for (std::uint64_t i = 0; i < scaled(5000); ++i) {
      SCOPED_TRACE("case " + std::to_string(i));
      gen::Draws draws(6, stream, i);
      const Affine map = random_map(draws, GetParam());
      test(draws, map);
      if (HasFailure()) return;
    }
  }
};

TEST_P(AffineShapes, BoxesHaveTheirCorners) {
  for_maps(0xb0, [](gen::Draws& draws, const Affine& map) {
    const Double3 half = {uniform(draws, 0.1, 5), uniform(draws, 0.1, 5), uniform(draws, 0.1, 5)};
    const bool exact = GetParam() != Distortion::shear;
    const auto placed = placed_box(map, half);
    // A shear may be none, by chance or after quarter turns.
    const bool sheared = placed && placed->approximation != nullptr;
    expect_holds(placed, map, corners_of(half), exact || !sheared, 8 * half[0] * half[1] * half[2]);
  });
}

TEST_P(AffineShapes, SpheresHoldTheirPoints) {
  for_maps(0x5f, [](gen::Draws& draws, const Affine& map) {
    const double radius = uniform(draws, 0.1, 5);
    std::vector<Double3> points;
    for (int i = 0; i < 40; ++i) points.push_back(times(random_direction(draws), radius));
    expect_holds(placed_sphere(map, radius), map, points, GetParam() == Distortion::none,
                 circle * radius * radius * radius);
  });
}

TEST_P(AffineShapes, CapsulesHoldTheirPoints) {
  for_maps(0xca, [](gen::Draws& draws, const Affine& map) {
    const double radius = uniform(draws, 0.1, 2);
    const Double3 axis = times(random_direction(draws), uniform(draws, 0, 4));
    std::vector<Double3> points;
    for (int i = 0; i < 40; ++i) {
      const double t = i < 20 ? (i % 2) * 2 - 1 : uniform(draws, -1, 1);
      const Double3 on = times(random_direction(draws), radius);
      points.push_back({axis[0] * t + on[0], axis[1] * t + on[1], axis[2] * t + on[2]});
    }
    expect_holds(
        placed_capsule(map, axis, radius), map, points, GetParam() == Distortion::none,
        circle * radius * radius * radius + circle * 0.75 * radius * radius * 2 * length(axis));
  });
}

TEST_P(AffineShapes, CylindersAreHeldByTheSmallerOfBoxAndCapsule) {
  std::uint64_t capsules = 0, boxes = 0;
  for_maps(0xc1, [&](gen::Draws& draws, const Affine& map) {
    const double radius = uniform(draws, 0.1, 2), half = uniform(draws, 0.1, 8);
    std::vector<Double3> points;
    for (int i = 0; i < 40; ++i) {
      const double angle = uniform(draws, 0, 7);
      points.push_back(
          {radius * std::cos(angle), i % 2 == 0 ? half : -half, radius * std::sin(angle)});
    }
    const auto placed = placed_cylinder(map, half, radius);
    expect_holds(placed, map, points, false, circle * 0.75 * radius * radius * 2 * half);
    if (!placed) return;
    ++(std::holds_alternative<Capsule>(placed->shape) ? capsules : boxes);
    if (GetParam() == Distortion::shear) return;
    EXPECT_LE(placed->volume, 4 / 3.14159265358979 * (1 + 1e-9));
    // A capsule with the cylinder's own segment is never smaller than the one that was taken.
    EXPECT_LE(std::holds_alternative<Capsule>(placed->shape) ? placed->volume : 0,
              1 + 2 * radius / (3 * half) * (GetParam() == Distortion::none ? 1 : INFINITY));
  });
  EXPECT_GT(boxes, 0u);
  if (GetParam() == Distortion::none && scaled(5000) > 40) {
    EXPECT_GT(capsules, 0u);
  }
}

TEST_P(AffineShapes, PlanesKeepTheirSides) {
  for_maps(0x91, [](gen::Draws& draws, const Affine& map) {
    const Double3 normal = times(random_direction(draws), uniform(draws, 0.5, 2));
    const double offset = uniform(draws, -5, 5);
    std::vector<Double3> inside, outside;
    for (int i = 0; i < 20; ++i) {
      const Double3 p = times(random_direction(draws), 20);
      (dot(normal, p) <= offset ? inside : outside).push_back(p);
    }
    const auto placed = placed_plane(map, normal, offset);
    expect_holds(placed, map, inside, true, 1);
    for (const Double3& p : outside) {
      ASSERT_GE(Outside{map.move(p)}(std::get<Plane>(placed->shape)), -1e-4);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Of, AffineShapes,
                         ::testing::Values(Distortion::none, Distortion::unequal,
                                           Distortion::shear));

TEST(AffineShapesOf, QuarterTurnsWrittenInSixDigitsAreAabbs) {
  const Affine map = {{{{-1, 0, 3.57628e-07}, {0, 1, 0}, {-3.57628e-07, 0, -1}}}, {4, 5, 6}};
  const auto placed = placed_box(map, {1, 2, 3});
  ASSERT_TRUE(placed && std::holds_alternative<Aabb>(placed->shape));
  const Aabb box = std::get<Aabb>(placed->shape);
  EXPECT_TRUE(box.min.x == 3 && box.min.y == 3 && box.min.z == 3);
  EXPECT_TRUE(box.max.x == 5 && box.max.y == 7 && box.max.z == 9);
  const Affine turned = {{{{-1, 0, 1e-5}, {0, 1, 0}, {-1e-5, 0, -1}}}, {4, 5, 6}};
  EXPECT_TRUE(std::holds_alternative<Obb>(placed_box(turned, {1, 2, 3})->shape));
}

TEST(AffineShapesOf, MapsThatFlattenAreNothing) {
  const Affine flat = {{{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}}, {0, 0, 0}};
  const Affine infinite = {{{{1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1}}}, {0, 0, 0}};
  for (const Affine& map : {flat, infinite}) {
    EXPECT_FALSE(placed_box(map, {1, 1, 1}));
    EXPECT_FALSE(placed_sphere(map, 1));
    EXPECT_FALSE(placed_capsule(map, {0, 1, 0}, 1));
    EXPECT_FALSE(placed_cylinder(map, 1, 1));
    EXPECT_FALSE(placed_plane(map, {0, 1, 0}, 1));
  }
  EXPECT_FALSE(placed_plane({}, {0, 0, 0}, 1));
}

}  // namespace
}  // namespace sightline::io
