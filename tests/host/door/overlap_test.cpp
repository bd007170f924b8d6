// Overlaps on every backend: any, counts and all ids, against brute force over overlaps() alone.
#include "tests/support/backends.hpp"
#include "tests/support/random_queries.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sightline::testing {
namespace {

/// Whether any shape of each body does, of as many whole bodies as there are.
struct Bodies {
  std::uint32_t size, count;
  std::vector<std::uint64_t> bits;
  OverlapReport report;

  Bodies(const Caster& caster, const Scene& queries, std::uint32_t shapes)
      : size(shapes),
        count(static_cast<std::uint32_t>(queries.size()) / size),
        bits((count + 63) / 64, ~std::uint64_t{0}) {
    report = caster.overlap_any(queries, bits, {{0, count * size}, size});
  }
};

struct Overlaps {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> counts;
  OverlapRows rows;
  OverlapReport any, count;
  std::vector<Bodies> bodies;

  Overlaps(const Caster& caster, const Scene& queries)
      : bits((queries.size() + 63) / 64, ~std::uint64_t{0}), counts(queries.size(), 77) {
    any = caster.overlap_any(queries, bits);
    count = caster.overlap_count(queries, counts);
    rows = caster.overlap_all(queries);
    for (const std::uint32_t size : {2u, 3u, 8u, 13u, 24u})
      bodies.emplace_back(caster, queries, size);
  }
};

/// Every pair by the plain functions: no tree, no gate.
OverlapRows plain_rows(const ShapesView& shapes, const ShapesView& queries) {
  OverlapRows rows;
  rows.offsets.push_back(0);
  for (std::uint32_t i = 0; i < queries.size(); ++i) {
    visit_query(queries, i, [&](const auto& q) {
      for (std::uint32_t id = 0; id < shapes.size(); ++id) {
        if ((queries.mask_of(i) & shapes.mask_of(id)) == 0) continue;
        const auto overlap = [&](const auto& s) {
          if constexpr (is_bounded<std::decay_t<decltype(s)>>) {
            if (!overlaps(q.bounds, bounds(s))) return false;
          }
          return overlaps(q.shape, s);
        };
        if (shapes.visit(id, overlap)) rows.ids.push_back(id);
      }
    });
    rows.offsets.push_back(rows.ids.size());
  }
  return rows;
}

void expect_bodies(const Bodies& a, const OverlapRows& truth, const std::string& what) {
  std::uint64_t overlapping = 0;
  for (std::uint64_t b = 0; b < a.count; ++b) {
    const bool any = truth.offsets[b * a.size] != truth.offsets[(b + 1) * a.size];
    ASSERT_EQ(a.bits[b / 64] >> b % 64 & 1, any) << what << ", body " << b << " of " << a.size;
    overlapping += any;
  }
  if (a.count % 64 != 0) {
    EXPECT_EQ(a.bits.back() >> a.count % 64, 0u) << what << ": padding";
  }
  EXPECT_EQ(a.report, (OverlapReport{a.count, overlapping, 0})) << what << ": of " << a.size;
}

void expect_overlaps(const Overlaps& a, const OverlapRows& truth, const std::string& what) {
  const std::uint64_t n = truth.offsets.size() - 1;
  ASSERT_EQ(a.rows.offsets, truth.offsets) << what;
  ASSERT_EQ(a.rows.ids, truth.ids) << what;
  std::uint64_t overlapping = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t count = truth.offsets[i + 1] - truth.offsets[i];
    ASSERT_EQ(a.counts[i], count) << what << ", shape " << i;
    ASSERT_EQ(a.bits[i / 64] >> i % 64 & 1, count > 0 ? 1u : 0u) << what << ", shape " << i;
    overlapping += count > 0;
  }
  if (n % 64 != 0) {
    EXPECT_EQ(a.bits.back() >> n % 64, 0u) << what << ": padding";
  }
  EXPECT_EQ(a.any.asked, n) << what;
  EXPECT_EQ(a.any.overlapping, overlapping) << what;
  EXPECT_EQ(a.any.pairs, 0u) << what;
  EXPECT_EQ(a.count.asked, n) << what;
  EXPECT_EQ(a.count.overlapping, overlapping) << what;
  EXPECT_EQ(a.count.pairs, truth.ids.size()) << what;
  for (const Bodies& bodies : a.bodies) expect_bodies(bodies, truth, what);
}

class Overlap : public EveryBackend {};

