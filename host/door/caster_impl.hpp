// What the files that make up the door share.
#pragma once

#include "host/backend/backend.hpp"
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

inline void check_size(const char* name, std::uint64_t size, std::uint64_t rows,
                       std::uint64_t words) {
  std::uint64_t expected = 0;
  if (__builtin_mul_overflow(rows, words, &expected) || size != expected) {
    throw Error(ErrorKind::usage, std::string(name) + " has " + std::to_string(size) +
                                      " words, not " + std::to_string(rows) + " x " +
                                      std::to_string(words));
  }
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

SIGHTLINE_NOINLINE inline void check_rays(const RaysView& rays, bool strict) {
  for (std::uint64_t i = 0; strict && i < rays.count; ++i) check_ray(rays[i], i);
}

inline void check_pairs(const PointsView& from, const PointsView& to) {
  if (from.count != to.count) {
    throw Error(ErrorKind::usage, "pairs need as many points on both sides, not " +
                                      std::to_string(from.count) + " and " +
                                      std::to_string(to.count));
  }
}

}  // namespace detail
}  // namespace sightline
