// Areas that see each other: samples, counts, classes, the same on every backend.
#include "host/bakes/visibility/low_discrepancy.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/sanitized.hpp"

#include <sightline/error.hpp>
#include <sightline/visibility.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sightline::testing {
namespace {

/// Points of a scene in areas of every size, some without any.
AreaSamples random_areas(const Scene& scene, std::uint64_t points, std::uint64_t areas,
                         std::uint64_t seed) {
  std::vector<Vec3> position;
  std::vector<std::uint32_t> area;
  std::mt19937_64 draws(seed);
  for (const SightPoint& p : random_points(scene, points, seed)) {
    position.push_back(p.position);
    // A third of them in the first area, so that one is large, and none in the second.
    const std::uint64_t other = 2 + draws() % (areas - 2);
    area.push_back(static_cast<std::uint32_t>(draws() % 3 == 0 ? 0 : other));
  }
  return group_points(position, area, areas);
}

/// Counts by single segments, from the definition.
std::vector<std::uint32_t> counted_by_pairs(const Caster& caster, const AreaSamples& s,
                                            const VisibilityOptions& options) {
  std::vector<std::uint32_t> counts;
  for (std::uint64_t a = 0; a < s.size(); ++a) {
    for (std::uint64_t b = 0; b < s.size(); ++b) {
      std::uint32_t n = 0;
      for (std::uint64_t i = s.offsets[a]; i < s.offsets[a + 1]; ++i) {
        for (std::uint64_t j = s.offsets[b]; j < s.offsets[b + 1]; ++j) {
          std::uint64_t bit = 0;
          caster.visibility_pairs(s.view().slice(i, 1), s.view().slice(j, 1), {&bit, 1}, options);
          n += static_cast<std::uint32_t>(bit);
        }
      }
      counts.push_back(n);
    }
  }
  return counts;
}

std::vector<std::uint32_t> counts_of(const Caster& caster, const AreaSamples& s,
                                     const VisibilityOptions& options) {
  std::vector<std::uint32_t> counts(s.size() * s.size(), 77);
  area_counts(caster, s, {}, {}, counts, options);
  return counts;
}

std::vector<AreaClass> classes_by(const std::vector<std::uint32_t>& counts, const AreaSamples& s) {
  std::vector<AreaClass> classes;
  for (std::uint64_t k = 0; k < counts.size(); ++k) {
    classes.push_back(area_class(counts[k], s.count(k / s.size()) * s.count(k % s.size())));
  }
  return classes;
}

class AreasOn : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(, AreasOn, ::testing::ValuesIn(every_backend), name_of_backend);

TEST_P(AreasOn, CountsAreThoseOfSingleSegments) {
  for (const SceneFamily family : ray_families) {
    SCOPED_TRACE(name_of(family));
    const Scene scene = make_scene(family, 60, 3);
    const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
    for (const Inside inside : {Inside::solid, Inside::ignore}) {
      const VisibilityOptions options{20, 0, inside};
      const AreaSamples s = free_samples(judge, random_areas(scene, 90, 9, 5), inside);
      const std::vector<std::uint32_t> expected = counted_by_pairs(judge, s, options);
      EXPECT_EQ(counts_of(tested, s, options), expected);
      std::vector<AreaClass> classes(expected.size());
      area_classes(tested, s, {}, {}, classes, options);
      EXPECT_EQ(classes, classes_by(expected, s));
    }
  }
}

TEST_P(AreasOn, RangesAreParts) {
  const Scene scene = make_scene(SceneFamily::city, 200, 1);
  const Caster tested = caster(scene);
  const AreaSamples s = free_samples(tested, random_areas(scene, 300, 12, 2), Inside::solid);
  const std::vector<std::uint32_t> whole = counts_of(tested, s, {});
  const std::vector<AreaClass> whole_classes = classes_by(whole, s);
  for (const auto& [rows, columns] :
       {std::pair(IdRange{0, 5}, IdRange{5, none}), std::pair(IdRange{5, 7}, IdRange{0, 5}),
        std::pair(IdRange{3, 3}, IdRange{3, 3})}) {
    const std::uint64_t width = columns.count == none ? s.size() - columns.first : columns.count;
    std::vector<std::uint32_t> part(rows.count * width);
    std::vector<AreaClass> classes(part.size());
    area_counts(tested, s, rows, columns, part);
    const std::uint64_t segments = area_classes(tested, s, rows, columns, classes);
    const AreaCounts own = area_counts(tested, s, rows, columns);
    const AreaClasses own_classes = area_classes(tested, s, rows, columns);
    EXPECT_EQ(own.visible, part);
    EXPECT_EQ(own_classes.classes, classes);
    EXPECT_EQ(own_classes.segments, segments);
    ASSERT_EQ(own.columns, width);
    EXPECT_EQ(own(1, 2), part[width + 2]);
    EXPECT_EQ(own_classes(2, 1), classes[2 * width + 1]);
    for (std::uint64_t k = 0; k < part.size(); ++k) {
      const std::uint64_t at = (rows.first + k / width) * s.size() + columns.first + k % width;
      ASSERT_EQ(part[k], whole[at]);
      ASSERT_EQ(classes[k], whole_classes[at]);
    }
  }
}

TEST(Areas, OwnAnswersThatDoNotFitAreRefusedInWords) {
  const Caster caster(Scene(), CpuOptions{1});
  AreaSamples s;
  s.offsets.assign((std::uint64_t{1} << 20) + 1, 0);
  const std::string words = "no memory for 1048576 x 1048576 pairs of areas";
  expect_error(ErrorKind::usage, {"past the last"}, [&] { area_counts(caster, s, {0, 1 << 21}); });
  if (sanitized) GTEST_SKIP() << "a sanitizer ends a program that asks for too much memory";
  expect_error(ErrorKind::out_of_memory, {words}, [&] { area_counts(caster, s); });
  expect_error(ErrorKind::out_of_memory, {words}, [&] { area_classes(caster, s); });
}

// Larger than a block of the matrix, so that areas lie across its edges.
TEST(Areas, BlocksAddUp) {
  const Scene scene = make_scene(SceneFamily::city, 100, 4);
  const Caster caster(scene, CpuOptions{});
  const AreaSamples s = random_areas(scene, 4096 + 300, 40, 6);
  const std::vector<std::uint32_t> counts = counts_of(caster, s, {});
  std::vector<std::uint64_t> bits((s.point.size() + 63) / 64);
  std::vector<std::uint32_t> expected(counts.size());
  std::vector<std::uint32_t> area(s.point.size());
  for (std::uint32_t a = 0; a < s.size(); ++a) {
    for (std::uint64_t i = s.offsets[a]; i < s.offsets[a + 1]; ++i) area[i] = a;
  }
  for (std::uint64_t i = 0; i < s.point.size(); ++i) {
    caster.visibility(s.view().slice(i, 1), s.view(), bits);
    for (std::uint64_t j = 0; j < s.point.size(); ++j) {
      expected[area[i] * s.size() + area[j]] +=
          static_cast<std::uint32_t>(bits[j / 64] >> (j % 64) & 1);
    }
  }
  EXPECT_EQ(counts, expected);
}

// All classes need all samples, which are more columns than a block of the matrix has.
TEST(Areas, ClassesBesideAWallNeedAllSamples) {
  Scene scene;
  scene.add_aabb({{-1, -100, 0}, {1, 100, 10}});
  const Caster caster(scene, CpuOptions{});
  Areas areas;
  for (int i = 0; i < 60; ++i) {
    const float x = i % 2 == 0 ? -12.0f : 2.0f, y = static_cast<float>(i);
    const Vec3 corners[] = {{x, y, 1}, {x + 10, y, 1}, {x + 10, y + 1, 1}, {x, y + 1, 1}};
    areas.add(corners, 3);
  }
  const AreaSamples s = sample_areas(areas, 80);
  std::vector<AreaClass> classes(s.size() * s.size());
  EXPECT_EQ(area_classes(caster, s, {}, {}, classes), 60u * 60 * (4 * 4 + 80 * 80));
  for (std::uint64_t k = 0; k < classes.size(); ++k) {
    const bool one_side = (k / s.size() + k % s.size()) % 2 == 0;
    EXPECT_EQ(classes[k], one_side ? AreaClass::fully : AreaClass::hidden) << k;
  }
}

TEST(Areas, ClassesStopEarlyAndAreTheSame) {
  const Scene scene = make_scene(SceneFamily::city, 200, 7);
  const Caster caster(scene, CpuOptions{});
  Areas areas;
  const Aabb box = scene.bounds();
  for (int i = 0; i < 49; ++i) {
    const float w = (box.max.x - box.min.x) / 7, h = (box.max.y - box.min.y) / 7;
    const float x = box.min.x + w * static_cast<float>(i % 7);
    const float y = box.min.y + h * static_cast<float>(i / 7);
    const Vec3 corners[] = {{x, y, 1}, {x + w, y, 1}, {x + w, y + h, 1}, {x, y + h, 1}};
    areas.add(corners, 30);
  }
  const AreaSamples s = free_samples(caster, sample_areas(areas, 40), Inside::solid);
  std::vector<AreaClass> classes(s.size() * s.size());
  const std::uint64_t segments = area_classes(caster, s, {}, {}, classes);
  EXPECT_EQ(classes, classes_by(counts_of(caster, s, {}), s));
  EXPECT_LT(segments, s.point.size() * s.point.size());
  for (const AreaClass c : {AreaClass::hidden, AreaClass::partly}) {
    EXPECT_GT(std::count(classes.begin(), classes.end(), c), 0);
  }
}

TEST(Areas, FreeSamplesAreThoseThatTouchNothing) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  const Caster caster(scene, ReferenceOptions{});
  const Vec3 points[] = {{0.5f, 0.5f, 0.5f}, {2, 0, 0}, {1, 0.5f, 0.5f}, {NAN, 0, 0}, {-1, 0, 0}};
  const std::uint32_t area[] = {0, 2, 2, 3, 0};
  const AreaSamples s = group_points(points, area, 5);
  const AreaSamples solid = free_samples(caster, s, Inside::solid);
  EXPECT_EQ(solid.offsets, (std::vector<std::uint64_t>{0, 1, 1, 2, 2, 2}));
  EXPECT_EQ(solid.point[0].x, -1);
  EXPECT_EQ(solid.point[1].x, 2);
  EXPECT_EQ(free_samples(caster, s, Inside::ignore).point.size(), 4u);
}

