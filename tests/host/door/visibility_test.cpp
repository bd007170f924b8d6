// Line of sight: the matrix, its halves, its pairs and its report.
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace sightline::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

using Point = SightPoint;

std::uint64_t words(std::uint64_t n) { return (n + 63) / 64; }
bool bit_of(const Bits& bits, std::uint64_t columns, std::uint64_t i, std::uint64_t j) {
  return (bits[i * words(columns) + j / 64] >> (j % 64) & 1) != 0;
}
std::uint64_t ones(const Bits& bits) {
  std::uint64_t n = 0;
  for (const std::uint64_t word : bits) n += static_cast<std::uint64_t>(std::popcount(word));
  return n;
}

/// Line of sight as the contract words it, from the door's closest_hit alone, row by row; `solid`
/// or `surface`.
std::vector<bool> plainly_seen(const Caster& caster, const std::vector<Point>& from,
                               const std::vector<Point>& to, const VisibilityOptions& o) {
  std::vector<Ray> rays;
  std::vector<bool> seen;
  for (const Point& p : from) {
    for (const Point& q : to) {
      const Vec3 &a = p.position, &b = q.position;
      const bool q_first = b.x < a.x || (b.x == a.x && (b.y < a.y || (b.y == a.y && b.z < a.z)));
      Ray ray;
      ray.origin = q_first ? b : a;
      ray.direction = q_first ? minus(a, b) : minus(b, a);
      const Vec3 d = ray.direction;
      ray.t_min = o.margin;
      ray.t_max = 1 - o.margin;
      ray.mask = p.mask & q.mask;
      ray.exclude[0] = p.exclude, ray.exclude[1] = q.exclude;
      ray.exclude_group[0] = p.exclude_group, ray.exclude_group[1] = q.exclude_group;
      rays.push_back(ray);
      seen.push_back(in_domain(p.position) && in_domain(q.position) &&
                     fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)) <= o.range * o.range);
    }
  }
  std::vector<std::uint8_t> flags(rays.size());
  caster.closest_hit(rows_of(rays), {.flags = flags}, {o.inside, true});
  for (std::size_t k = 0; k < rays.size(); ++k) {
    seen[k] = seen[k] && (flags[k] & hit_flags::hit) == 0;
  }
  return seen;
}

class Visibility : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Visibility, ::testing::ValuesIn(every_backend), name_of_backend);

TEST_P(Visibility, IsWhatClosestHitSays) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Caster c = caster(make_scene(ray_family(seed), 60, seed));
    const std::uint64_t v = 1 + 9 * seed % 80, t = 1 + 37 * seed % 150;
    const std::vector<Point> from = random_points(c.scene(), v, seed);
    const std::vector<Point> to = random_points(c.scene(), t, seed + 100);
    for (const VisibilityOptions& o : {VisibilityOptions{},
                                       {20, 0, Inside::solid},
                                       {infinity, 0.25f, Inside::solid},
                                       {infinity, 0, Inside::surface},
                                       {15, 0.01f, Inside::surface}}) {
      Bits bits(v * words(t), ~std::uint64_t{0});
      const VisibilityReport report = c.visibility(rows_of(from), rows_of(to), bits, o);
      const std::vector<bool> seen = plainly_seen(c, from, to, o);
      for (std::uint64_t i = 0; i < v; ++i) {
        for (std::uint64_t j = 0; j < t; ++j) {
          ASSERT_EQ(bit_of(bits, t, i, j), seen[i * t + j])
              << "seed " << seed << ", pair " << i << " " << j;
        }
        ASSERT_TRUE(t % 64 == 0 || bits[(i + 1) * words(t) - 1] >> (t % 64) == 0);
      }
      EXPECT_EQ(report.pairs, v * t);
      EXPECT_EQ(report.visible, ones(bits));
    }
  }
}

