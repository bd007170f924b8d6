// Closed meshes, convex hulls and winding numbers: exact on every backend. Solid angles in long
// doubles judge winding numbers, and volumes of whole numbers judge hulls. Of the cells that fill a
// space, each point is in exactly one.
#include "tests/oracle/dice.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cube_grid.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scale.hpp"

#include <sightline/caster.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace sightline::testing {
namespace {

using Face = std::array<std::uint32_t, 3>;
using oracle::Dice;

class Solids : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Solids, ::testing::ValuesIn(every_backend), name_of_backend);

const std::vector<Face> tetrahedron_faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

Vec3 vec(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// The solid angle of the triangles seen from p, in full spheres (Van Oosterom and Strackee 1983).
long double full_spheres(const std::vector<Triangle>& triangles, const Vec3& p) {
  long double sum = 0;
  for (const Triangle& s : triangles) {
    long double v[3][3], length[3];
    const Vec3* const corner[] = {&s.a, &s.b, &s.c};
    for (int k = 0; k < 3; ++k) {
      v[k][0] = static_cast<long double>(corner[k]->x) - p.x;
      v[k][1] = static_cast<long double>(corner[k]->y) - p.y;
      v[k][2] = static_cast<long double>(corner[k]->z) - p.z;
      length[k] = std::hypot(v[k][0], v[k][1], v[k][2]);
    }
    const auto dot = [&](int a, int b) {
      return v[a][0] * v[b][0] + v[a][1] * v[b][1] + v[a][2] * v[b][2];
    };
    const long double volume = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                               v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    const long double below = length[0] * length[1] * length[2] + dot(0, 1) * length[2] +
                              dot(1, 2) * length[0] + dot(2, 0) * length[1];
    sum += 2 * std::atan2(volume, below);
  }
  return sum / (4 * std::numbers::pi_v<long double>);
}

/// The sign of (b - a) x (c - a) . (p - a) in whole numbers, of lattice points.
int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const auto less = [&](const Vec3& v) {
    return std::array<std::int64_t, 3>{std::lround(4 * (v.x - a.x)), std::lround(4 * (v.y - a.y)),
                                       std::lround(4 * (v.z - a.z))};
  };
  const auto u = less(b), v = less(c), w = less(p);
  const std::int64_t d = (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
                         (u[0] * v[1] - u[1] * v[0]) * w[2];
  return d > 0 ? 1 : d < 0 ? -1 : 0;
}

std::vector<Triangle> triangles_in(const Scene& scene) {
  std::vector<Triangle> all;
  for (std::uint32_t i = 0; i < scene.count(Kind::triangle); ++i) all.push_back(scene.triangle(i));
  return all;
}

/// Six tetrahedra that fill the cell from `low` to low + 1: one for each order of the axes.
std::vector<std::array<Vec3, 4>> tetrahedra_of(const Vec3& low) {
  std::vector<std::array<Vec3, 4>> all;
  std::array<int, 3> axes = {0, 1, 2};
  do {
    std::array<Vec3, 4> t = {low, low, low, low};
    for (int step = 1; step < 4; ++step) {
      float p[3] = {low.x, low.y, low.z};
      for (int k = 0; k < step; ++k) p[axes[static_cast<std::size_t>(k)]] += 1;
      t[static_cast<std::size_t>(step)] = {p[0], p[1], p[2]};
    }
    if (side(t[0], t[1], t[2], t[3]) < 0) std::swap(t[1], t[2]);
    all.push_back(t);
  } while (std::next_permutation(axes.begin(), axes.end()));
  return all;
}

// Each tetrahedron has a mask of its own, so that a point asks one of them. Points are corners,
// points of edges and faces, and points between.
TEST_P(Solids, ShareOutTheSpaceThatTheyFill) {
  Scene scene;
  std::uint32_t bit = 0;
  for (const auto& t : tetrahedra_of({0, 0, 0})) {
    scene.add_solid(t, tetrahedron_faces, {.mask = std::uint32_t{1} << bit++});
  }
  const Caster c = caster(scene);
  std::vector<Vec3> points;
  for (int x = -1; x < 6; ++x) {
    for (int y = -1; y < 6; ++y) {
      for (int z = -1; z < 6; ++z) points.push_back(vec(0.25 * x, 0.25 * y, 0.25 * z));
    }
  }
  std::vector<std::int32_t> sum(points.size());
  for (std::uint32_t k = 0; k < bit; ++k) {
    const WindingNumbers one = c.winding({points, std::uint32_t{1} << k});
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_TRUE(one[i] == 0 || one[i] == 1);
      sum[i] += one[i];
    }
  }
  const WindingNumbers all = c.winding(points);
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i];  // is moved forward along x, less along y, least along z
    const auto within = [](float v) { return v >= 0 && v < 1; };
    const bool is_in = within(p.x) && within(p.y) && within(p.z);
    EXPECT_EQ(sum[i], is_in ? 1 : 0) << p.x << ' ' << p.y << ' ' << p.z;
    EXPECT_EQ(all[i], sum[i]);
    inside += is_in;
  }
  EXPECT_EQ(all.report, (WindingReport{points.size(), inside, 0}));
}

