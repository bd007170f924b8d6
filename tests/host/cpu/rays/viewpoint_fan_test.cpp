// Fans of segments from one viewpoint: the reference's bits.
#include "tests/host/cpu/rays/expected_batches.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/clustered_scenes.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include "host/cpu/rays/simd_dispatch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sightline::testing {
namespace {

using detail::Fan;
using detail::FanBox;
using detail::FanCounts;
using detail::FanTarget;
using detail::SimdKernels;

/// The arrays of a fan, with sentinels beyond them.
struct FanRoom {
  std::vector<FanTarget> targets;
  std::vector<FanBox> boxes[detail::fan_box_levels];
  std::vector<std::uint32_t> leaf, clear, left, open, cell, order, next;
  std::vector<float> around, up;

  explicit FanRoom(const std::vector<SightPoint>& to)
      : targets(to.size() + 16),
        leaf(targets.size(), none),
        clear(leaf),
        left(leaf),
        open(leaf),
        cell(leaf),
        order(leaf),
        next(detail::fan_cells + 16),
        around(targets.size()),
        up(around) {
    for (std::uint32_t k = 0; k < to.size(); ++k) {
      const Vec3 p = to[k].position;
      targets[k] = {{p.x, p.y, p.z, 0}};
      for (int i = 0; i < detail::fan_box_levels; ++i) detail::add_to_boxes(boxes[i], i, k, p);
    }
  }
  FanCounts trace(const Built& built, const SimdKernels& simd, const Vec3& from, std::size_t count,
                  const SightOptions& options, std::uint32_t first = 0) {
    return simd.trace_fan(built.trace_scene(),
                          Fan{from,
                              targets.data(),
                              first,
                              static_cast<std::uint32_t>(count),
                              options,
                              {boxes[0].data(), boxes[1].data(), boxes[2].data()},
                              leaf.data(),
                              clear.data(),
                              left.data(),
                              open.data(),
                              cell.data(),
                              order.data(),
                              around.data(),
                              up.data(),
                              next.data()});
  }
};

/// Empty, or what is wrong with what a fan says of target k. Of what two halves of a wall hide it
/// does not say which of them blocks it.
std::string fan_flaw(const Built& built, const SightQuery& s, bool is_clear, bool is_left,
                     std::uint32_t leaf, bool in_halves) {
  if (is_clear && is_left) return "clear and left";
  const ShapesView shapes = built.scene.view();
  if (!s.possible) return is_clear ? "clear, but impossible" : "";
  const bool blocked = is_blocked(shapes, s.query);
  if (is_clear) return blocked ? "clear, but blocked" : "";
  if (is_left) return "";
  if (!blocked) return "neither clear nor left, but not blocked";
  if (leaf == none) return in_halves ? "" : "blocked by nothing";
  const std::uint32_t child = built.tree.bvh.nodes[leaf / 8].child[leaf % 8];
  if (!is_leaf(child)) return "blocked by a node";
  return blocks(s.query, shapes, child & ~bvh_leaf_bit) ? "" : "blocked by another shape";
}

/// The same of all targets from `first` on; none before it, and none twice.
std::string fan_flaws(const Built& built, const FanRoom& room, const FanCounts& counts,
                      const SightPoint& from, const std::vector<SightPoint>& to,
                      const SightOptions& options, std::uint32_t first = 0) {
  std::vector<int> is_clear(to.size()), is_left(to.size());
  for (std::uint32_t k = 0; k < counts.clear; ++k) ++is_clear.at(room.clear[k]);
  for (std::uint32_t k = 0; k < counts.left; ++k) ++is_left.at(room.left[k]);
  for (std::uint32_t k = 0; k < to.size(); ++k) {
    std::string flaw;
    if (is_clear[k] + is_left[k] > (k < first ? 0 : 1)) {
      flaw = "told too often";
    } else if (k >= first) {
      bool in_halves = false;
      for (int i = 0; i < detail::fan_box_levels; ++i) {
        in_halves |= room.boxes[i][k / detail::targets_in_box(i)].other != none;
      }
      flaw = fan_flaw(built, sight_query(from, to[k], options), is_clear[k] != 0, is_left[k] != 0,
                      room.leaf[k], in_halves);
    }
    if (!flaw.empty()) return "target " + std::to_string(k) + " " + flaw;
  }
  return "";
}

// Every target of one fan after the other is clear, left, or blocked by the leaf that is named.
TEST(Fan, SaysWhatTheReferenceSays) {
  const std::uint64_t seeds = std::max<std::uint64_t>(48, scaled(96));
  for_each_simd([&](const SimdKernels& simd) {
    std::uint64_t clear = 0, left = 0, blocked = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const Built built(make_scene(ray_family(seed), 5 + static_cast<int>(seed), seed));
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
        const FanCounts counts = room.trace(built, simd, p.position, to.size(), options);
        ASSERT_EQ(fan_flaws(built, room, counts, p, to, options), "")
            << simd.name << ", seed " << seed;
        clear += counts.clear, left += counts.left;
        blocked += to.size() - counts.clear - counts.left;
      }
      ASSERT_EQ(room.left.back(), none) << "written beyond the targets";
    }
    EXPECT_GT(clear, seeds) << simd.name;
    EXPECT_GT(blocked, seeds) << simd.name;
    EXPECT_GT(left, 0u) << simd.name;
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
    const Built built(make_scene(ray_family(seed), 60, seed));
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
        for_each_simd([&](const SimdKernels& simd) {
          FanRoom room({q});
          room.leaf[0] = leaf_of(built, id);
          const FanCounts counts = room.trace(built, simd, p.position, 1, options);
          ASSERT_EQ(counts.clear + counts.left, 1u) << simd.name << ", seed " << seed;
        });
      }
    }
  }
  EXPECT_GT(grazing, 4u);
}