TEST_P(Visibility, PairsAndTheOtherDirectionAgree) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Caster c = caster(make_scene(ray_family(seed), 60, seed));
    const std::uint64_t n = 60 + 13 * seed;
    const std::vector<Point> a = random_points(c.scene(), n, seed);
    const std::vector<Point> b = random_points(c.scene(), n, seed + 100);
    for (const Inside inside : every_policy) {
      const VisibilityOptions o{seed % 2 ? infinity : 12.0f, seed % 3 ? 0.0f : 0.02f, inside};
      Bits ab(n * words(n)), ba(n * words(n)), pairs(words(n), ~std::uint64_t{0});
      c.visibility(rows_of(a), rows_of(b), ab, o);
      c.visibility(rows_of(b), rows_of(a), ba, o);
      const VisibilityReport report = c.visibility_pairs(rows_of(a), rows_of(b), pairs, o);
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint64_t j = 0; j < n; ++j) {
          ASSERT_EQ(bit_of(ab, n, i, j), bit_of(ba, n, j, i)) << "seed " << seed;
        }
        ASSERT_EQ(bit_of(ab, n, i, i), bit_of(pairs, n, 0, i)) << "seed " << seed;
      }
      for (std::uint64_t begin = 0, few = 1; begin < n; begin += few, few = few % 30 + 7) {
        few = std::min(few, n - begin);
        std::uint64_t bits = ~std::uint64_t{0};
        c.visibility_pairs(rows_of(a).slice(begin, few), rows_of(b).slice(begin, few), {&bits, 1},
                           o);
        for (std::uint64_t i = 0; i < 64; ++i) {
          ASSERT_EQ(bits >> i & 1, i < few && bit_of(pairs, n, 0, begin + i)) << "seed " << seed;
        }
      }
      EXPECT_TRUE(n % 64 == 0 || pairs.back() >> (n % 64) == 0);
      EXPECT_EQ(report.pairs, n);
      EXPECT_EQ(report.visible, ones(pairs));
    }
  }
}

TEST_P(Visibility, ASetAgainstItselfIsTheWholeMatrix) {
  for (const std::uint64_t n : {1u, 63u, 64u, 65u, 128u, 200u}) {
    const Caster c = caster(make_scene(SceneFamily::random, 50, n));
    const std::vector<Point> points = random_points(c.scene(), n, n + 1);
    for (const Inside inside : every_policy) {
      const VisibilityOptions o{infinity, 0.01f, inside};
      Bits half(n * words(n), ~std::uint64_t{0}), whole(n * words(n));
      EXPECT_EQ(c.visibility(rows_of(points), half, o),
                c.visibility(rows_of(points), rows_of(points), whole, o));
      EXPECT_EQ(half, whole) << n << " points";
    }
  }
}

TEST_P(Visibility, IsTheReferencesBytes) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(16)); ++seed) {
    const Scene scene = make_scene(ray_family(seed), 80, seed);
    const Caster reference(scene, ReferenceOptions{}), c = caster(scene);
    const std::vector<Point> from = random_points(scene, 100, seed + 1);
    const std::vector<Point> to = random_points(scene, 131, seed + 2);
    for (const Inside inside : every_policy) {
      const VisibilityOptions o{infinity, seed % 2 ? 0.0f : 0.01f, inside};
      Bits truth(100 * words(131)), bits(truth.size(), 1);
      EXPECT_EQ(reference.visibility(rows_of(from), rows_of(to), truth, o),
                c.visibility(rows_of(from), rows_of(to), bits, o));
      ASSERT_EQ(truth, bits) << "seed " << seed;
    }
  }
}

/// The points without filters but for one: 0 mask, 1 exclude, 2 exclude_group; as a column of one
/// value each, or the same for all.
PointsView with_one_filter(const std::vector<Point>& points, int filter, bool common) {
  PointsView v = rows_of(points), all = v;
  v.mask = {}, v.exclude = {}, v.exclude_group = {};
  v.mask.common = ~0u, v.exclude.common = none, v.exclude_group.common = none;
  if (filter == 0 && !common) v.mask = all.mask;
  if (filter == 1 && !common) v.exclude = all.exclude;
  if (filter == 2 && !common) v.exclude_group = all.exclude_group;
  if (filter == 0 && common) v.mask.common = 6;
  if (filter == 1 && common) v.exclude.common = 7;
  if (filter == 2 && common) v.exclude_group.common = 1;
  return v;
}

/// The matrix, a set against itself, pairs, and the points that touch.
struct Sight {
  Bits matrix, self, pairs;
  std::uint64_t touching[3];
  bool operator==(const Sight&) const = default;
};
Sight sight(const Caster& c, const PointsView& from, const PointsView& to) {
  const std::uint64_t n = from.count;
  Sight s{Bits(n * words(n)), Bits(n * words(n)), Bits(words(n)), {}};
  s.touching[0] = c.visibility(from, to, s.matrix).touching_targets;
  s.touching[1] = c.visibility(from, s.self).touching_viewpoints;
  s.touching[2] = c.visibility_pairs(from, to, s.pairs).touching_viewpoints;
  return s;
}

