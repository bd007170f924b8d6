// The public calls other than casts and lines of sight.
#include "host/backend/report_sums.hpp"
#include "host/door/caster_impl.hpp"

namespace sightline {

using detail::answered;
using detail::check_array;
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
  with_refused(some, Refused::rays_alone, [](Kind kind, std::uint32_t) {
    throw Error(ErrorKind::usage, std::string(kind_name(kind)) + "s cannot be overlap queries yet");
  });
  return some;
}

ShapesView moving_view(const Scene& moving, const IdRange& of) {
  const ShapesView some = slice_of(moving, of, "move");
  if (some.size() != some.count(Kind::sphere) + some.count(Kind::capsule)) {
    throw Error(ErrorKind::usage, "only spheres and capsules can move");
  }
  return some;
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
    v.rays.radius = {moving.of<Sphere>().radius, n};
  } else {
    v.rays.origin = std::span(moving.of<Capsule>().a, n);
    v.rays.radius = {moving.of<Capsule>().radius, n};
    v.b = moving.of<Capsule>().b;
  }
  v.rays.direction = std::span(directions + first, n);
  v.rays.t_max = t_max;
  if (moving.mask != nullptr) v.rays.mask = {moving.mask + first, n};
  if (kind == Kind::sphere) detail::drop_zero_radii(v.rays);
  return v;
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

/// Tells of the memory for answers that there is not.
auto no_room_for(std::uint64_t n, std::uint32_t k) {
  return [n, k] {
    return "there is no memory for the nearest shapes of " + std::to_string(n) + " points, " +
           std::to_string(k) + " each: ask for fewer at a time";
  };
}

/// What `rows` returns, its lack of memory told in words.
template <class Rows>
auto with_rows(std::uint32_t k, const Rows& rows) {
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

/// Rays of calls that know no radii.
RaysView thin_rays(const RaysView& given, const CastOptions& options) {
  RaysView rays = given;
  detail::check_rays(rays, options);
  if (detail::have_radii(rays)) {
    throw Error(ErrorKind::usage, "rays with radii have closest hits and any hits alone");
  }
  return rays;
}

}  // namespace

CastReport detail::closest_hits(const CastBackend& backend, const ClosestHits& asked,
                                const Vec3* ends) {
  return ends == nullptr && !have_radii(asked.rays)
             ? backend.answer(asked)
             : backend.answer(ClosestSweeps{{asked.rays, ends}, asked.hits, asked.policy});
}

Bits<OverlapReport> Caster::overlap_any(const Scene& queries,
                                        const OverlapAnyOptions& options) const {
  impl().backend_for("overlaps");  // or refuse, before memory is taken
  return answered([&] {
    const std::uint64_t n = query_view(queries, options.of).size();
    Bits<OverlapReport> bits(options.shapes_per_body == 0 ? 0 : n / options.shapes_per_body);
    bits.report = overlap_any(queries, bits.words, options);
    return bits;
  });
}

OverlapReport Caster::overlap_any(const Scene& queries, std::span<std::uint64_t> bits,
                                  const OverlapAnyOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, options.of);
    const std::uint32_t body = options.shapes_per_body;
    check_bodies(shapes.size(), body);
    check_array("bits", bits, bit_words(shapes.size() / body));
    return own.backend_for("overlaps").answer(detail::OverlapAny{shapes, bits.data(), body});
  });
}

Counts<OverlapReport> Caster::overlap_count(const Scene& queries,
                                            const OverlapOptions& options) const {
  impl().backend_for("overlaps");  // or refuse, before memory is taken
  return answered([&] {
    Counts<OverlapReport> counts{
        std::vector<std::uint32_t>(query_view(queries, options.of).size())};
    counts.report = overlap_count(queries, counts.counts, options);
    return counts;
  });
}

OverlapReport Caster::overlap_count(const Scene& queries, std::span<std::uint32_t> counts,
                                    const OverlapOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, options.of);
    check_array("counts", counts, shapes.size());
    return own.backend_for("overlaps").answer(detail::OverlapCount{shapes, counts.data()});
  });
}

OverlapRows Caster::overlap_all(const Scene& queries, const OverlapOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const ShapesView shapes = query_view(queries, options.of);
    return detail::all_overlaps(shapes.size(), "shapes", [&] {
      return own.backend_for("overlaps").answer(detail::OverlapAll{shapes});
    });
  });
}

NearestRows Caster::nearest(const PointsView& given, const NearestOptions& options) const {
  impl().backend_for("nearest shapes");  // or refuse, before memory is taken
  return answered([&] {
    const PointsView points = detail::counted(given);
    check_rows(points.count, options);
    NearestRows rows = detail::in_words(
        [&] {
          const std::uint64_t n = points.count * options.k;
          return NearestRows{options.k,
                             std::vector<float>(n),
                             std::vector<std::uint32_t>(n),
                             std::vector<Vec3>(n),
                             std::vector<Vec3>(n),
                             {}};
        },
        no_room_for(points.count, options.k));
    rows.report = nearest(points, {rows.distance, rows.id, rows.point, rows.direction}, options);
    return rows;
  });
}

NearestReport Caster::nearest(const PointsView& given, const NearestArrays& out,
                              const NearestOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const PointsView points = detail::counted(given);
    check_rows(points.count, options);
    const std::uint64_t n = points.count, k = options.k;
    const NearestView to = {checked("distance", out.distance, n, k), checked("id", out.id, n, k),
                            checked("point", out.point, n, k),
                            checked("direction", out.direction, n, k)};
    return with_rows(options.k, [&] {
      return own.backend_for("nearest shapes")
          .answer(detail::Nearest{points, options.k, options.range, to});
    });
  });
}

