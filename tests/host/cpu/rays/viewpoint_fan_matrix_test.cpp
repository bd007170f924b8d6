// Matrices that are traced as fans: the reference's bits.
#include "tests/host/cpu/rays/expected_batches.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include "host/cpu/rays/simd_dispatch.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::testing {
namespace {

using Words = std::vector<std::uint64_t>;

/// The positions alone: columns of masks and exclusions, whatever they hold, keep fans away.
PointsView bare(const std::vector<SightPoint>& points) {
  PointsView view = rows_of(points).position;
  view.count = points.size();
  return view;
}

VisibilityOptions options_of(std::uint64_t k) {
  VisibilityOptions options;
  options.inside = every_policy[k % 3];
  if (k % 2 == 1) options.margin = 0.01f;
  if (k % 4 >= 2) options.range = 40;
  return options;
}

/// The first pair, row by row, of which the bits differ, in words; "" where none does.
std::string difference(const Words& a, const Words& b, std::uint64_t words) {
  for (std::uint64_t k = 0; k < a.size(); ++k) {
    if (a[k] != b[k])
      return "row " + std::to_string(k / words) + ", word " + std::to_string(k % words);
  }
  return "";
}

class Fans : public ::testing::TestWithParam<Lanes> {};

// Viewpoints on grids, dense enough for boxes of three levels, some of which are hidden from one
// viewpoint and not from the next.
TEST_P(Fans, OfGrids) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    Scene scene;
    Random r(seed);
    for (int k = 0; k < 40; ++k) {
      const Vec3 at = {r.uniform(0, 90), r.uniform(0, 90), 0};
      const bool along_x = r.one_in(2);
      const Vec3 half = along_x ? Vec3{12, 0, 4} : Vec3{0, 12, 4};
      if (seed == 0) {
        scene.add_aabb({plus(at, {-half.x, -half.y, -half.z}), plus(at, half)});
      } else {
        const float turn = r.uniform(0, 3);
        scene.add_obb({at, half, {0, 0, std::sin(turn), std::cos(turn)}});
      }
    }
    std::vector<SightPoint> points;
    for (int i = 0; i < 30; ++i) {
      for (int j = 0; j < 30; ++j) {
        points.push_back({{3.0f * static_cast<float>(i), 3.0f * static_cast<float>(j), 1}});
      }
    }
    const Caster cpu(scene, CpuOptions{.lanes = GetParam()});
    const Caster plain(scene, CpuOptions{.lanes = GetParam(), .search = Search::brute_force});
    const std::uint64_t words = bit_words(points.size());
    Words a(points.size() * words), b(a.size());
    const std::uint64_t visible = plain.visibility(bare(points), bare(points), a).visible;
    EXPECT_GT(visible, points.size() * 40);
    EXPECT_LT(visible, points.size() * points.size() / 2);
    EXPECT_EQ(cpu.visibility(bare(points), bare(points), b).visible, visible);
    EXPECT_EQ(difference(a, b, words), "") << "seed " << seed;
    EXPECT_EQ(cpu.visibility(bare(points), b).visible, visible);
    EXPECT_EQ(difference(a, b, words), "") << "against itself, seed " << seed;
  }
}

TEST_P(Fans, ChangeNoBit) {
  const std::uint64_t seeds = std::max<std::uint64_t>(4, scaled(24));
  std::uint64_t visible = 0, pairs = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 30 + static_cast<int>(seed), seed);
    const VisibilityOptions options = options_of(seed / 4);
    const Caster reference(scene, ReferenceOptions{});
    const Caster cpu(scene,
                     CpuOptions{.threads = 1 + static_cast<int>(seed % 2), .lanes = GetParam()});
    // Viewpoints that are close together share blockers.
    auto from = plain_points(scene, 150, seed), to = plain_points(scene, 133 + seed, seed + 1);
    for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
      from[i + 1].position = plus(from[i].position, {0.125f, 0.0625f, 0});
    }
    const std::uint64_t words = bit_words(to.size());
    Words a(from.size() * words, 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    const VisibilityReport expected = reference.visibility(bare(from), bare(to), a, options);
    const VisibilityReport report = cpu.visibility(bare(from), bare(to), b, options);
    EXPECT_EQ(difference(a, b, words), "") << "matrix, seed " << seed;
    EXPECT_EQ(report.visible, expected.visible);
    visible += report.visible, pairs += report.pairs;

    const std::uint64_t own_words = bit_words(from.size());
    Words c(from.size() * own_words, 5), d(c.size(), 0xA5A5A5A5A5A5A5A5u);
    const VisibilityReport own = reference.visibility(bare(from), c, options);
    EXPECT_EQ(cpu.visibility(bare(from), d, options).visible, own.visible);
    EXPECT_EQ(difference(c, d, own_words), "") << "a set against itself, seed " << seed;
  }
  EXPECT_GT(visible, pairs / 50);
  EXPECT_LT(visible, pairs - pairs / 50);
}

