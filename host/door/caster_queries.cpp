// The door: queries other than casts and lines of sight.
#include "host/backend/report_sums.hpp"
#include "host/door/caster_impl.hpp"

namespace sightline {

using detail::answered;
using detail::check_array;
using detail::check_pairs;
using detail::check_rays;
using detail::checked;

namespace {

/// The view of a range of shapes that are no scene but part of a question.
ShapesView slice_of(const Scene& scene, const IdRange& of, const char* what) {
  const ShapesView all = scene.view_without_bounds();
  const bool to_the_end = of.count == none;
  if (of.first > all.size() || (!to_the_end && of.count > all.size() - of.first)) {
    throw Error(ErrorKind::usage, std::string("the ids of shapes that ") + what + " end at " +
                                      std::to_string(all.size()) + ", before " +
                                      std::to_string(of.first) +
                                      (to_the_end ? "" : " + " + std::to_string(of.count)));
  }
  return all.slice(of.first, to_the_end ? all.size() - of.first : of.count);
}

ShapesView query_view(const Scene& queries, const IdRange& of) {
  const ShapesView some = slice_of(queries, of, "ask");
  if (some.size() > some.bounded()) {
    throw Error(ErrorKind::usage, "planes cannot be overlap queries: they have no bounds");
  }
  return some;
}

ShapesView moving_view(const Scene& moving, const IdRange& of) {
  const ShapesView some = slice_of(moving, of, "move");
  if (some.size() != some.count(Kind::sphere) + some.count(Kind::capsule)) {
    throw Error(ErrorKind::usage, "only spheres and capsules can move");
  }
  return some;
}

/// Whether they are rays: spheres of radius 0 all.
bool are_thin(const SweepsView& sweeps) {
  if (sweeps.b != nullptr) return false;
  if (sweeps.radius.data == nullptr) return sweeps.radius.common == 0.0f;
  for (std::uint64_t i = 0; i < sweeps.rays.count; ++i) {
    if (!(sweeps.radius[i] == 0.0f)) return false;
  }
  return true;
}

/// Those of one kind, along their directions: the ends a of capsules are the rays' origins.
SweepsView sweeps_of(const ShapesView& moving, Kind kind, const Vec3* directions, float t_max) {
  const std::uint32_t first = moving.begin[static_cast<int>(kind)];
  SweepsView v;
  v.rays.count = moving.count(kind);
  if (v.rays.count == 0) return v;
  const std::uint64_t n = v.rays.count;
  if (kind == Kind::sphere) {
    v.rays.origin = std::span(moving.of<Sphere>().center, n);
    v.radius = {moving.of<Sphere>().radius, n};
  } else {
    v.rays.origin = std::span(moving.of<Capsule>().a, n);
    v.radius = {moving.of<Capsule>().radius, n};
    v.b = moving.of<Capsule>().b;
  }
  v.rays.direction = std::span(directions + first, n);
  v.rays.t_max = t_max;
  if (moving.mask != nullptr) v.rays.mask = {moving.mask + first, n};
  return v;
}

CastReport closest_hit_of(const detail::CastBackend& backend, const SweepsView& sweeps,
                          const HitsView& hits, Inside inside) {
  return are_thin(sweeps) ? backend.answer(detail::ClosestHits{sweeps.rays, hits, inside})
                          : backend.answer(detail::ClosestSweeps{sweeps, hits, inside});
}

/// With the report of what follows.
CastReport joined(CastReport report, CastReport next) {
  next.first_bad_ray += report.rays;
  detail::add(report, next);
  return report;
}

SIGHTLINE_NOINLINE void check_rows(std::uint64_t count, const NearestOptions& options) {
  if (options.k == 0) throw Error(ErrorKind::usage, "k, the shapes a point, must be at least 1");
  if (!(options.range >= 0.0f)) throw Error(ErrorKind::usage, "the range must be at least 0");
  if (count > (std::uint64_t{1} << 59) / options.k) {
    throw Error(ErrorKind::usage, std::to_string(count) + " rows of " + std::to_string(options.k) +
                                      " are more than 2^59 elements");
  }
}

/// What `rows` returns, its lack of memory told in words.
template <class Rows>
NearestReport with_rows(std::uint32_t k, const Rows& rows) {
  return detail::in_words(rows, [k] {
    return "there is no memory for rows of the " + std::to_string(k) + " nearest shapes, " +
           std::to_string(8 * std::uint64_t{k}) + " bytes a thread";
  });
}

SIGHTLINE_NOINLINE void check_bodies(std::uint32_t shapes, std::uint32_t body) {
  if (body != 0 && shapes % body == 0) return;
  throw Error(ErrorKind::usage, std::to_string(shapes) + " query shapes are no whole number of " +
                                    "bodies of " + std::to_string(body));
}

SIGHTLINE_NOINLINE void check_directions(std::span<const Vec3> directions, bool strict) {
  for (std::uint64_t i = 0; strict && i < directions.size(); ++i) {
    if (!is_finite(directions[i])) {
      throw Error(ErrorKind::bad_input,
                  "direction " + std::to_string(i) + " is bad: it is NaN or infinite");
    }
  }
}

SIGHTLINE_NOINLINE void check_thick_rays(const RaysView& rays, const Column<float>& radius,
                                         const CastOptions& options) {
  check_rays(rays, {options.inside});
  detail::check_column("radius", radius, rays.count);
  for (std::uint64_t i = 0; options.strict && i < rays.count; ++i) {
    detail::check_ray(rays[i], i);
    if (!(radius[i] >= 0.0f && radius[i] <= domain_limit)) {
      throw Error(ErrorKind::bad_input,
                  "ray " + std::to_string(i) + " is bad: its radius is not 0 <= radius <= 2^40");
    }
  }
}

}  // namespace

OverlapReport Caster::overlap_any(const Scene& queries, std::span<std::uint64_t> bits,
                                  const IdRange& of, std::uint32_t body) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, of);
    check_bodies(shapes.size(), body);
    check_array("bits", bits, bit_words(shapes.size() / body));
    return own.backend->answer(detail::OverlapAny{shapes, bits.data(), body});
  });
}

