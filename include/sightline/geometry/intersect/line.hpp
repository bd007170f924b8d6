// A ray's line, scaled by an exact power of two; everything in intersect/ works on it.
#pragma once

#include <sightline/geometry/exact/two_float.hpp>
#include <sightline/ray.hpp>

namespace sightline {

/// The line origin + t * direction. The direction's largest component has a size in [1, 2),
/// components are 0 or at least 2^-126, and none is -0; or it is 0 and the line is a point.
template <class F>
struct LineT {
  Vec3T<F> origin;
  Vec3T<F> direction;
  Vec3T<F> inverse;  ///< 1 / direction; +inf where it is 0
  Two<F> dd;         ///< direction . direction
  MaskOf<F> is_point;
};
using Line = LineT<float>;

/// A scaled ray, to be cast against any number of shapes: t of the scaled ray = t of the caller's
/// ray * 2^exponent.
struct ScaledRay {
  Line line;
  float t_min, t_max;  ///< scaled
  int exponent;
  bool bad;
};

/// x * 2^n by two multiplications by powers of two; |n| <= 252.
SIGHTLINE_HD float times_power_of_two(float x, int n) {
  const int half = n / 2;
  const auto power = [](int k) { return float_of(static_cast<std::uint32_t>(k + 127) << 23); };
  return (x * power(half)) * power(n - half);
}

/// floor(log2(x)) of a finite x > 0, subnormal ones included.
SIGHTLINE_HD int exponent_of(float x) {
  const int biased = static_cast<int>(bits_of(x) >> 23);
  return biased > 0 ? biased - 127 : static_cast<int>(bits_of(x * 0x1p24f) >> 23) - 151;
}

SIGHTLINE_HD bool in_domain(const Vec3& v) {
  return abs(v.x) <= domain_limit && abs(v.y) <= domain_limit && abs(v.z) <= domain_limit;
}
SIGHTLINE_HD bool is_finite(const Vec3& v) {
  return abs(v.x) <= largest_float && abs(v.y) <= largest_float && abs(v.z) <= largest_float;
}

/// The ray is bad: NaN, infinite origin or direction, outside the domain, not 0 <= t_min <= t_max.
SIGHTLINE_HD bool is_bad(const Ray& r) {
  return !(in_domain(r.origin) && is_finite(r.direction) && 0.0f <= r.t_min && r.t_min <= r.t_max);
}

/// Scales a ray. A bad ray comes back with `bad` set and everything else unspecified but defined.
SIGHTLINE_HD ScaledRay scale(const Ray& ray) {
  ScaledRay s{};
  s.bad = is_bad(ray);
  if (s.bad) return s;
  const float largest = max_abs(ray.direction);
  s.line.is_point = largest == 0.0f;
  s.exponent = s.line.is_point ? 0 : exponent_of(largest);
  const auto component = [&](float d) {
    const float c = times_power_of_two(d, -s.exponent);
    return abs(c) < 0x1p-126f ? 0.0f : c;  // -0 too becomes +0
  };
  const auto inverse = [](float d) { return d == 0.0f ? infinity : 1.0f / d; };
  const Vec3 d = {component(ray.direction.x), component(ray.direction.y),
                  component(ray.direction.z)};
  s.line.origin = ray.origin;
  s.line.direction = d;
  s.line.inverse = {inverse(d.x), inverse(d.y), inverse(d.z)};
  s.line.dd = two_dot(d, d);
  s.t_min = times_power_of_two(ray.t_min, s.exponent);
  s.t_max = times_power_of_two(ray.t_max, s.exponent);
  return s;
}

/// A finite t of the scaled ray, for the caller: saturated at the largest float, clamped to the
/// caller's interval, never -0.
SIGHTLINE_HD float unscaled_t(const ScaledRay& s, float t, float t_min, float t_max) {
  const float u = min(times_power_of_two(t, -s.exponent), largest_float);
  return min(max(u, t_min), t_max) + 0.0f;
}

}  // namespace sightline
