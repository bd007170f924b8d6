// Fans of segments from one viewpoint, and matrices that are traced as fans: the reference's bits.
#include "tests/host/cpu/lanes/expected_batches.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include "host/cpu/lanes/tracers.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using Bits = std::vector<std::uint64_t>;

/// Without masks and exclusions, under which no fan is traced.
std::vector<SightPoint> plain_points(const Scene& scene, std::uint64_t n, std::uint64_t seed) {
  std::vector<SightPoint> points = random_points(scene, n, seed);
  for (SightPoint& p : points) p = {p.position};
  return points;
}

/// The positions alone: columns of masks and exclusions, whatever they hold, keep fans away.
PointsView bare(const std::vector<SightPoint>& points) {
  PointsView view;
  view.count = points.size();
  view.position = rows_of(points).position;
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
std::string difference(const Bits& a, const Bits& b, std::uint64_t words) {
  for (std::uint64_t k = 0; k < a.size(); ++k) {
    if (a[k] != b[k])
      return "row " + std::to_string(k / words) + ", word " + std::to_string(k % words);
  }
  return "";
}

using detail::Fan;
using detail::FanCounts;
using detail::FanTarget;
using detail::Tracer;

/// The arrays of a fan, with sentinels beyond them.
struct FanRoom {
  std::vector<FanTarget> targets;
  std::vector<std::uint32_t> leaf, clear, left, cell, order, next;

  explicit FanRoom(const std::vector<SightPoint>& to)
      : targets(to.size() + 16),
        leaf(targets.size(), none),
        clear(leaf),
        left(leaf),
        cell(leaf),
        order(leaf),
        next(detail::fan_cells + 16) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      const Vec3 p = to[k].position;
      targets[k] = {{p.x, p.y, p.z, 0}};
    }
  }
  FanCounts trace(const Built& built, const Tracer& tracer, const Vec3& from, std::size_t count,
                  const SightOptions& options) {
    return tracer.trace_fan(
        built.trace_scene(),
        Fan{from, targets.data(), static_cast<std::uint32_t>(count), options, leaf.data(),
            clear.data(), left.data(), cell.data(), order.data(), next.data()});
  }
};

/// Empty, or what is wrong with what a fan says of target k.
std::string fan_flaw(const Built& built, const SightQuery& s, bool is_clear, bool is_left,
                     std::uint32_t leaf) {
  if (is_clear && is_left) return "clear and left";
  const ShapesView shapes = built.scene.view();
  if (!s.possible) return is_clear ? "clear, but impossible" : "";
  const bool blocked = is_blocked(shapes, s.query);
  if (is_clear) return blocked ? "clear, but blocked" : "";
  if (is_left) return "";
  if (!blocked) return "neither clear nor left, but not blocked";
  if (leaf == none) return "blocked by nothing";
  const std::uint32_t child = built.tree.bvh.nodes[leaf / 8].child[leaf % 8];
  if (!is_leaf(child)) return "blocked by a node";
  return blocks(s.query, shapes, child & ~bvh_leaf_bit) ? "" : "blocked by another shape";
}

// Every target of one fan after the other is clear, left, or blocked by the leaf that is named.
TEST(Fan, SaysWhatTheReferenceSays) {
  const std::uint64_t seeds = std::max<std::uint64_t>(48, scaled(96));
  for_each_tracer([&](const Tracer& tracer) {
    std::uint64_t clear = 0, left = 0, blocked = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Built built(make_scene(every_family[seed % 4], 5 + static_cast<int>(seed), seed));
      if (built.trace_scene().has_zero_mask) continue;
      SightOptions options;
      options.inside = every_policy[seed / 4 % 3];
      if (seed % 3 == 1) options.range = 30;
      if (seed % 5 == 1) options.margin = 0.01f;
      const auto from = plain_points(built.scene, 6, seed);
      auto to = plain_points(built.scene, 3 + seed % 90, seed + 1);
      to.back() = from.back();
      FanRoom room(to);
      for (const SightPoint& p : from) {
        const FanCounts counts = room.trace(built, tracer, p.position, to.size(), options);
        std::vector<int> is_clear(to.size()), is_left(to.size());
        for (std::uint32_t k = 0; k < counts.clear; ++k) ++is_clear.at(room.clear[k]);
        for (std::uint32_t k = 0; k < counts.left; ++k) ++is_left.at(room.left[k]);
        for (std::size_t k = 0; k < to.size(); ++k) {
          ASSERT_LE(is_clear[k] + is_left[k], 1);
          ASSERT_EQ(fan_flaw(built, sight_query(p, to[k], options), is_clear[k] != 0,
                             is_left[k] != 0, room.leaf[k]),
                    "")
              << tracer.name << ", seed " << seed << ", target " << k << " of " << to.size();
        }
        clear += counts.clear, left += counts.left;
        blocked += to.size() - counts.clear - counts.left;
      }
      ASSERT_EQ(room.left.back(), none) << "written beyond the targets";
    }
    EXPECT_GT(clear, seeds) << tracer.name;
    EXPECT_GT(blocked, seeds) << tracer.name;
    EXPECT_GT(left, 0u) << tracer.name;
  });
}

