// The cpu backend: a tree and all cores, or no tree: brute_force.cpp.
#include "host/backend/backend.hpp"
#include "host/cpu/cpu_scene.hpp"

namespace sightline::detail {
namespace {

/// The centre of the tree and the mean size of its leaves, from a sample of its nodes.
SceneScale scale_of(const WideBvh& bvh) {
  if (bvh.nodes.empty()) return {};
  double extents = 0;
  std::uint64_t leaves = 0;
  const std::size_t step = bvh.nodes.size() / 1024 + 1;
  for (std::size_t i = 0; i < bvh.nodes.size(); i += step) {
    for (int c = 0; c < wide_width; ++c) {
      const Aabb box = box_of(bvh.nodes[i], c);
      if (!is_leaf(bvh.nodes[i].child[c]) || is_empty(box)) continue;
      extents += double{box.max.x - box.min.x} + (box.max.y - box.min.y) + (box.max.z - box.min.z);
      ++leaves;
    }
  }
  Aabb all = empty_aabb();
  for (int c = 0; c < wide_width; ++c) all = unite(box_of(bvh.nodes[0], c), all);
  const auto middle = [](float a, float b) { return a / 2 + b / 2; };
  return {
      {middle(all.min.x, all.max.x), middle(all.min.y, all.max.y), middle(all.min.z, all.max.z)},
      leaves == 0 ? 0.0f : static_cast<float>(extents / (3 * static_cast<double>(leaves)))};
}

class CpuBackend final : public CastBackend {
 public:
  CpuBackend(const ShapesView& shapes, const CpuOptions& options)
      : scene_{shapes, Threads(options.threads), choose_simd(options.lanes), {}, {}, {}, {}} {
    MovingTree tree;
    scene_.threads.run([&] { tree = build_tree(shapes); });
    take(std::move(tree), shapes);
  }

#define SIGHTLINE_ANSWER(Query)                             \
  Query::Report answer(const Query& query) const override { \
    return detail::answer_query(scene_, query);             \
  }
  SIGHTLINE_FOR_EACH_QUERY(SIGHTLINE_ANSWER)
#undef SIGHTLINE_ANSWER

  /// The old tree is kept until nothing can throw any more.
  void update(const ShapesView& shapes, Update how) override {
    MovingTree tree;
    scene_.threads.run([&] { tree = updated(scene_.tree, shapes, how); });
    take(std::move(tree), shapes);
  }

  std::string description() const override {
    return "cpu: tree of eight children a node, lanes of " + std::string(scene_.simd.name) + ", " +
           scene_.threads.description();
  }
  std::uint64_t memory_bytes() const override {
    return scene_.tree.bvh.nodes.size() * sizeof(WideNode) + scene_.records->bytes();
  }

 private:
  void take(MovingTree tree, const ShapesView& shapes) {
    scene_.records = std::make_unique<LazyLeafRecords>();
    scene_.tree = std::move(tree);
    scene_.shapes = shapes;
    const WideBvh& bvh = scene_.tree.bvh;
    scene_.traced = {bvh.nodes.empty() ? nullptr : bvh.nodes.data(),
                     bvh.nodes.size(),
                     bvh.depth,
                     shapes,
                     scale_of(bvh),
                     has_zero_mask(shapes)};
  }

  CpuScene scene_;
};

}  // namespace

std::unique_ptr<CastBackend> make_cpu_backend(const ShapesView& shapes, const CpuOptions& options) {
  if (options.search == Search::brute_force) return make_brute_force_backend(shapes, options);
  return std::make_unique<CpuBackend>(shapes, options);
}

}  // namespace sightline::detail
