// Rays in the device's memory.
#pragma once

#include "bench/device_timing.hpp"
#include "host/gen/rays.hpp"

namespace sightline::bench {

/// Rays whose columns lie on the device.
struct DeviceRays {
  DeviceArray<Vec3> origin, direction;
  RaysView view;

  explicit DeviceRays(const gen::RaySet& set) : origin(set.origin), direction(set.direction) {
    view.count = set.size();
    view.origin = std::span<const Vec3>(origin.data(), view.count);
    view.direction = std::span<const Vec3>(direction.data(), view.count);
    view.t_min = set.t_min;
    view.t_max = set.t_max;
  }
};

}  // namespace sightline::bench
