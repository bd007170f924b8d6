// Exposure, distances all around and cover: from their definitions, the same on every backend.
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/cover.hpp>
#include <sightline/error.hpp>
#include <sightline/geometry/exact/octahedral.hpp>
#include <sightline/visibility.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sightline::testing {
namespace {

class BakesOn : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(, BakesOn, ::testing::ValuesIn(every_backend), name_of_backend);

// --- exposure

/// Sums of the columns of the reference's matrix.
std::vector<std::uint32_t> column_sums(const Caster& judge, const PointsView& from,
                                       const std::optional<FieldsView>& fields,
                                       const PointsView& to, const VisibilityOptions& options) {
  const std::uint64_t words = (to.size() + 63) / 64;
  std::vector<std::uint64_t> bits(from.size() * words);
  if (fields) {
    judge.visibility(from, *fields, to, bits, options);
  } else {
    judge.visibility(from, to, bits, options);
  }
  std::vector<std::uint32_t> sums(to.size());
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    for (std::uint64_t j = 0; j < to.size(); ++j) {
      sums[j] += static_cast<std::uint32_t>(bits[i * words + j / 64] >> (j % 64) & 1);
    }
  }
  return sums;
}

TEST_P(BakesOn, ExposureIsTheSumOfTheMatrix) {
  for (const SceneFamily family : ray_families) {
    SCOPED_TRACE(name_of(family));
    const Scene scene = make_scene(family, 80, 11);
    const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
    const auto from = random_points(scene, 130, 1), to = random_points(scene, 200, 2);
    const VisibilityOptions options{30, 0.001f, Inside::solid};
    std::vector<std::uint32_t> counts(to.size(), 5);
    const VisibilityReport r = exposure(tested, rows_of(from), {}, rows_of(to), counts, options);
    EXPECT_EQ(counts, column_sums(judge, rows_of(from), {}, rows_of(to), options));
    std::vector<std::uint64_t> bits(from.size() * 4);
    const VisibilityReport whole = judge.visibility(rows_of(from), rows_of(to), bits, options);
    EXPECT_EQ(r, whole);
  }
}

TEST_P(BakesOn, ExposureWithinFieldsIsTheSumOfTheMatrix) {
  const Scene scene = make_scene(SceneFamily::city, 150, 12);
  const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
  const auto from = random_points(scene, 90, 3), to = random_points(scene, 170, 4);
  FieldsView fields;
  fields.direction.x.common = 1, fields.direction.y.common = 2;
  fields.cosine.common = 0.5f, fields.sine.common = 0.75f;
  std::vector<std::uint32_t> counts(to.size());
  exposure(tested, rows_of(from), fields, rows_of(to), counts);
  const auto expected = column_sums(judge, rows_of(from), fields, rows_of(to), {});
  EXPECT_EQ(counts, expected);
  EXPECT_NE(counts, column_sums(judge, rows_of(from), {}, rows_of(to), {}));
}

TEST(Exposure, CountsThePointsOfASideWithoutOthers) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const Caster caster(scene, CpuOptions{});
  const std::vector<SightPoint> some = {{{std::nanf(""), 0, 0}}, {{0, 0, 0}}, {{5, 0, 0}}}, no;
  std::vector<std::uint32_t> counts(some.size());
  const VisibilityReport unseen = exposure(caster, rows_of(no), {}, rows_of(some), counts);
  EXPECT_EQ(unseen, caster.visibility(rows_of(no), rows_of(some)).report);
  EXPECT_EQ(unseen.bad_targets, 1u);
  EXPECT_EQ(unseen.touching_targets, 1u);
  EXPECT_EQ(exposure(caster, rows_of(some), {}, rows_of(no)).report,
            caster.visibility(rows_of(some), rows_of(no)).report);
}

TEST(Exposure, BlocksAddUp) {
  const Scene scene = make_scene(SceneFamily::city, 60, 13);
  const Caster caster(scene, CpuOptions{});
  const auto many = random_points(scene, 4096 + 70, 5), few = random_points(scene, 40, 6);
  for (const auto& [from, to] : {std::pair(&many, &few), std::pair(&few, &many)}) {
    std::vector<std::uint32_t> counts(to->size());
    const VisibilityReport r = exposure(caster, rows_of(*from), {}, rows_of(*to), counts);
    EXPECT_EQ(counts, column_sums(caster, rows_of(*from), {}, rows_of(*to), {}));
    std::vector<std::uint64_t> bits(from->size() * ((to->size() + 63) / 64));
    const VisibilityReport whole = caster.visibility(rows_of(*from), rows_of(*to), bits);
    EXPECT_EQ(r, whole);
  }
  std::vector<std::uint32_t> wrong(3);
  EXPECT_THROW(exposure(caster, rows_of(few), {}, rows_of(few), wrong), Error);
}

