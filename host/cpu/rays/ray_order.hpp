// An order of rays in which those that visit the same nodes are close together.
#pragma once

#include "host/common/pages.hpp"
#include "host/cpu/rays/ray_record.hpp"

#include <vector>

namespace sightline::detail {

/// A grid over the positions place_of(i), i < n, or a sample of them.
template <class PlaceOf>
RayGrid grid_over(std::uint64_t n, const PlaceOf& place_of) {
  Aabb box = empty_aabb();
  for (std::uint64_t i = 0; i < n; i += n / 512 + 1) {
    const Vec3 p = place_of(i);
    if (in_domain(p)) box = unite(box, {p, p});
  }
  const float widest =
      max(max(box.max.x - box.min.x, box.max.y - box.min.y), box.max.z - box.min.z);
  const float scale = static_cast<float>(grid_cells) / widest;
  if (!(widest > 0 && scale <= largest_float)) return {{0, 0, 0}, 0, false};
  return {box.min, scale, false};
}
RayGrid grid_over(const RaysView& rays, bool by_midpoint);

/// The middle of ray i, or its origin where it has no end.
inline Vec3 middle_of(const RaysView& rays, std::uint64_t i) {
  const Vec3 o = rays.origin[i], d = rays.direction[i];
  const float half = 0.5f * rays.t_max[i], t = half <= largest_float ? half : 0;
  return {fma(t, d.x, o.x), fma(t, d.y, o.y), fma(t, d.z, o.z)};
}

/// Buckets of rays by octant, and by the coarse cell of their place where that is wanted: by finer
/// cells they are traced no faster. Ray i of those with keys [count] belongs at position
/// next[keys[i] >> shift]++, and then the next one.
struct RayBuckets {
  int shift = 0;
  std::vector<std::uint32_t> next;
  std::uint32_t octant_begin[9];

  void count(const std::uint32_t* keys, std::uint32_t count, bool by_place);
};

}  // namespace sightline::detail
