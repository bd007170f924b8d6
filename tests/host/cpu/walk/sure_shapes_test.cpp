// What plain floats are sure of, against the doubles that decide.
#include "host/cpu/walk/ball_set.hpp"
#include "host/cpu/walk/near_set.hpp"
#include "host/cpu/walk/quick_bounds.hpp"
#include "host/cpu/walk/sure_overlap.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

using detail::Sure;

/// Pairs by verdict and by what doubles say.
struct Verdicts {
  std::uint64_t count[3][2] = {};

  std::uint64_t wrong() const {
    return count[static_cast<int>(Sure::no)][1] + count[static_cast<int>(Sure::yes)][0];
  }
  std::uint64_t unsure() const {
    return count[static_cast<int>(Sure::unsure)][0] + count[static_cast<int>(Sure::unsure)][1];
  }
  std::uint64_t sure(Sure verdict) const {
    return count[static_cast<int>(verdict)][verdict == Sure::yes];
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
          const Sure sure =
              detail::sure_overlap(detail::sure_shape(first), detail::sure_shape(second));
          ++all.count[static_cast<int>(sure)][overlaps(first, second)];
        });
      });
    }
  }
}

TEST(QuickBounds, AreBounds) {
  const auto is_nan = [](float x) { return x != x; };
  for (const SceneFamily family : every_family) {
    std::uint64_t finite = 0;
    for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
      const Scene scene = make_scene(family, 70, seed);
      const ShapesView shapes = scene.view();
      for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
        shapes.visit_bounded(id, [&](const auto& s) {
          const Aabb a = detail::quick_bounds(s, detail::sure_shape(s)), b = bounds(s);
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

TEST(SureOverlap, IsNeverOfAnotherMindThanDoubles) {
  for (const SceneFamily family : every_family) {
    Verdicts all;
    for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
      judge_pairs(make_scene(family, 70, seed), seed % 2 == 0, all);
    }
    EXPECT_EQ(all.wrong(), 0u) << name_of(family);
    EXPECT_GT(all.sure(Sure::yes), 0u) << name_of(family);
    EXPECT_GT(all.sure(Sure::no), 0u) << name_of(family);
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
      const Sure verdict = detail::sure_overlap(detail::sure_shape(a), detail::sure_shape(b));
      if (verdict == Sure::unsure) continue;
      ++sure;
      EXPECT_EQ(verdict == Sure::yes, overlaps(a, b)) << far << " " << gap;
    }
  }
  EXPECT_GT(sure, 0u);
}

TEST(SureOverlap, OfShapesThatNearlyTouch) {
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
TEST(SureOverlap, OfNearlyAllPairsWhoseBoundsMeet) {
  Verdicts all;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    judge_pairs(make_scene(SceneFamily::random, 200, seed), true, all);
  }
  EXPECT_LT(10 * all.unsure(), all.sure(Sure::yes) + all.sure(Sure::no));
}

/// What eight balls say of a shape, against doubles: verdicts as Verdicts has them.
template <class Shape>
void judge_balls(const std::vector<Sphere>& balls, const Shape& shape, Verdicts& all) {
  const auto seen = detail::seen_by_balls(shape);
  detail::BallMargin margin;
  margin.take(seen);
  for (std::size_t first = 0; first < balls.size(); first += 8) {
    std::vector<Vec3> centers;
    std::vector<float> radii;
    for (std::size_t k = first; k < first + 8; ++k) {
      centers.push_back(balls[k % balls.size()].center);
      radii.push_back(balls[k % balls.size()].radius);
    }
    const detail::Balls8 q = detail::BallColumns(centers.data(), radii.data(), 8).eight(0);
    const detail::Float8 by = detail::excess(q, seen), around = margin.of(q);
    for (int k = 0; k < 8; ++k) {
      const Sphere ball = {centers[static_cast<std::size_t>(k)],
                           radii[static_cast<std::size_t>(k)]};
      const Sure sure = by[k] < -around[k]  ? Sure::yes
                        : by[k] > around[k] ? Sure::no
                                            : Sure::unsure;
      ++all.count[static_cast<int>(sure)][overlaps(ball, shape)];
    }
  }
}

TEST(SureBalls, AreNeverOfAnotherMindThanDoubles) {
  for (const SceneFamily family : every_family) {
    Verdicts all;
    for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
      const Scene scene = make_scene(family, 70, seed);
      std::vector<Sphere> balls;
      for (const SightPoint& p : random_points(scene, 100, seed)) {
        if (is_bad(p)) continue;
        const Aabb& of = scene.view().bounds[balls.size() % scene.view().bounded()];
        balls.push_back({p.position, balls.size() % 3 == 0 ? 0 : 0.5f * (of.max.x - of.min.x)});
      }
      for (std::uint32_t i = 0; i < scene.view().count(Kind::sphere); ++i) {
        balls.push_back(scene.view().get<Sphere>(i));
      }
      for (std::uint32_t id = 0; id < scene.view().bounded(); ++id) {
        scene.view().visit_bounded(id, [&](const auto& s) { judge_balls(balls, s, all); });
      }
    }
    EXPECT_EQ(all.wrong(), 0u) << name_of(family);
    EXPECT_GT(all.sure(Sure::yes), 0u) << name_of(family);
    EXPECT_GT(all.sure(Sure::no), 0u) << name_of(family);
    EXPECT_LT(20 * all.unsure(), all.sure(Sure::yes) + all.sure(Sure::no)) << name_of(family);
  }
}

TEST(SureBalls, ThatNearlyTouch) {
  Verdicts all;
  for (const float scale : {0x1p-40f, 1.0f, 0x1p30f}) {
    for (const float length : {0.0f, 0x1p-36f, 1.0f, 100.0f}) {
      for (int k = -200; k <= 200; ++k) {
        const float gap = std::ldexp(k < 0 ? -1.0f : 1.0f, -std::abs(k) / 8) * (k == 0 ? 0 : 1);
        const float far = 2 + gap, long_by = length * scale, x = far * scale;
        const std::vector<Sphere> balls = {{{x, 0.25f * long_by, 0}, scale},
                                           {{0.6f * x, 0.25f * long_by, 0.8f * x}, scale},
                                           {{x, 2 * long_by, 0}, scale},
                                           {{x - scale, 0, 0}, 0}};
        judge_balls(balls, Sphere{{0, 0, 0}, scale}, all);
        judge_balls(balls, Capsule{{0, -long_by, 0}, {0, long_by, 0}, scale}, all);
        judge_balls(balls, Aabb{{-scale, -long_by, -scale}, {scale, long_by, scale}}, all);
        judge_balls(balls, frame(Obb{{0, 0, 0}, {scale, long_by, scale}, {0, 0.28f, 0, 0.96f}}),
                    all);
      }
    }
  }
  EXPECT_EQ(all.wrong(), 0u);
  EXPECT_GT(all.unsure(), 0u);
}

// Among shapes of all sizes floats know as much of the small ones as among their like.
TEST(SureBalls, OnAPlanetAmongStones) {
  Scene scene;
  scene.add_sphere({{0, 0, -1e5f}, 1e5f});
  scene.add_obb({{3e4f, 0, 0}, {2e4f, 1e4f, 1}, {0, 0, 0, 1}});
  for (int k = 0; k < 40; ++k) {
    const float x = static_cast<float>(k % 8), y = static_cast<float>(k / 8);
    scene.add_aabb({{x, y, 20}, {x + 0.5f, y + 0.5f, 21}});
    scene.add_sphere({{x, y, 23}, 0.25f});
  }
  std::vector<Vec3> centers;
  std::vector<float> radii;
  for (int k = 0; k < 256; ++k) {
    centers.push_back({0.03f * static_cast<float>(k), 0.02f * static_cast<float>(k),
                       19.7f + 0.02f * static_cast<float>(k)});
    radii.push_back(0.2f);
  }
  const detail::BallColumns balls(centers.data(), radii.data(), 256);
  const detail::BallSet set(scene.view());
  std::vector<std::uint32_t> found(256 + 8);
  set.count(balls, found.data());
  int unsure = 0, some = 0;
  for (std::size_t k = 0; k < 256; ++k) {
    if (found[k] == detail::unsure_answer) {
      ++unsure;
      continue;
    }
    std::uint32_t truth = 0;
    const auto q = overlap_query(Sphere{centers[k], radii[k]}, ~0u);
    for (std::uint32_t id = 0; id < scene.size(); ++id)
      truth += overlaps_shape(q, scene.view(), id);
    EXPECT_EQ(found[k], truth);
    some += truth > 0;
  }
  EXPECT_LT(unsure, 10);
  EXPECT_GT(some, 20);
}

/// The lower bound of a distance in one of eight lanes.
template <class Shape>
float least_of_eight(const Shape& shape, const Vec3& p) {
  const detail::Float8 zero = {};
  return detail::distance_at_least(detail::Balls8{zero + p.x, zero + p.y, zero + p.z, zero},
                                   detail::seen_by_balls(shape))[3];
}

TEST(SureDistance, IsNeverMoreThanTheDistance) {
  std::uint64_t pairs = 0, known = 0, close = 0, close_by_eights = 0;
  for (const SceneFamily family : every_family) {
    for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
      const Scene scene = make_scene(family, 60, seed);
      const ShapesView shapes = scene.view();
      for (const SightPoint& p : random_points(scene, 100, seed)) {
        if (is_bad(p)) continue;
        for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
          shapes.visit_bounded(id, [&](const auto& shape) {
            const float least = detail::distance_at_least(detail::sure_shape(shape), p.position);
            const float distance = nearest(shape, p.position).distance;
            const float by_eights = least_of_eight(shape, p.position);
            ASSERT_LE(least, distance) << name_of(family) << " " << seed << ", shape " << id;
            ASSERT_LE(by_eights, distance) << name_of(family) << " " << seed << ", shape " << id;
            pairs += distance > 0;
            known += distance > 0 && least > 0;
            close += distance > 0 && least > 0.99f * distance;
            close_by_eights += distance > 0 && by_eights > 0.99f * distance;
          });
        }
      }
    }
  }
  EXPECT_GT(known, pairs / 2);
  EXPECT_GT(close, pairs / 3);
  EXPECT_GT(close_by_eights, pairs / 2);
}