/// The leaf of a bounded shape, as fans number it.
std::uint32_t leaf_of(const Built& built, std::uint32_t id) {
  const auto& nodes = built.tree.bvh.nodes;
  for (std::uint32_t k = 0; k < nodes.size(); ++k) {
    for (std::uint32_t c = 0; c < 8; ++c) {
      if (nodes[k].child[c] == (id | bvh_leaf_bit)) return k * 8 + c;
    }
  }
  return none;
}

// Segments that graze corners, faces and silhouettes: the shape's own test says that it blocks
// them, and its gate that it does not. It blocked their target before.
TEST(Fan, AsksTheGateOfWhatBlockedBefore) {
  std::uint64_t grazing = 0;
  for (std::uint64_t seed = 21; seed < 93; ++seed) {
    const Built built(make_scene(every_family[seed % 4], 60, seed));
    if (built.trace_scene().has_zero_mask) continue;
    const ShapesView shapes = built.scene.view();
    const SightOptions options{infinity, 0, every_policy[seed % 3]};
    for (const Ray& ray : adversarial_rays(built.scene, 4000, seed)) {
      const SightPoint p{ray.origin}, q{plus(ray.origin, ray.direction)};
      const SightQuery s = sight_query(p, q, options);
      if (!s.possible || is_blocked(shapes, s.query)) continue;
      for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
        if (!shapes.visit(
                id, [&](const auto& shape) { return blocks(s.query, shape, s.query.ray.t_min); })) {
          continue;
        }
        ++grazing;
        for_each_tracer([&](const Tracer& tracer) {
          FanRoom room({q});
          room.leaf[0] = leaf_of(built, id);
          const FanCounts counts = room.trace(built, tracer, p.position, 1, options);
          ASSERT_EQ(counts.clear + counts.left, 1u) << tracer.name << ", seed " << seed;
        });
      }
    }
  }
  EXPECT_GT(grazing, 4u);
}

// Neighbours in direction come one after the other: a wall that hides half of a ring of targets is
// found through the tree once, not for each of them.
TEST(Fan, LearnsFromItsNeighbours) {
  Scene scene;
  scene.add_aabb({{1, -50, -50}, {1, 50, 50}});  // a wall without thickness
  Random r(3);
  for (int i = 0; i < 500; ++i) {
    const Vec3 low = plus(r.vec(-5, 5), {-40, 0, 0});
    scene.add_aabb({low, plus(low, {0.1f, 0.1f, 0.1f})});
  }
  const Built built(std::move(scene));
  std::vector<SightPoint> to(512);
  for (SightPoint& p : to) p.position = plus(r.vec(-9, 9), {20, 0, 0});
  for_each_tracer([&](const Tracer& tracer) {
    FanRoom room(to);
    const FanCounts counts = room.trace(built, tracer, {0, 0, 0}, to.size(), {});
    EXPECT_EQ(counts.clear + counts.left, 0u) << tracer.name;
    EXPECT_EQ(counts.followed, 1u) << tracer.name;
    EXPECT_TRUE(counts.pays(to.size()));
  });
}

class Fans : public ::testing::TestWithParam<Lanes> {};

TEST_P(Fans, ChangeNoBit) {
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
    const VisibilityReport expected = reference.visibility(bare(from), bare(to), a, options);
    const VisibilityReport report = cpu.visibility(bare(from), bare(to), b, options);
    EXPECT_EQ(difference(a, b, words), "") << "matrix, seed " << seed;
    EXPECT_EQ(report.visible, expected.visible);
    visible += report.visible, pairs += report.pairs;

    const std::uint64_t own_words = bit_words(from.size());
    Bits c(from.size() * own_words, 5), d(c.size(), 0xA5A5A5A5A5A5A5A5u);
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
  const Caster reference(scene, Backend::reference);
  CasterOptions how;
  how.threads = 1;
  how.lanes = GetParam();
  const Caster cpu(scene, Backend::cpu, how);
  const std::uint64_t words = bit_words(to.size());
  Bits a(from.size() * words), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
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
  const Caster reference(scene, Backend::reference);
  CasterOptions how;
  how.threads = 1;
  how.lanes = GetParam();
  const Caster cpu(scene, Backend::cpu, how);
  const std::uint64_t words = bit_words(points.size());
  Bits a(points.size() * words), b(a.size(), 0xA5A5A5A5A5A5A5A5u);
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
  CasterOptions how;
  how.lanes = GetParam();
  const Caster cpu(scene, Backend::cpu, how);
  Bits bits(points.size() * bit_words(points.size()));
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
    CasterOptions how;
    how.threads = 2;
    how.lanes = GetParam();
    const Caster cpu(scene, Backend::cpu, how);
    const std::uint64_t words = bit_words(to.size());
    Bits bits(from.size() * words, 5);
    EXPECT_EQ(cpu.visibility(bare(from), bare(to), bits).visible, 0u);
    EXPECT_EQ(difference(bits, Bits(bits.size()), words), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Fans, ::testing::ValuesIn(detail::usable_lanes()),
                         [](const auto& lanes) { return detail::tracer_for(lanes.param).name; });

}  // namespace
}  // namespace sightline::testing
