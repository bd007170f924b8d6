// The walk of one ray through the wide tree, against the slab of every box.
#include "host/cpu/shapes/ray_walk.hpp"
#include "tests/host/tree/built_scene.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace sightline::testing {
namespace {

using detail::AlongRay;
using detail::Boxes8;
using detail::Ungrown;

/// Bits of where the gates of shapes begin, by id.
using Gates = std::map<std::uint32_t, std::uint32_t>;

/// Boxes and one box, larger by a length.
struct GrownBy {
  float by;

  Boxes8 operator()(const Boxes8& b) const {
    Boxes8 grown;
    for (int axis = 0; axis < 3; ++axis) {
      grown.low[axis] = b.low[axis] - by;
      grown.high[axis] = b.high[axis] + by;
    }
    return grown;
  }
  Aabb operator()(const Aabb& b) const {
    return {minus(b.min, {by, by, by}), plus(b.max, {by, by, by})};
  }
};

/// The gates that are not empty and begin at `limit` or before, box by box.
template <class Grow>
Gates plain_gates(const ShapesView& shapes, const ScaledRay& ray, float limit, const Grow& grow) {
  Gates gates;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const SlabInterval gate = slab(ray.line, ray.t_min, ray.t_max, grow(shapes.bounds[id]));
    if (!is_empty(gate) && !(gate.t_near > limit)) gates[id] = bits_of(gate.t_near);
  }
  return gates;
}

/// For walk_all() what walk_near_first() calls.
template <class Leaf>
auto by_id(const Leaf& leaf) {
  return [&leaf](const detail::WideNode& node, int c, const detail::Seen<float>& seen) {
    return leaf(node.child[c] & ~bvh_leaf_bit, seen.bound[c]);
  };
}

/// Those that a walk visits; it must visit each once. No limit: all along the ray.
template <class Grow>
Gates walked_gates(const detail::WideBvh& bvh, const ScaledRay& ray, const float* limit,
                   const Grow& grow) {
  Gates gates;
  const auto leaf = [&](std::uint32_t id, float gate_near) {
    EXPECT_TRUE(gates.emplace(id, bits_of(gate_near)).second) << "shape " << id << " twice";
    return false;
  };
  const AlongRay<Grow> see = {ray.line, ray.t_min, ray.t_max, grow};
  if (limit == nullptr) {
    walk_all(bvh, see, by_id(leaf));
  } else {
    walk_near_first(
        bvh, see, [&] { return *limit; }, leaf);
  }
  return gates;
}

