// Matrices of so many rows that what blocked a target before is tried first: the reference's bits.
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include "host/cpu/lanes/tracers.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

/// Without masks and exclusions, under which blockers are not tried.
std::vector<SightPoint> plain_points(const Scene& scene, std::uint64_t n, std::uint64_t seed) {
  std::vector<SightPoint> points = random_points(scene, n, seed);
  for (SightPoint& p : points) p = {p.position};
  return points;
}

VisibilityOptions options_of(std::uint64_t k) {
  VisibilityOptions options;
  options.inside = every_policy[k % 3];
  if (k % 2 == 1) options.margin = 0.01f;
  if (k % 4 >= 2) options.range = 40;
  return options;
}

/// The first pair, row by row, of which the bits differ, in words; "" where none does.
std::string difference(const Bits& a, const Bits& b, std::uint64_t words) {
  for (std::uint64_t k = 0; k < a.size(); ++k) {
    if (a[k] != b[k])
      return "row " + std::to_string(k / words) + ", word " + std::to_string(k % words);
  }
  return "";
}

class Blockers : public ::testing::TestWithParam<Lanes> {};

TEST_P(Blockers, OfTheRowBeforeChangeNoBit) {
  const std::uint64_t seeds = std::max<std::uint64_t>(4, scaled(24));
  std::uint64_t visible = 0, pairs = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Scene scene = make_scene(every_family[seed % 4], 30 + static_cast<int>(seed), seed);
    const VisibilityOptions options = options_of(seed / 4);
    const Caster reference(scene, Backend::reference);
    CasterOptions how;
    how.threads = 1 + static_cast<int>(seed % 2);
    how.lanes = GetParam();
    const Caster cpu(scene, Backend::cpu, how);
    // Viewpoints that are close together share blockers.
    auto from = plain_points(scene, 150, seed), to = plain_points(scene, 133 + seed, seed + 1);
    for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
      from[i + 1].position = plus(from[i].position, {0.125f, 0.0625f, 0});
    }
    const std::uint64_t words = bit_words(to.size());
    Bits a(from.size() * words, 5), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
    const VisibilityReport expected = reference.visibility(rows_of(from), rows_of(to), a, options);
    const VisibilityReport report = cpu.visibility(rows_of(from), rows_of(to), b, options);
    EXPECT_EQ(difference(a, b, words), "") << "matrix, seed " << seed;
    EXPECT_EQ(report.visible, expected.visible);
    visible += report.visible, pairs += report.pairs;

    const std::uint64_t own_words = bit_words(from.size());
    Bits c(from.size() * own_words, 5), d(c.size(), 0xA5A5A5A5A5A5A5A5u);
    const VisibilityReport own = reference.visibility(rows_of(from), c, options);
    EXPECT_EQ(cpu.visibility(rows_of(from), d, options).visible, own.visible);
    EXPECT_EQ(difference(c, d, own_words), "") << "a set against itself, seed " << seed;
  }
  EXPECT_GT(visible, pairs / 50);
  EXPECT_LT(visible, pairs - pairs / 50);
}

// More columns than one tile, and more rows than one band.
TEST_P(Blockers, OfManyTiles) {
  const Scene scene = make_scene(SceneFamily::city, 200, 5);
  const auto from = plain_points(scene, 300, 1), to = plain_points(scene, 5000, 2);
  const Caster reference(scene, Backend::reference);
  CasterOptions how;
  how.threads = 1;
  how.lanes = GetParam();
  const Caster cpu(scene, Backend::cpu, how);
  const std::uint64_t words = bit_words(to.size());
  Bits a(from.size() * words), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
  reference.visibility(rows_of(from), rows_of(to), a);
  cpu.visibility(rows_of(from), rows_of(to), b);
  EXPECT_EQ(difference(a, b, words), "");
}

// One wall between two crowds, which blocks every pair: the first shape of the scene or not, the
// same bits; on threads, of a tree with many nodes that lack children.
TEST_P(Blockers, OfTheFirstShapeToo) {
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
    CasterOptions how;
    how.threads = 2;
    how.lanes = GetParam();
    const Caster cpu(scene, Backend::cpu, how);
    const std::uint64_t words = bit_words(to.size());
    Bits bits(from.size() * words, 5);
    EXPECT_EQ(cpu.visibility(rows_of(from), rows_of(to), bits).visible, 0u);
    EXPECT_EQ(difference(bits, Bits(bits.size()), words), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Blockers, ::testing::ValuesIn(detail::usable_lanes()),
                         [](const auto& lanes) { return detail::tracer_for(lanes.param).name; });

}  // namespace
}  // namespace sightline::testing
