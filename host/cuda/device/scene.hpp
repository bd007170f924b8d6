// A scene on the device with what its queries are answered by.
#pragma once

#include "host/cuda/device/ray_sorter.hpp"
#include "host/cuda/device/upload.hpp"
#include "host/tree/builder.hpp"
#include "kernels/launch.hpp"

#include <sightline/caster.hpp>

#include <optional>
#include <string>

namespace sightline::cuda {

/// How a scene is to be held; answers do not depend on it.
struct SceneOptions {
  Search search = Search::automatic;
  TreeBuild build = TreeBuild::fast;
  kernels::NodeLayout layout = kernels::default_layout;
  kernels::Builder builder = kernels::default_builder;  ///< of a fast tree
};

/// Columns, and a tree where the queries use one, on the current device.
class ResidentScene {
 public:
  /// Uploads the shapes and builds. Waits. Throws Error{usage} for more than 2^31 shapes with
  /// bounds in a tree, or for more records than a wide one can name; Error{out_of_memory},
  /// Error{device}.
  ResidentScene(const ShapesView& shapes, const SceneOptions& options);
  /// The same scene, as many of every kind, its shapes moved: the tree of `before` with other
  /// boxes; under `automatic` another tree where they have become twice as large in sum. `before`
  /// stays as it is. Waits.
  ResidentScene(const ShapesView& shapes, const ResidentScene& before, Update how);

  kernels::DeviceScene view() const;
  /// Sorts rays for its queries; `how` as sorting_on() says.
  RaySorter sorter(SortRays how) const;
  /// "brute force", "tree built on the device" ...
  std::string how() const;
  std::uint64_t device_bytes() const {
    return shapes_.memory.bytes() + nodes_.bytes() + wide_memory_.bytes();
  }

 private:
  void build();
  void refit(const ResidentScene& before);
  /// The wide tree of the binary one, where the queries read that.
  void widen();
  /// Sum of the boxes' half areas; waits.
  double area() const;
  double area_when_built() const { return built_area_ ? *built_area_ : area(); }
  void copy_nodes(const void* from, cudaMemcpyKind kind);
  /// Asks the device for what the tree holds; known when the stream has come to it.
  void fetch_root();
  BvhNode* nodes() const { return reinterpret_cast<BvhNode*>(nodes_.data()); }

  ShapesView host_;
  bool has_tree_;
  TreeBuild build_;
  kernels::NodeLayout layout_;
  kernels::Builder builder_;
  DeviceShapes shapes_;
  DeviceMemory nodes_;  ///< binary; kept for refits where it was built on the device
  std::uint32_t node_count_ = 0;
  DeviceMemory wide_memory_;
  kernels::WideView wide_;
  BvhNode root_ = {};
  kernels::TreeRounds rounds_;        ///< of a fast tree
  detail::Bvh careful_;               ///< the host's copy of a careful tree
  std::optional<double> built_area_;  ///< before the first refit; none: the tree is as built
  OwnStream stream_;                  ///< ends first, and its work with it
};

}  // namespace sightline::cuda