// Neighbours in direction come one after the other: a wall that hides half of a ring of targets is
// found through the tree once, not for each of them. Under this policy no box is hidden as a whole,
// and above a plane no shaft is looked into.
TEST(Fan, LearnsFromItsNeighbours) {
  Scene scene;
  scene.add_plane({{0, 0, 1}, -1000});
  scene.add_aabb({{1, -50, -50}, {1, 50, 50}});  // a wall without thickness
  Random r(3);
  for (int i = 0; i < 500; ++i) {
    const Vec3 low = plus(r.vec(-5, 5), {-40, 0, 0});
    scene.add_aabb({low, plus(low, {0.1f, 0.1f, 0.1f})});
  }
  const Built built(std::move(scene));
  std::vector<SightPoint> to(512);
  for (SightPoint& p : to) p.position = plus(r.vec(-9, 9), {20, 0, 0});
  for_each_simd([&](const SimdKernels& simd) {
    FanRoom room(to);
    const FanCounts counts =
        room.trace(built, simd, {0, 0, 0}, to.size(), SightOptions{infinity, 0, Inside::surface});
    EXPECT_EQ(counts.clear + counts.left, 0u) << simd.name;
    EXPECT_EQ(counts.followed, 1u) << simd.name;
    EXPECT_TRUE(counts.pays(to.size(), built.trace_scene().node_count));
  });
}

// What is near a viewpoint hides more than what is near its targets, on either side: segments begin
// at the end that is smaller. So each of the 32 tiles of two walls is found once or twice, rather
// than one of the 512 boxes behind them for each target.
TEST(Fan, MeetsWhatIsNearTheViewpointFirst) {
  Scene scene;
  scene.add_plane({{0, 0, 1}, -1000});
  Random r(5);
  std::vector<SightPoint> to(512);
  for (std::size_t k = 0; k < to.size(); ++k) {
    const float side = k % 2 == 0 ? 20.0f : -20.0f;
    to[k].position = plus(r.vec(-9, 9), {side, 0, 0});
    const Vec3 before = times(to[k].position, 0.9f);
    scene.add_aabb({plus(before, {-0.1f, -0.1f, -0.1f}), plus(before, {0.1f, 0.1f, 0.1f})});
  }
  for (int k = 0; k < 32; ++k) {
    const Vec3 low = {k < 16 ? 6.0f : -6.0f, 3 * static_cast<float>(k % 4) - 6,
                      3 * static_cast<float>(k / 4 % 4) - 6};
    scene.add_aabb({low, plus(low, {0, 3, 3})});
  }
  const Built built(std::move(scene));
  for_each_simd([&](const SimdKernels& simd) {
    FanRoom room(to);
    const FanCounts counts =
        room.trace(built, simd, {0, 0, 0}, to.size(), SightOptions{infinity, 0, Inside::surface});
    EXPECT_EQ(counts.clear, 0u) << simd.name;
    EXPECT_LE(counts.followed + counts.left, 60u) << simd.name;
  });
}

