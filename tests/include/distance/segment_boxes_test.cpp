// The boxes of a segment and of its pieces: they contain it, and culling by them drops nothing.
#include <sightline/geometry/queries/nearest.hpp>

#include "tests/include/distance/distance_test.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

Segment any_segment(Random& r) {
  const Place at = random_place(r);
  Segment s = {point_about(r, at), point_about(r, at)};
  if (r.one_in(4)) s.b = {-s.a.x, s.b.y, r.one_in(2) ? -s.a.z : s.a.z};
  if (r.one_in(16)) s.b = s.a;
  return s;
}

bool holds(const Aabb& box, const QuadVec& p) {
  return Quad(box.min.x) <= p.x && p.x <= Quad(box.max.x) && Quad(box.min.y) <= p.y &&
         p.y <= Quad(box.max.y) && Quad(box.min.z) <= p.z && p.z <= Quad(box.max.z);
}

TEST(SegmentBoxes, ContainTheirPieces) {
  double widest = 0;
  for (std::uint64_t seed = 1; seed <= scaled(50'000); ++seed) {
    Random r(seed);
    const Segment s = any_segment(r);
    const SegmentBoxes boxes = boxes_of(s);
    const QuadVec a(s.a), along = QuadVec(s.b) - a;
    for (int j = 0; j < segment_pieces; ++j) {
      for (const double part : {0.0, double{r.uniform(0, 1)}, 1.0}) {
        const QuadVec p = a + along * (Quad(j + part) / segment_pieces);
        ASSERT_TRUE(holds(boxes.whole, p)) << "seed " << seed;
        ASSERT_TRUE(holds(boxes.piece[j], p)) << "seed " << seed << ", piece " << j;
      }
      const float size = max_abs(minus(boxes.piece[j].max, boxes.piece[j].min));
      const float eighth = max_abs(minus(s.b, s.a)) / segment_pieces;
      const float numbers = max(max_abs(s.a), max_abs(s.b));
      widest = std::max(widest, double{size - eighth} / (double{numbers} + 0x1p-126));
    }
  }
  EXPECT_LE(widest, 0x1p-20) << "no larger than they need be";
}

// Beside a diagonal, within its box: its pieces know how far.
TEST(SegmentBoxes, KnowWhatIsBesideADiagonal) {
  const SegmentBoxes q = boxes_of({{0, 0, 0}, {8, 8, 0}});
  const Aabb beside = {{6, 1, 0}, {7, 2, 1}};
  EXPECT_EQ(whole_bound(beside, q), 0);
  EXPECT_NEAR(pieces_bound(beside, q), std::sqrt(5.0), 1e-5);  // from (4, 3), a corner of a piece
  EXPECT_EQ(culling_bound(beside, q, infinity), pieces_bound(beside, q));
  EXPECT_EQ(culling_bound(beside, q, -1), 0) << "no need to ask";
  EXPECT_EQ(gated_distance(0.5f, beside, q), pieces_bound(beside, q));
  EXPECT_EQ(gated_distance(4.0f, beside, q), 4);
  const Aabb apart = {{6, -3, 0}, {7, -2, 1}};
  EXPECT_EQ(gated_distance(0.5f, apart, q), pieces_bound(apart, q));
  EXPECT_GT(pieces_bound(apart, q), whole_bound(apart, q));
}

// What a tree asks: no box above a shape is further than the shape's gated distance.
template <class Shape>
class SegmentsCulledBy : public ::testing::Test {};
using CullingShapes = ::testing::Types<Aabb, ObbFrame, Sphere, Capsule, Triangle>;
TYPED_TEST_SUITE(SegmentsCulledBy, CullingShapes);

TYPED_TEST(SegmentsCulledBy, TheBoundDropsNothing) {
  std::uint64_t apart_by_pieces = 0;
  const std::uint64_t cases = scaled(20'000);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random r(seed);
    const Place at = random_place(r);
    const auto a = shape_at<TypeParam>(r, at), b = shape_at<TypeParam>(r, at);
    const Aabb own = bounds(a), both = unite(own, bounds(b));
    for (int i = 0; i < 8; ++i) {
      Segment s = {point_about(r, at), point_about(r, at)};
      if (i % 2 == 1) s.a = nearest(a, s.a).point;
      if (i % 4 == 3) s.b = {next_up(s.a.x), s.a.y, s.b.z};
      const SegmentQuery q = segment_query({s.a}, {s.b});
      const float plain = clearance(s, a).distance, gated = distance_to(a, q);
      ASSERT_GE(gated, plain) << "seed " << seed;
      for (const float limit : {0.0f, plain, infinity}) {
        ASSERT_GE(gated, culling_bound(own, q, limit)) << "seed " << seed;
        ASSERT_GE(gated, culling_bound(both, q, limit)) << "seed " << seed;
      }
      ASSERT_GE(pieces_bound(own, q.boxes), pieces_bound(both, q.boxes)) << "seed " << seed;
      const float numbers = max(max_abs(s.a), max_abs(s.b));
      ASSERT_LE(gated - plain, 1e-6f * max(gated, numbers * 1e-6f)) << "seed " << seed;
      apart_by_pieces += whole_bound(own, q.boxes) == 0 && pieces_bound(own, q.boxes) > 0;
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(apart_by_pieces, cases / 20);
  }
}

}  // namespace
}  // namespace sightline::testing