// Two balls, of which one is turned inside out, and points near both and far away.
TEST_P(Solids, HaveTheWindingNumbersOfSolidAngles) {
  Dice dice(5);
  std::uint64_t judged = 0, counts[3] = {};
  for (std::uint64_t round = 0; round < std::max<std::uint64_t>(2, scaled(20)); ++round) {
    const double scale = std::ldexp(1.0, static_cast<int>(dice.below(20)) - 10);
    const auto ball = [&](double x) {
      return cube_grid(3, [&](double a, double b, double e) {
        const double r = scale * (1 + 0.3 * dice.uniform(-1, 1)) / std::sqrt(a * a + b * b + e * e);
        return vec(scale * x + r * a, r * b, r * e);
      });
    };
    const Mesh one = ball(0);
    Mesh other = ball(0.7);
    const bool turned = dice.below(2) == 0;
    if (turned) {
      for (Face& f : other.faces) std::swap(f[1], f[2]);
    }
    Scene scene;
    scene.add_solid(one.vertices, one.faces);
    scene.add_solid(other.vertices, other.faces);
    const std::vector<Triangle> triangles = triangles_in(scene);
    std::vector<Vec3> points;
    for (int i = 0; i < 100; ++i) {
      const double far = i % 10 == 0 ? 1e4 : 2;
      points.push_back(vec(scale * dice.uniform(-far, far), scale * dice.uniform(-2, 2),
                           scale * dice.uniform(-2, 2)));
    }
    // In line with corners and edges, at a quarter of the way out.
    for (const Vec3& v : one.vertices) points.push_back({v.x / 4, v.y, v.z});
    const WindingNumbers found = caster(scene).winding(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const long double angle = full_spheres(triangles, points[i]);
      if (std::abs(angle - std::round(angle)) > 1e-6L) continue;  // on a surface
      EXPECT_EQ(found[i], std::lround(angle)) << "round " << round << ", point " << i;
      ++judged, ++counts[std::clamp(std::lround(angle) + 1, 0L, 2L)];
    }
  }
  EXPECT_GT(judged, 200u);
  for (const std::uint64_t n : counts) EXPECT_GT(n, 2u);
}

TEST_P(Solids, AnswerBadPointsAndFiltersAsNearestDoes) {
  Scene scene;
  scene.add_sphere({{1, 1, 1}, 1});  // encloses points, but not by triangles
  const std::array<Vec3, 4> corners = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}}};
  scene.add_solid(corners, tetrahedron_faces, {.mask = 2u, .group = 7u});
  const Caster c = caster(scene);
  const std::vector<Vec3> points = {{1, 1, 1}, {NAN, 0, 0}, {3, 3, 3}, {-1, 1, 1}};
  const WindingNumbers plain = c.winding(points);
  EXPECT_EQ(plain.numbers, (std::vector<std::int32_t>{1, 0, 0, 0}));
  EXPECT_EQ(plain.report, (WindingReport{4, 1, 1}));
  EXPECT_EQ(c.winding({points, 1u})[0], 0);
  EXPECT_EQ(c.winding({points, 3u})[0], 1);
  PointsView without = points;
  without.exclude_group = 7u;
  EXPECT_EQ(c.winding(without)[0], 0);
  std::vector<std::int32_t> few(3);
  expect_error(ErrorKind::usage, {"numbers", "3", "4"}, [&] { c.winding(points, few); });
}