TEST_P(Overlap, IsWhatEveryPairSays) {
  std::uint64_t pairs = 0;
  for (const SceneFamily family : families_but_cylinders) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(8, scaled(12)); ++seed) {
      // The cpu backend has no tree for few: host/cpu/queries/overlap_few.hpp.
      const int shapes = seed % 4 == 0 ? 3 : seed % 4 == 1 ? 90 : 300;
      const Scene scene = make_scene(family, shapes, seed);
      const Scene queries = query_scene_with_triangles(scene, seed % 3 == 0 ? 64 : 333, seed + 100);
      const OverlapRows truth = plain_rows(scene.view(), queries.view());
      const std::string what = name_of(family) + (", seed " + std::to_string(seed));
      expect_overlaps(Overlaps(caster(scene), queries), truth, what);
      if (HasFatalFailure()) return;
      pairs += truth.ids.size();
    }
  }
  EXPECT_GT(pairs, scaled(12) * 4 * 100) << "there is something to find";
}

/// The shapes of some kinds alone, without masks; or every second with one that admits nothing.
template <class... Shapes>
Scene plain_part(const Scene& scene, bool masks = false) {
  Scene part;
  const auto take = [&]<class S>(ShapeTag<S>) {
    for (std::uint32_t i = 0; i < scene.view().count(kind_for<S>); ++i) {
      Attributes a;
      if (masks && i % 2 == 1) a.mask = 0;
      part.add(scene.get<S>(i), a);
    }
  };
  (take(ShapeTag<Shapes>()), ...);
  return part;
}

// Balls have ways of their own on the cpu: eight at a time over few shapes, or with the tree.
TEST_P(Overlap, OfBallsAlone) {
  std::uint64_t pairs = 0;
  for (const SceneFamily family : families_but_cylinders) {
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(9, scaled(18)); ++seed) {
      const int shapes = seed % 3 == 0 ? 5 : seed % 3 == 1 ? 100 : 180;
      const Scene all = make_scene(family, shapes, seed);
      const Scene plain = plain_part<Aabb, Obb, Sphere, Capsule, Triangle>(all);
      const Scene asked = query_scene(all, seed % 3 == 0 ? 333 : 2500, seed + 100);
      const bool mixed = seed % 2 == 0;
      const Scene balls = mixed ? asked : plain_part<Sphere>(asked, seed % 4 == 1);
      const Scene& scene = mixed ? all : plain;
      const OverlapRows truth = plain_rows(scene.view(), balls.view());
      const std::string what = name_of(family) + (", seed " + std::to_string(seed));
      expect_overlaps(Overlaps(caster(scene), balls), truth, what);
      if (HasFatalFailure()) return;
      pairs += truth.ids.size();
    }
  }
  EXPECT_GT(pairs, 10000u) << "there is something to find";
}

// Doubles cannot tell what is 2^-54 beside a sphere that ends at 0 from touching it; bounds can.
// Each of these balls is among larger ones, with which its common box meets the shape.
TEST_P(Overlap, OfBallsThatTheirOwnBoundsKeepApart) {
  for (const std::uint32_t others : {0u, 130u}) {
    for (const bool of_box : {false, true}) {
      Scene scene, balls;
      if (of_box) {
        scene.add_aabb({{0x1p-54f, -1, -1}, {1, 1, 1}});
      } else {
        scene.add_sphere({{-1, 0, 0}, 1});
      }
      for (std::uint32_t i = 0; i < others; ++i) {
        scene.add_sphere({{0, 100 + 3.0f * static_cast<float>(i), 0}, 1});
      }
      const Sphere apart = of_box ? Sphere{{-1, 0, 0}, 1} : Sphere{{0x1p-54f, 0, 0}, 0x1p-80f};
      const Sphere beside = of_box ? Sphere{{0, 0, 0}, 1} : Sphere{{0, 0, 0}, 0x1p-10f};
      OverlapRows truth;
      truth.offsets.push_back(0);
      for (int i = 0; i < 800; ++i) {
        balls.add_sphere(i % 2 == 0 ? apart : beside);
        if (i % 2 == 1) truth.ids.push_back(0);
        truth.offsets.push_back(truth.ids.size());
      }
      expect_overlaps(Overlaps(caster(scene), balls), truth, of_box ? "a box" : "a sphere");
    }
  }
}

