#include "host/cuda/queries/overlap.hpp"

#include "host/cuda/device/check.hpp"
#include "host/cuda/queries/overlap_jobs.hpp"

namespace sightline::cuda {
namespace {

/// Shapes of one kind among those that ask: see overlap_jobs.hpp.
struct AskingKind {
  const kernels::DeviceScene& scene;
  const ShapesView& shapes;
  Kind kind;

  using Columns = kernels::Asking;

  std::uint32_t first() const { return shapes.begin[static_cast<int>(kind)]; }
  std::uint32_t size() const { return shapes.begin[static_cast<int>(kind) + 1] - first(); }

  Columns cut(std::uint64_t n, Cutter& memory) const {
    Columns at;
    at.kind = kind;
    kernels::with_asking_shape(kind,
                               [&](auto shape) { at.shapes = memory.take<decltype(shape)>(n); });
    if (shapes.mask != nullptr) at.mask = memory.take<std::uint32_t>(n);
    return at;
  }

  void put(std::uint64_t index, const Columns& at, std::uint64_t k) const {
    const auto i = static_cast<std::uint32_t>(index);
    kernels::with_asking_shape(kind, [&](auto shape) {
      get(i, shape);
      const_cast<decltype(shape)*>(static_cast<const decltype(shape)*>(at.shapes))[k] = shape;
    });
    if (at.mask != nullptr) const_cast<std::uint32_t*>(at.mask)[k] = shapes.mask[first() + i];
  }

  void count(cudaStream_t stream, Columns at, std::uint64_t n, std::uint32_t most,
             std::uint32_t* counts) const {
    at.count = n;
    kernels::count_overlaps(stream, {scene, at, most, counts});
    check_launch("count_overlaps");
  }
  void fill(cudaStream_t stream, Columns at, std::uint64_t n, const kernels::RowPiece* pieces,
            std::uint32_t* ids) const {
    at.count = n;
    kernels::fill_overlaps(stream, {scene, at, pieces, ids});
    check_launch("fill_overlaps");
  }

 private:
  void get(std::uint32_t i, Aabb& to) const { to = shapes.aabb(i); }
  void get(std::uint32_t i, ObbFrame& to) const { to = shapes.obb(i); }
  void get(std::uint32_t i, Sphere& to) const { to = shapes.sphere(i); }
  void get(std::uint32_t i, Capsule& to) const { to = shapes.capsule(i); }
};

auto kinds_of(const kernels::DeviceScene& scene, const ShapesView& asking) {
  return [&](const auto& use) {
    for (int k = 0; k < static_cast<int>(Kind::plane); ++k) {
      use(AskingKind{scene, asking, static_cast<Kind>(k)});
    }
  };
}

}  // namespace

OverlapReport overlap_any(WorkspacePool& pool, const kernels::DeviceScene& scene,
                          const ShapesView& asking, std::uint64_t* bits, std::uint64_t chunk) {
  return overlap_any_of(pool, asking.size(), chunk, kinds_of(scene, asking), bits);
}

OverlapReport overlap_count(WorkspacePool& pool, const kernels::DeviceScene& scene,
                            const ShapesView& asking, std::uint32_t* counts, std::uint64_t chunk) {
  return overlap_count_of(pool, asking.size(), chunk, kinds_of(scene, asking), counts);
}

OverlapRows overlap_all(WorkspacePool& pool, const kernels::DeviceScene& scene,
                        const ShapesView& asking, std::uint64_t chunk) {
  return overlap_all_of(pool, asking.size(), chunk, kinds_of(scene, asking));
}

}  // namespace sightline::cuda
