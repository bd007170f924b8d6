// What the lanes of each instruction set know of spheres, points and boxes beside few shapes,
// against the doubles that decide.
#include "host/cpu/rays/simd_dispatch.hpp"
#include "host/cpu/shapes/nearest_group.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sightline::testing {
namespace {

using detail::FewShapes;
using detail::ShapeKernels;

class Kernels : public ::testing::TestWithParam<Lanes> {
 protected:
  const ShapeKernels& kernels = detail::choose_simd(GetParam()).shapes;
};
INSTANTIATE_TEST_SUITE_P(Lanes, Kernels, ::testing::ValuesIn(detail::usable_lanes()),
                         [](const auto& of) { return detail::choose_simd(of.param).name; });

TEST(ShapeKernels, AreOfTheirOwnLanes) {
  std::set<decltype(ShapeKernels::spheres_any)> each;
  for (const Lanes lanes : detail::usable_lanes()) {
    each.insert(detail::choose_simd(lanes).shapes.spheres_any);
  }
  EXPECT_EQ(each.size(), detail::usable_lanes().size());
}

/// Pairs of a sphere and a shape: what floats say, against doubles.
struct SphereVerdicts {
  std::uint64_t wrong = 0, yes = 0, no = 0, unsure = 0;
};

/// What eights of spheres say of a shape.
template <class Shape>
void judge_spheres(const ShapeKernels& kernels, const std::vector<Sphere>& spheres,
                   const Shape& shape, SphereVerdicts& all) {
  const detail::LaneForm<Shape> form = detail::lane_form(shape);
  detail::SphereMargin margin;
  margin.take(form);
  detail::SphereColumns columns;
  ASSERT_LE(spheres.size(), detail::SphereColumns::most);
  const std::size_t eights = (spheres.size() + 7) / 8;
  std::vector<detail::SphereGroup> groups;
  std::vector<std::uint16_t> list;
  for (std::size_t k = 0; k < 8 * eights; ++k) {
    const Sphere& s = spheres[k % spheres.size()];
    columns.x[k] = s.center.x, columns.y[k] = s.center.y, columns.z[k] = s.center.z;
    columns.radius[k] = s.radius;
  }
  for (std::size_t e = 0; e < eights; ++e) {
    groups.push_back({static_cast<std::uint8_t>(e), 0xff});
    list.push_back(static_cast<std::uint16_t>(eights - 1 - e));
  }
  std::vector<detail::EightVerdict> verdicts(eights);
  std::get<ShapeKinds::index<Shape>()>(kernels.test_groups)(columns, groups.data(), list.data(),
                                                            static_cast<std::uint32_t>(eights),
                                                            form, margin, verdicts.data());
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    const detail::EightVerdict verdict = verdicts[eights - 1 - k / 8];
    const bool yes = (verdict.surely >> k % 8 & 1) != 0, no = (verdict.possibly >> k % 8 & 1) == 0;
    all.wrong += overlaps(spheres[k], shape) ? no : yes;
    ++(yes ? all.yes : no ? all.no : all.unsure);
  }
}

TEST_P(Kernels, AreNeverOfAnotherMindThanDoublesAboutSpheres) {
  for (const SceneFamily family : families_but_cylinders) {
    SphereVerdicts all;
    for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
      const Scene scene = make_scene(family, 70, seed);
      std::vector<Sphere> spheres;
      for (const SightPoint& p : random_points(scene, 100, seed)) {
        if (is_bad(p)) continue;
        const Aabb& of = scene.view().bounds[spheres.size() % scene.view().bounded()];
        spheres.push_back({p.position, spheres.size() % 3 == 0 ? 0 : 0.5f * (of.max.x - of.min.x)});
      }
      for (std::uint32_t i = 0; i < scene.view().count(Kind::sphere); ++i) {
        spheres.push_back(scene.view().get<Sphere>(i));
      }
      for (std::uint32_t id = 0; id < scene.view().bounded(); ++id) {
        scene.view().visit_bounded(id,
                                   [&](const auto& s) { judge_spheres(kernels, spheres, s, all); });
      }
    }
    EXPECT_EQ(all.wrong, 0u) << name_of(family);
    EXPECT_GT(all.yes, 0u) << name_of(family);
    EXPECT_GT(all.no, 0u) << name_of(family);
    if (family == SceneFamily::triangles) continue;  // lanes do not decide these
    EXPECT_LT(20 * all.unsure, all.yes + all.no) << name_of(family);
  }
}

