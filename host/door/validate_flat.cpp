#include "host/door/validate_flat.hpp"

#include <sightline/geometry/flat/flat_query.hpp>

#include "host/door/validate.hpp"

#include <cmath>

namespace sightline::detail {
namespace {

const char* bad_point(const Vec2& v) {
  if (!is_finite(v)) return not_finite;
  return in_domain(v) ? nullptr : out_of_domain;
}

const char* bad_turn(const Vec2& v, const char* when_zero) {
  if (!is_finite(v)) return not_finite;
  return v.x != 0.0f || v.y != 0.0f ? nullptr : when_zero;
}

/// How often a walk round the corners turns back along one axis: twice for a convex polygon, which
/// tells one from a star.
class Reversals {
 public:
  explicit Reversals(double least) : least_(least) {}

  void add(double step) {
    if (std::fabs(step) <= least_) return;
    if (first_ == 0) first_ = step;
    if (last_ != 0 && (step < 0) != (last_ < 0)) ++count_;
    last_ = step;
  }
  /// The last step is followed by the first.
  int count() const { return count_ + ((last_ < 0) != (first_ < 0) ? 1 : 0); }

 private:
  double least_, first_ = 0, last_ = 0;
  int count_ = 0;
};

/// Whether all corners turn one way and go round once; corners may be off by their own rounding.
bool is_convex(std::span<const Vec2> corners) {
  const std::size_t n = corners.size();
  double largest = 0;
  for (const Vec2& c : corners) {
    largest = std::fmax(largest, std::fmax(std::fabs(widened(c.x)), std::fabs(widened(c.y))));
  }
  const double rounding = largest * 0x1p-22;  // of a difference of corners
  Reversals x(rounding), y(rounding);
  bool left = false, right = false;
  WideVec2 before = {0, 0};
  const auto step = [&](std::size_t i) { return wide_diff(corners[(i + 1) % n], corners[i % n]); };
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_zero(step(i))) before = step(i);  // ends as the last edge that is none
  }
  for (std::size_t i = 0; i < n; ++i) {
    const WideVec2 e = step(i);
    if (is_zero(e)) continue;
    const double side = cross(before, e);
    const double straight = rounding * std::sqrt(square(before) + square(e));
    left = left || side > straight;
    right = right || side < -straight;
    x.add(e.x);
    y.add(e.y);
    before = e;
  }
  return !(left && right) && x.count() <= 2 && y.count() <= 2;
}

}  // namespace

const char* reason_to_refuse(const Circle& s) {
  return first_of({bad_point(s.center), bad_size(s.radius, "the radius is negative")});
}

const char* reason_to_refuse(const Capsule2& s) {
  return first_of({bad_point(s.a), bad_point(s.b), bad_size(s.radius, "the radius is negative")});
}

const char* reason_to_refuse(const Sector& s) {
  if (const char* why =
          first_of({bad_point(s.center), bad_turn(s.direction, "the direction has no length"),
                    bad_size(s.radius, "the radius is negative")})) {
    return why;
  }
  return is_sound(s) ? nullptr
         : is_finite(Vec2{s.cosine, s.sine})
             ? "the half angle's cosine is 0 and its sine is not above 0"
             : not_finite;
}

const char* reason_to_refuse(std::span<const Vec2> corners) {
  if (corners.empty()) return "it has no corners";
  if (corners.size() > 0x7FFFFFFFu) return "it has more than 2^31 - 1 corners";
  for (const Vec2& corner : corners) {
    if (const char* why = bad_point(corner)) return why;
  }
  return is_convex(corners) ? nullptr : "its corners are not in convex position and in order";
}

const char* reason_to_refuse(const Aabb2& s) {
  if (const char* why = first_of({bad_point(s.min), bad_point(s.max)})) return why;
  return s.min.x <= s.max.x && s.min.y <= s.max.y ? nullptr : "min is greater than max";
}

const char* reason_to_refuse(const Obb2& s) {
  return first_of({bad_point(s.center), bad_size(s.half_extents.x, "a half extent is negative"),
                   bad_size(s.half_extents.y, "a half extent is negative"),
                   bad_turn({s.cosine, s.sine}, "its cosine and sine are both 0")});
}

}  // namespace sightline::detail
