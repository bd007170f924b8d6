// The walks of boxes side by side and of points.
#include "host/cpu/rays/simd_dispatch.hpp"
#include "host/cpu/shapes/box_list_walk.hpp"
#include "host/cpu/shapes/leaf_shapes.hpp"
#include "host/cpu/shapes/nearest_group.hpp"
#include "tests/host/tree/built_scene.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/overlap/box_box.hpp>
#include <sightline/geometry/queries/nearest.hpp>

#include <gtest/gtest.h>

#include <set>

namespace sightline::testing {
namespace {

using detail::BoxListWalk;
using detail::LeafShapes;

std::uint32_t id_of_leaf(const detail::WideNode& node, int c) {
  return node.child[c] & ~bvh_leaf_bit;
}

/// Boxes of all sizes over a scene.
std::vector<Aabb> boxes_over(const Scene& scene, std::uint64_t n, std::uint64_t seed) {
  std::vector<Aabb> boxes;
  const ShapesView shapes = scene.view();
  for (const SightPoint& p : random_points(scene, n, seed)) {
    const auto i = static_cast<std::uint32_t>(boxes.size());
    const Aabb& of = shapes.bounds[i % shapes.bounded()];
    boxes.push_back(is_bad(p) || i % 3 == 0 ? of : unite({p.position, p.position}, of));
  }
  return boxes;
}

TEST(BoxListWalk, VisitsEveryOverlapOfBoundsOnce) {
  BoxListWalk box_walk;
  for (const SceneFamily family : every_family) {
    for (std::uint64_t seed = 1; seed <= scaled(8) + 1; ++seed) {
      const int size = seed == 1 ? 1 : 300;
      const Built built(make_scene(family, size, seed));
      const ShapesView shapes = built.scene.view();
      if (shapes.bounded() == 0) continue;
      const std::vector<Aabb> boxes = boxes_over(built.scene, BoxListWalk::most, seed);
      const std::vector<std::uint8_t> done(boxes.size());
      std::set<std::pair<std::uint32_t, std::uint32_t>> met, announced;
      box_walk.run(
          built.tree.bvh, boxes.data(), BoxListWalk::most, done.data(),
          [&](std::uint32_t id, const std::uint16_t* list, std::uint32_t count) {
            EXPECT_TRUE(announced.count({0, id}));
            for (std::uint32_t k = 0; k < count; ++k) {
              EXPECT_TRUE(met.insert({list[k], id}).second) << "twice";
            }
          },
          [&](const detail::WideNode& node, int c) {
            announced.insert({0, id_of_leaf(node, c)});
            return id_of_leaf(node, c);
          });
      std::uint64_t expected = 0;
      for (std::uint32_t k = 0; k < boxes.size(); ++k) {
        for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
          const bool overlap = overlaps(boxes[k], shapes.bounds[id]);
          expected += overlap;
          EXPECT_EQ(overlap, met.count({k, id}) == 1);
        }
      }
      EXPECT_GT(expected, 0u);
    }
  }
}

TEST(BoxListWalk, BoxesThatAreDoneGoNoFurther) {
  const Built built(make_scene(SceneFamily::random, 300, 7));
  const Aabb all = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
  const std::vector<Aabb> boxes = {all, all};
  std::vector<std::uint8_t> done = {1, 0};
  std::uint64_t visits = 0;
  BoxListWalk().run(
      built.tree.bvh, boxes.data(), 2, done.data(),
      [&](std::uint32_t, const std::uint16_t* list, std::uint32_t count) {
        EXPECT_EQ(count, 1u);
        EXPECT_EQ(list[0], 1u);
        ++visits;
        done[1] = 1;
      },
      id_of_leaf);
  EXPECT_GT(visits, 0u);
  EXPECT_LT(visits, 40u);  // those that were on their way
}

TEST(NearWalk, SquaresCullNothingThatABoundWouldNot) {
  for (const SceneFamily family : every_family) {
    const Built built(make_scene(family, 300, 5));
    std::uint64_t culled = 0, kept = 0;
    for (const SightPoint& p : random_points(built.scene, scaled(3000), 9)) {
      if (is_bad(p)) continue;
      const detail::WideNode& node = built.tree.bvh.nodes[0];
      const detail::Float8 squares = detail::squared_distances(node, p.position, infinity);
      for (int c = 0; c < detail::wide_width; ++c) {
        const Aabb box = box_of(node, c);
        if (is_empty(box)) {
          EXPECT_EQ(squares[c], infinity);
          continue;
        }
        const float bound = signed_distance_bound(box, p.position);
        EXPECT_EQ(bound == -infinity, squares[c] == -1);
        for (const float limit : {bound, 0.0f, 1.0f, infinity}) {
          EXPECT_TRUE(bound > limit || squares[c] <= detail::squared_limit(limit));
        }
        const float less = bound * 0.999f;
        if (!(bound > 1e-10f)) continue;
        ++(squares[c] > detail::squared_limit(less) ? culled : kept);
        EXPECT_GT(squares[c], detail::squared_limit(-1));
      }
    }
    EXPECT_GT(culled, 0u) << name_of(family);
    EXPECT_EQ(kept, 0u) << name_of(family);
  }
}

TEST(NearWalk, SquaresOfSegmentsCullNothingThatTheGateWouldNot) {
  std::uint64_t culled = 0, by_pieces = 0;
  for (const SceneFamily family : every_family) {
    const Built built(make_scene(family, 300, 5));
    const std::vector<SightPoint> points = random_points(built.scene, scaled(3000) + 1, 9);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const SegmentQuery q = segment_query(points[i - 1], points[i]);
      if (is_bad(q)) continue;
      const detail::WideNode& node = built.tree.bvh.nodes[i % built.tree.bvh.nodes.size()];
      const detail::Float8 all = detail::squared_distances(node, q.boxes, infinity);
      for (int c = 0; c < detail::wide_width; ++c) {
        const Aabb box = box_of(node, c);
        if (is_empty(box)) {
          EXPECT_EQ(all[c], infinity);
          continue;
        }
        const float whole = whole_bound(box, q.boxes);
        const float gate = max(whole, pieces_bound(box, q.boxes));
        for (const float limit : {gate, 0.0f, 1.0f, infinity}) {
          const float most = detail::squared_limit(limit);
          const detail::Float8 some = detail::squared_distances(node, q.boxes, most);
          EXPECT_TRUE(gate > limit || (all[c] <= most && some[c] <= most));
        }
        culled += all[c] > detail::squared_limit(whole * 0.999f);
        by_pieces += gate > 1e-10f && whole == 0 && all[c] > detail::squared_limit(gate * 0.999f);
      }
    }
  }
  EXPECT_GT(culled, 0u);
  EXPECT_GT(by_pieces, 0u);
}

