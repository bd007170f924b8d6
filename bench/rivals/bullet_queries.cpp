#include "bench/rivals/query_trees.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace sightline::rivals {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
btDbvtVolume volume_of(const Aabb& b) {
  return btDbvtVolume::FromMM(to_bullet(b.min), to_bullet(b.max));
}

float squared_distance(const btDbvtVolume& v, const Vec3& p) {
  const auto gap = [](float low, float high, float x) {
    return std::max(0.0f, std::max(low - x, x - high));
  };
  const float x = gap(v.Mins().x(), v.Maxs().x(), p.x), y = gap(v.Mins().y(), v.Maxs().y(), p.y),
              z = gap(v.Mins().z(), v.Maxs().z(), p.z);
  return x * x + y * y + z * z;
}

class BulletQueries final : public QueryTree {
 public:
  explicit BulletQueries(const ShapesView& shapes) : shapes_(float_shapes(shapes)) {
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
      btDbvtNode* leaf = tree_.insert(volume_of(shapes.bounds[id]), nullptr);
      leaf->dataAsInt = static_cast<int>(id);
    }
    tree_.optimizeTopDown();
  }

  // Its own walk cannot stop early, so this one is by hand.
  void overlaps(const ShapesView& queries, std::uint32_t i, Found& found) const override {
    const FloatShape shape = float_shape(queries, i);
    const btDbvtVolume box = volume_of(queries.bounds[i]);
    std::vector<const btDbvtNode*>& stack = this_threads_stack();
    stack.assign(1, tree_.m_root);
    while (!stack.empty()) {
      const btDbvtNode* node = stack.back();
      stack.pop_back();
      if (!Intersect(node->volume, box)) continue;
      if (node->isinternal()) {
        stack.push_back(node->childs[0]);
        stack.push_back(node->childs[1]);
        continue;
      }
      const auto id = static_cast<std::uint32_t>(node->dataAsInt);
      if (float_overlaps(shape, shapes_[id]) && found.add(id)) return;
    }
  }

  // It has no such query: the nearer child first, the other one if it is in reach then.
  Near nearest(const Vec3& p) const override {
    Near best;
    std::vector<Waiting>& stack = this_threads_waiting();
    stack.assign(1, {tree_.m_root, 0});
    while (!stack.empty()) {
      const Waiting next = stack.back();
      stack.pop_back();
      const float reach = std::max(best.distance, 0.0f);
      if (next.square > reach * reach) continue;
      if (next.node->isinternal()) {
        Waiting a = {next.node->childs[0], squared_distance(next.node->childs[0]->volume, p)};
        Waiting b = {next.node->childs[1], squared_distance(next.node->childs[1]->volume, p)};
        if (a.square < b.square) std::swap(a, b);
        stack.push_back(a);
        stack.push_back(b);
        continue;
      }
      const auto id = static_cast<std::uint32_t>(next.node->dataAsInt);
      const Near here = {float_distance(shapes_[id], p), id};
      if (comes_before(here, best)) best = here;
    }
    return best;
  }

 private:
  struct Waiting {
    const btDbvtNode* node;
    float square;
  };
  static std::vector<const btDbvtNode*>& this_threads_stack() {
    thread_local std::vector<const btDbvtNode*> stack;
    return stack;
  }
  static std::vector<Waiting>& this_threads_waiting() {
    thread_local std::vector<Waiting> stack;
    return stack;
  }

  std::vector<FloatShape> shapes_;
  btDbvt tree_;
};

}  // namespace

std::unique_ptr<QueryTree> bullet_queries(const ShapesView& shapes) {
  return std::make_unique<BulletQueries>(shapes);
}

}  // namespace sightline::rivals
