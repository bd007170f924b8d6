// Fans of segments from one viewpoint: the reference's bits.
#include "tests/host/cpu/lanes/expected_batches.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include "host/cpu/lanes/tracers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sightline::testing {
namespace {

using detail::Fan;
using detail::FanBox;
using detail::FanCounts;
using detail::FanTarget;
using detail::Tracer;

/// The arrays of a fan, with sentinels beyond them.
struct FanRoom {
  std::vector<FanTarget> targets;
  std::vector<FanBox> boxes[detail::fan_box_levels];
  std::vector<std::uint32_t> leaf, clear, left, open, cell, order, next;

  explicit FanRoom(const std::vector<SightPoint>& to)
      : targets(to.size() + 16),
        leaf(targets.size(), none),
        clear(leaf),
        left(leaf),
        open(leaf),
        cell(leaf),
        order(leaf),
        next(detail::fan_cells + 16) {
    for (std::uint32_t k = 0; k < to.size(); ++k) {
      const Vec3 p = to[k].position;
      targets[k] = {{p.x, p.y, p.z, 0}};
      for (int i = 0; i < detail::fan_box_levels; ++i) detail::add_to_boxes(boxes[i], i, k, p);
    }
  }
  FanCounts trace(const Built& built, const Tracer& tracer, const Vec3& from, std::size_t count,
                  const SightOptions& options, std::uint32_t first = 0) {
    return tracer.trace_fan(built.trace_scene(),
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
                                next.data()});
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
      flaw = fan_flaw(built, sight_query(from, to[k], options), is_clear[k] != 0, is_left[k] != 0,
                      room.leaf[k]);
    }
    if (!flaw.empty()) return "target " + std::to_string(k) + " " + flaw;
  }
  return "";
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
        ASSERT_EQ(fan_flaws(built, room, counts, p, to, options), "")
            << tracer.name << ", seed " << seed;
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
// found through the tree once, not for each of them. Under this policy no box is hidden as a whole.
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
    const FanCounts counts =
        room.trace(built, tracer, {0, 0, 0}, to.size(), SightOptions{infinity, 0, Inside::surface});
    EXPECT_EQ(counts.clear + counts.left, 0u) << tracer.name;
    EXPECT_EQ(counts.followed, 1u) << tracer.name;
    EXPECT_TRUE(counts.pays(to.size()));
  });
}

/// Positions within a cube of this half side.
std::vector<SightPoint> crowd(Random& r, const Vec3& middle, float half_side, std::size_t n) {
  std::vector<SightPoint> points(n);
  for (SightPoint& p : points) p.position = plus(middle, r.vec(-half_side, half_side));
  return points;
}

/// A corner of the box, or a point on its surface.
Vec3 point_of(const Aabb& s, Random& r) {
  const auto along = [&](float low, float high) {
    const float share = r.uniform(-1, 2);
    return share < 0 ? low : share > 1 ? high : low + share * (high - low);
  };
  return {along(s.min.x, s.max.x), along(s.min.y, s.max.y), along(s.min.z, s.max.z)};
}
Vec3 point_of(const Obb& s, Random& r) {
  const ObbFrame f = frame(s);
  const Vec3 h = s.half_extents;
  const Vec3 at = point_of(Aabb{{-h.x, -h.y, -h.z}, h}, r);
  const auto sum = [&](float x, float y, float z) { return x * at.x + y * at.y + z * at.z; };
  return plus(s.center, {sum(f.axis[0].x, f.axis[1].x, f.axis[2].x),
                         sum(f.axis[0].y, f.axis[1].y, f.axis[2].y),
                         sum(f.axis[0].z, f.axis[1].z, f.axis[2].z)});
}

