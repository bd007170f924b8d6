// An order of rays in which those that visit the same nodes are close together.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"

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

/// The indices of rays sorted by key, stably, and where each octant begins.
struct RayOrder {
  std::vector<std::uint32_t> index;
  std::uint32_t octant_begin[9];

  /// `by_place`: sorts by the whole key; else by octant only.
  void assign(const std::uint32_t* keys, std::uint32_t count, bool by_place);

 private:
  struct Keyed {
    std::uint32_t key, index;
  };
  void sort(const std::uint32_t* keys, std::uint32_t count);

  std::vector<Keyed> by_low_digit_;
  std::vector<std::uint32_t> low_, high_;
};

}  // namespace sightline::detail
