// The order in which rays are cast when they are sorted first.
#pragma once

#include <sightline/ray.hpp>

#include <vector>

namespace sightline::rivals {

/// Sorts rays by the octant of their direction, then by the Morton code of their origin, or of the
/// middle of a ray that ends. Runs in the calling thread's task arena.
class RayOrder {
 public:
  /// Position -> ray, [rays.count]; at most 2^32 rays. Valid until the next call.
  const std::uint32_t* sort(const RaysView& rays);

 private:
  struct Entry {
    std::uint32_t key, ray;
  };
  std::vector<Entry> entries_, other_;
  std::vector<std::uint32_t> order_, counts_;
};

}  // namespace sightline::rivals