// --- directions

TEST(Octahedral, DirectionsAreUnitAndAroundEvenly) {
  for (const std::uint32_t n : {1u, 2u, 3u, 8u, 33u}) {
    const std::vector<Vec3> all = octahedral_directions(n);
    ASSERT_EQ(all.size(), n * n);
    WideVec3 sum{0, 0, 0};
    for (std::uint32_t k = 0; k < n * n; ++k) {
      const Vec3& d = all[k];
      const long double length =
          std::sqrt(static_cast<long double>(d.x) * d.x + static_cast<long double>(d.y) * d.y +
                    static_cast<long double>(d.z) * d.z);
      EXPECT_NEAR(static_cast<double>(length), 1, 1.1e-7) << n << " " << k;
      const OctahedralPlace p = octahedral_place(d);
      EXPECT_NEAR(p.u, (2.0 * (k % n) + 1) / n - 1, 1e-6);
      EXPECT_NEAR(p.v, (2.0 * (k / n) + 1) / n - 1, 1e-6);
      sum = sum + widened(d);
    }
    // Half a turn about z leaves the directions the same.
    EXPECT_NEAR(sum.x, 0, 1e-6 * n * n);
    EXPECT_NEAR(sum.y, 0, 1e-6 * n * n);
  }
  const Vec3 up = octahedral_directions(3)[4];
  EXPECT_EQ(up.x, 0);
  EXPECT_EQ(up.y, 0);
  EXPECT_EQ(up.z, 1);
}

TEST(Octahedral, EveryDirectionHasItsPlace) {
  std::mt19937_64 draws(1);
  std::uniform_real_distribution<float> part(-1, 1);
  for (int i = 0; i < 20000; ++i) {
    Vec3 d{part(draws), part(draws), part(draws)};
    if (i % 5 == 0) d.z = 0;
    if (i % 7 == 0) d.x = -d.y;
    const OctahedralPlace p = octahedral_place(d);
    ASSERT_LE(std::abs(p.u), 1);
    ASSERT_LE(std::abs(p.v), 1);
    const Vec3 back = octahedral_direction(p);
    const double length = std::sqrt(square(widened(d)));
    ASSERT_NEAR(back.x, d.x / length, 1e-6) << i;
    ASSERT_NEAR(back.y, d.y / length, 1e-6) << i;
    ASSERT_NEAR(back.z, d.z / length, 1e-6) << i;
  }
}

// --- probes

TEST_P(BakesOn, ProbesAreSingleRays) {
  for (const SceneFamily family : ray_families) {
    SCOPED_TRACE(name_of(family));
    const Scene scene = make_scene(family, 70, 21);
    const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
    const auto points = random_points(scene, 40, 9);
    constexpr std::uint32_t n = 6;
    const std::vector<Vec3> directions = octahedral_directions(n);
    for (const Inside inside : {Inside::solid, Inside::ignore}) {
      std::vector<float> distance(points.size() * n * n, -1), expected;
      const CastReport report = probe_distances(tested, rows_of(points), n, distance, {25, inside});
      std::uint64_t hits = 0;
      for (const SightPoint& p : points) {
        for (const Vec3& d : directions) {
          Ray ray;
          ray.origin = p.position, ray.direction = d, ray.t_max = 25;
          ray.mask = p.mask, ray.exclude[0] = p.exclude, ray.exclude_group[0] = p.exclude_group;
          const Answers one = answers_of(judge, rows_of(std::vector<Ray>{ray}), inside);
          expected.push_back(one.t[0]);
          hits += one.id[0] != none;
        }
      }
      EXPECT_TRUE(same_bytes(distance, expected));
      EXPECT_EQ(report.hits, hits);
    }
  }
}

TEST(Probes, ARoomIsAsWideAsItIs) {
  // Six slabs around a cube of half width 3: the distance is 3 over the largest part.
  Scene scene;
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-4.0f, 3.0f}) {
      Aabb wall{{-9, -9, -9}, {9, 9, 9}};
      (&wall.min.x)[axis] = side, (&wall.max.x)[axis] = side + 1;
      scene.add_aabb(wall);
    }
  }
  const Caster caster(scene, CpuOptions{});
  const Vec3 centre{0, 0, 0};
  constexpr std::uint32_t n = 64;
  std::vector<float> distance(n * n);
  probe_distances(caster, {centre}, n, distance);
  const std::vector<Vec3> directions = octahedral_directions(n);
  for (std::uint32_t k = 0; k < n * n; ++k) {
    const double expected = 3.0 / max_abs(directions[k]);
    ASSERT_NEAR(distance[k], expected, 1e-6 * expected) << k;
  }
  probe_distances(caster, {centre}, n, distance, {2.5f});
  for (const float d : distance) EXPECT_EQ(d, infinity);
  EXPECT_THROW(probe_distances(caster, {centre}, 3, distance), Error);
  EXPECT_THROW(octahedral_directions(0), Error);
}

