// The columns of a scene on the device.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/memory.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

namespace sightline::cuda {

/// A copy of the columns that the shapes have, in one allocation.
struct DeviceShapes {
  DeviceMemory memory;
  ShapesView view;  ///< in device memory
};

/// Copies the columns, and computes the bounds on the device. Does not wait: the host's columns
/// must live until the stream's work is done.
DeviceShapes upload(const OwnStream& stream, const ShapesView& shapes);

/// Reserves n elements of a view on the device, and copies them there if the layout has memory;
/// null for none. Does not wait.
template <class T>
void upload(const OwnStream& stream, const T* from, std::uint64_t n, BumpLayout& memory,
            const T*& to) {
  to = nullptr;
  if (from == nullptr || n == 0) return;
  T* const array = memory.take<T>(n);
  to = array;
  if (memory.measures()) return;
  check(cudaMemcpyAsync(array, from, n * sizeof(T), cudaMemcpyHostToDevice, stream.get()),
        "cudaMemcpyAsync");
}

}  // namespace sightline::cuda
