#include "host/tree/collapse.hpp"

#include "tests/host/tree/careless_tree.hpp"
#include "tests/support/random_scene.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace sightline::testing {
namespace {

using detail::Bvh;
using detail::Collapse;
using detail::WideChildren;

bool is_leaf(BvhChild child) { return (child & bvh_leaf_bit) != 0; }

double area_of(const BvhNode& node) {
  return static_cast<double>(half_area(unite(node.bounds[0], node.bounds[1])));
}

/// The least sum of areas and costs of the nodes below one that remains or gives way to so many
/// slots, by trying everything.
class Exhaustive {
 public:
  Exhaustive(const Bvh& bvh, double node_cost) : bvh_(bvh), node_cost_(node_cost) {}

  double least(BvhChild child, int slots) {
    if (is_leaf(child)) return 0;
    const auto [at, is_new] = known_.try_emplace({child, slots});
    if (is_new) at->second = try_all(child, slots);
    return at->second;
  }

 private:
  double try_all(std::uint32_t child, int slots) {
    const double remains = area_of(bvh_.nodes[child]) + node_cost_ + shared(child, 8);
    return slots == 1 ? remains : std::min(remains, shared(child, slots));
  }

  double shared(std::uint32_t node, int slots) {
    double best = infinity;
    for (int k = 1; k < slots; ++k) {
      best = std::min(
          best, least(bvh_.nodes[node].child[0], k) + least(bvh_.nodes[node].child[1], slots - k));
    }
    return best;
  }

  const Bvh& bvh_;
  double node_cost_;
  std::map<std::pair<std::uint32_t, int>, double> known_;
};

/// The sum of areas and costs of the nodes that remain.
double cost_of(const Bvh& bvh, const Collapse& collapse, double node_cost, std::uint32_t node = 0) {
  const WideChildren children = collapse.children_of(node);
  double sum = area_of(bvh.nodes[node]) + node_cost;
  for (int k = 0; k < children.count; ++k) {
    const BvhChild child = children.at[k].child;
    if (!is_leaf(child)) sum += cost_of(bvh, collapse, node_cost, child);
  }
  return sum;
}

/// Three times the mean area of the nodes over two shapes, where there are few nodes.
double node_cost_of(const Bvh& bvh) {
  double sum = 0, count = 0;
  for (const BvhNode& node : bvh.nodes) {
    if (!is_leaf(node.child[0]) || !is_leaf(node.child[1])) continue;
    sum += area_of(node);
    ++count;
  }
  return 3 * sum / count;
}

TEST(Collapse, CostsTheLeastOfAll) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SceneFamily family = seed % 2 == 0 ? SceneFamily::random : SceneFamily::city;
    const Scene scene = make_scene(family, 10 + static_cast<int>(seed) % 22, seed);
    if (scene.view().bounded() < 2) continue;
    const Bvh bvh =
        seed % 3 == 0 ? careless_tree(scene.view(), seed) : detail::build_bvh(scene.view());
    const double node_cost = node_cost_of(bvh);
    const double least = Exhaustive(bvh, node_cost).least(0, 1);
    EXPECT_NEAR(cost_of(bvh, Collapse(bvh.view()), node_cost), least, 1e-5 * least)
        << "seed " << seed;
  }
}

TEST(Collapse, ChildrenAreAtMostEight) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 400, seed);
    const Bvh bvh = careless_tree(scene.view(), seed);
    const Collapse collapse(bvh.view());
    std::vector<std::uint32_t> todo = {0};
    while (!todo.empty()) {
      const WideChildren children = collapse.children_of(todo.back());
      todo.pop_back();
      ASSERT_GE(children.count, 2) << "seed " << seed;
      ASSERT_LE(children.count, 8) << "seed " << seed;
      for (int k = 0; k < children.count; ++k) {
        if (!is_leaf(children.at[k].child)) todo.push_back(children.at[k].child);
      }
    }
  }
}

}  // namespace
}  // namespace sightline::testing
