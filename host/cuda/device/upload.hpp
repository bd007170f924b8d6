// The columns of a scene on the device.
#pragma once

#include "host/cuda/device/handles.hpp"
#include "host/cuda/device/memory.hpp"

#include <sightline/shapes/shapes.hpp>

namespace sightline::cuda {

/// A copy of the shapes' columns, in one allocation; only those that are there.
struct DeviceShapes {
  DeviceMemory memory;
  ShapesView view;  ///< of the device
};

/// Copies the columns; the bounds are computed there. Puts work into the stream that reads the
/// host's columns: they must live until it is done.
DeviceShapes upload(const OwnStream& stream, const ShapesView& shapes);

/// Takes room for n elements of a view on the device, and copies them there where the layout has
/// memory; null where there are none. Does not wait.
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
