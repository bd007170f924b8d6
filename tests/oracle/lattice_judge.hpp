// Whether an answer about a ray and a shape on the lattice is the contract's.
#pragma once

#include <sightline/geometry/shapes/aabb.hpp>

#include "tests/oracle/lattice_rays.hpp"

#include <string>

namespace sightline::oracle {

/// What the contract says of a ray: whether it hits, and which end of the interval t is; neither
/// where it is t_min.
struct Expected {
  bool hit = false, started_inside = false, t_is_in = false, t_is_out = false;
};

template <class Truth>
Expected expect(const Truth& truth, const Ray& ray, Inside inside) {
  const IntLine line{whole(ray.origin), whole(ray.direction)};
  if (!truth.meets(line)) return {};
  const Ends at_min = truth.ends(line, rational(ray.t_min));
  const bool open = ray.t_max == infinity;
  const Ends at_max = open ? Ends{-1, -1} : truth.ends(line, rational(ray.t_max));
  Expected e;
  e.hit = at_min.out >= 0 && at_max.in <= 0;
  e.started_inside = at_min.in < 0;
  e.t_is_in = !e.started_inside;
  if (e.started_inside && inside == Inside::ignore) e.hit = false;
  if (e.started_inside && inside == Inside::surface) {
    e.hit = e.hit && at_max.out <= 0;
    if constexpr (requires { truth.is_left(line); }) e.hit = e.hit && truth.is_left(line);
    e.t_is_out = true;
  }
  if (!e.hit) return {};
  return e;
}

/// Whether an end lies so near a bound of the interval that it rounds to it: the contract compares
/// rounded ends, and either answer is then right.
template <class Truth>
bool too_close_to_a_bound(const Truth& truth, const Ray& ray) {
  const IntLine line{whole(ray.origin), whole(ray.direction)};
  const auto close = [&](float t) {
    if (t == 0 || t == infinity) return false;
    const Ends at = truth.ends(line, rational(t));
    const Ends below = truth.ends(line, rational(next_down(t)));
    const Ends above = truth.ends(line, rational(next_up(t)));
    const auto parted = [](int a, int b, int c) { return b != 0 && (a * b < 0 || b * c < 0); };
    return parted(below.in, at.in, above.in) || parted(below.out, at.out, above.out);
  };
  return truth.meets(line) && (close(ray.t_min) || close(ray.t_max));
}

/// Empty when the answer is right: t exactly where it is known to be the aimed one or t_min, and
/// within one float of the truth elsewhere.
template <class Truth>
std::string wrong(const Truth& truth, const Aimed& a, Inside inside, const Hit& got) {
  const Expected e = expect(truth, a.ray, inside);
  const bool hit = (got.flags & hit_flags::hit) != 0;
  if (hit != e.hit) return e.hit ? "misses" : "hits";
  if (!hit) return got.t == infinity && got.id == none ? "" : "a miss with an answer";
  if (((got.flags & hit_flags::started_inside) != 0) != e.started_inside) return "started_inside";
  if (!e.t_is_in && !e.t_is_out) return got.t == a.ray.t_min ? "" : "t is not t_min";

  const IntLine line{whole(a.ray.origin), whole(a.ray.direction)};
  const auto end = [&](const Ends& ends) { return e.t_is_in ? ends.in : ends.out; };
  if (a.k >= 0 && end(truth.ends(line, rational(a.k))) == 0) {
    return got.t == a.k ? "" : "t is not the aimed one";
  }
  if (end(truth.ends(line, {0, 1})) == 0) return got.t == 0 ? "" : "t is not 0";
  if (!(got.t < infinity)) return "t is infinite";
  const bool tiny = got.t < 0x1p-7f;  // its own spacing would overflow the integers
  const Int steps = static_cast<Int>(tiny ? got.t * 0x1p30f : 0.0f), den = Int{1} << 30;
  const Rational lower = tiny ? Rational{steps - 1, den} : rational(next_down(got.t));
  const Rational upper = tiny ? Rational{steps + 2, den} : rational(next_up(got.t));
  const bool above = end(truth.ends(line, lower)) >= 0;
  const bool below = end(truth.ends(line, upper)) <= 0;
  return above && below ? "" : "t is further than one float away";
}

}  // namespace sightline::oracle
