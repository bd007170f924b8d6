// Pairs that nearly touch, near and far, long and flat, small and large: wrong nowhere but in a
// band of rounding errors.
#include <sightline/geometry/overlap/overlaps.hpp>

#include "tests/include/overlap/near_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <iostream>

namespace sightline::testing {
namespace {

using oracle::Meeting;
using oracle::Real;
using overlap_tests::Cell;
using overlap_tests::PointShape;

constexpr double distances[] = {1, 10, 1e3, 1e6};
constexpr double aspects[] = {1, 100, 1e4};
constexpr double scales[] = {1, 0x1p-40, 0x1p40};

struct Tally {
  std::uint64_t apart = 0, meet = 0, unknown = 0, close = 0, wrong = 0;
  double band = 0;       ///< the furthest wrong answer, in smallest sizes
  double roundings = 0;  ///< and in 2^-53 of the largest number
};

/// What the numbers' sizes are: of the shapes, and of their place where a plane is met.
template <class A, class B>
double magnitude_of(const overlap_tests::NearPair<A, B>& p, const Cell& cell) {
  const double place = std::is_same_v<A, Plane> ? cell.distance * cell.scale : 0.0;
  return p.largest + place;
}

template <class A, class B>
void judge_pair(const overlap_tests::NearPair<A, B>& p, const Cell& cell, Tally& tally) {
  const double large = magnitude_of(p, cell);
  const Real noise = 0x1p-60L * large;
  const oracle::Verdict v =
      judge(oracle::body(p.a, p.from), oracle::body(p.b, p.from), p.n, p.on_a, p.on_b, noise);
  const bool got = overlaps(p.a, p.b);
  EXPECT_EQ(got, overlaps(p.b, p.a));
  if (v.meeting == Meeting::unknown) {
    ++tally.unknown;
    return;
  }
  ++(v.meeting == Meeting::apart ? tally.apart : tally.meet);
  const double by = static_cast<double>(v.by);
  tally.close += by < 1e-6 * p.smallest;
  if (got == (v.meeting == Meeting::meet)) return;
  ++tally.wrong;
  tally.band = std::fmax(tally.band, by / p.smallest);
  tally.roundings = std::fmax(tally.roundings, by / large * 0x1p53);
}

template <class A, class B>
void expect_right(const char* name, double roundings = 8) {
  oracle::Dice dice(2001);
  Tally tally;
  const std::uint64_t n = scaled(1'000'000) / 36 + 1;
  for (const double distance : distances) {
    for (const double aspect : aspects) {
      for (const double scale : scales) {
        const Cell cell{distance, aspect, scale};
        for (std::uint64_t i = 0; i < n; ++i) {
          if constexpr (std::is_same_v<A, Plane>) {
            judge_pair(overlap_tests::near_plane<B>(dice, cell), cell, tally);
          } else {
            judge_pair(overlap_tests::near_pair<A, B>(dice, cell), cell, tally);
          }
        }
      }
    }
  }
  std::cout << name << ": apart " << tally.apart << ", meet " << tally.meet << ", not known "
            << tally.unknown << ", within 1e-6 sizes " << tally.close << ", wrong " << tally.wrong
            << ", band " << tally.band << " sizes, " << tally.roundings << " roundings\n";
  EXPECT_LE(tally.band, 4e-7);
  EXPECT_LE(tally.roundings, roundings);
  EXPECT_GT(tally.apart, 2 * n);
  EXPECT_GT(tally.meet, 2 * n);
  EXPECT_GT(tally.close, n);
}

/// Edges within 3e-12 of parallel are taken for parallel: box_box.hpp.
constexpr double of_parallel_edges = 4e-12 * 0x1p53;

TEST(NearOverlap, PointAabb) { expect_right<PointShape, Aabb>("point, AABB"); }
TEST(NearOverlap, PointObb) { expect_right<PointShape, ObbFrame>("point, OBB"); }
TEST(NearOverlap, PointSphere) { expect_right<PointShape, Sphere>("point, sphere"); }
TEST(NearOverlap, PointCapsule) { expect_right<PointShape, Capsule>("point, capsule"); }
TEST(NearOverlap, PlanePoint) { expect_right<Plane, PointShape>("plane, point"); }
TEST(NearOverlap, AabbAabb) { expect_right<Aabb, Aabb>("AABB, AABB"); }
TEST(NearOverlap, AabbObb) { expect_right<Aabb, ObbFrame>("AABB, OBB", of_parallel_edges); }
TEST(NearOverlap, AabbSphere) { expect_right<Aabb, Sphere>("AABB, sphere"); }
TEST(NearOverlap, AabbCapsule) { expect_right<Aabb, Capsule>("AABB, capsule"); }
TEST(NearOverlap, PlaneAabb) { expect_right<Plane, Aabb>("plane, AABB"); }
TEST(NearOverlap, ObbObb) { expect_right<ObbFrame, ObbFrame>("OBB, OBB", of_parallel_edges); }
TEST(NearOverlap, ObbSphere) { expect_right<ObbFrame, Sphere>("OBB, sphere"); }
TEST(NearOverlap, ObbCapsule) { expect_right<ObbFrame, Capsule>("OBB, capsule"); }
TEST(NearOverlap, PlaneObb) { expect_right<Plane, ObbFrame>("plane, OBB"); }
TEST(NearOverlap, SphereSphere) { expect_right<Sphere, Sphere>("sphere, sphere"); }
TEST(NearOverlap, SphereCapsule) { expect_right<Sphere, Capsule>("sphere, capsule"); }
TEST(NearOverlap, PlaneSphere) { expect_right<Plane, Sphere>("plane, sphere"); }
TEST(NearOverlap, CapsuleCapsule) { expect_right<Capsule, Capsule>("capsule, capsule"); }
TEST(NearOverlap, PlaneCapsule) { expect_right<Plane, Capsule>("plane, capsule"); }
TEST(NearOverlap, TriangleSphere) { expect_right<Triangle, Sphere>("triangle, sphere"); }
TEST(NearOverlap, TriangleCapsule) { expect_right<Triangle, Capsule>("triangle, capsule"); }
TEST(NearOverlap, TriangleAabb) { expect_right<Triangle, Aabb>("triangle, AABB"); }
TEST(NearOverlap, TriangleObb) { expect_right<Triangle, ObbFrame>("triangle, OBB"); }
TEST(NearOverlap, PlaneTriangle) { expect_right<Plane, Triangle>("plane, triangle"); }

/// Long shapes whose edges cross at tiny angles, near 0 where floats hold these: the direction that
/// parts them is the cross product of two vectors almost equal. Half of them are turned, so that
/// the vectors' products do not fit into doubles.
template <class A, class B>
void expect_right_when_nearly_parallel(const char* name, double roundings) {
  oracle::Dice dice(2002);
  Tally tally;
  const std::uint64_t n = scaled(300'000);
  for (std::uint64_t i = 0; i < n; ++i) {
    Cell cell{dice.chance(0.5) ? 0.0 : 1.0, 1e4, 1, 1, true};
    if (dice.chance(0.5)) cell.base = overlap_tests::some_turn(dice, Cell{});
    judge_pair(overlap_tests::near_pair<A, B>(dice, cell), cell, tally);
  }
  std::cout << name << ", nearly parallel: apart " << tally.apart << ", meet " << tally.meet
            << ", not known " << tally.unknown << ", wrong " << tally.wrong << ", band "
            << tally.band << " sizes, " << tally.roundings << " roundings\n";
  EXPECT_LE(tally.band, 4e-7);
  EXPECT_LE(tally.roundings, roundings);
  EXPECT_GT(tally.apart, n / 10);
}
TEST(NearOverlap, NearlyParallel) {
  expect_right_when_nearly_parallel<Aabb, ObbFrame>("AABB, OBB", of_parallel_edges);
  expect_right_when_nearly_parallel<ObbFrame, ObbFrame>("OBB, OBB", of_parallel_edges);
  expect_right_when_nearly_parallel<Aabb, Capsule>("AABB, capsule", 8);
  expect_right_when_nearly_parallel<ObbFrame, Capsule>("OBB, capsule", 8);
  expect_right_when_nearly_parallel<Capsule, Capsule>("capsule, capsule", 8);
  expect_right_when_nearly_parallel<Triangle, Aabb>("triangle, AABB", 8);
  expect_right_when_nearly_parallel<Triangle, ObbFrame>("triangle, OBB", 8);
  expect_right_when_nearly_parallel<Triangle, Capsule>("triangle, capsule", 8);
}

}  // namespace
}  // namespace sightline::testing
