// NaN and infinity overlap nothing, whichever number of a shape they are.
#include <sightline/geometry/overlap/overlaps.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <tuple>

namespace sightline::testing {
namespace {

/// Each of a shape's numbers in turn.
template <class S, class Other>
void expect_no(const S& good, const Other& other) {
  static_assert(sizeof(S) % sizeof(float) == 0);
  EXPECT_TRUE(overlaps(good, other));
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), inf, -inf}) {
    for (std::size_t i = 0; i < sizeof(S) / sizeof(float); ++i) {
      float numbers[sizeof(S) / sizeof(float)];
      std::memcpy(numbers, &good, sizeof(S));
      numbers[i] = bad;
      S s = good;
      std::memcpy(&s, numbers, sizeof(S));
      EXPECT_FALSE(overlaps(s, other)) << i << " " << bad;
      EXPECT_FALSE(overlaps(other, s)) << i << " " << bad;
    }
  }
}

TEST(OverlapNotFinite, OverlapsNothing) {
  const auto shapes = std::make_tuple(Aabb{{-1, -1, -1}, {1, 1, 1}},
                                      frame(Obb{{0, 0, 0}, {1, 1, 1}, {0.1f, 0.2f, 0.3f, 0.9f}}),
                                      Sphere{{0, 0, 0}, 1}, Capsule{{0, 0, 0}, {0, 0, 1}, 1},
                                      Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const Plane plane{{0, 0, 1}, 0.5f};
  std::apply(
      [&](const auto&... a) {
        const auto against_all = [&](const auto& one) { (expect_no(one, a), ...); };
        (against_all(a), ...);
        against_all(plane);
        (expect_no(a, plane), ...);
      },
      shapes);
}

/// Numbers far beyond the domain: squares and products of four stay within doubles.
TEST(OverlapNotFinite, LargestFloatsAnswer) {
  constexpr float m = largest_float;
  const Aabb all{{-m, -m, -m}, {m, m, m}};
  const Capsule across{{-m, -m, -m}, {m, m, m}, 1};
  const Capsule other{{-m, -m, m}, {m, m, -m}, 1};
  EXPECT_TRUE(overlaps(all, across));
  EXPECT_TRUE(overlaps(across, other));
  EXPECT_TRUE(overlaps(Sphere{{m, 0, 0}, m}, Sphere{{-m, 0, 0}, m}));
  EXPECT_FALSE(overlaps(Sphere{{m, 0, 0}, m}, Sphere{{-m, 0, 0}, m * 0.75f}));
  const Triangle face{{-m, -m, 0}, {m, -m, 0}, {0, m, 0}},
      above{{-m, -m, m}, {m, -m, m}, {0, m, m}};
  EXPECT_TRUE(overlaps(face, all));
  EXPECT_TRUE(overlaps(face, across));
  EXPECT_TRUE(overlaps(face, Triangle{{0, 0, -m}, {0, 0, m}, {m, m, m}}));
  EXPECT_FALSE(overlaps(face, above));
  EXPECT_TRUE(overlaps(face, Sphere{{0, 0, m}, m}));
  EXPECT_FALSE(overlaps(face, Sphere{{0, 0, m}, m * 0.75f}));
}

}  // namespace
}  // namespace sightline::testing