// What a box hides, the reference says is blocked, and what an empty shaft clears is seen.
TEST(Fan, HidesAndClearsCrowdsAltogether) {
  const std::uint64_t seeds = std::max<std::uint64_t>(3000, scaled(10000));
  std::uint64_t hidden = 0, seen = 0, cleared = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Crowd c = crowd_behind_a_box(seed);
    const Built built(std::move(c.scene));
    Random r(seed + 1);
    const auto first = static_cast<std::uint32_t>(r.one_in(2) ? 0 : r.below(40));
    if (first >= c.to.size()) continue;
    for_each_simd([&](const SimdKernels& simd) {
      FanRoom room(c.to);
      const FanCounts counts =
          room.trace(built, simd, c.from.position, c.to.size(), c.options, first);
      hidden += counts.hidden, seen += counts.clear, cleared += counts.cleared;
      ASSERT_EQ(fan_flaws(built, room, counts, c.from, c.to, c.options, first), "")
          << simd.name << ", seed " << seed;
    });
  }
  EXPECT_GT(hidden, 4 * seeds);
  EXPECT_GT(seen, 4 * seeds);
  EXPECT_GT(cleared, 2 * seeds);
}

// The same of triangles, under every policy.
TEST(Fan, HidesCrowdsBehindTriangles) {
  const std::uint64_t seeds = std::max<std::uint64_t>(3000, scaled(10000));
  std::uint64_t hidden = 0, cleared = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Crowd c = crowd_behind_a_triangle(seed);
    const Built built(std::move(c.scene));
    for_each_simd([&](const SimdKernels& simd) {
      FanRoom room(c.to);
      const FanCounts counts = room.trace(built, simd, c.from.position, c.to.size(), c.options);
      hidden += counts.hidden, cleared += counts.cleared;
      ASSERT_EQ(fan_flaws(built, room, counts, c.from, c.to, c.options), "")
          << simd.name << ", seed " << seed;
    });
  }
  EXPECT_GT(hidden, 4 * seeds);
  EXPECT_GT(cleared, 2 * seeds);
}

TEST(Fan, ClearsCrowdsBehindSlots) {
  const std::uint64_t seeds = std::max<std::uint64_t>(1500, scaled(5000));
  std::uint64_t cleared = 0, others = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Crowd c = crowd_behind_a_slot(seed);
    const bool has_plane = c.scene.size() > 4;
    const Built built(std::move(c.scene));
    Random r(seed + 1);
    const auto first =
        static_cast<std::uint32_t>(r.one_in(2) ? 0 : r.below(static_cast<int>(c.to.size())));
    for_each_simd([&](const SimdKernels& simd) {
      FanRoom room(c.to);
      const FanCounts counts =
          room.trace(built, simd, c.from.position, c.to.size(), c.options, first);
      cleared += counts.cleared;
      others += c.to.size() - first - counts.cleared;
      ASSERT_EQ(fan_flaws(built, room, counts, c.from, c.to, c.options, first), "")
          << simd.name << ", seed " << seed;
      if (has_plane) {
        ASSERT_EQ(counts.cleared, 0u);
      }
    });
  }
  EXPECT_GT(cleared, 4 * seeds);
  EXPECT_GT(others, 4 * seeds);
}

// A viewpoint outside of the domain sees nothing, however empty the way.
TEST(Fan, ClearsNothingForABadViewpoint) {
  Scene scene;
  scene.add_sphere({{0, 0x1p30f, 0}, 1});
  const Built built(std::move(scene));
  Random r(3);
  const auto to = crowd(r, {0, 0, 0}, 1, 64);
  for_each_simd([&](const SimdKernels& simd) {
    for (const float x : {0x1p41f, infinity, std::nanf("")}) {
      FanRoom room(to);
      EXPECT_EQ(room.trace(built, simd, {x, 0, 0}, to.size(), {}).clear, 0u) << simd.name << x;
    }
    FanRoom room(to);
    EXPECT_EQ(room.trace(built, simd, {0x1p40f, 0, 0}, to.size(), {}).cleared, 64u);
  });
}