TEST_P(Visibility, OneFilterAtATimeOnEitherSide) {
  constexpr std::uint64_t n = 70, seed = 5;
  const Scene scene = make_scene(SceneFamily::random, 60, seed);
  const Caster reference(scene, ReferenceOptions{}), c = caster(scene);
  const std::vector<Point> a = random_points(scene, n, seed), b = random_points(scene, n, seed + 1);
  const PointsView free_a = with_one_filter(a, -1, false), free_b = with_one_filter(b, -1, false);
  const Sight unfiltered = sight(reference, free_a, free_b);
  EXPECT_TRUE(sight(c, free_a, free_b) == unfiltered);
  for (int filter = 0; filter < 3; ++filter) {
    for (const bool common : {false, true}) {
      const PointsView one_a = with_one_filter(a, filter, common),
                       one_b = with_one_filter(b, filter, common);
      const PointsView sides[3][2] = {{one_a, free_b}, {free_a, one_b}, {one_a, one_b}};
      for (const auto& [from, to] : sides) {
        const Sight expected = sight(reference, from, to);
        EXPECT_FALSE(expected.matrix == unfiltered.matrix) << filter << " changes nothing";
        EXPECT_TRUE(sight(c, from, to) == expected) << "filter " << filter << ", common " << common;
      }
    }
  }
}

TEST_P(Visibility, RowsInChunksEqualTheWhole) {
  const Caster c = caster(make_scene(SceneFamily::city, 80, 3));
  const std::vector<Point> from = random_points(c.scene(), 50, 1),
                           to = random_points(c.scene(), 90, 2);
  Bits whole(50 * 2), parts(50 * 2);
  c.visibility(rows_of(from), rows_of(to), whole);
  for (std::uint64_t i = 0; i < 50; i += 7) {
    const std::uint64_t n = std::min<std::uint64_t>(7, 50 - i);
    c.visibility(rows_of(from).slice(i, n), rows_of(to), std::span(parts).subspan(i * 2, n * 2));
  }
  EXPECT_EQ(whole, parts);
}

TEST_P(Visibility, EmptySetsAndEmptyScenes) {
  const Caster c = caster(Scene{});
  const std::vector<Point> points(70, Point{{1, 2, 3}});
  EXPECT_EQ(c.visibility(rows_of(points), PointsView{}).report.pairs, 0u);
  EXPECT_EQ(c.visibility(PointsView{}, rows_of(points)).report.pairs, 0u);
  EXPECT_EQ(c.visibility(PointsView{}).report.pairs, 0u);
  EXPECT_EQ(c.visibility_pairs(PointsView{}, PointsView{}).report.pairs, 0u);
  Bits bits(70 * 2);
  const VisibilityReport report = c.visibility(rows_of(points), bits);
  EXPECT_EQ(report.visible, 4900u);
  EXPECT_EQ(report.touching_viewpoints, 0u);
  EXPECT_EQ(bits[1], 63u);
}

/// Whether p sees q over these shapes, both ways round.
bool sees(const Caster& c, const Point& p, const Point& q, const VisibilityOptions& o = {}) {
  Bits there(1), back(1);
  c.visibility_pairs(rows_of({p}), rows_of({q}), there, o);
  c.visibility_pairs(rows_of({q}), rows_of({p}), back, o);
  EXPECT_EQ(there, back);
  return there[0] == 1;
}

TEST_P(Visibility, RangeIsClosed) {
  const Caster c = caster(Scene{});
  const Point p{{0, 0, 0}}, q{{3, 4, 0}};
  EXPECT_TRUE(sees(c, p, q, {5, 0, Inside::solid}));
  EXPECT_FALSE(sees(c, p, q, {next_down(5), 0, Inside::solid}));
  EXPECT_TRUE(sees(c, p, p, {0, 0, Inside::solid}));
  EXPECT_FALSE(sees(c, p, q, {0, 0, Inside::solid}));
}

TEST_P(Visibility, MarginLetsPointsRestOnTheFloor) {
  Scene scene;
  scene.add_aabb({{-10, -10, -1}, {10, 10, 0}});
  const Caster c = caster(std::move(scene));
  const Point p{{0, 0, 0}}, q{{1, 0, 8}}, under{{0, 0, -2}};
  EXPECT_FALSE(sees(c, p, q));
  EXPECT_TRUE(sees(c, p, q, {infinity, 0.01f, Inside::solid}));
  EXPECT_FALSE(sees(c, under, q, {infinity, 0.01f, Inside::solid}));
  Bits bits(2);
  const VisibilityReport report = c.visibility(rows_of({p, q}), bits);
  EXPECT_EQ(report.touching_viewpoints, 1u);
  EXPECT_EQ(report.touching_targets, 1u);
}