TEST(SolidMeshes, AreRefusedWithTheirFirstOpenEdge) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
  Scene scene;
  std::vector<Face> faces = tetrahedron_faces;
  std::swap(faces[2][0], faces[2][1]);
  expect_error(ErrorKind::bad_input, {"open", "face 0", "(0, 4, 0)", "(4, 0, 0)"},
               [&] { scene.add_solid(corners, faces); });
  faces = {tetrahedron_faces[0], tetrahedron_faces[1], tetrahedron_faces[2]};
  expect_error(ErrorKind::bad_input, {"open", "face 0", "add_mesh()"},
               [&] { scene.add_solid(corners, faces); });
  expect_error(ErrorKind::bad_input, {"face 0", "vertex 9"}, [&] {
    scene.add_solid(corners, std::vector<Face>{{0, 1, 9}});
  });
  EXPECT_EQ(scene.size(), 0u);
  // A corner that is several vertices, one of them with -0, is one place.
  const std::vector<Vec3> apart = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {-0.0f, 0, 0}};
  faces = tetrahedron_faces;
  faces[1][0] = 4;
  EXPECT_EQ(scene.add_solid(apart, faces), 0u);
  EXPECT_EQ(scene.mesh_of(3), 0u);
}

// Of points on small lattices, which are often in one line or plane.
TEST(Hulls, AreClosedHoldAllPointsAndBendOutwards) {
  std::uint64_t made = 0, flat = 0;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(300, scaled(10000)); ++seed) {
    Dice dice(seed);
    std::vector<Vec3> points(4 + dice.below(30));
    const std::uint64_t size = 2 + dice.below(4);
    const auto number = [&] { return static_cast<double>(dice.below(size)); };
    for (Vec3& p : points) p = vec(number(), number(), number());
    const bool spans = std::any_of(points.begin(), points.end(), [&](const Vec3& a) {
      for (const Vec3& b : points) {
        for (const Vec3& c : points) {
          if (side(points[0], a, b, c) != 0) return true;
        }
      }
      return false;
    });
    Scene scene;
    if (!spans) {
      ++flat;
      expect_error(ErrorKind::bad_input, {"no volume"}, [&] { scene.add_hull(points); });
      continue;
    }
    ++made;
    scene.add_hull(points);
    const std::vector<Triangle> triangles = triangles_in(scene);
    std::vector<Vec3> vertices;
    std::vector<Face> faces;
    for (const Triangle& t : triangles) {
      const auto first = static_cast<std::uint32_t>(vertices.size());
      vertices.insert(vertices.end(), {t.a, t.b, t.c});
      faces.push_back({first, first + 1, first + 2});
      for (const Vec3& p : points) ASSERT_LE(side(t.a, t.b, t.c, p), 0) << "seed " << seed;
      ASSERT_TRUE(std::any_of(points.begin(), points.end(),
                              [&](const Vec3& p) {
                                return side(t.a, t.b, t.c, p) < 0;  // not so of a face without area
                              }))
          << "seed " << seed;
    }
    Scene again;
    again.add_solid(vertices, faces);  // or it is open
  }
  EXPECT_GT(made, 200u);
  EXPECT_GT(flat, 2u);
}

TEST(Hulls, RefuseWhatHasNone) {
  Scene scene;
  expect_error(ErrorKind::bad_input, {"0 points", "no volume"}, [&] { scene.add_hull({}); });
  const std::vector<Vec3> bad = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}, {0, 0, 1}};
  expect_error(ErrorKind::bad_input, {"point 1", "NaN"}, [&] { scene.add_hull(bad); });
  const std::vector<Vec3> many(65537);
  expect_error(ErrorKind::bad_input, {"65536", "65537"}, [&] { scene.add_hull(many); });
  EXPECT_EQ(scene.size(), 0u);
}

// 65,536 points on a ball take n log n steps, not n^2.
TEST(Hulls, TakeAsManyPointsAsTheySay) {
  Dice dice(3);
  std::vector<Vec3> points(65536);
  for (Vec3& p : points) {
    const double z = dice.uniform(-1, 1), a = dice.uniform(0, 6.3), r = std::sqrt(1 - z * z);
    p = vec(r * std::cos(a), r * std::sin(a), z);
  }
  Scene scene;
  scene.add_hull(points);
  EXPECT_GT(scene.size(), 130000u);
  const std::vector<Vec3> asked = {{0, 0, 0}, {0.99f, 0, 0}, {1.01f, 0, 0}};
  EXPECT_EQ(Caster(scene, CpuOptions{}).winding(asked).numbers,
            (std::vector<std::int32_t>{1, 1, 0}));
}

}  // namespace
}  // namespace sightline::testing