TEST_P(Kernels, OfSpheresThatNearlyTouch) {
  SphereVerdicts all;
  for (const float scale : {0x1p-40f, 1.0f, 0x1p30f}) {
    for (const float length : {0.0f, 0x1p-36f, 1.0f, 100.0f}) {
      for (int k = -200; k <= 200; ++k) {
        const float gap = std::ldexp(k < 0 ? -1.0f : 1.0f, -std::abs(k) / 8) * (k == 0 ? 0 : 1);
        const float far = 2 + gap, long_by = length * scale, x = far * scale;
        const std::vector<Sphere> spheres = {{{x, 0.25f * long_by, 0}, scale},
                                             {{0.6f * x, 0.25f * long_by, 0.8f * x}, scale},
                                             {{x, 2 * long_by, 0}, scale},
                                             {{x - scale, 0, 0}, 0}};
        const auto judge = [&](const auto& shape) { judge_spheres(kernels, spheres, shape, all); };
        judge(Sphere{{0, 0, 0}, scale});
        judge(Capsule{{0, -long_by, 0}, {0, long_by, 0}, scale});
        judge(Aabb{{-scale, -long_by, -scale}, {scale, long_by, scale}});
        judge(frame(Obb{{0, 0, 0}, {scale, long_by, scale}, {0, 0.28f, 0, 0.96f}}));
      }
    }
  }
  EXPECT_EQ(all.wrong, 0u);
  EXPECT_GT(all.unsure, 0u);
}

/// Every answer of which floats are sure is that of doubles: any, how many, and of bodies. Returns
/// how many spheres they are not sure of.
std::uint32_t expect_answers(const ShapeKernels& kernels, const ShapesView& shapes,
                             const std::vector<Vec3>& center, const std::vector<float>& radius) {
  const auto n = static_cast<std::uint32_t>(center.size());
  std::vector<std::uint32_t> truth(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    const auto q = overlap_query(Sphere{center[k], radius[k]}, ~0u);
    for (std::uint32_t id = 0; id < shapes.size(); ++id) truth[k] += overlaps_shape(q, shapes, id);
  }
  const detail::FewInBlocks few(shapes);
  const detail::ShapeBlocks blocks = few.view();
  std::uint32_t doubts[detail::most_spheres];
  const auto certain_but = [&](std::uint32_t all, std::uint32_t unsure) {
    std::vector<bool> sure(all, true);
    for (std::uint32_t k = 0; k < unsure; ++k) sure[doubts[k]] = false;
    return sure;
  };
  std::vector<std::uint32_t> counts(n + 1, 77);
  const std::uint32_t unsure =
      kernels.spheres_count(blocks, center.data(), radius.data(), n, counts.data(), doubts);
  std::vector<bool> sure = certain_but(n, unsure);
  for (std::uint32_t k = 0; k < n; ++k) EXPECT_TRUE(!sure[k] || counts[k] == truth[k]) << k;
  EXPECT_EQ(counts[n], 77u) << "behind the last";

  std::vector<std::uint64_t> bits(bit_words(n) + 1, ~std::uint64_t{0});
  sure = certain_but(
      n, kernels.spheres_any(blocks, center.data(), radius.data(), n, bits.data(), doubts));
  for (std::uint32_t k = 0; k < 64 * bit_words(n); ++k) {
    const bool bit = (bits[k / 64] >> k % 64 & 1) != 0;
    EXPECT_EQ(bit, k < n && sure[k] && truth[k] > 0) << k;
  }
  EXPECT_EQ(bits.back(), ~std::uint64_t{0});

  const detail::ShapesForBodies for_bodies(shapes);
  for (const std::uint32_t body : {8u, 11u}) {
    const std::uint32_t bodies = n / body;
    sure = certain_but(bodies, kernels.bodies_any(for_bodies.view(), center.data(), radius.data(),
                                                  body, bodies, bits.data(), doubts));
    for (std::uint32_t b = 0; b < bodies; ++b) {
      bool any = false;
      for (std::uint32_t k = 0; k < body; ++k) any |= truth[b * body + k] > 0;
      EXPECT_EQ((bits[b / 64] >> b % 64 & 1) != 0, any && sure[b]) << body << " " << b;
    }
  }
  return unsure;
}

