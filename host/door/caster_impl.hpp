// What the files that make up the door share.
#pragma once

#include "host/backend/backend.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"
#include "host/common/rays_alone.hpp"
#include "host/door/choose_backend.hpp"

#include <memory>
#include <string>

namespace sightline {

struct Caster::Impl {
  Scene scene;
  detail::ChosenBackend<detail::CastBackend> chosen;

  detail::CastBackend& backend() const { return *chosen.backend; }
  /// The same, for queries that do not know some kinds yet.
  detail::CastBackend& backend_for(const char* query) const {
    detail::refuse_kinds(scene, Refused::rays_alone, query);
    return backend();
  }
  /// The same for rays with radii. Throws Error{usage} for a side filter that they do not pass.
  detail::CastBackend& backend_for_thick(Side side) const {
    if (side != Side::both && scene.count(Kind::triangle) > 0) {
      detail::refuse("rays with radii take no side filter, and the scene has triangles");
    }
    return backend_for("thick rays");
  }
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
inline void check(RayPolicy policy) {
  check(policy.inside);
  check_choice(policy.side, Side::back, "side filter");
}

/// Whether they are spheres that move, for all that their columns say.
inline bool have_radii(const RaysView& rays) {
  return rays.radius.data != nullptr || !(rays.radius.common == 0.0f);
}
/// Makes radii that are all 0 the common 0.
inline void drop_zero_radii(RaysView& rays) {
  if (rays.radius.data == nullptr) return;
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    if (!(rays.radius[i] == 0.0f)) return;
  }
  rays.radius = 0.0f;
}

/// Counts them, in place: views are large beside the answer to one ray.
SIGHTLINE_NOINLINE inline void check_rays(RaysView& rays, const CastOptions& options) {
  check(policy_of(options));
  count_columns(rays);
  drop_zero_radii(rays);
  for (std::uint64_t i = 0; options.strict && i < rays.count; ++i) {
    check_ray(rays[i], i);
    if (!(rays.radius[i] >= 0.0f && rays.radius[i] <= domain_limit)) {
      throw Error(ErrorKind::bad_input,
                  "ray " + std::to_string(i) + " is bad: its radius is not 0 <= radius <= 2^40");
    }
  }
}

/// Of rays or, where they have radii or `ends` of capsules, of sweeps.
CastReport closest_hits(const CastBackend& backend, const ClosestHits& asked,
                        const Vec3* ends = nullptr);

/// Room for hits [n].
inline Hits hits_of(std::uint64_t n, bool normals) {
  Hits hits;
  hits.t.resize(n), hits.id.resize(n), hits.flags.resize(n);
  if (normals) hits.normal.resize(n);
  return hits;
}
inline HitArrays arrays_of(Hits& hits) { return {hits.t, hits.id, hits.flags, hits.normal}; }

inline HitsView pointers(const HitArrays& hits, std::uint64_t n) {
  return {checked("t", hits.t, n), checked("id", hits.id, n), checked("flags", hits.flags, n),
          checked("normal", hits.normal, n)};
}

/// The rows that answer() returns for n queries, with their report; their lack of memory reported
/// in words.
template <class Answer>
OverlapRows all_overlaps(std::uint64_t n, const char* queries, const Answer& answer) {
  OverlapRows rows = in_words(answer, [&] {
    return "there is no memory for all overlaps of " + std::to_string(n) + " " + queries +
           ": ask for fewer at a time, or how many there are";
  });
  rows.report = {n, 0, rows.ids.size()};
  for (std::uint64_t i = 0; i < n; ++i) {
    rows.report.overlapping += rows.offsets[i + 1] != rows.offsets[i];
  }
  return rows;
}

/// Points in pairs, both sides counted; a side without arrays is one point for all of the other.
inline std::pair<PointsView, PointsView> counted_pairs(PointsView from, PointsView to) {
  const auto is_one_for_all = [](const PointsView& points) {
    return points.size() == 1 && size_of_arrays(points) == Column<float>::not_given;
  };
  if (is_one_for_all(from)) {
    from.count = to.size();
  } else if (is_one_for_all(to)) {
    to.count = from.size();
  }
  from = counted(from), to = counted(to);
  if (from.count != to.count) {
    throw Error(ErrorKind::usage, "pairs need as many points on both sides, not " +
                                      std::to_string(from.count) + " and " +
                                      std::to_string(to.count));
  }
  return {from, to};
}

}  // namespace detail
}  // namespace sightline