// So many queries that rows are written in two blocks; neighbours lie in one place, as eights.
TEST_P(Overlap, OfRowsOfEveryLength) {
  constexpr std::uint32_t shapes = 150, asked = 4096 + 300, longest = 20;
  Scene scene;
  for (std::uint32_t id = 0; id < shapes; ++id) {
    scene.add_sphere({{static_cast<float>(id * 37 % shapes), 0, 0}, 0.25f});
  }
  const auto middle = [](std::uint32_t i, std::uint32_t length) {
    const float half = 0.5f * static_cast<float>(length) - 0.5f;
    return static_cast<float>(i / 8 % (shapes - longest)) + half;
  };
  Scene balls, boxes;
  for (std::uint32_t i = 0; i < asked; ++i) {
    const std::uint32_t length = (i / 8 * 5 + i) % (i % 3 == 0 ? 4 : longest + 1);
    const float half = max(0.5f * static_cast<float>(length) - 0.5f, 0.0f);
    const float x = middle(i, length);
    balls.add_sphere({{x, 0, 0}, half + 0.125f});
    boxes.add_aabb({{x - half - 0.125f, 0, 0}, {x + half + 0.125f, 1, 1}});
  }
  for (const Scene* queries : {&balls, &boxes}) {
    const OverlapRows truth = plain_rows(scene.view(), queries->view());
    std::vector<std::uint32_t> of_length(longest + 1);
    for (std::uint32_t i = 0; i < asked; ++i) {
      ++of_length.at(truth.offsets[i + 1] - truth.offsets[i]);
    }
    for (const std::uint32_t seen : of_length) EXPECT_GT(seen, 50u);
    expect_overlaps(Overlaps(caster(scene), *queries), truth,
                    queries == &balls ? "balls" : "boxes");
  }
}

// So many that every thread gets several parts.
TEST_P(Overlap, OfManyShapes) {
  const Scene scene = make_scene(SceneFamily::city, 60, 8);
  const Scene queries = query_scene(scene, 1700, 9);
  const OverlapRows truth = plain_rows(scene.view(), queries.view());
  ASSERT_GT(truth.ids.size(), 150u);
  expect_overlaps(Overlaps(caster(scene), queries), truth, "many");
}

// Over few shapes, so many that they come in parts; over some more; and with a tree.
TEST_P(Overlap, OfManyBodies) {
  for (const std::uint32_t shapes : {6u, 40u, 600u}) {
    Scene scene, balls;
    for (std::uint32_t id = 0; id < shapes; ++id) {
      const float x = static_cast<float>(id * 37 % shapes);
      id % 3 == 0 ? scene.add_sphere({{x, 0, 0}, 0.25f})
                  : scene.add_capsule({{x, 0, 0}, {x, 0.5f, 0}, 0.25f});
    }
    for (std::uint32_t i = 0; i < 24 * (shapes < 10 ? 680 : 60); ++i) {
      // Along y, and some of a hundred beside the last shapes.
      const float x = static_cast<float>(i / 24 % 100) / 100 * 1.2f * static_cast<float>(shapes);
      balls.add_sphere({{x, static_cast<float>(i % 24) * 0.25f - 3, 0}, 0.125f});
    }
    const OverlapRows truth = plain_rows(scene.view(), balls.view());
    ASSERT_GT(truth.ids.size(), 100u);
    expect_overlaps(Overlaps(caster(scene), balls), truth, std::to_string(shapes) + " shapes");
  }
}

// One ball of a body touches a shape, or misses it by a hair: floats cannot tell.
TEST_P(Overlap, OfBodiesThatTouch) {
  for (const std::uint32_t others : {0u, 40u}) {
    Scene scene, balls;
    scene.add_aabb({{-0.25f, -0.25f, -0.25f}, {0.25f, 0.25f, 0.25f}});
    for (std::uint32_t i = 0; i < others; ++i) {
      scene.add_sphere({{100 + 3 * static_cast<float>(i), 0, 0}, 1});
    }
    for (std::uint32_t i = 0; i < 8 * 48; ++i) {
      const float touching = i / 8 % 2 == 0 ? 0.5f : std::nextafter(0.5f, 1.0f);
      balls.add_sphere({{i % 8 == 7 ? touching : 8.0f + static_cast<float>(i % 8), 0, 0}, 0.25f});
    }
    const OverlapRows truth = plain_rows(scene.view(), balls.view());
    ASSERT_EQ(truth.ids.size(), 24u);
    expect_overlaps(Overlaps(caster(scene), balls), truth, std::to_string(others) + " others");
  }
}

// So deep a tree, and rows so long, that each is fetched in many pieces.
TEST_P(Overlap, OfLargeShapesInALargeScene) {
  const Scene scene = make_scene(SceneFamily::city, 3000, 5);
  Scene queries = query_scene(scene, 20, 6);
  queries.add_aabb(scene.bounds());
  const OverlapRows truth = plain_rows(scene.view(), queries.view());
  ASSERT_GE(truth.ids.size(), 3000u);
  expect_overlaps(Overlaps(caster(scene), queries), truth, "city");
}

