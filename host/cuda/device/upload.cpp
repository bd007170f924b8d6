#include "host/cuda/device/upload.hpp"

#include "kernels/launch/launch.hpp"

#include <algorithm>
#include <iterator>

namespace sightline::cuda {
namespace {

/// Calls f with each column of both views and its number of elements, except bounds.
template <class F>
void for_each_column(F&& f, const ShapesView& from, ShapesView& to) {
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    const auto each = [&](const char*, const auto* a, auto& b) {
      f(a, b, from.count(kind_for<S>));
    };
    ShapeTraits<S>::fields(each, from.of<S>(), to.of<S>());
  });
  f(from.mask, to.mask, from.size());
  f(from.group, to.group, from.size());
}

}  // namespace

DeviceShapes upload(const OwnStream& stream, const ShapesView& shapes) {
  DeviceShapes on_device;
  ShapesView& view = on_device.view;
  Aabb* bounds = nullptr;
  lay_out_in(on_device.memory, [&](BumpLayout& memory) {
    std::copy(std::begin(shapes.begin), std::end(shapes.begin), std::begin(view.begin));
    for_each_column(
        [&](const auto* from, auto& to, std::uint64_t n) { upload(stream, from, n, memory, to); },
        shapes, view);
    bounds = memory.take<Aabb>(shapes.bounded());
    view.bounds = shapes.bounded() == 0 ? nullptr : bounds;
  });
  kernels::shape_bounds(stream.get(), view, bounds);
  check_launch("shape_bounds");
  return on_device;
}

}  // namespace sightline::cuda