OverlapReport Caster::overlap_count(const Scene& queries, std::span<std::uint32_t> counts,
                                    const IdRange& of) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, of);
    check_array("counts", counts, shapes.size());
    return own.backend->answer(detail::OverlapCount{shapes, counts.data()});
  });
}

OverlapRows Caster::overlap_all(const Scene& queries, const IdRange& of) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, of);
    return detail::in_words([&] { return own.backend->answer(detail::OverlapAll{shapes}); },
                            [&] {
                              return "there is no memory for all overlaps of " +
                                     std::to_string(shapes.size()) +
                                     " shapes: ask for fewer at a time, or how many there are";
                            });
  });
}

NearestReport Caster::nearest(const PointsView& points, const NearestArrays& out,
                              const NearestOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    detail::check_columns(points);
    check_rows(points.count, options);
    const std::uint64_t n = points.count, k = options.k;
    const NearestView to = {checked("distance", out.distance, n, k), checked("id", out.id, n, k),
                            checked("point", out.point, n, k),
                            checked("direction", out.direction, n, k)};
    return with_rows(options.k, [&] {
      return own.backend->answer(detail::Nearest{points, options.k, options.range, to});
    });
  });
}

NearestReport Caster::clearance(const PointsView& from, const PointsView& to,
                                const ClearanceArrays& out, const NearestOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check_pairs(from, to);
    check_rows(from.count, options);
    const std::uint64_t n = from.count, k = options.k;
    const ClearanceView rows = {checked("distance", out.distance, n, k),
                                checked("id", out.id, n, k), checked("t", out.t, n, k),
                                checked("on_segment", out.on_segment, n, k),
                                checked("on_shape", out.on_shape, n, k)};
    return with_rows(options.k, [&] {
      return own.backend->answer(detail::Clearance{{n, from, to}, options.k, options.range, rows});
    });
  });
}

HitRowsReport Caster::count_hits(const RaysView& rays, std::span<std::uint32_t> counts,
                                 const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check_array("counts", counts, rays.count);
    check_rays(rays, options);
    return own.backend->answer(detail::CountHits{rays, counts.data(), options.inside});
  });
}

HitRowsReport Caster::all_hits(const RaysView& rays, HitRows& rows,
                               const HitRowsOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    if (options.first == 0) throw Error(ErrorKind::usage, "the hits kept must be at least 1 a ray");
    check_rays(rays, {options.inside, options.strict});
    return detail::in_words(
        [&] {
          return own.backend->answer(detail::AllHits{rays, rows, options});
        },
        [&] {
          return "there is no memory for all hits of " + std::to_string(rays.count) +
                 " rays: ask for fewer at a time, for the first of each, or how many there are";
        });
  });
}

CastReport Caster::closest_hit(const RaysView& rays, const Column<float>& radius,
                               const HitArrays& hits, const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const HitsView to = detail::pointers(hits, rays.count);
    check_thick_rays(rays, radius, options);
    return closest_hit_of(*own.backend, {rays, radius}, to, options.inside);
  });
}

CastReport Caster::any_hit(const RaysView& rays, const Column<float>& radius,
                           std::span<std::uint64_t> blocked, const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    check_array("blocked", blocked, bit_words(rays.count));
    check_thick_rays(rays, radius, options);
    const SweepsView sweeps = {rays, radius};
    return are_thin(sweeps)
               ? own.backend->answer(detail::AnyHits{rays, blocked.data(), options.inside})
               : own.backend->answer(detail::AnySweeps{sweeps, blocked.data(), options.inside});
  });
}

CastReport Caster::sweep(const Scene& moving, std::span<const Vec3> directions,
                         const HitArrays& hits, const SweepOptions& options,
                         const IdRange& of) const {
  const Impl& own = impl();
  return answered([&] {
    detail::check(options.inside);
    const ShapesView shapes = moving_view(moving, of);
    check_array("directions", directions, shapes.size());
    const HitsView to = detail::pointers(hits, shapes.size());
    if (!(options.t_max >= 0.0f)) throw Error(ErrorKind::usage, "t_max must be at least 0");
    check_directions(directions, options.strict);
    const SweepsView spheres = sweeps_of(shapes, Kind::sphere, directions.data(), options.t_max);
    const SweepsView capsules = sweeps_of(shapes, Kind::capsule, directions.data(), options.t_max);
    const std::uint64_t before = spheres.rays.count;
    return joined(closest_hit_of(*own.backend, spheres, to, options.inside),
                  closest_hit_of(*own.backend, capsules, to.from(before), options.inside));
  });
}

}  // namespace sightline
