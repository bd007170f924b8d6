// Capsules that run along a face or an edge of a box, over it from side to side: where the distance
// does not change along the way, and rounding hides at which part of the segment it is least.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

/// x, y, z moved round by `turn`.
Vec3 rolled(const Vec3& v, int turn) {
  return turn == 0 ? v : turn == 1 ? Vec3{v.z, v.x, v.y} : Vec3{v.y, v.z, v.x};
}

/// A box of half extents h about 0, and a segment along x at y, z: the gap is known.
struct Passing {
  Vec3 h, a, b;
  double gap_y, gap_z;
};

Passing some_passing(Random& r, bool along_a_face) {
  Passing p;
  p.h = r.vec(0.1f, 3);
  const float from = -p.h.x - r.uniform(0.01f, 20), to = p.h.x + r.uniform(0.01f, 20);
  const float z = p.h.z + r.uniform(0.01f, 5);
  const float y = along_a_face ? p.h.y * r.uniform(-1, 1) : p.h.y + r.uniform(0.01f, 5);
  p.a = {from, y, z}, p.b = {to, y, z};
  if (r.one_in(2)) std::swap(p.a, p.b);
  p.gap_y = along_a_face ? 0.0 : widened(y) - p.h.y;
  p.gap_z = widened(z) - p.h.z;
  return p;
}

/// Within the slope and a few floats of the gap on both sides.
void expect_gap(const Passing& p, int turn, float slope) {
  const float gap = static_cast<float>(std::sqrt(p.gap_y * p.gap_y + p.gap_z * p.gap_z));
  const float band = gap * 0x1p-21f + sightline::abs(slope);
  const Vec3 h = rolled(p.h, turn), b = rolled({p.b.x, p.b.y, p.b.z + slope}, turn);
  const Aabb box{-h, h};
  const ObbFrame turned = frame(Obb{{0, 0, 0}, h, Quat{}});
  const Capsule misses{rolled(p.a, turn), b, gap - band};
  const Capsule meets{misses.a, b, gap + band};
  EXPECT_FALSE(overlaps(misses, box) || overlaps(misses, turned)) << text(h) << text(p.a) << gap;
  EXPECT_TRUE(overlaps(meets, box) && overlaps(meets, turned)) << text(h) << text(p.a) << gap;
}

TEST(CapsuleOverABox, AlongAFace) {
  Random r(7001);
  const std::uint64_t n = scaled(100'000);
  for (std::uint64_t i = 0; i < n; ++i) expect_gap(some_passing(r, true), r.below(3), 0);
}

TEST(CapsuleOverABox, AlongAnEdge) {
  Random r(7002);
  const std::uint64_t n = scaled(100'000);
  for (std::uint64_t i = 0; i < n; ++i) expect_gap(some_passing(r, false), r.below(3), 0);
}

/// Nearly along it: the slope across is a few floats.
TEST(CapsuleOverABox, NearlyAlongAFace) {
  Random r(7003);
  const std::uint64_t n = scaled(100'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Passing p = some_passing(r, true);
    const float step = next_up(p.b.z) - p.b.z;
    const float end = p.b.z + r.uniform(-1.5f, 1.5f) * step;
    if (p.gap_z > 2 * widened(step)) expect_gap(p, r.below(3), end - p.b.z);
  }
}

/// Segments that touch an edge of a box to the last bit of a double, so that rounding may have them
/// pass it on either side: as near as can be, with a radius they overlap.
TEST(CapsuleOverABox, ThroughAnEdge) {
  Random r(7004);
  const std::uint64_t n = scaled(200'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto wide = [&](float lo, float hi) { return widened(r.uniform(lo, hi)) / 3; };
    WideBox box = wide_box(Aabb{{-1, -1, -1}, {1, 1, 1}}, {0, 0, 0});
    box.high[0] = wide(1, 9), box.high[1] = wide(1, 9), box.high[2] = wide(1, 9);
    const double u = wide(3, 6), v = wide(3, 6), before = wide(1, 9), after = wide(1, 9);
    const double y = box.high[1] * wide(-0.3f, 3);
    const WideVec3 p = {box.high[0] - u * before, y, box.high[2] + v * before};
    const WideVec3 q = {box.high[0] + u * after, y, box.high[2] - v * after};
    EXPECT_TRUE(within_reach(box, p, q, 0.25)) << i;
    EXPECT_TRUE(within_reach(box, q, p, 0.25)) << i;
  }
}

/// Along a face, and over one of its corners to the last bit: two slabs begin at the same time, and
/// rounding may have one of them begin later.
TEST(CapsuleOverABox, OverACorner) {
  Random r(7005);
  const std::uint64_t n = scaled(200'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto wide = [&](float lo, float hi) { return widened(r.uniform(lo, hi)) / 3; };
    WideBox box = wide_box(Aabb{{-1, -1, -1}, {1, 1, 1}}, {0, 0, 0});
    box.high[0] = wide(1, 9), box.high[1] = wide(1, 9), box.high[2] = wide(1, 9);
    const double u = wide(3, 6), v = wide(3, 6), before = wide(1, 9), after = wide(9, 12);
    const double gap = wide(0.3f, 3);
    const WideVec3 corner = {box.high[0], box.high[1] + gap, box.high[2]};
    const WideVec3 p = corner + WideVec3{u, 0, v} * before, q = corner - WideVec3{u, 0, v} * after;
    EXPECT_FALSE(within_reach(box, p, q, gap * (1 - 0x1p-40))) << i;
    EXPECT_TRUE(within_reach(box, p, q, gap * (1 + 0x1p-40))) << i;
    EXPECT_FALSE(within_reach(box, q, p, gap * (1 - 0x1p-40))) << i;
    EXPECT_TRUE(within_reach(box, q, p, gap * (1 + 0x1p-40))) << i;
  }
}

}  // namespace
}  // namespace sightline::testing