ClearanceRows Caster::clearance(const PointsView& from, const PointsView& to,
                                const NearestOptions& options) const {
  impl().backend_for("clearances");  // or refuse, before memory is taken
  return answered([&] {
    const auto [pa, pb] = detail::counted_pairs(from, to);
    const PointsView &a = pa, &b = pb;
    check_rows(a.count, options);
    ClearanceRows rows = detail::in_words(
        [&] {
          const std::uint64_t n = a.count * options.k;
          return ClearanceRows{options.k,
                               std::vector<float>(n),
                               std::vector<std::uint32_t>(n),
                               std::vector<float>(n),
                               std::vector<Vec3>(n),
                               std::vector<Vec3>(n),
                               {}};
        },
        no_room_for(a.count, options.k));
    rows.report =
        clearance(a, b, {rows.distance, rows.id, rows.t, rows.on_segment, rows.on_shape}, options);
    return rows;
  });
}

NearestReport Caster::clearance(const PointsView& from, const PointsView& to,
                                const ClearanceArrays& out, const NearestOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const auto [pa, pb] = detail::counted_pairs(from, to);
    const PointsView &a = pa, &b = pb;
    check_rows(a.count, options);
    const std::uint64_t n = a.count, k = options.k;
    const ClearanceView rows = {checked("distance", out.distance, n, k),
                                checked("id", out.id, n, k), checked("t", out.t, n, k),
                                checked("on_segment", out.on_segment, n, k),
                                checked("on_shape", out.on_shape, n, k)};
    return with_rows(options.k, [&] {
      return own.backend_for("clearances")
          .answer(detail::Clearance{{n, a, b}, options.k, options.range, rows});
    });
  });
}

WindingNumbers Caster::winding(const PointsView& given) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const PointsView points = detail::counted(given);
    WindingNumbers winding{std::vector<std::int32_t>(points.count)};
    winding.report = this->winding(points, winding.numbers);
    return winding;
  });
}

WindingReport Caster::winding(const PointsView& given, std::span<std::int32_t> numbers) const {
  const Impl& own = impl();
  return answered([&] {
    const PointsView points = detail::counted(given);
    check_array("numbers", numbers, points.count);
    return own.backend().answer(detail::Winding{points, numbers.data()});
  });
}

Counts<HitRowsReport> Caster::count_hits(const RaysView& given, const CastOptions& options) const {
  impl();  // or refuse, before memory is taken
  return answered([&] {
    const RaysView rays = detail::counted(given);
    Counts<HitRowsReport> counts{std::vector<std::uint32_t>(rays.count)};
    counts.report = count_hits(rays, counts.counts, options);
    return counts;
  });
}

HitRowsReport Caster::count_hits(const RaysView& given, std::span<std::uint32_t> counts,
                                 const CastOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    const RaysView rays = thin_rays(given, options);
    check_array("counts", counts, rays.count);
    return own.backend().answer(detail::CountHits{rays, counts.data(), detail::policy_of(options)});
  });
}

HitRows Caster::all_hits(const RaysView& given, const HitRowsOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    if (options.first == 0) throw Error(ErrorKind::usage, "the hits kept must be at least 1 a ray");
    const RaysView rays = thin_rays(given, {options.inside, options.strict, options.side});
    return detail::in_words(
        [&] {
          HitRows rows;
          rows.report = own.backend().answer(detail::AllHits{rays, rows, options});
          return rows;
        },
        [&] {
          return "there is no memory for all hits of " + std::to_string(rays.count) +
                 " rays: ask for fewer at a time, for the first of each, or how many there are";
        });
  });
}

Hits Caster::sweep(const Scene& moving, std::span<const Vec3> directions,
                   const SweepOptions& options) const {
  impl().backend_for("sweeps");  // or refuse, before memory is taken
  return answered([&] {
    Hits hits = detail::hits_of(moving_view(moving, options.of).size(), true);
    hits.report = sweep(moving, directions, detail::arrays_of(hits), options);
    return hits;
  });
}

CastReport Caster::sweep(const Scene& moving, std::span<const Vec3> directions,
                         const HitArrays& hits, const SweepOptions& options) const {
  const Impl& own = impl();
  return answered([&] {
    detail::check(options.inside);
    const ShapesView shapes = moving_view(moving, options.of);
    check_array("directions", directions, shapes.size());
    const HitsView to = detail::pointers(hits, shapes.size());
    if (!(options.t_max >= 0.0f)) throw Error(ErrorKind::usage, "t_max must be at least 0");
    check_directions(directions, options.strict);
    const SweepsView spheres = sweeps_of(shapes, Kind::sphere, directions.data(), options.t_max);
    const SweepsView capsules = sweeps_of(shapes, Kind::capsule, directions.data(), options.t_max);
    const std::uint64_t before = spheres.rays.count;
    const detail::CastBackend& backend = own.backend_for("sweeps");
    const auto first = [&](const SweepsView& sweeps, const HitsView& of) {
      return detail::closest_hits(backend, {sweeps.rays, of, options.inside}, sweeps.b);
    };
    return joined(first(spheres, to), first(capsules, to.from(before)));
  });
}

}  // namespace sightline