TEST_P(Visibility, MasksExcludesAndGroupsOfPoints) {
  Scene scene;
  scene.add_aabb({{1, -1, -1}, {2, 1, 1}}, {2u, 5u, 0});  // id 0, mask 2, group 5
  const Caster c = caster(std::move(scene));
  const Vec3 a{0, 0, 0}, b{3, 0, 0};
  EXPECT_FALSE(sees(c, {a}, {b}));
  EXPECT_FALSE(sees(c, {a, 2}, {b, 3}));
  EXPECT_TRUE(sees(c, {a, 2}, {b, 1}));  // the AND of the masks
  EXPECT_TRUE(sees(c, {a, ~0u, 0}, {b}));
  EXPECT_TRUE(sees(c, {a}, {b, ~0u, 0}));
  EXPECT_TRUE(sees(c, {a, ~0u, none, 5}, {b}));
  EXPECT_TRUE(sees(c, {a}, {b, ~0u, none, 5}));
  EXPECT_FALSE(sees(c, {a, ~0u, 1, 4}, {b, ~0u, 2, 6}));
  // A point touches only what it can see.
  const Vec3 within{1.5f, 0, 0};
  Bits bits(4);
  EXPECT_EQ(c.visibility(rows_of({Point{within}, Point{within, 1}, Point{within, ~0u, 0},
                                  Point{within, ~0u, none, 5}}),
                         bits)
                .touching_viewpoints,
            1u);
}

// Every shape kind as a blob about x = 5, and a half-space x <= 1.
TEST_P(Visibility, UnderIgnoreAShapeAboutEitherEndIsNotSeen) {
  const Vec3 far{-9, 0, 0}, left{3, 0.25f, 0}, within{5, 0.25f, 0}, right{7, 0.25f, 0};
  for (int kind = 0; kind < 4; ++kind) {
    Scene scene;
    if (kind == 0) scene.add_aabb({{4, -1, -1}, {6, 1, 1}});
    if (kind == 1) scene.add_obb({{5, 0, 0}, {1, 1, 1}, {0, 0, 0.6f, 0.8f}});
    if (kind == 2) scene.add_sphere({{5, 0, 0}, 1});
    if (kind == 3) scene.add_capsule({{5, 0, -1}, {5, 0, 1}, 1});
    const Caster c = caster(std::move(scene));
    const VisibilityOptions ignore{infinity, 0, Inside::ignore},
        surface{infinity, 0, Inside::surface};
    EXPECT_FALSE(sees(c, {left}, {right}, ignore)) << kind;
    EXPECT_TRUE(sees(c, {left}, {within}, ignore)) << kind;   // the larger end is within
    EXPECT_TRUE(sees(c, {within}, {right}, ignore)) << kind;  // the smaller end is within
    EXPECT_TRUE(sees(c, {within}, {within}, ignore)) << kind;
    EXPECT_TRUE(sees(c, {far}, {left}, ignore)) << kind;
    EXPECT_FALSE(sees(c, {left}, {within})) << kind;
    EXPECT_FALSE(sees(c, {within}, {right})) << kind;
    EXPECT_FALSE(sees(c, {within}, {within})) << kind;
    EXPECT_FALSE(sees(c, {left}, {within}, surface)) << kind;
    EXPECT_FALSE(sees(c, {within}, {right}, surface)) << kind;
    EXPECT_TRUE(sees(c, {within}, {within}, surface)) << kind;
  }
  Scene scene;
  scene.add_plane({{1, 0, 0}, 1});
  const Caster c = caster(std::move(scene));
  EXPECT_TRUE(sees(c, {far}, {left}, {infinity, 0, Inside::ignore}));
  EXPECT_TRUE(sees(c, {left}, {right}, {infinity, 0, Inside::ignore}));
  EXPECT_FALSE(sees(c, {far}, {left}));
}

TEST_P(Visibility, ZeroLengthAndMargin) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const Caster c = caster(std::move(scene));
  for (const float margin : {0.0f, 0.25f}) {
    EXPECT_FALSE(sees(c, {{0, 0, 1}}, {{0, 0, 1}}, {infinity, margin, Inside::solid}));
    EXPECT_TRUE(sees(c, {{0, 0, 2}}, {{0, 0, 2}}, {infinity, margin, Inside::solid}));
    EXPECT_FALSE(sees(c, {{0, 0, 0}}, {{0, -0.0f, 0}}, {infinity, margin, Inside::solid}));
  }
}

TEST_P(Visibility, BadPointsSeeNothingAndAreCounted) {
  const Caster c = caster(Scene{});
  const std::vector<Point> from = {{{0, 0, 0}}, {{std::nanf(""), 0, 0}}, {{0, infinity, 0}}};
  const std::vector<Point> to = {{{1, 0, 0}}, {{0, 0, 2 * domain_limit}}};
  Bits bits(3);
  const VisibilityReport report = c.visibility(rows_of(from), rows_of(to), bits);
  EXPECT_EQ(bits, (Bits{1, 0, 0}));
  EXPECT_EQ(report.bad_viewpoints, 2u);
  EXPECT_EQ(report.bad_targets, 1u);
  EXPECT_EQ(report.visible, 1u);
  Bits own(3);
  EXPECT_EQ(c.visibility(rows_of(from), own).bad_targets, 2u);
  EXPECT_EQ(own, (Bits{1, 0, 0}));
}

}  // namespace
}  // namespace sightline::testing
