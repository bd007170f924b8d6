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
    view.origin = Vec3Column::rows(origin.data());
    view.direction = Vec3Column::rows(direction.data());
    view.t_min.common = set.t_min;
    view.t_max.common = set.t_max;
  }
};

}  // namespace sightline::bench
