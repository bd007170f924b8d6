// What plain floats are sure of, against the doubles that decide.
#include "host/cpu/shapes/certain_overlap.hpp"
#include "host/cpu/shapes/quick_bounds.hpp"
#include "host/cpu/shapes/triangle_form.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using detail::Certainty;

/// Pairs by verdict and by what doubles say.
struct Verdicts {
  std::uint64_t count[3][2] = {};

  std::uint64_t wrong() const {
    return count[static_cast<int>(Certainty::no)][1] + count[static_cast<int>(Certainty::yes)][0];
  }
  std::uint64_t unsure() const {
    return count[static_cast<int>(Certainty::unsure)][0] +
           count[static_cast<int>(Certainty::unsure)][1];
  }
  std::uint64_t sure(Certainty verdict) const {
    return count[static_cast<int>(verdict)][verdict == Certainty::yes];
  }
};

/// All pairs of a scene, or those whose bounds overlap.
void judge_pairs(const Scene& scene, bool near_ones, Verdicts& all) {
  const ShapesView shapes = scene.view();
  for (std::uint32_t a = 0; a < shapes.bounded(); ++a) {
    for (std::uint32_t b = 0; b < shapes.bounded(); ++b) {
      if (near_ones && !overlaps(shapes.bounds[a], shapes.bounds[b])) continue;
      shapes.visit_bounded(a, [&](const auto& first) {
        shapes.visit_bounded(b, [&](const auto& second) {
          const Certainty sure =
              detail::certain_overlap(detail::certain_shape(first), detail::certain_shape(second));
          ++all.count[static_cast<int>(sure)][overlaps(first, second)];
        });
      });
    }
  }
}

TEST(QuickBounds, AreBounds) {
  const auto is_nan = [](float x) { return x != x; };
  for (const SceneFamily family : families_but_cylinders) {
    std::uint64_t finite = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      const Scene scene = make_scene(family, 70, seed);
      const ShapesView shapes = scene.view();
      for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
        shapes.visit_bounded(id, [&](const auto& s) {
          const Aabb a = detail::quick_bounds(s, detail::certain_shape(s)), b = bounds(s);
          const float quick[] = {a.min.x, a.min.y, a.min.z, a.max.x, a.max.y, a.max.z};
          const float plain[] = {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
          for (int k = 0; k < 6; ++k) {
            EXPECT_TRUE(quick[k] == plain[k] || (is_nan(quick[k]) && is_nan(plain[k])));
          }
          finite += is_finite(b);
        });
      }
    }
    EXPECT_GT(finite, 100u) << name_of(family);
  }
}

TEST(CertainOverlap, IsNeverOfAnotherMindThanDoubles) {
  for (const SceneFamily family : families_but_cylinders) {
    Verdicts all;
    for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
      judge_pairs(make_scene(family, 70, seed), seed % 2 == 0, all);
    }
    EXPECT_EQ(all.wrong(), 0u) << name_of(family);
    EXPECT_GT(all.sure(Certainty::yes), 0u) << name_of(family);
    EXPECT_GT(all.sure(Certainty::no), 0u) << name_of(family);
  }
}

/// Two shapes of a size near 1, as far apart as `gap` says along x, far from the origin.
template <class Make>
void expect_no_contradiction_near_touch(const Make& make) {
  std::uint64_t sure = 0;
  for (const float far : {0.0f, 1e3f, 1e6f}) {
    for (int k = -60; k <= 60; ++k) {
      const float gap = static_cast<float>(k) * (far > 1e4f ? 1.0f / 16 : 1e-6f);
      const auto [a, b] = make(far, far + 2 + gap);
      const Certainty verdict =
          detail::certain_overlap(detail::certain_shape(a), detail::certain_shape(b));
      if (verdict == Certainty::unsure) continue;
      ++sure;
      EXPECT_EQ(verdict == Certainty::yes, overlaps(a, b)) << far << " " << gap;
    }
  }
  EXPECT_GT(sure, 0u);
}

