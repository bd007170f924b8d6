// What meets nothing in 2D: NaN, infinity, negative sizes, missing directions.
#include "tests/support/flat_shapes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace sightline::testing {
namespace {

/// Each of a shape's numbers in turn, to be spoilt.
std::vector<float*> numbers(Circle& s) { return {&s.center.x, &s.center.y, &s.radius}; }
std::vector<float*> numbers(Capsule2& s) { return {&s.a.x, &s.a.y, &s.b.x, &s.b.y, &s.radius}; }
std::vector<float*> numbers(Sector& s) {
  return {&s.center.x, &s.center.y, &s.direction.x, &s.direction.y, &s.cosine, &s.sine, &s.radius};
}
std::vector<float*> numbers(Aabb2& s) { return {&s.min.x, &s.min.y, &s.max.x, &s.max.y}; }
std::vector<float*> numbers(Obb2& s) {
  return {&s.center.x, &s.center.y, &s.half_extents.x, &s.half_extents.y, &s.cosine, &s.sine};
}
std::vector<float*> numbers(Segment2& s) { return {&s.a.x, &s.a.y, &s.b.x, &s.b.y}; }
std::vector<float*> numbers(Polygon& s) {
  std::vector<float*> all;
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i) {
    all.insert(all.end(), {&s.corners[i].x, &s.corners[i].y});
  }
  return all;
}

template <class Shape>
void expect_nothing(const Shape& shape, const Circle& c, const Segment2& s) {
  ASSERT_FALSE(overlaps(c, seen(shape)));
  ASSERT_FALSE(overlaps(seen(shape), c));
  ASSERT_FALSE(interval(s, seen(shape)).hit);
  ASSERT_FALSE(interval(Segment2{s.a, s.a}, seen(shape)).hit);
}

template <class Shape>
void expect_bad_numbers_to_meet_nothing() {
  for (std::uint64_t seed = 1; seed <= scaled(20'000); ++seed) {
    Random r(seed);
    Shape shape = lattice_shape<Shape>(r, {0, 0});
    Circle c = lattice_shape<Circle>(r, {0, 0});
    Segment2 s = lattice_segment(r, {0, 0});
    for (const float bad : {std::nanf(""), infinity, -infinity}) {
      for (float* x : numbers(shape)) {
        const float kept = std::exchange(*x, bad);
        ASSERT_NO_FATAL_FAILURE(expect_nothing(shape, c, s)) << "seed " << seed;
        *x = kept;
      }
      for (float* x : numbers(c)) {
        const float kept = std::exchange(*x, bad);
        ASSERT_FALSE(overlaps(c, seen(shape))) << "seed " << seed;
        *x = kept;
      }
      for (float* x : numbers(s)) {
        const float kept = std::exchange(*x, bad);
        ASSERT_FALSE(interval(s, seen(shape)).hit) << "seed " << seed;
        *x = kept;
      }
    }
  }
}

TEST(Flat, NanAndInfinityMeetNothing) {
  expect_bad_numbers_to_meet_nothing<Circle>();
  expect_bad_numbers_to_meet_nothing<Capsule2>();
  expect_bad_numbers_to_meet_nothing<Sector>();
  expect_bad_numbers_to_meet_nothing<Polygon>();
  expect_bad_numbers_to_meet_nothing<Aabb2>();
  expect_bad_numbers_to_meet_nothing<Obb2>();
}

TEST(Flat, NegativeSizesAndMissingDirectionsMeetNothing) {
  const Circle c = {{0, 0}, 9};
  const Segment2 s = {{-9, 0}, {9, 0}};
  expect_nothing(Circle{{0, 0}, -1}, c, s);
  expect_nothing(Capsule2{{0, 0}, {1, 0}, -1}, c, s);
  expect_nothing(Sector{{0, 0}, {1, 0}, 0, 1, -1}, c, s);
  expect_nothing(Sector{{0, 0}, {0, -0.0f}, 0, 1, 1}, c, s);
  expect_nothing(Sector{{0, 0}, {1, 0}, 0, 0, 1}, c, s);
  expect_nothing(Sector{{0, 0}, {1, 0}, 0, -1, 1}, c, s);  // the sine counts as 0
  expect_nothing(Aabb2{{1, 0}, {0, 1}}, c, s);
  expect_nothing(Aabb2{{0, 1}, {1, 0}}, c, s);
  expect_nothing(Obb2{{0, 0}, {-1, 1}, 1, 0}, c, s);
  expect_nothing(Obb2{{0, 0}, {1, -1}, 1, 0}, c, s);
  expect_nothing(Obb2{{0, 0}, {1, 1}, 0, 0}, c, s);
  expect_nothing(Polygon{}, c, s);
  EXPECT_FALSE(overlaps(Circle{{0, 0}, -1}, Circle{{0, 0}, 2}));
}

}  // namespace
}  // namespace sightline::testing