// Every shape once, as the scene has it, in the order of the leaves.
TEST(LeafShapes, OfRecordsAreThoseOfTheScene) {
  const detail::Threads threads(3);
  for (const SceneFamily family : every_family) {
    for (const int size : {1, 9, 3000}) {
      const Built built(make_scene(family, size, 8));
      const ShapesView shapes = built.scene.view();
      const detail::LeafRecords records(built.tree.bvh, shapes, threads);
      EXPECT_EQ(records.bytes(), 64 * shapes.bounded() + 4 * built.tree.bvh.nodes.size());
      const LeafShapes with = {built.tree.bvh, shapes, &records},
                       without = {built.tree.bvh, shapes};
      std::set<std::uint32_t> places;
      for (const detail::WideNode& node : built.tree.bvh.nodes) {
        for (int c = 0; c < detail::wide_width; ++c) {
          if (!is_leaf(node.child[c]) || is_empty(box_of(node, c))) continue;
          const std::uint32_t place = with.place(node, c);
          EXPECT_EQ(with.prefetch_leaf(node, c), place);
          EXPECT_EQ(place, places.size()) << "not the next";
          EXPECT_TRUE(places.insert(place).second);
          EXPECT_EQ(without.place(node, c), id_of_leaf(node, c));
          with.visit_at(place, [&](const auto& s, std::uint32_t id) {
            EXPECT_EQ(id, id_of_leaf(node, c));
            without.visit_at(id, [&](const auto& same, std::uint32_t same_id) {
              EXPECT_EQ(same_id, id);
              EXPECT_EQ(sizeof(s), sizeof(same));
              EXPECT_EQ(std::memcmp(&s, &same, sizeof(s)), 0);
            });
          });
        }
      }
      EXPECT_EQ(places.size(), shapes.bounded());
    }
  }
}

TEST(LeafShapes, BecomeRecordsWhenAsManyHaveBeenAskedForAsThereAre) {
  const detail::Threads threads(1);
  const Built built(make_scene(SceneFamily::random, 200, 3));
  const ShapesView shapes = built.scene.view();
  detail::LazyLeafRecords records;
  const auto before = [&](std::uint64_t n) {
    return records.before(n, built.tree.bvh, shapes, threads);
  };
  EXPECT_EQ(before(shapes.bounded() - 1), nullptr);
  EXPECT_EQ(before(0), nullptr);
  EXPECT_EQ(records.bytes(), 0u);
  const detail::LeafRecords* const made = before(1);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(records.bytes(), made->bytes());
  EXPECT_EQ(before(0), made);
}

// What a group does not hold is further than the limit at which it says that it holds all.
TEST(NearestGroup, HoldsAllThatIsNear) {
  detail::NearestGroup group;
  const auto& kernels = detail::choose_simd(Lanes::automatic).shapes;
  std::uint64_t held = 0, not_held = 0, too_many = 0;
  for (const SceneFamily family : every_family) {
    const Built built(make_scene(family, 1000, 6));
    const ShapesView shapes = built.scene.view();
    std::vector<SightPoint> points = random_points(built.scene, scaled(400) + 20, 4);
    for (const SightPoint& p : points) {
      if (is_bad(p)) continue;
      for (const float pad : {0.0f, 1.0f, 5.0f, 100.0f}) {
        const Vec3 q = p.position;
        const Aabb box = {{q.x - pad, q.y - pad / 2, q.z - pad}, {q.x + pad, q.y + pad, q.z + pad}};
        if (!group.collect(LeafShapes{built.tree.bvh, shapes}, box)) {
          ++too_many;
          continue;
        }
        const float limit = pad / 3;
        alignas(64) float limits[detail::PointGroup::most] = {0, 0, 0, limit};
        detail::PointGroup near;
        near.set(3, q);
        std::set<std::uint32_t> met;
        group.search(kernels, near, limits, [&](std::uint32_t k, std::uint32_t id) {
          EXPECT_TRUE(k == 3 && met.insert(id).second) << "twice";
        });
        const bool holds_all = group.holds_all(q, limit);
        ++(holds_all ? held : not_held);
        for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
          const auto distance = [&](const auto& s) { return distance_to(s, p); };
          const bool is_near = shapes.visit(id, distance) <= limit;
          const bool inside = overlaps(box, shapes.bounds[id]);
          EXPECT_TRUE(!is_near || met.count(id) == 1 || !(inside || holds_all)) << name_of(family);
        }
        EXPECT_FALSE(group.holds_all(q, 1.01f * pad));
      }
    }
  }
  EXPECT_GT(held, 0u);
  EXPECT_GT(not_held, 0u);
  EXPECT_GT(too_many, 0u);
}

}  // namespace
}  // namespace sightline::testing