TEST(CertainOverlap, OfShapesThatNearlyTouch) {
  const auto box = [](float x) { return Aabb{{x - 1, -1, -1}, {x + 1, 1, 1}}; };
  const auto turned = [](float x) {
    return frame(Obb{{x, 0.5f, 0.25f}, {1, 1, 1}, {0, 0, 0.6f, 0.8f}});
  };
  const auto ball = [](float x) { return Sphere{{x, 0.125f, 0}, 1}; };
  const auto rod = [](float x) { return Capsule{{x, -2, 0.5f}, {x, 3, -0.5f}, 1}; };
  expect_no_contradiction_near_touch([&](float x, float y) { return std::pair(box(x), box(y)); });
  expect_no_contradiction_near_touch(
      [&](float x, float y) { return std::pair(box(x), turned(y)); });
  expect_no_contradiction_near_touch(
      [&](float x, float y) { return std::pair(turned(x), turned(y)); });
  expect_no_contradiction_near_touch([&](float x, float y) { return std::pair(ball(x), box(y)); });
  expect_no_contradiction_near_touch([&](float x, float y) { return std::pair(rod(x), ball(y)); });
  expect_no_contradiction_near_touch([&](float x, float y) { return std::pair(rod(x), rod(y)); });
  expect_no_contradiction_near_touch(
      [&](float x, float y) { return std::pair(turned(x), rod(y)); });
}

// Else they would help nobody.
TEST(CertainOverlap, OfNearlyAllPairsWhoseBoundsMeet) {
  Verdicts all;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    judge_pairs(make_scene(SceneFamily::random, 200, seed), true, all);
  }
  EXPECT_LT(10 * all.unsure(), all.sure(Certainty::yes) + all.sure(Certainty::no));
}

template <class Shape>
float least_distance(const Shape& shape, const Vec3& p) {
  return detail::distance_at_least(detail::certain_shape(shape), p);
}
float least_distance(const Triangle& shape, const Vec3& p) {
  return detail::distance_at_least(p, detail::triangle_form(shape));
}

// Over faces, beside edges and at corners.
TEST(CertainDistance, OfTrianglesIsNearlyTheDistance) {
  std::uint64_t pairs = 0, close = 0;
  for (std::uint64_t seed = 1; seed <= scaled(100'000); ++seed) {
    Random r(seed);
    const Vec3 center = r.vec(-100, 100);
    const auto shape = random_shape<Triangle>(r, center, 1);
    const Vec3 p = plus(center, r.vec(-3, 3));
    const float least = least_distance(shape, p), distance = nearest(shape, p).distance;
    ASSERT_LE(least, distance) << seed;
    pairs += distance > 0.1f;
    close += distance > 0.1f && least > 0.99f * distance;
  }
  EXPECT_GT(10 * close, 9 * pairs);
}

TEST(CertainDistance, OfSegmentsToTrianglesIsNeverMore) {
  std::uint64_t pairs = 0, known = 0;
  for (std::uint64_t seed = 1; seed <= scaled(200'000); ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-30, 30);
    const Vec3 center = times(r.vec(-1, 1), size * r.power_of_two(-4, 12));
    const auto shape = random_shape<Triangle>(r, center, size);
    const float way = size * r.power_of_two(-6, 6);
    const Vec3 a = plus(center, times(r.vec(-3, 3), size)), b = plus(a, times(r.vec(-1, 1), way));
    const float least = detail::distance_at_least(a, b, detail::triangle_form(shape));
    const float distance = clearance(Segment{a, b}, shape).distance;
    ASSERT_LE(least, distance) << seed;
    pairs += distance > 0.2f * size;
    known += distance > 0.2f * size && least > 0.8f * distance;
  }
  EXPECT_GT(4 * known, 3 * pairs);
}

TEST(CertainDistance, IsNeverMoreThanTheDistance) {
  std::uint64_t pairs = 0, known = 0, close = 0;
  for (const SceneFamily family : families_but_cylinders) {
    for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
      const Scene scene = make_scene(family, 60, seed);
      const ShapesView shapes = scene.view();
      for (const SightPoint& p : random_points(scene, 100, seed)) {
        if (is_bad(p)) continue;
        for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
          shapes.visit_bounded(id, [&](const auto& shape) {
            const float least = least_distance(shape, p.position);
            const float distance = nearest(shape, p.position).distance;
            ASSERT_LE(least, distance) << name_of(family) << " " << seed << ", shape " << id;
            pairs += distance > 0;
            known += distance > 0 && least > 0;
            close += distance > 0 && least > 0.99f * distance;
          });
        }
      }
    }
  }
  EXPECT_GT(known, pairs / 2);
  EXPECT_GT(close, pairs / 3);
}

}  // namespace
}  // namespace sightline::testing
