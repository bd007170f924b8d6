// The plain traversal over trees of any form against brute force: same t, id and flags.
#include <sightline/geometry/queries/traverse.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sightline::testing {
namespace {

constexpr Aabb empty_box{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};

Aabb joined(const Aabb& a, const Aabb& b) {
  const auto least = [](float x, float y) { return x < y ? x : y; };
  const auto most = [](float x, float y) { return x > y ? x : y; };
  return {{least(a.min.x, b.min.x), least(a.min.y, b.min.y), least(a.min.z, b.min.z)},
          {most(a.max.x, b.max.x), most(a.max.y, b.max.y), most(a.max.z, b.max.z)}};
}

/// Boxes, balls and planes on small integers, many of them duplicates: ties everywhere.
struct TiedScene {
  std::vector<Vec3> lo, hi, center, normal;
  std::vector<float> radius, offset;
  std::vector<Aabb> bounds;
  std::vector<std::uint32_t> mask, group;
  std::vector<BvhNode> nodes;
  ShapesView shapes;

  explicit TiedScene(Random& r) {
    const int boxes = r.between(0, 12), balls = r.between(0, 12), planes = r.between(0, 2);
    for (int i = 0; i < boxes; ++i) {
      lo.push_back(r.one_in(3) && i > 0 ? lo[0] : r.lattice(-4, 4));
      hi.push_back(r.one_in(3) && i > 0 && lo[0].x == lo.back().x && lo[0].y == lo.back().y &&
                           lo[0].z == lo.back().z
                       ? hi[0]
                       : plus(lo.back(), r.lattice(0, 2)));
      bounds.push_back({lo.back(), hi.back()});
    }
    for (int i = 0; i < balls; ++i) {
      center.push_back(r.lattice(-4, 4));
      radius.push_back(static_cast<float>(r.between(0, 2)));
      bounds.push_back(sightline::bounds(Sphere{center.back(), radius.back()}));
    }
    for (int i = 0; i < planes; ++i) {
      normal.push_back({0, 0, 1});
      offset.push_back(static_cast<float>(r.between(-4, -2)));
    }
    const auto n = [](int count) { return static_cast<std::uint32_t>(count); };
    const std::uint32_t begin[kind_count + 1] = {0,
                                                 n(boxes),
                                                 n(boxes),
                                                 n(boxes + balls),
                                                 n(boxes + balls),
                                                 n(boxes + balls),
                                                 n(boxes + balls),
                                                 n(boxes + balls + planes)};
    std::copy(std::begin(begin), std::end(begin), std::begin(shapes.begin));
    shapes.of<Aabb>().min = lo.data(), shapes.of<Aabb>().max = hi.data();
    shapes.of<Sphere>().center = center.data(), shapes.of<Sphere>().radius = radius.data();
    shapes.of<Plane>().normal = normal.data(), shapes.of<Plane>().offset = offset.data();
    shapes.bounds = bounds.data();
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
      mask.push_back(1u << r.below(3));
      group.push_back(r.one_in(2) ? none : n(r.below(3)));
    }
    shapes.mask = mask.data(), shapes.group = group.data();
  }

  /// A tree of random form: any order of the shapes, any splits, now and then a missing child.
  BvhView tree(Random& r) {
    nodes.clear();
    if (shapes.bounded() == 0) return {};
    std::vector<std::uint32_t> ids(shapes.bounded());
    std::iota(ids.begin(), ids.end(), 0u);
    for (std::size_t i = ids.size(); i > 1; --i) {
      std::swap(ids[i - 1], ids[static_cast<std::size_t>(r.below(static_cast<int>(i)))]);
    }
    nodes.emplace_back();
    fill(r, 0, ids.data(), ids.data() + ids.size());
    return {nodes.data(), static_cast<std::uint32_t>(nodes.size())};
  }

 private:
  Aabb fill(Random& r, std::size_t node, const std::uint32_t* first, const std::uint32_t* last) {
    const auto count = static_cast<int>(last - first);
    const std::uint32_t* middle = first + (count > 1 ? r.between(1, count - 1) : 1);
    Aabb box[2] = {empty_box, empty_box};
    BvhChild child[2] = {bvh_leaf_bit, bvh_leaf_bit};
    const std::uint32_t* end[3] = {first, middle, last};
    for (int k = 0; k < 2; ++k) {
      const auto n = end[k + 1] - end[k];
      if (n == 1) {
        child[k] = bvh_leaf_bit | *end[k];
        box[k] = bounds[*end[k]];
      } else if (n > 1) {
        nodes.emplace_back();
        const std::size_t below = nodes.size() - 1;
        child[k] = static_cast<BvhChild>(below);
        box[k] = fill(r, below, end[k], end[k + 1]);
      }
    }
    nodes[node] = {{box[0], box[1]}, {child[0], child[1]}};
    return joined(box[0], box[1]);
  }
};

