// What the files that make up the door share.
#pragma once

#include "host/backend/backend.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"

#include <memory>
#include <string>

namespace sightline {

struct Caster::Impl {
  Scene scene;
  Backend kind;
  std::unique_ptr<detail::CastBackend> backend;
  std::string why_not_cuda;  ///< where `automatic` found no device that it could use
};

namespace detail {

/// What a call answers: in the floating-point environment of the arithmetic, its lack of memory
/// told in words.
template <class Call>
decltype(auto) answered(const Call& call) {
  const FpEnvironment environment;
  return in_words(call);
}

inline const char* reason_of_bad(const Ray& ray) {
  if (!in_domain(ray.origin)) return "its origin is NaN, infinite or beyond 2^40";
  if (!is_finite(ray.direction)) return "its direction is NaN or infinite";
  return "its interval is not 0 <= t_min <= t_max";
}

inline void check_ray(const Ray& ray, std::uint64_t i) {
  if (is_bad(ray)) {
    throw Error(ErrorKind::bad_input,
                "ray " + std::to_string(i) + " is bad: " + reason_of_bad(ray));
  }
}

inline void check(Inside inside) { check_choice(inside, Inside::ignore, "inside policy"); }

SIGHTLINE_NOINLINE inline void check_rays(const RaysView& rays, const CastOptions& options) {
  check(options.inside);
  check_columns(rays);
  for (std::uint64_t i = 0; options.strict && i < rays.count; ++i) check_ray(rays[i], i);
}

inline HitsView pointers(const HitArrays& hits, std::uint64_t n) {
  return {checked("t", hits.t, n), checked("id", hits.id, n), checked("flags", hits.flags, n),
          checked("normal", hits.normal, n)};
}

inline void check_pairs(const PointsView& from, const PointsView& to) {
  check_columns(from);
  check_columns(to);
  if (from.count != to.count) {
    throw Error(ErrorKind::usage, "pairs need as many points on both sides, not " +
                                      std::to_string(from.count) + " and " +
                                      std::to_string(to.count));
  }
}

}  // namespace detail
}  // namespace sightline