// --- samples

TEST(AreaSamplesTest, LieInTheirAreasAndFillThemEvenly) {
  Areas areas;
  const Vec3 square[] = {{0, 0, 5}, {8, 0, 5}, {8, 8, 5}, {0, 8, 5}};
  const Vec3 tilted[] = {{0, 0, 0}, {4, 0, 0}, {6, 3, 1}, {4, 6, 2}, {0, 6, 2}, {-2, 3, 1}};
  areas.add(square, 2);
  areas.add(tilted, 0, 600);
  const AreaSamples s = sample_areas(areas, 1024);
  ASSERT_EQ(s.offsets, (std::vector<std::uint64_t>{0, 1024, 1624}));
  int cell[64] = {}, layer[4] = {};
  for (int i = 0; i < 1024; ++i) {
    const Vec3& p = s.point[static_cast<std::size_t>(i)];
    ASSERT_TRUE(0 <= p.x && p.x <= 8 && 0 <= p.y && p.y <= 8 && 5 <= p.z && p.z <= 7) << i;
    ++cell[std::min(7, static_cast<int>(p.x)) * 8 + std::min(7, static_cast<int>(p.y))];
    ++layer[std::min(3, static_cast<int>((p.z - 5) * 2))];
  }
  for (const int n : cell) EXPECT_TRUE(8 <= n && n <= 24) << n;  // 16 on average
  for (const int n : layer) EXPECT_TRUE(245 <= n && n <= 267) << n;
  for (std::size_t i = 1024; i < 1624; ++i) {
    const Vec3& p = s.point[i];
    EXPECT_NEAR(p.z, p.y / 3, 1e-5);
    // Left and right of the hexagon: |x - 2| <= 2 + 2 (1 - |y - 3| / 3).
    EXPECT_LE(std::abs(p.x - 2), 2 + 2 * (1 - std::abs(p.y - 3) / 3) + 1e-5);
  }
}