// --- cover

struct CoverColumns {
  std::vector<CoverHeight> height;
  std::vector<std::uint8_t> facing;
  std::vector<float> distance;
  std::vector<std::uint64_t> crouch, stand, left, right;

  explicit CoverColumns(std::size_t n)
      : height(n), facing(n), distance(n), crouch(n), stand(n), left(n), right(n) {}
  CoverView view() { return {height, facing, distance, crouch, stand, left, right}; }
  bool operator==(const CoverColumns&) const = default;
};

/// One point, one ray at a time.
CoverColumns plain_cover(const Caster& judge, const std::vector<SightPoint>& points,
                         const CoverOptions& o) {
  CoverColumns c(points.size());
  const std::vector<Vec3> directions = cover_directions(o.directions, o.up);
  const auto at = [](const SightPoint& p, const Vec3& by, float length) {
    SightPoint moved = p;
    const WideVec3 to = widened(p.position) + widened(by) * length;
    moved.position = narrowed(to);
    return moved;
  };
  const auto sees = [&](const SightPoint& p, const SightPoint& q) {
    std::uint64_t bit = 0;
    judge.visibility_pairs(rows_of(std::vector{p}), rows_of(std::vector{q}), {&bit, 1});
    return bit != 0;
  };
  const auto first_hit = [&](const SightPoint& p, const Vec3& d, float length) {
    Ray ray;
    ray.origin = p.position, ray.direction = d, ray.t_max = length;
    ray.mask = p.mask, ray.exclude[0] = p.exclude, ray.exclude_group[0] = p.exclude_group;
    return answers_of(judge, rows_of(std::vector<Ray>{ray}), Inside::solid).t[0];
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    c.distance[i] = infinity;
    const SightPoint low = at(points[i], o.up, o.crouch - o.at);
    const SightPoint high = at(points[i], o.up, o.stand - o.at);
    float nearest = 0;
    std::uint32_t id = 0;
    Vec3 point, direction;
    judge.nearest(rows_of(std::vector{low}),
                  {{&nearest, 1}, {&id, 1}, {&point, 1}, {&direction, 1}}, {1, o.reach});
    if (!sees(low, low) || !(o.radius <= nearest && nearest <= o.reach)) continue;
    for (std::uint32_t k = 0; k < o.directions; ++k) {
      const float t = first_hit(low, directions[k], o.reach);
      if (t == infinity) continue;
      const std::uint64_t bit = std::uint64_t{1} << k;
      c.crouch[i] |= bit;
      if (t < c.distance[i]) c.distance[i] = t, c.facing[i] = static_cast<std::uint8_t>(k);
      if (!sees(high, high) || first_hit(high, directions[k], o.reach) == infinity) continue;
      c.stand[i] |= bit;
      for (const bool left : {true, false}) {
        const std::uint32_t quarter = o.directions / 4, turn = left ? quarter : 3 * quarter;
        const SightPoint side = at(high, directions[(k + turn) % o.directions], o.lean);
        if (!sees(high, side) || first_hit(side, directions[k], o.view) != infinity) continue;
        (left ? c.left : c.right)[i] |= bit;
      }
    }
    if (c.crouch[i] != 0) {
      c.height[i] = c.stand[i] != 0 ? CoverHeight::stand : CoverHeight::crouch;
    }
  }
  return c;
}

