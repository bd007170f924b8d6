// Holds the library's answers about a line and a triangle to whole numbers.
#pragma once

#include <sightline/geometry/intersect/certain_triangle.hpp>

#include "tests/oracle/triangle_truth.hpp"
#include "tests/support/triangle_cases.hpp"

#include <cstdint>

namespace sightline::testing {

struct TriangleCounts {
  std::uint64_t cases = 0, hits = 0, in_plane = 0;
  std::uint64_t open_after_a = 0, open_after_b = 0;
  std::uint64_t edges_in_doubles = 0, edges_in_expansions = 0;
  std::uint64_t t_in_expansions = 0;  ///< off the plane
  std::uint64_t sure_t = 0;           ///< hits that the float t proves to be ahead
  std::uint64_t wrong_hits = 0, wrong_t = 0, wrong_sides = 0, wrong_stages = 0;

  TriangleCounts& operator+=(const TriangleCounts& more) {
    using Count = std::uint64_t TriangleCounts::*;
    using T = TriangleCounts;
    for (const Count n :
         {&T::cases, &T::hits, &T::in_plane, &T::open_after_a, &T::open_after_b,
          &T::edges_in_doubles, &T::edges_in_expansions, &T::t_in_expansions, &T::sure_t,
          &T::wrong_hits, &T::wrong_t, &T::wrong_sides, &T::wrong_stages}) {
      this->*n += more.*n;
    }
    return *this;
  }
  std::uint64_t wrong() const { return wrong_hits + wrong_t + wrong_sides + wrong_stages; }
};

/// Counts which stages a pair needs.
inline void count_stages(const Line& line, const Triangle& s, bool crosses, TriangleCounts& n) {
  const TriangleSidesT<float> sides = sides_of(s);
  const Edges a = quick_edges(line, sides, difference(line.origin, s.a));
  const Certain after_a = signs_agree_within(a, a.doubt_ab);
  if (crosses) n.t_in_expansions += !rounded(plane_crossing(line, s)).sure;
  if (after_a.hit || after_a.miss) return;
  ++n.open_after_a;
  const Edges b = careful_edges(line, sides, two_diff(line.origin, s.a));
  const Certain after_b = signs_agree(b);
  if (after_b.hit || after_b.miss) return;
  ++n.open_after_b;
  const Vec3 corner[4] = {s.a, s.b, s.c, s.a};
  const float value[3] = {b.ab, b.bc, b.ca}, doubt[3] = {b.doubt_ab, b.doubt_bc, b.doubt_ca};
  for (int k = 0; k < 3; ++k) {
    if (sightline::abs(value[k]) > doubt[k]) continue;
    ++n.edges_in_doubles;
    n.edges_in_expansions +=
        !bounded_determinant(split(line.direction), split_difference(corner[k], line.origin),
                             split_difference(corner[k + 1], line.origin))
             .has_sign();
  }
}

/// Whether what floats are sure of, and closest hit's interval, are those of the exact interval.
inline bool stages_agree(const ScaledRay& q, const Triangle& s, const Interval& exact,
                         TriangleCounts& n) {
  const Found want = apply_policy(exact, q.t_min, q.t_max, q.t_min, Inside::solid);
  const Certain sure = certainly(q.line, s, q.t_min, q.t_max, Inside::solid, false);
  n.sure_t += sure.hit;
  if ((sure.hit && !want.hit) || (sure.miss && want.hit)) return false;
  const Interval ahead = interval_ahead(q.line, s, q.t_min, q.t_max, Inside::solid, true);
  const Found got = apply_policy(ahead, q.t_min, q.t_max, q.t_min, Inside::solid);
  if (got.hit != want.hit) return false;
  if (!want.hit) return true;
  // Cut just before the hit, it is left out or beyond; cut there, it is not.
  const Interval cut = interval_ahead(q.line, s, q.t_min, want.t, Inside::solid, true);
  return bits_of(got.t) == bits_of(want.t) && got.started_inside == want.started_inside &&
         apply_policy(cut, q.t_min, want.t, q.t_min, Inside::solid).hit;
}

/// Judges one case; true where all is right.
inline bool judge(const TriangleCase& c, TriangleCounts& n) {
  const ScaledRay q = scale(c.ray);
  if (q.bad) return true;
  ++n.cases;
  const oracle::TriangleTruth truth = oracle::truth(q.line.origin, q.line.direction, c.triangle);
  const Interval got = interval(q.line, c.triangle);
  const std::uint64_t wrong = n.wrong();
  n.hits += truth.hit, n.in_plane += truth.hit && truth.in_plane;
  if (got.hit != truth.hit) {
    ++n.wrong_hits;
  } else if (got.hit) {
    n.wrong_sides += meets_side<float>(q.line, c.triangle, Side::back) != (truth.facing > 0);
    n.wrong_t += !(is_rounded(got.t_in, truth.t_in) && is_rounded(got.t_out, truth.t_out));
  }
  n.wrong_stages += !stages_agree(q, c.triangle, got, n);
  count_stages(q.line, c.triangle, truth.hit && !truth.in_plane, n);
  return n.wrong() == wrong;
}

}  // namespace sightline::testing
