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

}  // namespace sightline::cuda