Ray some_ray(Random& r) {
  Ray ray;
  ray.origin = r.lattice(-7, 7);
  ray.direction = r.one_in(8) ? Vec3{0, 0, 0} : r.lattice(-2, 2);
  if (r.one_in(2)) ray.t_min = static_cast<float>(r.between(0, 2));
  if (r.one_in(2)) ray.t_max = ray.t_min + static_cast<float>(r.between(0, 4));
  if (r.one_in(2)) ray.mask = static_cast<std::uint32_t>(r.between(0, 7));
  if (r.one_in(2)) ray.exclude[r.below(2)] = static_cast<std::uint32_t>(r.below(26));
  if (r.one_in(2)) ray.exclude_group[r.below(2)] = static_cast<std::uint32_t>(r.below(3));
  return ray;
}

Best brute_force(const ShapesView& shapes, const Query& q) {
  Best best;
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (passes_filter(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
  }
  return best;
}

TEST(Traversal, OfAnyTreeAnswersAsBruteForce) {
  int hits = 0, ties_of_ids = 0;
  for (std::uint64_t seed = 1; seed <= scaled(30'000); ++seed) {
    Random r(seed);
    TiedScene scene(r);
    const BvhView bvh = scene.tree(r);
    for (int i = 0; i < 20; ++i) {
      const Ray ray = some_ray(r);
      const Inside policy = every_policy[r.below(3)];
      const Query q = make_query(ray, policy);
      const Best expected = brute_force(scene.shapes, q);
      const Best got = closest_hit(bvh, scene.shapes, q);
      ASSERT_EQ(got.id, expected.id) << "seed " << seed << " ray " << i << " " << text(ray);
      ASSERT_EQ(bits_of(got.t), bits_of(expected.t)) << "seed " << seed << " ray " << i;
      ASSERT_EQ(got.started_inside, expected.started_inside) << "seed " << seed << " ray " << i;
      ASSERT_EQ(any_hit(bvh, scene.shapes, q), expected.id != none)
          << "seed " << seed << " ray " << i << " " << text(ray);
      hits += expected.id != none;
      ties_of_ids += expected.id != none && expected.id > 0;
    }
  }
  if (test_scale() >= 0.01) {
    EXPECT_GT(hits, 50);
    EXPECT_GT(ties_of_ids, 20);
  }
}

// A comb of the greatest depth: the stack holds an entry for every step down.
TEST(Traversal, ReachesTheEndOfTheDeepestTree) {
  constexpr int depth = bvh_max_depth;
  std::vector<Vec3> lo, hi;
  std::vector<Aabb> boxes;
  for (int i = 0; i <= depth; ++i) {  // the last is the nearest
    const float x = static_cast<float>(depth - i);
    lo.push_back({x, 0, 0});
    hi.push_back({x + 0.5f, 1, 1});
    boxes.push_back({lo.back(), hi.back()});
  }
  ShapesView shapes;
  for (int k = 1; k <= kind_count; ++k) shapes.begin[k] = static_cast<std::uint32_t>(depth + 1);
  shapes.of<Aabb>().min = lo.data(), shapes.of<Aabb>().max = hi.data(),
  shapes.bounds = boxes.data();
  std::vector<BvhNode> nodes(depth);
  Aabb below = boxes[depth];
  for (int i = depth - 1; i >= 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    const auto next = static_cast<std::uint32_t>(i + 1);
    const BvhChild rest = i + 1 < depth ? next : bvh_leaf_bit | next;
    nodes[k] = {{boxes[k], below}, {bvh_leaf_bit | static_cast<std::uint32_t>(i), rest}};
    below = joined(below, boxes[k]);
  }
  const BvhView bvh{nodes.data(), static_cast<std::uint32_t>(nodes.size())};
  const Query from_left = make_query(Ray{{-1, 0.5f, 0.5f}, {1, 0, 0}}, Inside::solid);
  EXPECT_EQ(closest_hit(bvh, shapes, from_left).id, static_cast<std::uint32_t>(depth));
  const Query from_right = make_query(Ray{{100, 0.5f, 0.5f}, {-1, 0, 0}}, Inside::solid);
  EXPECT_EQ(closest_hit(bvh, shapes, from_right).id, 0u);
  // And visits every leaf on the way when nothing is accepted.
  int leaves = 0;
  const float limit = largest_float;
  traverse(bvh, from_left.ray, limit, [&](std::uint32_t, float) {
    ++leaves;
    return false;
  });
  EXPECT_EQ(leaves, depth + 1);
}

}  // namespace
}  // namespace sightline::testing