/// Calls use(built, ray, what) for rays that look for trouble in scenes of every family.
template <class Use>
void for_each_trouble(std::uint64_t seeds, std::uint64_t rays, const Use& use) {
  for (const SceneFamily family : ray_families) {
    for (std::uint64_t seed = 1; seed <= scaled(seeds); ++seed) {
      const int shapes = seed % 3 == 0 ? 5 : 60;
      const Built built(make_scene(family, shapes, seed));
      for (const Ray& ray : trouble(built.scene, rays, seed)) {
        const ScaledRay scaled_ray = scale(ray);
        if (scaled_ray.bad) continue;
        use(built, scaled_ray, name_of(family) + (", seed " + std::to_string(seed)));
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(RayWalk, VisitsEveryGateOnceAndToTheBit) {
  std::uint64_t gates = 0;
  const auto same = [](const Aabb& box) { return box; };
  for_each_trouble(20, 400, [&](const Built& built, const ScaledRay& ray, const std::string& what) {
    const Gates truth = plain_gates(built.scene.view(), ray, infinity, same);
    ASSERT_EQ(walked_gates(built.tree.bvh, ray, nullptr, Ungrown{}), truth) << what;
    ASSERT_EQ(walked_gates(built.tree.bvh, ray, &infinity, Ungrown{}), truth) << what;
    gates += truth.size();
  });
  EXPECT_GT(gates, scaled(20) * 4 * 400) << "there is something to visit";
}

TEST(RayWalk, OfGrownBoxes) {
  std::uint64_t more = 0;
  for_each_trouble(10, 300, [&](const Built& built, const ScaledRay& ray, const std::string& what) {
    const GrownBy grow = {0.05f * max_abs(minus(built.scene.bounds().max, ray.line.origin))};
    const Gates truth = plain_gates(built.scene.view(), ray, infinity, grow);
    ASSERT_EQ(walked_gates(built.tree.bvh, ray, nullptr, grow), truth) << what;
    ASSERT_EQ(walked_gates(built.tree.bvh, ray, &infinity, grow), truth) << what;
    more += truth.size() > plain_gates(built.scene.view(), ray, infinity, GrownBy{0}).size();
  });
  EXPECT_GT(more, scaled(10) * 4 * 10);
}

// What begins at the limit is visited, what begins a float later is not.
TEST(RayWalk, VisitsWhatBeginsAtTheLimit) {
  std::uint64_t at_limit = 0;
  const auto same = [](const Aabb& box) { return box; };
  for_each_trouble(10, 100, [&](const Built& built, const ScaledRay& ray, const std::string& what) {
    const ShapesView shapes = built.scene.view();
    int tried = 0;
    for (const auto& [id, near] : plain_gates(shapes, ray, largest_float, same)) {
      if (++tried > 4) break;
      const float limit = float_of(near);
      if (limit == 0) continue;
      for (const float l : {limit, next_down(limit)}) {
        const Gates truth = plain_gates(shapes, ray, l, same);
        ASSERT_EQ(truth.count(id), l == limit ? 1u : 0u);
        ASSERT_EQ(walked_gates(built.tree.bvh, ray, &l, Ungrown{}), truth) << what;
      }
      ++at_limit;
    }
  });
  EXPECT_GT(at_limit, scaled(10) * 4 * 50);
}

// A leaf that lowers the limit: the least (t, id), by fewer leaves than there are gates.
TEST(RayWalk, FindsTheClosestHitUnderItsOwnLimit) {
  std::uint64_t leaves = 0, gates = 0, hits = 0;
  for_each_trouble(15, 300, [&](const Built& built, const ScaledRay& ray, const std::string& what) {
    const ShapesView shapes = built.scene.view();
    const Query q = {ray, Inside::solid, ~0u, {none, none}, {none, none}};
    const auto offer = [&](Best& best, std::uint32_t id, float near) {
      best.offer(shapes.visit(id, [&](const auto& s) { return cast_past_gate(q, s, near); }), id);
    };
    Best best, truth;
    for (const auto& [id, near] :
         plain_gates(shapes, ray, infinity, [](const Aabb& box) { return box; })) {
      offer(truth, id, float_of(near));
      ++gates;
    }
    walk_near_first(
        built.tree.bvh, AlongRay<Ungrown>{ray.line, ray.t_min, ray.t_max, {}},
        [&] { return best.t; },
        [&](std::uint32_t id, float near) {
          EXPECT_LE(near, best.t);
          offer(best, id, near);
          ++leaves;
          return false;
        });
    ASSERT_EQ(best.id, truth.id) << what;
    ASSERT_EQ(bits_of(best.t), bits_of(truth.t)) << what;
    hits += truth.id != none;
  });
  EXPECT_LT(leaves, gates);
  EXPECT_GT(hits, scaled(15) * 4 * 50);
}

TEST(RayWalk, EndsWhereALeafSaysSo) {
  Scene scene;
  for (int k = 0; k < 100; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 0.25f});
  const Built built(std::move(scene));
  Ray ray;
  ray.origin = {-1, 0, 0}, ray.direction = {1, 0, 0};
  const ScaledRay scaled_ray = scale(ray);
  const detail::WideBvh& bvh = built.tree.bvh;
  std::uint32_t in_order = 0, some = 0;
  const AlongRay<Ungrown> see = {scaled_ray.line, 0, infinity, {}};
  walk_near_first(
      bvh, see, [] { return infinity; },
      [&](std::uint32_t id, float) {
        EXPECT_EQ(id, in_order);
        return ++in_order == 7;
      });
  EXPECT_EQ(in_order, 7u);
  const auto count_to_five = [&](std::uint32_t, float) { return ++some == 5; };
  walk_all(bvh, see, by_id(count_to_five));
  EXPECT_EQ(some, 5u);
  const auto no_leaf = [&](std::uint32_t, float) {
    ADD_FAILURE() << "a shape in no tree";
    return true;
  };
  walk_all({}, see, by_id(no_leaf));
  walk_near_first(
      {}, see, [] { return infinity; }, no_leaf);
}

}  // namespace
}  // namespace sightline::testing
