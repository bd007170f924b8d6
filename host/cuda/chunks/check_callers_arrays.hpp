// Checks that the device can reach the caller's arrays.
#pragma once

#include <sightline/ray.hpp>

namespace sightline::cuda {

/// Throw Error{usage} naming the first array that `device` cannot read or write, or that is not
/// aligned to its elements. They do not wait and put no work on the device.
void check_device_rays(const RaysView& rays, int device);
void check_device_hits(const HitsView& hits, int device);
void check_device_blocked(const std::uint64_t* blocked, int device);
void check_device_counts(const CastCounts* counts, int device);

}  // namespace sightline::cuda
