// Boxes of targets that are decided as a whole, emulated: the bits of pairs by themselves.
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/clustered_scenes.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace sightline::testing {
namespace {

using kernels::BoxWords;
using kernels::SightJob;
using standin::emulate;
using standin::Steps;

/// Room for a job's boxes, which it points to.
Guarded<std::uint32_t> room_for_boxes(SightJob& job) {
  Guarded<std::uint32_t> room(kernels::box_words_of(job.viewpoints.count, job.row_words));
  job.box_words = room.data();
  return room;
}

struct Decided {
  std::uint64_t hidden = 0, cleared = 0;
};
/// What an emulated job's boxes say.
Decided decided(const SightJob& asked) {
  const SightJob job = kernels::with_useful_boxes(asked);
  if (job.box_words == nullptr) return {};
  const BoxWords boxes(job);
  Decided d;
  for (std::uint64_t i = 0; i < job.viewpoints.count; ++i) {
    for (std::uint64_t b = 0; b < boxes.count; ++b) {
      const bool is_hidden = boxes.is_hidden(i, b);
      d.hidden += is_hidden;
      d.cleared += !is_hidden && boxes.is_seen(i, b);
    }
  }
  return d;
}

/// Emulates a matrix from the crowd's viewpoint and its neighbours, some bad, to the crowd.
Decided expect_truth(Crowd c, std::uint64_t seed) {
  const TreeScene scene(std::move(c.scene));
  Random r(seed);
  std::vector<SightPoint> from(static_cast<std::size_t>(r.between(1, 20)), c.from);
  for (std::size_t k = 1; k < from.size(); ++k) {
    Vec3& p = from[k].position;
    p = r.one_in(8) ? Vec3{r.one_in(2) ? std::nanf("") : 0, 0, 0x1p41f}
                    : plus(p, times(minus(c.to[0].position, p), r.uniform(-0.01f, 0.01f)));
  }
  SightJob job{{}, positions_of(from), positions_of(c.to)};
  job.options = c.options;
  job.row_words = kernels::bit_words32(c.to.size()) + (r.one_in(2) ? 2 : 0);
  const std::vector<std::uint32_t> rows = random_order(from.size(), r);
  const std::vector<std::uint32_t> columns = random_order(c.to.size(), r);
  if (r.one_in(2)) job.row_order = rows.data(), job.target_order = columns.data();
  const std::vector<std::uint32_t> expected = truth_of(scene, job, from.size());
  Guarded<std::uint32_t> bits(expected.size()), room = room_for_boxes(job);
  job.scene = scene.view(Way::tree, seed);
  job.bits = bits.data();
  emulate(job, {nullptr, every_lane_order[seed / 2 % 2]});
  EXPECT_TRUE(bits.is(expected)) << "seed " << seed;
  EXPECT_TRUE(room.guards_hold()) << "seed " << seed;
  return decided(job);
}

TEST(BoxSight, HidesAndClearsCrowdsBehindBoxes) {
  const std::uint64_t seeds = std::max<std::uint64_t>(1000, scaled(4000));
  Decided all;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    const Decided d = expect_truth(crowd_behind_a_box(seed), seed);
    all.hidden += d.hidden, all.cleared += d.cleared;
  }
  EXPECT_GT(all.hidden, seeds);
  EXPECT_GT(all.cleared, seeds);
}

TEST(BoxSight, HidesCrowdsBehindTriangles) {
  const std::uint64_t seeds = std::max<std::uint64_t>(1000, scaled(4000));
  Decided all;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    const Decided d = expect_truth(crowd_behind_a_triangle(seed), seed);
    all.hidden += d.hidden, all.cleared += d.cleared;
  }
  EXPECT_GT(all.hidden, seeds);
  EXPECT_GT(all.cleared, seeds / 4);  // bounds of triangles are large
}

TEST(BoxSight, ClearsCrowdsBehindSlots) {
  const std::uint64_t seeds = std::max<std::uint64_t>(400, scaled(1600));
  std::uint64_t cleared = 0;
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) {
    Crowd c = crowd_behind_a_slot(seed);
    const bool has_plane = c.scene.size() > 4;
    const Decided d = expect_truth(std::move(c), seed);
    if (has_plane) {
      EXPECT_EQ(d.cleared, 0u) << "seed " << seed;
    }
    cleared += d.cleared;
  }
  EXPECT_GT(cleared, 3 * seeds);
}

// A box around both ends blocks by itself only where it is solid, and nothing may be hidden or
// cleared where some shapes do not count for some points.
TEST(BoxSight, NeedsSolidsAndPointsWithoutFilters) {
  Scene around;
  around.add_aabb({{-4, -4, -4}, {4, 4, 4}});
  around.add_triangle({{9, 0, 0}, {9, 1, 0}, {9, 0, 1}});  // which may hide under every policy
  const TreeScene scene(std::move(around));
  Random r(5);
  std::vector<SightPoint> from = crowd(r, {-1, 0, 0}, 0.5f, 4);
  std::vector<SightPoint> to = crowd(r, {1, 1, 1}, 0.5f, 64);
  SightJob job{scene.view(Way::tree), positions_of(from), positions_of(to)};
  job.row_words = 2;
  std::vector<std::uint32_t> bits(from.size() * 2);
  job.bits = bits.data();
  const Guarded<std::uint32_t> room = room_for_boxes(job);
  for (const Inside inside : every_policy) {
    job.options.inside = inside;
    emulate(job);
    EXPECT_EQ(decided(job).hidden, inside == Inside::solid ? 2 * from.size() : 0);
    EXPECT_EQ(bits, truth_of(scene, job, from.size()));
  }
  job.options.inside = Inside::solid;
  to[3].exclude = 0;
  job.targets = rows_of(to);
  emulate(job);
  EXPECT_EQ(bits, truth_of(scene, job, from.size()));
  EXPECT_NE(bits[0], 0u);
  from[2].exclude = 0;
  job.viewpoints = rows_of(from);
  job.targets = positions_of(to);
  emulate(job);
  EXPECT_EQ(bits, truth_of(scene, job, from.size()));
  EXPECT_EQ(bits[4], 0xFFFFFFFFu);
}