TEST_P(BakesOn, CoverIsThatOfSingleRays) {
  std::uint64_t with_cover = 0, leaning = 0;
  for (const SceneFamily family : every_family) {
    SCOPED_TRACE(name_of(family));
    const Scene scene = make_scene(family, 60, 31);
    const Caster judge(scene, ReferenceOptions{}), tested = caster(scene);
    const auto points = random_points(scene, 60, 8);
    CoverOptions o;
    o.directions = family == SceneFamily::city ? 64 : 8;
    if (family == SceneFamily::random) o.up = {0, 1, 0};
    o.at = 0.25f, o.radius = 0.01f, o.reach = 6, o.lean = 1, o.view = 9;
    CoverColumns found(points.size());
    const CoverReport r = cover(tested, rows_of(points), found.view(), o);
    const CoverColumns expected = plain_cover(judge, points, o);
    EXPECT_EQ(found, expected);
    std::uint64_t crouch = 0, stand = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      crouch += expected.height[i] == CoverHeight::crouch;
      stand += expected.height[i] == CoverHeight::stand;
      leaning += (expected.left[i] | expected.right[i]) != 0;
    }
    EXPECT_EQ(r.crouch, crouch);
    EXPECT_EQ(r.stand, stand);
    with_cover += crouch + stand;
  }
  EXPECT_GT(with_cover, 10u);
  EXPECT_GT(leaning, 3u);
}

TEST(Cover, KnownPlaces) {
  Scene scene;
  scene.add_aabb({{-50, -50, -1}, {50, 50, 0}});  // the floor
  scene.add_aabb({{2, -1, 0}, {3, 1, 1.2f}});     // a crate
  scene.add_aabb({{-3, -10, 0}, {-2, 1, 3}});     // a wall that ends at y = 1
  const Caster caster(scene, CpuOptions{});
  const std::vector<Vec3> feet = {{1, 0, 0},   {-1, 0.75f, 0}, {-1, -5, 0},
                                  {30, 30, 0}, {2.5f, 0, 0},   {1.9f, 0, 0}};
  CoverColumns c(feet.size());
  CoverOptions o;
  o.reach = 1.5f;
  const CoverReport r = cover(caster, {Vec3Column::rows(feet)}, c.view(), o);
  EXPECT_EQ(r.points, 6u);
  // Behind the crate: crouching, facing +x, safe there and not elsewhere.
  EXPECT_EQ(c.height[0], CoverHeight::crouch);
  EXPECT_EQ(c.facing[0], 0);
  EXPECT_EQ(c.distance[0], 1);
  EXPECT_EQ(c.crouch[0] & 1, 1u);
  EXPECT_EQ(c.crouch[0] >> 16 & 1, 0u);
  EXPECT_EQ(c.stand[0], 0u);
  // Near the wall's end, facing -x: its free side is y > 1, on the right.
  const std::uint64_t behind = std::uint64_t{1} << 16;
  EXPECT_EQ(c.height[1], CoverHeight::stand);
  EXPECT_EQ(c.facing[1], 16);
  EXPECT_TRUE(c.stand[1] & behind);
  EXPECT_TRUE(c.right[1] & behind);
  EXPECT_FALSE(c.left[1] & behind);
  // In its middle there is nowhere to lean to.
  EXPECT_EQ(c.height[2], CoverHeight::stand);
  EXPECT_EQ((c.left[2] | c.right[2]) & behind, 0u);
  // In the open, in the crate, and too near to it.
  for (const std::size_t i : {3u, 4u, 5u}) {
    EXPECT_EQ(c.height[i], CoverHeight::no_cover) << i;
    EXPECT_EQ(c.distance[i], infinity) << i;
  }
}

TEST(Cover, DirectionsAreEvenAndExactAtQuarters) {
  for (const std::uint32_t n : {4u, 8u, 16u, 32u, 64u}) {
    const std::vector<Vec3> flat = cover_directions(n, {0, 0, 1}),
                            tall = cover_directions(n, {0, 1, 0});
    ASSERT_EQ(flat.size(), n);
    for (std::uint32_t k = 0; k < n; ++k) {
      const double a = 2 * 3.14159265358979323846 * k / n;
      EXPECT_NEAR(flat[k].x, std::cos(a), 1e-7);
      EXPECT_NEAR(flat[k].y, std::sin(a), 1e-7);
      EXPECT_EQ(flat[k].z, 0);
      EXPECT_EQ(tall[k].x, flat[k].x);
      EXPECT_EQ(tall[k].y, 0);
      EXPECT_EQ(tall[k].z, -flat[k].y);
    }
    EXPECT_EQ(flat[n / 4].x, 0);
    EXPECT_EQ(flat[n / 4].y, 1);
    EXPECT_EQ(flat[n / 2].x, -1);
  }
  EXPECT_THROW(cover_directions(12, {0, 0, 1}), Error);
  EXPECT_THROW(cover_directions(8, {1, 0, 0}), Error);
  const Caster caster(Scene{}, ReferenceOptions{});
  CoverOptions wrong;
  wrong.radius = 5;
  EXPECT_THROW(cover(caster, {}, {}, wrong), Error);
}

}  // namespace
}  // namespace sightline::testing