TEST_P(Overlap, OfNothingAndInNothing) {
  const Scene one = make_scene(SceneFamily::random, 5, 1);
  const Caster over_some = caster(one), over_none = caster(Scene());
  expect_overlaps(Overlaps(over_some, Scene()), {{0}, {}}, "nothing asks");
  Scene queries;
  queries.add_sphere({{0, 0, 0}, 1});
  expect_overlaps(Overlaps(over_none, queries), {{0, 0}, {}}, "an empty scene");
}

// A range of ids that begins and ends within any kind.
TEST_P(Overlap, OfSomeOfTheShapesThatAsk) {
  const Scene scene = make_scene(SceneFamily::adversarial, 100, 2),
              queries = query_scene(scene, 90, 5);
  const Caster some = caster(scene);
  const OverlapRows all = some.overlap_all(queries);
  ASSERT_GT(all.ids.size(), 10u);
  for (std::uint32_t first = 0; first <= 90; first += 6) {
    for (const std::uint32_t n : {0u, 1u, 20u, 64u, none}) {
      if (n != none && first + n > 90) continue;
      const std::uint32_t end = n == none ? 90 : first + n;
      OverlapRows rows = {{0}, {}};
      for (std::uint32_t i = first; i < end; ++i) {
        for (std::uint64_t k = all.offsets[i]; k < all.offsets[i + 1]; ++k) {
          rows.ids.push_back(all.ids[k]);
        }
        rows.offsets.push_back(rows.ids.size());
      }
      const IdRange of = {first, n};
      std::vector<std::uint32_t> counts(end - first);
      std::vector<std::uint64_t> bits((end - first + 63) / 64);
      some.overlap_count(queries, counts, {of});
      some.overlap_any(queries, bits, {.of = of});
      const std::string what = std::to_string(first) + " + " + std::to_string(n);
      const OverlapRows found = some.overlap_all(queries, {of});
      ASSERT_EQ(found.offsets, rows.offsets) << what;
      ASSERT_EQ(found.ids, rows.ids) << what;
      for (std::uint32_t i = 0; i < end - first; ++i) {
        ASSERT_EQ(counts[i], rows.offsets[i + 1] - rows.offsets[i]) << what;
        ASSERT_EQ(bits[i / 64] >> i % 64 & 1, counts[i] > 0 ? 1u : 0u) << what;
      }
    }
  }
  EXPECT_THROW(some.overlap_all(queries, {.of = {91, 0}}), Error);
  EXPECT_THROW(some.overlap_all(queries, {.of = {91}}), Error);
  EXPECT_THROW(some.overlap_all(queries, {.of = {80, 11}}), Error);
}

TEST_P(Overlap, FollowsShapesThatMove) {
  for (const std::uint32_t n : {30u, 300u}) {
    Scene scene;
    for (std::uint32_t k = 0; k < n; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
    Caster moving = caster(scene);
    const Scene queries = query_scene(scene, static_cast<int>(n) + 70, 4);
    const OverlapRows before = plain_rows(scene.view(), queries.view());
    expect_overlaps(Overlaps(moving, queries), before, "where they were");
    for (std::uint32_t k = 0; k < n; ++k) {
      scene.set<Sphere>(k, {{static_cast<float>(n - 1 - k), 0, 0}, 0.25f});
    }
    const OverlapRows truth = plain_rows(scene.view(), queries.view());
    ASSERT_NE(before.ids, truth.ids);
    moving.update(scene);
    expect_overlaps(Overlaps(moving, queries), truth, "moved");
  }
}

TEST_P(Overlap, RefusesPlanesAndWrongSizes) {
  const Caster some = caster(make_scene(SceneFamily::random, 5, 1));
  Scene queries;
  queries.add_sphere({{0, 0, 0}, 1});
  std::vector<std::uint64_t> two_words(2);
  std::vector<std::uint32_t> none_at_all;
  EXPECT_THROW(some.overlap_any(queries, two_words), Error);
  EXPECT_THROW(some.overlap_count(queries, none_at_all), Error);
  EXPECT_THROW(some.overlap_any(queries, std::span(two_words).first(1), {.shapes_per_body = 2}),
               Error);
  EXPECT_THROW(some.overlap_any(queries, std::span(two_words).first(1), {.shapes_per_body = 0}),
               Error);
  queries.add_plane({{0, 0, 1}, 0});
  expect_error(ErrorKind::usage, {}, [&] { some.overlap_all(queries); });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Overlap, ::testing::ValuesIn(every_backend), name_of_backend);

}  // namespace
}  // namespace sightline::testing