// More columns than one tile, and more rows than one band.
TEST_P(Fans, OfManyTiles) {
  const Scene scene = make_scene(SceneFamily::city, 200, 5);
  const auto from = plain_points(scene, 300, 1), to = plain_points(scene, 5000, 2);
  const Caster reference(scene, ReferenceOptions{});
  const Caster cpu(scene, CpuOptions{.threads = 1, .lanes = GetParam()});
  const std::uint64_t words = bit_words(to.size());
  Words a(from.size() * words), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
  reference.visibility(bare(from), bare(to), a);
  cpu.visibility(bare(from), bare(to), b);
  EXPECT_EQ(difference(a, b, words), "");
}

// Three crowds that balls hide from each other: each sees itself, so that vectors of one crowd are
// more than are followed, and what is left begins at the diagonal.
TEST_P(Fans, OfCrowdsAgainstThemselves) {
  const Vec3 middle[] = {{0, 0, 0}, {100, 0, 0}, {50, 90, 0}};
  Scene scene;
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = middle[k], b = middle[(k + 1) % 3];
    scene.add_sphere({{(a.x + b.x) / 2, (a.y + b.y) / 2, 0}, 15});
  }
  Random r(11);
  std::vector<SightPoint> points(330);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].position = plus(middle[i % 3], r.vec(-4, 4));
  }
  const Caster reference(scene, ReferenceOptions{});
  const Caster cpu(scene, CpuOptions{.threads = 1, .lanes = GetParam()});
  const std::uint64_t words = bit_words(points.size());
  Words a(points.size() * words), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
  EXPECT_EQ(reference.visibility(bare(points), a).visible, 330u * 110u);
  EXPECT_EQ(cpu.visibility(bare(points), b).visible, 330u * 110u);
  EXPECT_EQ(difference(a, b, words), "");
}

// A set of two tiles against itself, all of whose points see each other.
TEST_P(Fans, OfTwoTilesAgainstThemselves) {
  Scene scene;
  scene.add_sphere({{0, 0, 100}, 1});
  Random r(12);
  std::vector<SightPoint> points(4300);
  for (SightPoint& p : points) p.position = r.vec(-10, 10);
  const Caster cpu(scene, CpuOptions{.lanes = GetParam()});
  Words bits(points.size() * bit_words(points.size()));
  EXPECT_EQ(cpu.visibility(bare(points), bits).visible, points.size() * points.size());
}

// One wall between two crowds, which blocks every pair: the first shape of the scene or not, the
// same bits; on threads, of a tree with many nodes that lack children.
TEST_P(Fans, BlockedByTheFirstShape) {
  for (const bool wall_first : {true, false}) {
    Scene scene;
    const Aabb wall = {{0, -100, -100}, {1, 100, 100}};
    if (wall_first) scene.add_aabb(wall);
    Random r(7);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 low = plus(r.vec(-20, 20), {60, 0, 0});
      scene.add_aabb({low, plus(low, {0.5f, 0.5f, 0.5f})});
    }
    if (!wall_first) scene.add_aabb(wall);
    std::vector<SightPoint> from(300), to(300);
    for (SightPoint& p : from) p.position = plus(r.vec(-10, 10), {-30, 0, 0});
    for (SightPoint& p : to) p.position = plus(r.vec(-10, 10), {30, 0, 0});
    const Caster cpu(scene, CpuOptions{.threads = 2, .lanes = GetParam()});
    const std::uint64_t words = bit_words(to.size());
    Words bits(from.size() * words, 5);
    EXPECT_EQ(cpu.visibility(bare(from), bare(to), bits).visible, 0u);
    EXPECT_EQ(difference(bits, Words(bits.size()), words), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Fans, ::testing::ValuesIn(detail::usable_lanes()),
                         [](const auto& lanes) { return detail::choose_simd(lanes.param).name; });

}  // namespace
}  // namespace sightline::testing
