#include "host/door/validate_shape.hpp"

#include <sightline/intersect/line.hpp>

#include <cmath>
#include <initializer_list>

namespace sightline::detail {
namespace {

constexpr double unit_tolerance = 1e-4;
constexpr const char* not_finite = "a value is NaN or infinite";
constexpr const char* out_of_domain = "a value is larger than 2^40 in size";

bool finite(float v) { return abs(v) <= largest_float; }

bool is_unit(double squared_length) {
  return std::fabs(std::sqrt(squared_length) - 1.0) <= unit_tolerance;
}

const char* bad_vector(const Vec3& v) {
  if (!is_finite(v)) return not_finite;
  return in_domain(v) ? nullptr : out_of_domain;
}

/// A radius or an extent.
const char* bad_size(float v, const char* when_negative) {
  if (!finite(v)) return not_finite;
  if (v < 0.0f) return when_negative;
  return v <= domain_limit ? nullptr : out_of_domain;
}

const char* first_of(const char* a, const char* b) { return a != nullptr ? a : b; }

}  // namespace

const char* reason_to_refuse(const Aabb& s) {
  if (const char* why = first_of(bad_vector(s.min), bad_vector(s.max))) return why;
  const bool ordered = s.min.x <= s.max.x && s.min.y <= s.max.y && s.min.z <= s.max.z;
  return ordered ? nullptr : "min is greater than max";
}

const char* reason_to_refuse(const Obb& s) {
  if (const char* why = bad_vector(s.center)) return why;
  for (const float h : {s.half_extents.x, s.half_extents.y, s.half_extents.z}) {
    if (const char* why = bad_size(h, "a half extent is negative")) return why;
  }
  const Quat q = s.rotation;
  if (!(finite(q.x) && finite(q.y) && finite(q.z) && finite(q.w))) return not_finite;
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return is_unit(x * x + y * y + z * z + w * w) ? nullptr : "the rotation is not a unit quaternion";
}

const char* reason_to_refuse(const Sphere& s) {
  return first_of(bad_vector(s.center), bad_size(s.radius, "the radius is negative"));
}

const char* reason_to_refuse(const Capsule& s) {
  return first_of(first_of(bad_vector(s.a), bad_vector(s.b)),
                  bad_size(s.radius, "the radius is negative"));
}

const char* reason_to_refuse(const Plane& s) {
  if (!is_finite(s.normal) || !finite(s.offset)) return not_finite;
  if (abs(s.offset) > domain_limit) return out_of_domain;
  const double x = s.normal.x, y = s.normal.y, z = s.normal.z;
  return is_unit(x * x + y * y + z * z) ? nullptr : "the normal is not of unit length";
}

}  // namespace sightline::detail