// Crowds behind the edges, corners and faces of boxes, many of them without extent along an axis,
// as seen from viewpoints far, near, in and beside them, or nearly along them, at sizes from 2^-20
// to 2^30, near the origin or far from it. A crowd is so small that a box hides it or not by a
// hair; some of its targets are bad. What a box hides, the reference says is blocked, and what an
// empty shaft clears is seen.
TEST(Fan, HidesAndClearsCrowdsAltogether) {
  const std::uint64_t seeds = std::max<std::uint64_t>(3000, scaled(10000));
  std::uint64_t hidden = 0, seen = 0, cleared = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-20, 30);
    const float away = r.one_in(2) ? 0 : std::min(size * r.power_of_two(0, 22), 0x1p38f);
    const Vec3 middle = r.vec(-away, away);
    const auto extent = [&] { return r.one_in(4) ? 0.0f : size * r.uniform(0.01f, 1); };
    Obb box;
    box.center = middle;
    box.half_extents = {r.one_in(2) ? 0.0f : extent(), extent(), extent()};
    Vec3 edge, normal = {1, 0, 0};
    Scene scene;
    if (r.one_in(2)) {
      const Vec3 h = box.half_extents;
      const Aabb aabb = {plus(middle, {-h.x, -h.y, -h.z}), plus(middle, h)};
      scene.add_aabb(aabb);
      edge = point_of(aabb, r);
    } else {
      const float turn = r.uniform(0, 3), tilt = r.one_in(2) ? 0 : r.uniform(0, 3);
      box.rotation = {std::sin(tilt) * std::sin(turn), std::sin(tilt) * std::cos(turn),
                      std::cos(tilt) * std::sin(turn), std::cos(tilt) * std::cos(turn)};
      scene.add_obb(box);
      edge = point_of(box, r);
      normal = frame(box).axis[0];
    }
    const Built built(std::move(scene));
    const float reach = size * r.power_of_two(-6, 3);
    Vec3 offset = r.vec(-reach, reach);
    if (r.one_in(2)) {  // nearly along the wall
      const float less = dot(offset, normal) * (1 - r.power_of_two(-14, -2));
      offset = minus(offset, times(normal, less));
    }
    const SightPoint from{r.one_in(16) ? edge : plus(edge, offset)};
    const Vec3& p = from.position;
    const float beyond = r.power_of_two(-4, 3);
    const Vec3 behind = plus(edge, times(minus(edge, p), beyond));
    const float spread = size * r.power_of_two(-23, 0);
    const float aside = spread * static_cast<float>(r.between(-2, 2));
    auto to = crowd(r, plus(behind, r.vec(-aside, aside)), spread,
                    static_cast<std::size_t>(r.between(1, 40)));
    if (r.one_in(8)) {
      const float bad[] = {std::nanf(""), infinity, 0x1p41f};
      to[static_cast<std::size_t>(r.below(static_cast<int>(to.size())))].position.y =
          bad[r.below(3)];
    }
    SightOptions options;
    if (r.one_in(3)) options.margin = r.one_in(2) ? r.uniform(0, 0.49f) : 0x1p-20f;
    if (r.one_in(8)) options.range = reach * (1 + beyond);
    const auto first = static_cast<std::uint32_t>(r.one_in(2) ? 0 : r.below(40));
    if (first >= to.size()) continue;
    for_each_tracer([&](const Tracer& tracer) {
      FanRoom room(to);
      const FanCounts counts = room.trace(built, tracer, p, to.size(), options, first);
      hidden += counts.hidden, seen += counts.clear, cleared += counts.cleared;
      ASSERT_EQ(fan_flaws(built, room, counts, from, to, options, first), "")
          << tracer.name << ", seed " << seed;
    });
  }
  EXPECT_GT(hidden, 4 * seeds);
  EXPECT_GT(seen, 4 * seeds);
  EXPECT_GT(cleared, 2 * seeds);
}

