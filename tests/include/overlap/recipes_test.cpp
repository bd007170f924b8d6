// Recipes for overlap that popular articles give and users then ship, each shown wrong where this
// library is right.
#include <sightline/geometry/overlap/overlaps.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sightline::testing {
namespace {

double squared(double x, double y, double z) { return x * x + y * y + z * z; }
/// From a point to a box.
double squared_gap(const Vec3& p, const Aabb& box) {
  const auto gap = [](float x, float lo, float hi) {
    return static_cast<double>(std::max({lo - x, 0.0f, x - hi}));
  };
  return squared(gap(p.x, box.min.x, box.max.x), gap(p.y, box.min.y, box.max.y),
                 gap(p.z, box.min.z, box.max.z));
}

// "Take the segment's point nearest to the box's centre and test a sphere there": the point nearest
// to the centre is not the one nearest to the box.
bool capsule_by_the_box_centre(const Capsule& c, const Aabb& box) {
  const float mid[3] = {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2,
                        (box.min.z + box.max.z) / 2};
  const float e[3] = {c.b.x - c.a.x, c.b.y - c.a.y, c.b.z - c.a.z};
  const float along = (mid[0] - c.a.x) * e[0] + (mid[1] - c.a.y) * e[1] + (mid[2] - c.a.z) * e[2];
  const float t = std::clamp(along / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]), 0.0f, 1.0f);
  const Vec3 p{c.a.x + t * e[0], c.a.y + t * e[1], c.a.z + t * e[2]};
  return squared_gap(p, box) <= squared(c.radius, 0, 0);
}
TEST(WrongOverlapRecipes, CapsuleByTheBoxCentre) {
  // A stick that comes down onto the far end of a long wall.
  const Aabb wall{{-10, -1, -1}, {10, 1, 1}};
  const Capsule stick{{1, 4, 0}, {9.5f, 1.25f, 0}, 0.5f};
  EXPECT_FALSE(capsule_by_the_box_centre(stick, wall));
  EXPECT_TRUE(overlaps(stick, wall));
}

/// |axis . (p - center)| <= half.
bool corner_inside(const Vec3& p, const ObbFrame& box) {
  const float half[3] = {box.half_extents.x, box.half_extents.y, box.half_extents.z};
  for (int i = 0; i < 3; ++i) {
    const Vec3& a = box.axis[i];
    const float y =
        a.x * (p.x - box.center.x) + a.y * (p.y - box.center.y) + a.z * (p.z - box.center.z);
    if (std::fabs(y) > half[i]) return false;
  }
  return true;
}
Vec3 corner_of(const ObbFrame& box, int k) {
  const float half[3] = {box.half_extents.x, box.half_extents.y, box.half_extents.z};
  Vec3 p = box.center;
  for (int i = 0; i < 3; ++i) {
    const float h = (k >> i & 1) != 0 ? half[i] : -half[i];
    p = {p.x + h * box.axis[i].x, p.y + h * box.axis[i].y, p.z + h * box.axis[i].z};
  }
  return p;
}
bool any_corner_inside(const ObbFrame& a, const ObbFrame& b) {
  for (int k = 0; k < 8; ++k) {
    if (corner_inside(corner_of(a, k), b)) return true;
  }
  return false;
}
/// "Corners of each in the other, then the edges of one cast against the other." The edges are
/// sampled so finely here that none is missed.
bool boxes_by_corners_and_edges(const ObbFrame& a, const ObbFrame& b) {
  if (any_corner_inside(a, b) || any_corner_inside(b, a)) return true;
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 p = corner_of(a, k), q = corner_of(a, k ^ (1 << i));
      for (int step = 0; step <= 1000; ++step) {
        const float t = static_cast<float>(step) / 1000;
        const Vec3 at{p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
        if (corner_inside(at, b)) return true;
      }
    }
  }
  return false;
}
TEST(WrongOverlapRecipes, ObbsByCornersThenTheEdgesOfOne) {
  // A thin beam through the middle of a thick one: no corner is inside, and the thick one's edges
  // pass beside the thin one. The recipe even answers otherwise when the boxes change places.
  const ObbFrame thick = frame(Obb{{0, 0, 0}, {10, 2, 2}, Quat{}});
  const ObbFrame thin = frame(Obb{{0, 0, 0}, {10, 0.5f, 0.5f}, {0, 0, 0.5f, 1}});
  EXPECT_FALSE(boxes_by_corners_and_edges(thick, thin));
  EXPECT_TRUE(boxes_by_corners_and_edges(thin, thick));
  EXPECT_TRUE(overlaps(thick, thin));
  EXPECT_TRUE(overlaps(thin, thick));
}

// "Grow the box by the radius and test the centre": the grown box has corners where the true set is
// rounded. (A gate of this kind is fine; an answer it is not.)
bool sphere_by_growing_the_box(const Sphere& s, const Aabb& box) {
  const Vec3 c = s.center;
  const float r = s.radius;
  return c.x >= box.min.x - r && c.x <= box.max.x + r && c.y >= box.min.y - r &&
         c.y <= box.max.y + r && c.z >= box.min.z - r && c.z <= box.max.z + r;
}
TEST(WrongOverlapRecipes, SphereByGrowingTheBox) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const Sphere at_corner{{1.75f, 1.75f, 1.75f}, 1};  // 1.3 from the corner
  EXPECT_TRUE(sphere_by_growing_the_box(at_corner, box));
  EXPECT_FALSE(overlaps(at_corner, box));
  const Sphere at_edge{{1.75f, 1.75f, 0}, 1};  // 1.06 from the edge
  EXPECT_TRUE(sphere_by_growing_the_box(at_edge, box));
  EXPECT_FALSE(overlaps(at_edge, box));
}

}  // namespace
}  // namespace sightline::testing