// At the surface, in and around it, near and far from the origin, of shapes without extent.
TEST(SureDistance, OfEightIsNeverMoreNextToAShape) {
  std::uint64_t points = 0, positive = 0;
  const auto judge = [&](const auto& shape, const Vec3& p) {
    const float least = least_of_eight(shape, p), distance = nearest(shape, p).distance;
    EXPECT_LE(least, distance) << p.x << " " << p.y << " " << p.z;
    ++points;
    positive += least > 0;
  };
  for (const float scale : {0x1p-70f, 0x1p-40f, 1.0f, 0x1p36f}) {
    for (const float center : {0.0f, 1.0f, 0x1p10f}) {
      for (const float length : {0.0f, 0x1p-37f, 1.0f, 100.0f}) {
        for (const float radius : {0.0f, 1.0f}) {
          for (int k = -160; k <= 160; ++k) {
            const float gap = std::ldexp(k < 0 ? -1.0f : 1.0f, -std::abs(k) / 6);
            const float x = center * scale, r = radius * scale, l = length * scale;
            const float at = x + r + gap * scale;
            for (const Vec3& p : {Vec3{at, 0.25f * l, 0}, Vec3{at, 0, l}, Vec3{x, 2 * l, 0.5f * r},
                                  Vec3{x, l + r + gap * scale, 0}}) {
              judge(Sphere{{x, 0, 0}, r}, p);
              judge(Capsule{{x, -l, 0}, {x, l, 0}, r}, p);
              judge(Aabb{{x - r, -l, -r}, {x + r, l, r}}, p);
              judge(frame(Obb{{x, 0, 0}, {r, l, r}, {0, 0.28f, 0, 0.96f}}), p);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(positive, points / 5);
}

}  // namespace
}  // namespace sightline::testing
