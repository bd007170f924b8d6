// A scene on the device, with its tree.
#pragma once

#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/upload.hpp"
#include "host/tree/builder.hpp"
#include "kernels/launch/launch.hpp"

#include <sightline/caster.hpp>

#include <optional>
#include <string>

namespace sightline::cuda {

/// How a scene is stored; answers do not depend on it.
struct SceneOptions {
  Search search = Search::automatic;
  TreeBuild build = TreeBuild::fast;
  /// Whether the host builds a fast tree for which the device has too little memory.
  bool host_if_short = true;
};

/// Columns, and a tree where the queries use one, on the current device.
class ResidentScene {
 public:
  /// Uploads the shapes and builds the tree. Waits. Throws Error{usage} for more than 2^31 bounded
  /// shapes in a tree, or for more records than a wide one can address; Error{out_of_memory},
  /// Error{device}. A fast tree that would be too deep is built on the host, as a careful one is.
  /// The builders take their memory from the pool, which must outlive the scene.
  ResidentScene(const ShapesView& shapes, const SceneOptions& options, const MemoryPool& pool);
  /// The same scene with moved shapes, as many of every kind: the tree of `before`, refitted; under
  /// `automatic` a new tree where the sum of its boxes' areas has doubled. `before` stays as it is.
  /// Waits.
  ResidentScene(const ShapesView& shapes, const ResidentScene& before, Update how,
                bool host_if_short);

  kernels::DeviceScene view() const;
  /// "brute force", "tree built on the device" ...
  std::string description() const;
  std::uint64_t device_bytes() const {
    return shapes_.memory.bytes() + nodes_.bytes() + wide_memory_.bytes();
  }

 private:
  void build();
  /// Whether there is a tree that was built on the device; otherwise says why not.
  bool build_on_device();
  void build_on_host();
  void refit(const ResidentScene& before);
  /// Makes the tree that queries read of the binary one.
  void widen();
  /// The sum of the boxes' half areas; waits.
  double area() const;
  double area_when_built() const { return built_area_ ? *built_area_ : area(); }
  void copy_nodes(const void* from, cudaMemcpyKind kind);
  BvhNode* nodes() const { return reinterpret_cast<BvhNode*>(nodes_.data()); }
  StreamMemory scratch() const { return {pool_, stream_.get()}; }

  const MemoryPool& pool_;
  ShapesView host_;
  bool has_tree_;
  TreeBuild build_;  ///< what is asked for
  bool host_if_short_;
  const char* why_on_host_ = nullptr;  ///< null: the tree was built on the device
  DeviceShapes shapes_;
  DeviceMemory nodes_;  ///< binary; kept for refits where it was built on the device
  std::uint32_t node_count_ = 0;
  DeviceMemory wide_memory_;
  kernels::WideView wide_;
  kernels::TreeRounds rounds_;        ///< of a tree that was built on the device
  detail::Bvh careful_;               ///< the host's copy of one that was not
  std::optional<double> built_area_;  ///< before the first refit; none: never refitted
  OwnStream stream_;                  ///< destroyed first, with its work
};

}  // namespace sightline::cuda