// More shapes are in the shaft than are tested pair by pair: only the wall's shadow decides.
TEST(Fan, HidesCrowdsBehindAWallAndMuchElse) {
  Scene scene;
  scene.add_aabb({{5, -20, -20}, {6, 20, 20}});
  Random r(6);
  for (int k = 0; k < 100; ++k) {
    const Vec3 low = plus(r.vec(-0.5f, 0.5f), {12, 0, 0});
    scene.add_aabb({low, plus(low, {0.1f, 0.1f, 0.1f})});
  }
  const Built built(std::move(scene));
  const auto to = crowd(r, {20, 0, 0}, 0.5f, 64);
  for_each_simd([&](const SimdKernels& simd) {
    FanRoom room(to);
    const FanCounts counts =
        room.trace(built, simd, {0, 0, 0}, to.size(), SightOptions{infinity, 0, Inside::solid});
    EXPECT_EQ(counts.hidden, 64u) << simd.name;
  });
}

// The same behind a triangle, in a fine mesh's company, under every policy.
TEST(Fan, HidesCrowdsBehindATriangleAndMuchElse) {
  Scene scene;
  scene.add_triangle({{5, -40, -20}, {5, 40, -20}, {5, 0, 40}});
  Random r(6);
  for (int k = 0; k < 100; ++k) {
    const Vec3 at = plus(r.vec(-0.5f, 0.5f), {12, 0, 0});
    const auto near = [&] { return plus(at, r.vec(-0.1f, 0.1f)); };
    const Vec3 a = near(), b = near();
    scene.add_triangle({a, b, near()});
  }
  const Built built(std::move(scene));
  const auto to = crowd(r, {20, 0, 0}, 0.5f, 64);
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      FanRoom room(to);
      const FanCounts counts =
          room.trace(built, simd, {0, 0, 0}, to.size(), SightOptions{infinity, 0, inside});
      EXPECT_EQ(counts.hidden, 64u) << simd.name;
    }
  });
}

// The same behind the two halves of a wall, if they meet. What hid a box before is tried first.
TEST(Fan, HidesCrowdsBehindTheHalvesOfAWall) {
  for (const float gap : {0.0f, 0x1p-18f}) {
    Scene scene;
    scene.add_triangle({{5, -20, -20}, {5, 20, -20}, {5, 20, 20}});
    scene.add_triangle({{5, -20, gap - 20}, {5, 20, 20}, {5, -20, 20}});
    scene.add_plane({{0, 0, 1}, -1000});  // so that no shaft is looked into
    const Built built(std::move(scene));
    Random r(6);
    auto to = crowd(r, {20, 0, 0}, 0.5f, 64);
    for_each_simd([&](const SimdKernels& simd) {
      FanRoom room(to);
      for (const Inside inside : every_policy) {
        const FanCounts counts =
            room.trace(built, simd, {0, 0, 0}, to.size(), SightOptions{infinity, 0, inside});
        EXPECT_EQ(counts.hidden, gap == 0 ? 64u : 0u) << simd.name;
        const FanBox& box = room.boxes[2][0];  // around all of them
        EXPECT_EQ(box.leaf != none, gap == 0) << simd.name;
        EXPECT_EQ(box.other != none && box.other != box.leaf, gap == 0) << simd.name;
      }
    });
  }
}

// A box around a viewpoint, or around targets, blocks by itself only where it is solid, also among
// triangles, which hide under every policy.
TEST(Fan, HidesInsideOfSolidsOnly) {
  Scene scene;
  scene.add_aabb({{-4, -4, -4}, {4, 4, 4}});
  scene.add_triangle({{9, 0, 0}, {9, 1, 0}, {9, 0, 1}});
  const Built built(std::move(scene));
  Random r(5);
  const auto to = crowd(r, {1, 1, 1}, 0.5f, 64);
  for_each_simd([&](const SimdKernels& simd) {
    for (const Inside inside : every_policy) {
      FanRoom room(to);
      const FanCounts counts =
          room.trace(built, simd, {-1, 0, 0}, to.size(), SightOptions{infinity, 0, inside});
      const bool is_solid = inside == Inside::solid;
      EXPECT_EQ(counts.hidden, is_solid ? 64u : 0u) << simd.name;
      EXPECT_EQ(counts.clear + counts.left, is_solid ? 0u : 64u) << simd.name;
    }
  });
}

}  // namespace
}  // namespace sightline::testing