TEST(AreaSamplesTest, FewerAreTheBeginningOfMore) {
  Areas areas;
  const Vec3 corners[] = {{1, 2, 3}, {4, 2, 3}, {3, 7, 3}};
  areas.add(corners, 1.5f);
  const AreaSamples few = sample_areas(areas, 5), many = sample_areas(areas, 500);
  EXPECT_TRUE(same_bytes(few.point, {many.point.begin(), many.point.begin() + 5}));
  const AreaSamples other = sample_areas(areas, 5, {0, 1, 0});
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(other.point[i].z, 3);
}

TEST(AreaSamplesTest, SequenceIsThatOfExactFractions) {
  const UnitPoint first = unit_point(0);
  EXPECT_NEAR(first.u, 0.31917251339616444, 1e-15);
  EXPECT_NEAR(first.v, 0.17104360670378921, 1e-15);
  EXPECT_NEAR(first.w, 0.04970047790197027, 1e-15);
  for (std::uint64_t k = 1; k < 1000; ++k) {
    const double turns = 0.5 + static_cast<double>(k + 1) * 0.81917251339616443970;
    EXPECT_NEAR(unit_point(k).u, turns - std::floor(turns), 1e-12);
  }
}

void expect_refused(const Areas& areas, const std::string& words) {
  expect_error(ErrorKind::bad_input, {"area 1 " + words}, [&] { sample_areas(areas, 4); });
}

