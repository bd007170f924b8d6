#include "host/cuda/device/upload.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <iterator>

namespace sightline::cuda {
namespace {

/// Calls f with each column of both views and its number of elements; bounds are left out.
template <class F>
void for_each_column(F&& f, const ShapesView& from, ShapesView& to) {
  const auto count = [&](Kind kind) -> std::uint64_t {
    const int k = static_cast<int>(kind);
    return from.begin[k + 1] - from.begin[k];
  };
  f(from.aabb_min, to.aabb_min, count(Kind::aabb));
  f(from.aabb_max, to.aabb_max, count(Kind::aabb));
  f(from.obb_center, to.obb_center, count(Kind::obb));
  f(from.obb_half_extents, to.obb_half_extents, count(Kind::obb));
  for (int k = 0; k < 3; ++k) f(from.obb_axis[k], to.obb_axis[k], count(Kind::obb));
  f(from.sphere_center, to.sphere_center, count(Kind::sphere));
  f(from.sphere_radius, to.sphere_radius, count(Kind::sphere));
  f(from.capsule_a, to.capsule_a, count(Kind::capsule));
  f(from.capsule_b, to.capsule_b, count(Kind::capsule));
  f(from.capsule_radius, to.capsule_radius, count(Kind::capsule));
  f(from.plane_normal, to.plane_normal, count(Kind::plane));
  f(from.plane_offset, to.plane_offset, count(Kind::plane));
  f(from.mask, to.mask, from.size());
  f(from.group, to.group, from.size());
}

/// The shapes' view on memory of the device, and where the bounds go; bytes in memory.end().
Aabb* cut_shapes(const ShapesView& shapes, Cutter& memory, ShapesView& view) {
  view = {};  // no column of the host's is left in it
  std::copy(std::begin(shapes.begin), std::end(shapes.begin), std::begin(view.begin));
  for_each_column(
      [&](const auto* from, auto& to, std::uint64_t n) {
        using T = std::remove_cvref_t<decltype(*from)>;
        if (from == nullptr || n == 0) {
          to = nullptr;
        } else {
          to = memory.take<T>(n);
        }
      },
      shapes, view);
  Aabb* const bounds = memory.take<Aabb>(shapes.bounded());
  view.bounds = shapes.bounded() == 0 ? nullptr : bounds;
  return bounds;
}

}  // namespace

DeviceShapes upload(const OwnStream& stream, const ShapesView& shapes) {
  DeviceShapes on_device;
  Cutter size;
  cut_shapes(shapes, size, on_device.view);
  on_device.memory = DeviceMemory(size.end());

  Cutter memory(on_device.memory.data());
  Aabb* const bounds = cut_shapes(shapes, memory, on_device.view);
  for_each_column(
      [&](const auto* from, auto& to, std::uint64_t n) {
        if (to == nullptr) return;
        auto* const out = const_cast<std::remove_cvref_t<decltype(*from)>*>(to);
        check(cudaMemcpyAsync(out, from, n * sizeof(*from), cudaMemcpyHostToDevice, stream.get()),
              "cudaMemcpyAsync");
      },
      shapes, on_device.view);
  kernels::shape_bounds(stream.get(), on_device.view, bounds);
  check_launch("shape_bounds");
  return on_device;
}

}  // namespace sightline::cuda
