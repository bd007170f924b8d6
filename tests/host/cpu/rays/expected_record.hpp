// What the lanes are to make of a ray: the record, from scale() of line.hpp.
#pragma once

#include "host/cpu/rays/simd_dispatch.hpp"

#include <sightline/geometry/intersect/line.hpp>

#include <cstring>
#include <vector>

namespace sightline::testing {

/// The record of a good ray before it has met any shape.
inline detail::RayRecord expected_record(const ScaledRay& s) {
  namespace flags = detail::record_flags;
  const Vec3 o = s.line.origin, d = s.line.direction, inverse = s.line.inverse;
  const std::uint32_t octant = (d.x < 0 ? 1u : 0u) | (d.y < 0 ? 2u : 0u) | (d.z < 0 ? 4u : 0u);
  const auto power = static_cast<std::uint32_t>(s.exponent + flags::exponent_bias)
                     << flags::exponent_shift;
  return {{o.x, o.y, o.z},
          s.t_min,
          {inverse.x, inverse.y, inverse.z},
          s.t_max < infinity ? s.t_max : largest_float,
          {d.x, d.y, d.z},
          s.t_max,
          s.line.dd.hi,
          s.line.dd.lo,
          none,
          octant | (s.line.is_point ? flags::is_point : 0u) | power};
}

inline bool same_record(const detail::RayRecord& a, const detail::RayRecord& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
inline bool is_bad(const detail::RayRecord& r) {
  return (r.flags & detail::record_flags::bad) != 0;
}

/// What kernels have collected of a source's rays [count]; beyond them one is poison. Keys hold the
/// place where there is a grid.
struct Collected {
  std::vector<detail::RawRay> rays;
  std::vector<std::uint32_t> keys;

  template <class Source>
  Collected(const detail::SimdKernels& simd, const Source& source,
            const detail::RayGrid* grid = nullptr)
      : rays(source.count + 1), keys(source.count + 16, 0xA5A5A5A5u) {
    std::memset(&rays.back(), 0xA5, sizeof rays.back());
    detail::source_kernels<Source>(simd).collect(source, source.count, grid, keys.data(),
                                                 rays.data());
  }
  /// The records of rays[index[0]], rays[index[1]] ..., and one of poison beyond them.
  std::vector<detail::RayRecord> records(const detail::SimdKernels& simd,
                                         const std::vector<std::uint32_t>& index) const {
    std::vector<detail::RawRay> some;
    for (const std::uint32_t i : index) some.push_back(rays[i]);
    std::vector<detail::RayRecord> made(index.size() + 1);
    std::memset(&made.back(), 0xA5, sizeof made.back());
    simd.set_up(some.data(), static_cast<int>(index.size()), made.data());
    return made;
  }
};

/// Whether the element behind the last is as it was.
template <class T>
bool is_poison(const T& element) {
  T poison;
  std::memset(&poison, 0xA5, sizeof poison);
  return std::memcmp(&element, &poison, sizeof poison) == 0;
}

/// Each kind of lanes that runs here.
template <class Body>
void for_each_simd(const Body& body) {
  for (const Lanes lanes : detail::usable_lanes()) body(detail::choose_simd(lanes));
}

}  // namespace sightline::testing
