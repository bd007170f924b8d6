// What the lanes are to make of a ray: the record, from scale() of line.hpp.
#pragma once

#include "host/cpu/lanes/tracers.hpp"

#include <sightline/line.hpp>

#include <cstring>
#include <string>

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

/// Each kind of lanes that runs here.
template <class Body>
void for_each_tracer(const Body& body) {
  for (const Lanes lanes : detail::usable_lanes()) body(detail::tracer_for(lanes));
}

}  // namespace sightline::testing
