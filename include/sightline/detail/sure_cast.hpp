// One ray against one shape in doubles: whole answers, where these surely are those of the exact
// stages. Rays and shapes of ordinary sizes, and hits ahead of the ray's start; whatever is in
// doubt is left to the exact stages. Proofs: docs/accuracy.md, "One pair in doubles".
#pragma once

#include <sightline/detail/sure_boxes.hpp>
#include <sightline/detail/sure_rounds.hpp>
#include <sightline/queries/ray.hpp>

namespace sightline {

enum class SureAnswer { unknown, miss, hit };

/// A float to which everything within an error of some number rounds, if there is one.
struct SureFloat {
  float value;
  bool sure;
};
SIGHTLINE_HD SureFloat sure_float(double x, double error) {
  const float low = narrowed(x - error), high = narrowed(x + error);
  return {high, low == high};
}

SIGHTLINE_HD double sum_abs(const Vec3T<double>& v) {
  return ::fabs(v.x) + ::fabs(v.y) + ::fabs(v.z);
}

/// a . b, each operation rounded: no fused ones, which not every machine has.
SIGHTLINE_HD float plain_dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Whether a ray is good, and of sizes for which something is claimed.
SIGHTLINE_HD bool is_tame(const Ray& ray) {
  const float dd = plain_dot(ray.direction, ray.direction);
  return (dd >= 0x1p-59f) & (dd <= 0x1p59f) & (sum_abs(ray.origin) <= 0x1p39f) &
         (ray.t_min >= 0.0f) & (ray.t_min <= ray.t_max);
}

/// A tame ray in doubles.
struct WideRay {
  Vec3T<double> d;
  double dd;
  float power;  ///< 2^k: the direction times it has its largest component in [1, 2)
};
SIGHTLINE_HD WideRay widened(const Ray& ray) {
  WideRay r;
  r.d = widened(ray.direction);
  r.dd = wide_dot(r.d, r.d);
  r.power = normalising_power(max_abs(ray.direction));
  return r;
}

/// What an entry at t answers, of a shape that the line surely hits: every policy the same, where
/// the ray begins outside.
SIGHTLINE_HD SureAnswer sure_answer(const Ray& ray, const SureFloat& t, Hit& hit) {
  if (!(t.sure & (t.value >= ray.t_min) & (t.value >= 0x1p-60f))) return SureAnswer::unknown;
  if (t.value > ray.t_max) return SureAnswer::miss;
  hit.t = t.value;
  hit.id = 0;
  hit.flags = hit_flags::hit;
  return SureAnswer::hit;
}

/// Takes the normal, with no -0.
SIGHTLINE_HD void set_normal(const Vec3& n, Hit& hit) {
  hit.normal = {n.x + 0.0f, n.y + 0.0f, n.z + 0.0f};
}
/// The normal of a round shape whose surface lies `out` from its centre or axis, each component
/// within `error`; false where that does not say to which float it rounds.
SIGHTLINE_HD bool sure_normal(const Vec3T<double>& out, double error, Hit& hit) {
  const SureFloat x = sure_float(out.x, error), y = sure_float(out.y, error),
                  z = sure_float(out.z, error);
  if (!(x.sure & y.sure & z.sure)) return false;
  set_normal(unit(Vec3{x.value, y.value, z.value}), hit);
  return true;
}
/// The same of a ball. Along an axis on which the ray does not move, stage 2 has the difference.
SIGHTLINE_HD bool sure_normal(const Ray& ray, const Vec3& center, const Vec3T<double>& out,
                              double error, Hit& hit) {
  const auto component = [&](float d, float o, float c, double x) {
    return d == 0.0f ? SureFloat{o - c, true} : sure_float(x, error);
  };
  const Vec3 &d = ray.direction, &o = ray.origin;
  const SureFloat x = component(d.x, o.x, center.x, out.x);
  const SureFloat y = component(d.y, o.y, center.y, out.y);
  const SureFloat z = component(d.z, o.z, center.z, out.z);
  if (!(x.sure & y.sure & z.sure)) return false;
  set_normal(unit(Vec3{x.value, y.value, z.value}), hit);
  return true;
}

/// A ball about w from the ray's origin; `half` of its chord, all in the ray's own t.
struct WideChord {
  double foot, half, error;  ///< the error of the entry
  float slant;
  Vec3T<double> out;  ///< from the centre to the entry
  double out_error;
};
SIGHTLINE_HD WideChord chord_of(const WideRay& ray, const Vec3T<double>& w, double radius,
                                double size) {
  WideChord c;
  const double per_dd = 1.0 / ray.dd;
  c.foot = -(wide_dot(w, ray.d) * per_dd);
  const Vec3T<double> p = wide_moved(w, c.foot, ray.d);
  c.half = wide_sqrt((radius * radius - wide_dot(p, p)) * per_dd);
  c.slant = narrowed(radius) * ray.power / narrowed(c.half);
  c.error = size * 0x1p-41 * (1.0 + widened(c.slant)) * widened(ray.power);
  c.out = wide_moved(p, -c.half, ray.d);
  c.out_error = size * 0x1p-41 * (1.0 + widened(c.slant));
  return c;
}

SIGHTLINE_HD SureAnswer sure_cast(const Ray& ray, const Sphere& s, Hit& hit) {
  if (!is_tame(ray)) return SureAnswer::unknown;
  const Vec3 from = difference(ray.origin, s.center), d = ray.direction;
  const float dd = plain_dot(d, d), b = plain_dot(from, d), ww = plain_dot(from, from);
  const float rr = s.radius * s.radius, beyond = ww - rr;
  const float doubt = dd * ((ww + rr) * 0x1p-18f + 0x1p-120f) + 0x1p-120f;
  const bool leaves = (b > 0) & (beyond > (ww + rr) * 0x1p-10f);
  if ((beyond * dd - b * b > doubt) | leaves) return SureAnswer::miss;

  const WideRay line = widened(ray);
  const Vec3T<double> w = wide_difference(ray.origin, s.center);
  const double r = s.radius, size = sum_abs(w) + r;
  const WideChord c = chord_of(line, w, r, size);
  if (!(r >= 0x1p-30 && size <= r * 0x1p20 && c.slant <= 0x1p10f)) return SureAnswer::unknown;
  if (narrowed(c.foot + c.half + c.error) < ray.t_min) return SureAnswer::miss;
  const SureAnswer answer = sure_answer(ray, sure_float(c.foot - c.half, c.error), hit);
  if (answer != SureAnswer::hit) return answer;
  const bool sure = sure_normal(ray, s.center, c.out, c.out_error, hit);
  return sure ? answer : SureAnswer::unknown;
}

/// Whether a tame ray's line surely meets the capsule, or the ray surely does not: as surely().
SIGHTLINE_HD SureAnswer sure_meeting(const Ray& ray, const Capsule& s) {
  const auto moved_by = [](const Vec3& p, float t, const Vec3& by) {
    return Vec3{p.x + t * by.x, p.y + t * by.y, p.z + t * by.z};
  };
  const Vec3 d = ray.direction, from_a = difference(ray.origin, s.a), e = difference(s.b, s.a);
  const float per_dd = 1.0f / plain_dot(d, d), ed = plain_dot(e, d) * per_dd;
  const float foot = -(plain_dot(from_a, d) * per_dd);
  const Vec3 w = moved_by(from_a, foot, d), across = moved_by(e, -ed, d);
  const float size = sum_abs(w) + sum_abs(e) + s.radius;
  const float doubt = sum_abs(from_a) * 0x1p-20f + size * 0x1p-18f + 0x1p-68f;
  const float inner = s.radius - doubt, outer = s.radius + doubt;
  // The line's nearest point to the segment, or nearly: nothing below relies on it.
  const float span = plain_dot(across, across), at = plain_dot(w, across);
  const float u = !(at > 0) ? 0.0f : at < span ? at / span : 1.0f;
  const Vec3 p = moved_by(w, -u, across);
  const float pp = plain_dot(p, p), gap = plain_dot(p, w) - max(plain_dot(p, across), 0.0f);
  const float power = normalising_power(max_abs(d));  // at least 1 / |d|
  const float last = foot + max(ed, 0.0f) + (outer + size * 0x1p-18f) * power;
  const float t_doubt = (sum_abs(from_a) + size) * power * 0x1p-18f;
  const bool passes = (gap > 0) & (gap * gap > pp * (outer * outer) + 0x1p-120f);
  if (passes | (last + t_doubt < ray.t_min)) return SureAnswer::miss;
  return inner > 0 && pp < inner * inner ? SureAnswer::hit : SureAnswer::unknown;
}

SIGHTLINE_HD SureAnswer sure_cast(const Ray& ray, const Capsule& s, Hit& hit) {
  if (!is_tame(ray)) return SureAnswer::unknown;
  const SureAnswer meets = sure_meeting(ray, s);
  if (meets != SureAnswer::hit) return meets;
  const WideRay line = widened(ray);
  const Vec3T<double> d = line.d, wa = wide_difference(ray.origin, s.a);
  const Vec3T<double> e = wide_difference(s.b, s.a);
  const double r = s.radius, per_dd = 1.0 / line.dd, power = line.power;
  const double foot = -(wide_dot(wa, d) * per_dd), ed = wide_dot(e, d), ee = wide_dot(e, e);
  const Vec3T<double> w = wide_moved(wa, foot, d);

  const Vec3T<double> g = wide_cross(e, d);
  const double per_gg = 1.0 / wide_dot(g, g), wg = wide_dot(w, g), we = wide_dot(w, e);
  const double root = wide_sqrt(ee * (r * r - wg * wg * per_gg) * per_gg);
  const double from_foot = we * ed * per_gg - root, height = we + from_foot * ed;
  const double size = sum_abs(wa) + sum_abs(e) + r, skew = 1.0 + ee * per_gg / (power * power);
  const double slant = r * power / root * skew;
  const double error = size * 0x1p-39 * skew * (1.0 + slant);
  const bool tame =
      r >= 0x1p-30 && size <= r * 0x1p20 && slant <= 0x1p10 && skew <= 0x1p16 && ee >= 0x1p-60;
  const double height_error = error * 8.0 * wide_sqrt(ee);
  const bool at_a = height<-height_error, at_b = height - ee> height_error;
  if (!tame) return SureAnswer::unknown;
  if (height > height_error && height - ee < -height_error) {
    const SureAnswer answer = sure_answer(ray, sure_float(foot + from_foot, error * power), hit);
    if (answer != SureAnswer::hit) return answer;
    const Vec3T<double> from_a = wide_moved(w, from_foot, d);
    const Vec3T<double> out = wide_moved(from_a, -(height / ee), e);
    return sure_normal(out, 2.0 * error, hit) ? answer : SureAnswer::unknown;
  }
  if (!at_a && !at_b) return SureAnswer::unknown;
  const Vec3 center = at_a ? s.a : s.b;
  const Vec3T<double> from_end = wide_difference(ray.origin, center);
  const WideChord c = chord_of(line, from_end, r, sum_abs(from_end) + r);
  if (!(c.slant <= 0x1p10f)) return SureAnswer::unknown;
  const SureAnswer answer = sure_answer(ray, sure_float(c.foot - c.half, c.error), hit);
  if (answer != SureAnswer::hit) return answer;
  const double past = wide_dot(c.out, e), past_error = c.out_error * sum_abs(e);
  const bool sure = at_a ? past < -past_error : past > past_error;
  return sure && sure_normal(ray, center, c.out, c.out_error, hit) ? answer : SureAnswer::unknown;
}

/// Whether a ray that enters three slabs at these times enters the k-th surely last, and before it
/// leaves any.
SIGHTLINE_HD bool enters_last(const float* near, int k, float last, float first_out) {
  constexpr float less = 1.0f - 0x1p-18f;
  const float others = last * less;
  return ((k == 0) | (near[0] < others)) & ((k == 1) | (near[1] < others)) &
         ((k == 2) | (near[2] < others)) & (last < first_out * less);
}

SIGHTLINE_HD SureAnswer sure_cast(const Ray& ray, const Aabb& s, Hit& hit) {
  const float least = max_abs(ray.direction) * 0x1p-30f;
  bool is_clear = is_tame(ray);
  float near[3], far[3];
  const auto axis = [&](int i, float o, float d, float lo, float hi) {
    const float per_d = 1.0f / d, to_lo = (lo - o) * per_d, to_hi = (hi - o) * per_d;
    is_clear = is_clear & (to_lo == to_lo) & (to_hi == to_hi) & ((d == 0.0f) | (abs(d) >= least));
    near[i] = min(to_lo, to_hi);
    far[i] = max(to_lo, to_hi);
  };
  axis(0, ray.origin.x, ray.direction.x, s.min.x, s.max.x);
  axis(1, ray.origin.y, ray.direction.y, s.min.y, s.max.y);
  axis(2, ray.origin.z, ray.direction.z, s.min.z, s.max.z);
  if (!is_clear) return SureAnswer::unknown;
  constexpr float less = 1.0f - 0x1p-18f;  // what the gate is sure of
  const float last = max(max(near[0], near[1]), near[2]);
  const float first_out = min(min(far[0], far[1]), far[2]);
  const float begin = last > 0x1p-60f ? last * less : 0.0f;
  if (((begin > 0) & (begin > first_out)) | (first_out < -0x1p-60f) |
      (first_out < ray.t_min * less) | (begin * less > ray.t_max)) {
    return SureAnswer::miss;
  }
  const int k = near[0] == last ? 0 : near[1] == last ? 1 : 2;
  if (!enters_last(near, k, last, first_out)) return SureAnswer::unknown;
  const auto chosen = [k](const Vec3& v) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
  const float d = chosen(ray.direction), plane = d < 0.0f ? chosen(s.max) : chosen(s.min);
  const double t = (widened(plane) - widened(chosen(ray.origin))) / widened(d);
  const SureAnswer answer = sure_answer(ray, sure_float(t, t * 0x1p-44), hit);
  if (answer != SureAnswer::hit) return answer;
  const float out = d < 0.0f ? 1.0f : -1.0f;
  hit.normal = {k == 0 ? out : 0.0f, k == 1 ? out : 0.0f, k == 2 ? out : 0.0f};
  return SureAnswer::hit;
}

SIGHTLINE_HD SureAnswer sure_cast(const Ray& ray, const ObbFrame& s, Hit& hit) {
  if (!is_tame(ray)) return SureAnswer::unknown;
  const Vec3 from = difference(ray.origin, s.center), h = s.half_extents;
  const float size = sum_abs(from) + sum_abs(h), doubt = size * 0x1p-18f + 0x1p-100f;
  const float least = 0x1p-60f / normalising_power(max_abs(ray.direction));
  float early[3], late[3], speed[3], out_early = infinity, out_late = infinity;
  const auto axis = [&](int i, float half) {
    const float along = plain_dot(from, s.axis[i]);
    speed[i] = plain_dot(ray.direction, s.axis[i]);
    const float to_middle = speed[i] < 0.0f ? along : -along;
    const float per_speed = 1.0f / max(abs(speed[i]), least);
    const float inner = half - doubt, outer = half + doubt;
    early[i] = (to_middle - outer) * per_speed;
    late[i] = (to_middle - inner) * per_speed;
    out_early = min((to_middle + inner) * per_speed, out_early);
    out_late = min((to_middle + outer) * per_speed, out_late);
  };
  axis(0, h.x), axis(1, h.y), axis(2, h.z);
  const float until = min(out_late, ray.t_max);
  if ((early[0] > until) | (early[1] > until) | (early[2] > until) | (ray.t_min > until)) {
    return SureAnswer::miss;
  }
  const int k = late[0] >= late[1] && late[0] >= late[2] ? 0 : late[1] >= late[2] ? 1 : 2;
  const float entered = early[k];
  const bool alone = ((k == 0) | (late[0] <= entered)) & ((k == 1) | (late[1] <= entered)) &
                     ((k == 2) | (late[2] <= entered));
  if (!(alone & (late[k] <= out_early) & (out_early >= ray.t_min) & (size >= 0x1p-40f) &
        (abs(speed[k]) >= least * 0x1p42f))) {
    return SureAnswer::unknown;
  }
  const Vec3T<double> a = widened(s.axis[k]), w = wide_difference(ray.origin, s.center);
  const double along = wide_dot(w, a), wide_speed = wide_dot(widened(ray.direction), a);
  const double half = k == 0 ? h.x : k == 1 ? h.y : h.z, sign = wide_speed < 0 ? -1 : 1;
  const double per_speed = 1.0 / (sign * wide_speed), t = -((sign * along + half) * per_speed);
  const SureFloat at = sure_float(t, widened(size) * 0x1p-41 * per_speed);
  const SureAnswer answer = sure_answer(ray, at, hit);
  if (answer == SureAnswer::hit) set_normal(unit(wide_speed < 0 ? s.axis[k] : -s.axis[k]), hit);
  return answer;
}

SIGHTLINE_HD SureAnswer sure_cast(const Ray& ray, const Plane& s, Hit& hit) {
  const Vec3T<double> n = widened(s.normal), o = widened(ray.origin), d = widened(ray.direction);
  const double above = wide_dot(n, o) - widened(s.offset), speed = wide_dot(n, d);
  const auto size = [&](const Vec3T<double>& v) {
    return ::fabs(n.x * v.x) + ::fabs(n.y * v.y) + ::fabs(n.z * v.z);
  };
  const double doubt = (size(o) + ::fabs(widened(s.offset)) + 0x1p-60) * 0x1p-42;
  const double speed_doubt = size(d) * 0x1p-42, per_speed = 1.0 / ::fabs(speed);
  if (!(is_tame(ray) & (above > doubt) & (::fabs(speed) > speed_doubt * 0x1p20))) {
    return SureAnswer::unknown;
  }
  if (speed > 0) return SureAnswer::miss;
  const double t = above * per_speed;
  const SureFloat at = sure_float(t, (doubt + speed_doubt * t) * per_speed + t * 0x1p-42);
  const SureAnswer answer = sure_answer(ray, at, hit);
  if (answer != SureAnswer::hit) return answer;
  set_normal(unit(s.normal), hit);
  return SureAnswer::hit;
}

}  // namespace sightline