// What is in the field of view is asked alone, and no box beside it is seen.
TEST(BoxSight, LeavesWhatIsNotAsked) {
  Scene far_away;
  far_away.add_sphere({{0, 0, 100}, 1});
  const TreeScene scene(std::move(far_away));
  Random r(6);
  const std::vector<SightPoint> from = crowd(r, {0, 0, 0}, 1, 4), to = crowd(r, {9, 0, 0}, 1, 64);
  SightJob job{scene.view(Way::tree), positions_of(from), positions_of(to)};
  job.row_words = 2;
  std::vector<std::uint32_t> bits = {0, 7, 0xFFFFFFFFu, 0, 1, 2, 0x80000000u, 0};
  const std::vector<std::uint32_t> asked = bits;
  job.bits = bits.data();
  job.pair_mask = asked.data();
  const Guarded<std::uint32_t> room = room_for_boxes(job);
  emulate(job);
  EXPECT_EQ(bits, asked);
}

/// Points of a grid in a plane through the city, 2^k on a side, in Morton order.
std::vector<SightPoint> grid(int k, float low, float step) {
  std::vector<SightPoint> points;
  for (std::uint32_t code = 0; code < 1u << 2 * k; ++code) {
    std::uint32_t x = 0, y = 0;
    for (int bit = 0; bit < k; ++bit) {
      x |= (code >> 2 * bit & 1) << bit;
      y |= (code >> (2 * bit + 1) & 1) << bit;
    }
    points.push_back(
        {{low + step * static_cast<float>(x), low + step * static_cast<float>(y), 1.7f}});
  }
  return points;
}

// What boxes are for: where points lie close together, most of the work is saved.
TEST(BoxSight, SavesStepsWherePointsLieClose) {
  constexpr gen::SceneKind city = gen::SceneKind::city;
  const TreeScene scene(gen::make_scene(city, 3000, 1));
  const std::vector<SightPoint> to = grid(5, -300, 8), all = grid(6, 0, 3);
  const std::vector<SightPoint> from(all.begin(), all.begin() + 64);
  SightJob job{scene.view(Way::tree), positions_of(from), positions_of(to)};
  job.scene.schedule = {};
  job.scene.schedule.enough_batches = job.scene.schedule.enough_tiles = 1;
  job.row_words = kernels::bit_words32(to.size());
  std::vector<std::uint32_t> bits(from.size() * job.row_words), by_pairs(bits);
  job.bits = by_pairs.data();
  Steps pairs, boxes;
  emulate(job, {&pairs});
  const Guarded<std::uint32_t> room = room_for_boxes(job);
  job.bits = bits.data();
  emulate(job, {&boxes});
  EXPECT_EQ(bits, by_pairs);
  const Decided d = decided(job);
  std::printf("%llu hidden, %llu cleared of %zu boxes; nodes %llu, by pairs %llu\n",
              static_cast<unsigned long long>(d.hidden), static_cast<unsigned long long>(d.cleared),
              from.size() * to.size() / 32, static_cast<unsigned long long>(boxes.nodes),
              static_cast<unsigned long long>(pairs.nodes));
  EXPECT_LT(boxes.nodes, pairs.nodes / 4);
  EXPECT_GT(d.hidden, 200u);
  EXPECT_GT(d.cleared, 1000u);
}

// What hides a box is mostly near the viewpoint.
TEST(BoxSight, WaysFromTheirViewpointsAreShorter) {
  constexpr gen::SceneKind city = gen::SceneKind::city;
  const TreeScene scene(gen::make_scene(city, 20000, 1));
  const std::vector<SightPoint> to = grid(5, -600, 8), all = grid(6, 400, 3);
  const std::vector<SightPoint> from(all.begin(), all.begin() + 64);
  SightJob job{scene.view(Way::tree), positions_of(from), positions_of(to)};
  job.row_words = kernels::bit_words32(to.size());
  const Guarded<std::uint32_t> room = room_for_boxes(job);
  std::vector<std::uint32_t> nodes(from.size());
  emulate(kernels::LowestNodesJob{job.scene, job.viewpoints, nullptr, nodes.data()});
  Steps from_root, from_viewpoints;
  standin::emulate_boxes(job, {&from_root});
  job.viewpoint_nodes = nodes.data();
  standin::emulate_boxes(job, {&from_viewpoints});
  EXPECT_LT(from_viewpoints.nodes, from_root.nodes / 2);
}

}  // namespace
}  // namespace sightline::testing
