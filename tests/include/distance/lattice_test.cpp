// Closest points on integer lattices: what floats hold comes out exactly, all else rounded once.
#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

/// Up to 20,000 from the origin, shapes up to 6 in size.
struct LatticePlace {
  Vec3 low;
  explicit LatticePlace(Random& r) : low(r.lattice(-20'000, 20'000)) {
    if (r.one_in(4)) low = {0, 0, 0};
  }
};

/// A point near by or anywhere; sizes of at most 6 about `low`.
Vec3 lattice_point(Random& r, const Vec3& low) {
  return r.one_in(4) ? r.lattice(-20'000, 20'000) : plus(low, r.lattice(-9, 12));
}
Segment lattice_segment(Random& r, const Vec3& low) {
  const Vec3 a = plus(low, r.lattice(-9, 9));
  return {a, plus(a, r.one_in(3) ? Vec3{0, 0, static_cast<float>(r.between(-6, 6))}
                                 : r.lattice(-6, 6))};
}

template <class Shape>
Shape lattice_shape(Random& r, const Vec3& low);
template <>
Aabb lattice_shape<Aabb>(Random& r, const Vec3& low) {
  return {low, plus(low, r.lattice(0, 6))};
}
template <>
ObbFrame lattice_shape<ObbFrame>(Random& r, const Vec3& low) {
  const Quat turns[] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},
                        {1, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 0}, {-1, 1, 1, 1}};
  return frame(Obb{low, r.lattice(0, 6), turns[r.below(8)]});
}
template <>
Sphere lattice_shape<Sphere>(Random& r, const Vec3& low) {
  return {low, static_cast<float>(r.between(0, 6))};
}
template <>
Capsule lattice_shape<Capsule>(Random& r, const Vec3& low) {
  const Segment s = lattice_segment(r, low);
  return {s.a, s.b, static_cast<float>(r.between(0, 6))};
}
template <>
Triangle lattice_shape<Triangle>(Random& r, const Vec3& low) {
  const auto corner = [&] { return plus(low, r.lattice(-6, 6)); };
  Triangle s = {corner(), corner(), corner()};
  if (r.one_in(4)) s.a.z = s.b.z = s.c.z = low.z;
  if (r.one_in(8)) s.c = plus(s.a, times(minus(s.b, s.a), static_cast<float>(r.between(-1, 2))));
  return s;
}
template <>
Plane lattice_shape<Plane>(Random& r, const Vec3& low) {
  const Vec3 normals[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
  return {normals[r.below(3)], low.x};
}

/// The truth rounded to float, or what it would be if the truth were off by 2^-50 of itself: that
/// is all that doubles leave open.
bool is_rounded(float got, Quad truth) {
  const Quad slack = oracle::magnitude(truth) * 0x1p-50;
  return static_cast<float>(truth - slack) <= got && got <= static_cast<float>(truth + slack);
}

template <class Shape>
class OnLattices : public ::testing::Test {};
using LatticeShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle, Plane>;
TYPED_TEST_SUITE(OnLattices, LatticeShapes);

TYPED_TEST(OnLattices, PointsAreRoundedOnceAndTouchingIsZero) {
  std::uint64_t touching = 0;
  for (std::uint64_t seed = 1; seed <= scaled(40'000); ++seed) {
    Random r(seed);
    const Vec3 low = LatticePlace(r).low;
    const auto s = lattice_shape<TypeParam>(r, low);
    const Vec3 p = lattice_point(r, low);
    const Nearest got = nearest(s, p);
    const Quad truth = oracle::nearest_truth(s, QuadVec(p)).distance;
    // In binary128 a root of 0 is 0, but one less a radius is some 1e-34 instead.
    const Quad exact = oracle::magnitude(truth) < 1e-25 ? Quad(0) : truth;
    ASSERT_TRUE(is_rounded(got.distance, exact))
        << "seed " << seed << ": " << got.distance << ", not " << static_cast<double>(exact);
    ASSERT_EQ(got.distance <= 0, contains(s, p)) << "seed " << seed;
    touching += got.distance == 0;
  }
  if (test_scale() >= 0.25) {
    EXPECT_GT(touching, 0u);
  }
}

TYPED_TEST(OnLattices, SegmentsAreRoundedOnceAndTouchingIsZero) {
  std::uint64_t meeting = 0;
  const std::uint64_t cases = scaled(10'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Vec3 low = LatticePlace(r).low;
    const auto s = lattice_shape<TypeParam>(r, low);
    Segment p = lattice_segment(r, low);
    if (r.one_in(2)) {
      // Across a point of the surface, for boxes: an edge or a corner now and then.
      const Vec3 on = nearest(s, lattice_point(r, low)).point, u = r.lattice(-3, 3);
      const Vec3 m{std::round(on.x), std::round(on.y), std::round(on.z)};
      p = {minus(m, times(u, static_cast<float>(r.between(0, 7)))),
           plus(m, times(u, static_cast<float>(r.between(0, 7))))};
    }
    const Clearance got = clearance(p, s);
    const Quad truth = oracle::clearance_truth(oracle::QuadSegment{QuadVec(p.a), QuadVec(p.b)}, s);
    const Quad exact = truth < 1e-25 ? Quad(0) : truth;
    ASSERT_TRUE(is_rounded(got.distance, exact))
        << "seed " << seed << ": " << got.distance << ", not " << static_cast<double>(exact);
    meeting += got.distance == 0;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(meeting, cases / 100);
  }
}

TEST(SegmentsOnLattices, AreRoundedOnceAndCrossingIsZero) {
  std::uint64_t crossing = 0, parallel = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const Vec3 low = LatticePlace(r).low;
    Segment p = lattice_segment(r, low), q = lattice_segment(r, low);
    if (r.one_in(4)) q.b = plus(q.a, minus(p.b, p.a)), ++parallel;
    if (r.one_in(8)) {
      const Vec3 u = r.lattice(-3, 3), v = r.lattice(-3, 3);
      p = {minus(low, u), plus(low, u)}, q = {minus(low, v), plus(low, v)};
    }
    const Approach got = closest_approach(p, q);
    const Quad truth = oracle::approach_truth(oracle::QuadSegment{QuadVec(p.a), QuadVec(p.b)},
                                              oracle::QuadSegment{QuadVec(q.a), QuadVec(q.b)})
                           .distance;
    const Quad exact = truth < 1e-25 ? Quad(0) : truth;
    ASSERT_TRUE(is_rounded(got.distance, exact))
        << "seed " << seed << ": " << got.distance << ", not " << static_cast<double>(exact);
    crossing += got.distance == 0;
    const NearestOnSegment end = nearest(p, q.a);
    const Quad of_end =
        oracle::nearest_truth(oracle::QuadSegment{QuadVec(p.a), QuadVec(p.b)}, QuadVec(q.a))
            .distance;
    ASSERT_TRUE(is_rounded(end.distance, of_end < 1e-25 ? Quad(0) : of_end)) << "seed " << seed;
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(crossing, 100u);
    EXPECT_GT(parallel, 100u);
  }
}

}  // namespace
}  // namespace sightline::testing
