// Why a shape is refused from a scene, if it is.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>
#include <sightline/ray.hpp>

#include <cmath>
#include <initializer_list>

namespace sightline::detail {

inline constexpr const char* not_finite = "a value is NaN or infinite";
inline constexpr const char* out_of_domain = "a value is larger than 2^40 in size";

inline bool finite(float v) { return abs(v) <= largest_float; }
inline bool finite(const Vec3& v) { return finite(v.x) && finite(v.y) && finite(v.z); }

inline bool is_unit(double squared_length) {
  return std::fabs(std::sqrt(squared_length) - 1.0) <= unit_tolerance;
}

inline const char* bad_vector(const Vec3& v) {
  if (!finite(v)) return not_finite;
  return max_abs(v) <= domain_limit ? nullptr : out_of_domain;
}

/// A radius or an extent.
inline const char* bad_size(float v, const char* when_negative) {
  if (!finite(v)) return not_finite;
  if (v < 0.0f) return when_negative;
  return v <= domain_limit ? nullptr : out_of_domain;
}

/// The first that is not null.
inline const char* first_of(std::initializer_list<const char*> reasons) {
  for (const char* why : reasons) {
    if (why != nullptr) return why;
  }
  return nullptr;
}

// The reason in a few words, or null for a legal shape (docs/reference/contract.md, "bad shape").
inline const char* reason_to_refuse(const Aabb& s) {
  if (const char* why = first_of({bad_vector(s.min), bad_vector(s.max)})) {
    return why;
  }
  return is_empty(s) ? "min is greater than max" : nullptr;
}

inline const char* reason_to_refuse(const Obb& s) {
  const Vec3& h = s.half_extents;
  if (const char* why = first_of({bad_vector(s.center), bad_size(h.x, "a half extent is negative"),
                                  bad_size(h.y, "a half extent is negative"),
                                  bad_size(h.z, "a half extent is negative")})) {
    return why;
  }
  const Quat& q = s.rotation;
  for (const float v : {q.x, q.y, q.z, q.w}) {
    if (!finite(v)) return not_finite;
  }
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return is_unit(x * x + y * y + z * z + w * w) ? nullptr : "the rotation is not a unit quaternion";
}

inline const char* reason_to_refuse(const Sphere& s) {
  return first_of({bad_vector(s.center), bad_size(s.radius, "the radius is negative")});
}

inline const char* reason_to_refuse(const Capsule& s) {
  return first_of({bad_vector(s.a), bad_vector(s.b), bad_size(s.radius, "the radius is negative")});
}

inline const char* reason_to_refuse(const Cylinder& s) {
  if (const char* why = reason_to_refuse(Capsule{s.a, s.b, s.radius})) return why;
  const bool equal = s.a.x == s.b.x && s.a.y == s.b.y && s.a.z == s.b.z;
  return equal ? "both ends are the same point" : nullptr;
}

inline const char* reason_to_refuse(const Triangle& s) {
  return first_of({bad_vector(s.a), bad_vector(s.b), bad_vector(s.c)});
}

inline const char* reason_to_refuse(const Plane& s) {
  if (!finite(s.normal) || !finite(s.offset)) return not_finite;
  if (abs(s.offset) > domain_limit) return out_of_domain;
  const double x = s.normal.x, y = s.normal.y, z = s.normal.z;
  return is_unit(x * x + y * y + z * z) ? nullptr : "the normal is not of unit length";
}

}  // namespace sightline::detail