TEST_P(Kernels, OfSpheresOverFewShapes) {
  for (const SceneFamily family : families_but_cylinders) {
    std::uint64_t unsure = 0, all = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Scene scene = make_scene(family, static_cast<int>(1 + seed % 7 * 20), seed);
      ShapesView shapes = scene.view().slice(0, scene.view().bounded());
      shapes.mask = nullptr;
      if (shapes.size() == 0) continue;
      std::vector<Vec3> center;
      std::vector<float> radius;
      for (const SightPoint& p : random_points(scene, detail::most_spheres, seed)) {
        if (is_bad(p) || center.size() > 13 * seed) continue;
        const Aabb& of = shapes.bounds[center.size() % shapes.bounded()];
        center.push_back(p.position);
        radius.push_back(0.3f * (of.max.y - of.min.y) + 0x1p-10f);
      }
      unsure += expect_answers(kernels, shapes, center, radius);
      all += center.size();
      if (HasFailure()) return;
    }
    if (family == SceneFamily::triangles) continue;
    EXPECT_LT(20 * unsure, all) << name_of(family);
  }
}

// Among shapes of all sizes floats know as much of the small ones as among their like.
TEST_P(Kernels, OfSpheresOnAPlanetAmongStones) {
  Scene scene;
  scene.add_sphere({{0, 0, -1e5f}, 1e5f});
  scene.add_obb({{3e4f, 0, 0}, {2e4f, 1e4f, 1}, {0, 0, 0, 1}});
  for (int k = 0; k < 40; ++k) {
    const float x = static_cast<float>(k % 8), y = static_cast<float>(k / 8);
    scene.add_aabb({{x, y, 20}, {x + 0.5f, y + 0.5f, 21}});
    scene.add_sphere({{x, y, 23}, 0.25f});
  }
  std::vector<Vec3> center;
  std::vector<float> radius;
  for (int k = 0; k < 256; ++k) {
    center.push_back({0.03f * static_cast<float>(k), 0.02f * static_cast<float>(k),
                      19.7f + 0.02f * static_cast<float>(k)});
    radius.push_back(0.2f);
  }
  EXPECT_LT(expect_answers(kernels, scene.view(), center, radius), 10u);
}

/// The lower bound of a distance, of one of sixteen points.
template <class Shape>
float least_of_one(const ShapeKernels& kernels, const Shape& shape, const Vec3& p) {
  FewShapes few;
  few.add(shape);
  detail::PointGroup points;
  points.set(13, p);
  detail::DistanceBounds bounds;
  kernels.bound_distances(few.lists(), points, bounds);
  return bounds.least[0][13];
}

TEST_P(Kernels, AreNeverAboveTheDistance) {
  std::uint64_t pairs = 0, close = 0;
  for (const SceneFamily family : families_but_cylinders) {
    for (std::uint64_t seed = 1; seed <= scaled(30); ++seed) {
      const Scene scene = make_scene(family, 60, seed);
      const ShapesView shapes = scene.view();
      for (const SightPoint& p : random_points(scene, 100, seed)) {
        if (is_bad(p)) continue;
        for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
          shapes.visit_bounded(id, [&](const auto& shape) {
            const float least = least_of_one(kernels, shape, p.position);
            const float distance = nearest(shape, p.position).distance;
            ASSERT_LE(least, distance) << name_of(family) << " " << seed << ", shape " << id;
            pairs += distance > 0;
            close += distance > 0 && least > 0.99f * distance;
          });
        }
      }
    }
  }
  EXPECT_GT(close, pairs / 2);
}

// At the surface, in and around it, near and far from the origin, of shapes without extent.
TEST_P(Kernels, AreNeverAboveTheDistanceNextToAShape) {
  std::uint64_t points = 0, positive = 0;
  const auto judge = [&](const auto& shape, const Vec3& p) {
    const float least = least_of_one(kernels, shape, p), distance = nearest(shape, p).distance;
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