// Shafts between shapes of every kind, along any axis and back: a slot between two pairs of them is
// as wide as the crowd, a little wider or narrower. A plane, which has no bounds, may stand behind.
TEST(Fan, ClearsCrowdsBehindSlots) {
  const std::uint64_t seeds = std::max<std::uint64_t>(1500, scaled(5000));
  std::uint64_t cleared = 0, others = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Random r(seed);
    const float size = r.power_of_two(-10, 20), spread = size * r.power_of_two(-14, -2);
    const int axis = r.below(3);
    const float sign = r.one_in(2) ? -1.0f : 1.0f;
    const auto turned = [&](float ahead, float right, float up) {
      const float at[3] = {sign * ahead, right, up};
      return Vec3{at[(3 - axis) % 3], at[(4 - axis) % 3], at[(5 - axis) % 3]};
    };
    const Vec3 from = r.vec(-size, size);
    const Vec3 way = turned(size, r.uniform(-spread, spread), r.uniform(-spread, spread));
    const float there = r.uniform(0.2f, 0.8f);
    const Vec3 slot = plus(from, times(way, there));
    const float wider = static_cast<float>(r.between(-2, 3)) * r.power_of_two(-16, -2);
    const float half = there * spread * (1 + wider);
    Scene scene;
    for (const float side : {-1.0f, 1.0f}) {
      for (const bool is_beside : {true, false}) {
        const float radius = size * r.power_of_two(-16, -4), away = side * (half + radius);
        const Vec3 at = plus(slot, is_beside ? turned(0, away, 0) : turned(0, 0, away));
        const Vec3 along = is_beside ? turned(0, 0, radius) : turned(0, radius, 0);
        const Vec3 cube = {radius, radius, radius};
        switch (r.below(4)) {
          case 0:
            scene.add_aabb({minus(at, cube), plus(at, cube)});
            break;
          case 1:
            scene.add_sphere({at, radius});
            break;
          case 2:
            scene.add_capsule({minus(at, along), plus(at, along), radius});
            break;
          default:
            scene.add_obb({at, cube, {0, 0, 0, 1}});
        }
      }
    }
    const bool has_plane = r.one_in(8);
    if (has_plane) {
      const Vec3 normal = turned(1, 0, 0);
      scene.add_plane({normal, dot(normal, plus(from, times(way, 0.9f)))});
    }
    const Built built(std::move(scene));
    const auto to = crowd(r, plus(from, way), spread, static_cast<std::size_t>(r.between(1, 300)));
    const auto first =
        static_cast<std::uint32_t>(r.one_in(2) ? 0 : r.below(static_cast<int>(to.size())));
    const SightOptions options = {infinity, 0, every_policy[seed % 3]};
    for_each_tracer([&](const Tracer& tracer) {
      FanRoom room(to);
      const FanCounts counts = room.trace(built, tracer, from, to.size(), options, first);
      cleared += counts.cleared;
      others += to.size() - first - counts.cleared;
      ASSERT_EQ(fan_flaws(built, room, counts, {from}, to, options, first), "")
          << tracer.name << ", seed " << seed;
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
  for_each_tracer([&](const Tracer& tracer) {
    for (const float x : {0x1p41f, infinity, std::nanf("")}) {
      FanRoom room(to);
      EXPECT_EQ(room.trace(built, tracer, {x, 0, 0}, to.size(), {}).clear, 0u) << tracer.name << x;
    }
    FanRoom room(to);
    EXPECT_EQ(room.trace(built, tracer, {0x1p40f, 0, 0}, to.size(), {}).cleared, 64u);
  });
}

// A box around a viewpoint, or around targets, blocks by itself only where it is solid.
TEST(Fan, HidesInsideOfSolidsOnly) {
  Scene scene;
  scene.add_aabb({{-4, -4, -4}, {4, 4, 4}});
  const Built built(std::move(scene));
  Random r(5);
  const auto to = crowd(r, {1, 1, 1}, 0.5f, 64);
  for_each_tracer([&](const Tracer& tracer) {
    for (const Inside inside : every_policy) {
      FanRoom room(to);
      const FanCounts counts =
          room.trace(built, tracer, {-1, 0, 0}, to.size(), SightOptions{infinity, 0, inside});
      const bool is_solid = inside == Inside::solid;
      EXPECT_EQ(counts.hidden, is_solid ? 64u : 0u) << tracer.name;
      EXPECT_EQ(counts.clear + counts.left, is_solid ? 0u : 64u) << tracer.name;
    }
  });
}

}  // namespace
}  // namespace sightline::testing
