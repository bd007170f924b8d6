// Closed meshes have no holes, whatever a ray is aimed at, and defects that other projects had with
// triangles, one test each, named after the report.
#include <sightline/geometry/intersect/half_open.hpp>
#include <sightline/geometry/intersect/triangle_weights.hpp>

#include "tests/oracle/dice.hpp"
#include "tests/oracle/triangle_truth.hpp"
#include "tests/support/cube_grid.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace sightline::testing {
namespace {

using oracle::Dice;

Vec3 vec(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}
/// A sphere with jittered corners.
Mesh ball(int n, double jitter, const std::array<double, 3>& c, double radius, Dice& dice) {
  return cube_grid(n, [&](double x, double y, double z) {
    const double r = radius * (1 + jitter * dice.uniform(-1, 1)) / std::sqrt(x * x + y * y + z * z);
    return vec(c[0] + r * x, c[1] + r * y, c[2] + r * z);
  });
}

Line line_to(const Vec3& from, const Vec3& to) {
  Ray ray;
  ray.origin = from, ray.direction = {to.x - from.x, to.y - from.y, to.z - from.z};
  return scale(ray).line;
}

/// Hits ahead of the origin, the least t, and the crossings there.
struct MeshHits {
  int ahead = 0, winding = 0;
  float t = infinity;
};
MeshHits cast(const Mesh& m, const Line& line) {
  MeshHits r;
  for (std::size_t i = 0; i < m.faces.size(); ++i) {
    const Interval at = interval(line, m[i]);
    if (!at.hit || !(at.t_in > 0)) continue;
    ++r.ahead, r.t = std::min(r.t, at.t_in);
    r.winding += crossing_sign(line, m[i]);
  }
  return r;
}

/// From inside: at corners, edges and faces, and along edges.
void expect_closed(const Mesh& m, const std::array<double, 3>& center, double room, Dice& dice,
                   std::uint64_t rays) {
  for (std::uint64_t i = 0; i < rays; ++i) {
    const auto one = [&](double c) { return static_cast<float>(c + room * dice.uniform(-1, 1)); };
    const float x = one(center[0]), y = one(center[1]);
    const Vec3 from{x, y, one(center[2])};
    const Triangle t = m[dice.below(m.faces.size())];
    const double u = dice.chance(0.4) ? 0 : dice.chance(0.3) ? 0.5 : dice.uniform();
    const double v = dice.chance(0.7) ? 0 : dice.uniform() * (1 - u);
    const auto at = [&](float a, float b, float c) {
      return a + u * (double{b} - a) + v * (double{c} - a);
    };
    const Line line = line_to(
        from, vec(at(t.a.x, t.b.x, t.c.x), at(t.a.y, t.b.y, t.c.y), at(t.a.z, t.b.z, t.c.z)));
    const MeshHits hits = cast(m, line);
    ASSERT_GT(hits.ahead, 0) << "a leak: ray " << i;
    ASSERT_EQ(hits.winding, 1) << "ray " << i;
  }
}

TEST(TriangleMeshes, BallsHaveNoHoles) {
  Dice dice(11);
  for (const double where : {0.0, 1e3, 1e6}) {
    const std::array<double, 3> c{where, 0.7 * where, -0.3 * where};
    expect_closed(ball(12, 0.02, c, 1, dice), c, 0.3, dice, scaled(2'000));
    if (HasFatalFailure()) return;
  }
  for (const double size : {0x1p-40, 0x1p38}) {
    expect_closed(ball(12, 0.02, {0, 0, 0}, size, dice), {0, 0, 0}, 0.3 * size, dice,
                  scaled(1'000));
    if (HasFatalFailure()) return;
  }
}
/// On a grid corners, edges and planes are met exactly.
TEST(TriangleMeshes, GridsHaveNoHoles) {
  const Mesh m =
      cube_grid(8, [](double x, double y, double z) { return vec(8 * x, 8 * y, 8 * z); });
  Dice dice(12);
  for (std::uint64_t i = 0; i < scaled(4'000); ++i) {
    const auto one = [&] { return static_cast<float>(dice.between(-7, 7)); };
    const float x = one(), y = one();
    const Vec3 from{x, y, one()};
    Vec3 to = m.vertices[dice.below(m.vertices.size())];
    if (dice.chance(0.3)) to = {from.x, from.y, 8};  // along an axis
    const MeshHits hits = cast(m, line_to(from, to));
    ASSERT_GT(hits.ahead, 0) << i;
    ASSERT_EQ(hits.winding, 1) << i;
  }
}
/// From outside, grazing edges and corners: the winding is 0 for what passes, too.
TEST(TriangleMeshes, WindingOutsideIsZero) {
  Dice dice(13);
  const Mesh m = ball(8, 0.02, {0, 0, 0}, 1, dice);
  const Mesh grid =
      cube_grid(4, [](double x, double y, double z) { return vec(4 * x, 4 * y, 4 * z); });
  for (std::uint64_t i = 0; i < scaled(3'000); ++i) {
    const Vec3 from = vec(3 + dice.uniform(), dice.uniform(-1, 1), dice.uniform(-1, 1));
    ASSERT_EQ(cast(m, line_to(from, m.vertices[dice.below(m.vertices.size())])).winding, 0) << i;
    const Vec3 lattice = vec(dice.between(5, 9), dice.between(-4, 4), dice.between(-4, 4));
    const Vec3 to = grid.vertices[dice.below(grid.vertices.size())];
    ASSERT_EQ(cast(grid, line_to(lattice, to)).winding, 0) << i;
  }
}

// ---- reports

// A watertight half sphere, a ray exactly at a vertex: no hit.
TEST(TriangleDefects, Embree174RayAtAVertex) {
  Dice dice(174);
  const Mesh m = ball(10, 0, {0, 0, 0}, 5, dice);
  for (const Vec3& v : m.vertices) {
    for (const Vec3& from : {Vec3{0, 0, 0}, Vec3{0.1f, 0.2f, 0.3f}}) {
      const MeshHits hits = cast(m, line_to(from, v));
      ASSERT_GE(hits.ahead, from.x == 0 ? 3 : 1);  // exactly there, each triangle of the vertex
      ASSERT_EQ(hits.winding, 1);
    }
  }
}
// Ten cylinders in one another: a ray at a vertex of the next one passes it.
TEST(TriangleDefects, Embree181NestedCylinders) {
  const auto cylinder = [](double radius) {
    return cube_grid(6, [&](double x, double y, double z) {
      const double size = std::max(std::fabs(x), std::fabs(y)), l = std::sqrt(x * x + y * y);
      const double r = l > 0 ? radius * size / l : 0;
      return vec(r * x, r * y, 100 * z);
    });
  };
  for (int k = 1; k < 10; ++k) {
    const Mesh inner = cylinder(k), next = cylinder(k + 1);
    for (const Vec3& v : next.vertices) {
      const Vec3 from = inner.vertices[static_cast<std::size_t>(k)];
      const MeshHits hits = cast(next, line_to({from.x / 2, from.y / 2, 0}, v));
      ASSERT_GT(hits.ahead, 0);
      ASSERT_LE(hits.t, 2.0f * 201);
    }
  }
}
// A needle (edges 11.2, 9.7, 1.4) seen at half a degree: a hit at t = 12291, of a triangle that is
// within 600 and is not met.
TEST(TriangleDefects, Embree387GrazingNeedle) {
  Dice dice(387);
  std::uint64_t hits = 0;
  for (std::uint64_t i = 0; i < scaled(50'000); ++i) {
    const double turn = dice.uniform(0, 6.28), x = dice.uniform(-200, 200);
    const auto at = [&](double a, double b) {
      return vec(x + a * std::cos(turn) - b * std::sin(turn),
                 a * std::sin(turn) + b * std::cos(turn) + 100, 0.01 * a + 0.02 * b + 30);
    };
    const Triangle t{at(0, 0), at(11.2, 0), at(9.65, 0.9)};
    const double away = dice.uniform(50, 580), way = dice.uniform(0, 6.28);
    Vec3 from = t.a;
    from.x += static_cast<float>(away * std::cos(way));
    from.y += static_cast<float>(away * std::sin(way));
    from.z += static_cast<float>(away * 0.009);
    const Vec3 to = at(dice.uniform(-2, 14), dice.uniform(-1, 2));
    const Line line = line_to(from, to);
    const Interval got = interval(line, t);
    const oracle::TriangleTruth truth = oracle::truth(line.origin, line.direction, t);
    ASSERT_EQ(got.hit, truth.hit) << i;
    if (!got.hit) continue;
    ++hits;
    ASSERT_TRUE(is_rounded(got.t_in, truth.t_in)) << i;
    ASSERT_LT(got.t_in, 600) << i;
  }
  EXPECT_GT(hits, 0u);
}
// A ray in a triangle's plane is a miss of theirs; the closed set's answer is where it enters.
TEST(TriangleDefects, Embree298RayInThePlane) {
  Ray ray;
  ray.origin = {-1, 0.5f, 0}, ray.direction = {1, 0, 0};
  const Interval i = interval(scale(ray).line, Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  EXPECT_TRUE(i.hit && i.t_in == 1 && i.t_out == 1.5f);
}
// Rays pass between two triangles of a sphere that share an edge, at any angle.
TEST(TriangleDefects, Mitsuba1149BetweenTwoTriangles) {
  Dice dice(1149);
  for (std::uint64_t i = 0; i < scaled(20'000); ++i) {
    const auto point = [&](double s) {
      const double x = dice.uniform(-s, s), y = dice.uniform(-s, s);
      return vec(x, y, dice.uniform(-s, s));
    };
    const Vec3 a = point(1), b = point(1), c = point(1), d = point(1), from = point(20);
    const double u = dice.uniform();
    const Line line =
        line_to(from, vec(a.x + u * (double{b.x} - a.x), a.y + u * (double{b.y} - a.y),
                          a.z + u * (double{b.z} - a.z)));
    // Of the triangles on both sides of the edge, seen along the line, one is met at least.
    const auto side = [&](const Vec3& p) {
      return determinant_sign(split(line.direction), split_difference(b, a),
                              split_difference(p, a));
    };
    if (side(c) * side(d) >= 0) continue;
    const int first = crossing_sign(line, {a, b, c}), second = crossing_sign(line, {b, a, d});
    ASSERT_EQ(first != 0 || second != 0,
              interval(line, Triangle{a, b, c}).hit || interval(line, Triangle{b, a, d}).hit);
    ASSERT_NE(first != 0, second != 0) << i;
  }
}
// Is a point beside the mesh inside? Its ray meets one edge three times: an odd number, so
// "inside".
TEST(TriangleDefects, Trimesh85AnEdgeMetThreeTimes) {
  // A ridge of three faces that meet in corners which are on one line, as STL files have them.
  const Vec3 a{0, 0, 0}, b{2, 0, 0}, m{1, 0, 0}, up{1, 1, 1}, down{1, -1, 1};
  const Triangle faces[] = {{a, b, up}, {b, m, down}, {m, a, down}};
  for (const float x : {0.5f, 1.0f, 1.5f}) {
    const Line line = line_to({x, 0, -5}, {x, 0, 0});
    int closed = 0, crossings = 0;
    for (const Triangle& t : faces) {
      closed += interval(line, t).hit, crossings += crossing_sign(line, t);
    }
    EXPECT_EQ(closed, x == 1 ? 3 : 2);
    EXPECT_EQ(std::abs(crossings), 1) << x;
  }
}
// Rays at the corners of a box of 60 pass a box of 40, both cut into triangles of 20: through
// corners and edges of it.
TEST(TriangleDefects, Trimesh1496SubdividedBoxes) {
  const auto box = [](double half, int n) {
    return cube_grid(
        n, [&](double x, double y, double z) { return vec(half * x, half * y, half * z); });
  };
  const Mesh small = box(20, 2), big = box(30, 3);
  for (const Vec3& v : big.vertices) {
    const MeshHits hits = cast(small, line_to({0, 0, 0}, v));
    ASSERT_GT(hits.ahead, 0);
    ASSERT_EQ(hits.winding, 1);
  }
}
// Hits on edges count twice, on corners as often as triangles meet there; half-open, once.
TEST(TriangleDefects, Trimesh2317EdgesCountTwice) {
  const Mesh m = cube_grid(2, [](double x, double y, double z) { return vec(x, y, z); });
  const MeshHits face = cast(m, line_to({0.25f, 0.5f, 0}, {0.25f, 0.5f, 1}));
  const MeshHits edge = cast(m, line_to({0.5f, 0.5f, 0}, {0.5f, 0.5f, 1}));
  const MeshHits corner = cast(m, line_to({0, 0, 0}, {0, 0, 1}));
  EXPECT_EQ(face.ahead, 1);
  EXPECT_EQ(edge.ahead, 2);
  EXPECT_EQ(corner.ahead, 6);
  for (const MeshHits& h : {face, edge, corner}) EXPECT_EQ(h.winding, 1);
}
// |d . N| < 1e-12 is a miss there: small triangles are not there.
TEST(TriangleDefects, CubqlSmallTrianglesVanish) {
  for (const float size : {1e-3f, 1e-6f, 1e-9f, 1e-12f, 0x1p-60f, 0x1p-100f, 0x1p-140f}) {
    const Triangle t{{-size, -size, 1}, {size, -size, 1}, {0, size, 1}};
    Ray ray;
    ray.direction = {0, 0, 1};
    const Interval i = interval(scale(ray).line, t);
    EXPECT_TRUE(i.hit && i.t_in == 1 && i.t_out == 1) << size;
    ray.origin.x = 2 * size;
    EXPECT_FALSE(interval(scale(ray).line, t).hit) << size;
  }
}

}  // namespace
}  // namespace sightline::testing