TEST(AreaSamplesTest, BadAreasAreNamed) {
  const std::vector<Vec3> good = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const auto with = [&](std::vector<Vec3> corners, float height, std::uint32_t samples = 0) {
    Areas areas;
    areas.add(good, 1);
    areas.add(corners, height, samples);
    return areas;
  };
  expect_refused(with({{0, 0, 0}, {1, 0, 0}}, 1), "has fewer than 3 corners");
  expect_refused(with(good, -1), "has a height");
  expect_refused(with(good, NAN), "has a height");
  expect_refused(with(good, INFINITY), "goes beyond");
  expect_refused(with({{0, 0, 0}, {NAN, 0, 0}, {1, 1, 0}}, 1), "goes beyond");
  expect_refused(with({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 1), "has no extent");
  expect_refused(with({{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}}, 1), "is not convex");
  expect_refused(with({{4, 0, 0}, {1, 1, 0}, {0, 4, 0}, {0, 0, 0}}, 1), "is not convex");
  // A pentagram turns left everywhere.
  std::vector<Vec3> star;
  for (int k = 0; k < 5; ++k) {
    const double a = 2 * 3.14159265 * 2 * k / 5;
    star.push_back({static_cast<float>(std::cos(a)), static_cast<float>(std::sin(a)), 0});
  }
  expect_refused(with(star, 1), "is not convex");
  expect_refused(with(good, 1, 70000), "asks for more");
  const std::vector<Vec3> one(1);
  const std::vector<std::uint32_t> third(1, 2);
  EXPECT_THROW(group_points(one, third, 2), Error);
  EXPECT_THROW(sample_areas(with(good, 1), 0), Error);
}

}  // namespace
}  // namespace sightline::testing
