// Rays: the first hit, whether there is any, how many, all of them; and shapes that move.
#include "python/bindings/doc/rays.hpp"
#include "python/bindings/hits.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

// Rays that are answered between two looks at Ctrl-C: a second of one core or less.
constexpr std::uint64_t rays_at_a_time = std::uint64_t{1} << 22;

/// What every call with rays takes.
struct RayArguments {
  ArrayLike origins, directions, t_min, t_max, mask;
  ArrayLike exclude, exclude_group;
  const std::string &inside, &side;
  bool strict;
};
using Stream = std::optional<std::uintptr_t>;

RaysView rays_of(Arrays& arrays, const RayArguments& a) {
  RaysView rays;
  rays.origin = arrays.vectors(a.origins, "origins");
  rays.direction = arrays.vectors(a.directions, "directions");
  rays.t_min = arrays.numbers(a.t_min, "t_min");
  rays.t_max = arrays.numbers(a.t_max, "t_max");
  rays.mask = arrays.words(a.mask, "mask");
  arrays.exclusions(a.exclude, "exclude", rays.exclude);
  arrays.exclusions(a.exclude_group, "exclude_group", rays.exclude_group);
  rays.count = arrays.count();
  return rays;
}

CastOptions options_of(const RayArguments& a) {
  return {inside_of(a.inside), a.strict, side_of(a.side)};
}

void add(CastReport& sum, const CastReport& part, std::uint64_t first) {
  if (sum.bad_rays == 0 && part.bad_rays > 0) sum.first_bad_ray = first + part.first_bad_ray;
  sum.rays += part.rays, sum.hits += part.hits, sum.bad_rays += part.bad_rays;
}
/// A strict call is answered as a whole, so that the index that it names is the caller's.
std::uint64_t part_of(const RayArguments& a, std::uint64_t n) {
  return a.strict ? std::max<std::uint64_t>(n, 1) : rays_at_a_time;
}

HitArrays from(const HitArrays& h, std::uint64_t first, std::uint64_t n) {
  const auto part = [&](const auto& all) { return all.empty() ? all : all.subspan(first, n); };
  return {part(h.t), part(h.id), part(h.flags), part(h.normal)};
}

/// Rays that may be spheres on their way, or lie on a device.
struct Cast {
  Arrays& arrays;
  std::uintptr_t stream;
  RaysView rays;
  CastOptions options;
  std::uint64_t at_a_time;
};

Cast cast_of(Arrays& arrays, const RayArguments& a, const ArrayLike& radius, Stream stream) {
  arrays.use_stream(stream);
  Column<float> radii = 0.0f;
  if (!radius.is_none()) radii = arrays.numbers(radius, "radius");
  RaysView rays = rays_of(arrays, a);
  rays.radius = radii;
  if (arrays.on_device() && !radius.is_none()) refuse("rays on a device have no radius");
  return {arrays, stream.value_or(0), rays, options_of(a), part_of(a, rays.count)};
}

/// Calls on_device(caster, stream) once for rays on a device, which need `out` there, and else
/// on_host(caster, first, rays) for parts of them.
template <class OnDevice, class OnHost>
void ask(const PyCaster& caster, const Cast& cast, nb::handle out, const char* what,
         const OnDevice& on_device, const OnHost& on_host) {
  if (!cast.arrays.on_device()) {
    return caster.ask_in_parts(cast.rays.count, cast.at_a_time, {},
                               [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                                 on_host(c, first, cast.rays.slice(first, n));
                               });
  }
  if (out.is_none()) {
    refuse("rays on a device need out=, {} on that device", what);
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): streams are passed as numbers.
  caster.ask([&](const Caster& c) { on_device(c, reinterpret_cast<CudaStream>(cast.stream)); });
}

Hits closest_hit(const PyCaster& caster, const RayArguments& a, ArrayLike radius, bool normals,
                 Mapping out, Stream stream) {
  Hits hits;
  const Cast cast = cast_of(hits.arrays, a, radius, stream);
  hits.lines.emplace(cast.rays.origin, cast.rays.direction);
  const HitArrays room = make_room(hits, hits.arrays, hits.arrays.shape(), normals, out);
  ask(
      caster, cast, out, "arrays",
      [&](const Caster& c, CudaStream on) {
        c.closest_hit_on_device(cast.rays, room, on, cast.options);
      },
      [&](const Caster& c, std::uint64_t first, const RaysView& part) {
        if (first == 0) remember_kinds(hits, c.scene());
        const HitArrays to = from(room, first, part.count);
        add(hits.report, c.closest_hit(part, to, cast.options), first);
      });
  return hits;
}

AnyArray any_hit(const PyCaster& caster, const RayArguments& a, ArrayLike radius, bool packed,
                 ArrayLike out, Stream stream) {
  Arrays arrays(Arrays::Where::device_allowed);
  const Cast cast = cast_of(arrays, a, radius, stream);
  const std::uint64_t words = bit_words(cast.rays.count);
  const bool given = !out.is_none();
  Answers<std::uint64_t> bits =
      given ? Answers<std::uint64_t>(arrays.output<std::uint64_t>(out, "out", {words}), words, out)
            : Answers<std::uint64_t>({words});
  ask(
      caster, cast, out, "an array",
      [&](const Caster& c, CudaStream on) {
        c.any_hit_on_device(cast.rays, bits.span(), on, cast.options);
      },
      [&](const Caster& c, std::uint64_t first, const RaysView& part) {
        const auto to = bits.span().subspan(first / 64, bit_words(part.count));
        c.any_hit(part, to, cast.options);
      });
  return bits_as(std::move(bits), arrays.shape(), packed || given);
}

Answers<std::uint32_t> count_hits(const PyCaster& caster, const RayArguments& a) {
  Arrays arrays;
  const RaysView rays = rays_of(arrays, a);
  Answers<std::uint32_t> counts(arrays.shape());
  caster.ask_in_parts(rays.count, part_of(a, rays.count), {},
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        c.count_hits(rays.slice(first, n), counts.span().subspan(first, n),
                                     options_of(a));
                      });
  return counts;
}

/// All hits, in rows of different length.
struct Rows : HitRowsReport {
  ArrayOf<std::uint64_t> offsets;
  ArrayOf<std::uint32_t> id;
  ArrayOf<float> t;
  std::optional<ArrayOf<float>> t_out;
  ArrayOf<std::uint32_t> count;
  ArrayOf<std::uint8_t> flags;
};

Rows all_hits(const PyCaster& caster, const RayArguments& a, std::optional<std::uint32_t> first,
              bool t_out) {
  Arrays arrays;
  const RaysView rays = rays_of(arrays, a);
  const HitRowsOptions options{inside_of(a.inside), a.strict, first.value_or(none), t_out,
                               side_of(a.side)};
  HitRows rows = caster.ask([&](const Caster& c) { return c.all_hits(rays, options); });
  return {rows.report,
          numpy(std::move(rows.offsets)),
          numpy(std::move(rows.id)),
          numpy(std::move(rows.t)),
          t_out ? std::optional(numpy(std::move(rows.t_out))) : std::nullopt,
          numpy<std::uint32_t>(std::move(rows.count), arrays.shape()),
          numpy<std::uint8_t>(std::move(rows.flags), arrays.shape())};
}

Hits sweep(const PyCaster& caster, const PyScene& moving, ArrayLike directions, float t_max,
           const InsideWord& inside, bool strict, std::uint32_t first,
           std::optional<std::uint32_t> count, bool normals) {
  const IdRange of = range_of(moving.scene, first, count);
  const std::uint64_t n = of.count;
  Arrays arrays;
  const Vec3Column steps = arrays.vectors(directions, "directions");
  if (arrays.count() != n && arrays.count() != 1) {
    refuse("directions has {} elements for {} moving shapes", arrays.count(), n);
  }
  std::vector<Vec3> each(n);
  for (std::uint64_t i = 0; i < n; ++i) each[i] = steps[arrays.count() == 1 ? 0 : i];
  Hits hits;
  const Shape shape = arrays.count() == 1 ? Shape{n} : arrays.shape();
  const HitArrays room = make_room(hits, hits.arrays, shape, normals, nb::none());
  const SweepOptions options{inside_of(inside), strict, t_max, of};
  hits.report = caster.ask([&](const Caster& c) {
    remember_kinds(hits, c.scene());
    return c.sweep(moving.scene, each, room, options);
  });
  return hits;
}

/// Adds a question about rays: f(caster, what every call with rays takes, arguments of its own).
template <class Answer, class... Own, class... Extra>
void add_query(nb::class_<PyCaster>& caster, const char* name,
               Answer (*f)(const PyCaster&, const RayArguments&, Own...), const char* words,
               const Extra&... own) {
  caster.def(
      name,
      [f](const PyCaster& c, ArrayLike origins, ArrayLike directions, ArrayLike t_min,
          ArrayLike t_max, ArrayLike mask, ArrayLike exclude, ArrayLike exclude_group,
          const InsideWord& inside, const SideWord& side, bool strict, Own... more) {
        return f(
            c,
            {origins, directions, t_min, t_max, mask, exclude, exclude_group, inside, side, strict},
            more...);
      },
      nb::arg("origins"), nb::arg("directions"), nb::kw_only(), nb::arg("t_min") = 0.0,
      nb::arg("t_max") = infinity, bits_argument("mask"), nb::arg("exclude") = nb::none(),
      nb::arg("exclude_group") = nb::none(), nb::arg("inside") = "solid", nb::arg("side") = "both",
      nb::arg("strict") = false, own..., doc::text(words).c_str());
}

}  // namespace

void add_rays(nb::module_& m, nb::class_<PyCaster>& caster) {
  add_hits(m);
  nb::class_<Rows> rows(m, "HitRows", doc::text(doc::hit_rows).c_str());
  add_repr(rows, [](const Rows& r) {
    return counted(r.hits, "hits") + " of " + counted(nb::len(r.count), "rays");
  });
  refuse_as_array(rows, "take .offsets, .id, .t, .t_out, .count or .flags");
  rows.def_ro("offsets", &Rows::offsets, "uint64 [n+1]: where each ray's row begins.")
      .def_ro("id", &Rows::id, "uint32 [offsets[n]]: the shapes' ids, nearest first.")
      .def_ro("t", &Rows::t,
              "float32 [offsets[n]], lengths of the direction: where the shape is entered.")
      .def_ro(
          "t_out", &Rows::t_out,
          "float32 [offsets[n]], lengths of the direction: where the shape is left. None unless "
          "asked for.")
      .def_ro("count", &Rows::count, "uint32 [n]: all hits of the ray, kept or not.")
      .def_ro("flags", &Rows::flags, "uint8 [n]: as of ``Hits``; 8 marks more hits than are kept.")
      .def_ro("hits", &Rows::hits, "int: the number of hits of all rays, kept or not.")
      .def_ro("bad_rays", &Rows::bad_rays, "int: the number of bad rays.");
  add_csr(rows, doc::text(doc::hit_rows_csr));

  add_query(caster, "closest_hit", closest_hit, doc::closest_hit, nb::arg("radius") = nb::none(),
            nb::arg("normals") = true, nb::arg("out") = nb::none(), nb::arg("stream") = nb::none());
  add_query(caster, "any_hit", any_hit, doc::any_hit, nb::arg("radius") = nb::none(),
            nb::arg("packed") = false, nb::arg("out") = nb::none(), nb::arg("stream") = nb::none());
  add_query(caster, "count_hits", count_hits, doc::count_hits);
  add_query(caster, "all_hits", all_hits, doc::all_hits, nb::arg("first") = nb::none(),
            nb::arg("t_out") = false);
  caster.def("sweep", sweep, nb::arg("moving"), nb::arg("directions"), nb::kw_only(),
             nb::arg("t_max") = infinity, nb::arg("inside") = "solid", nb::arg("strict") = false,
             nb::arg("first") = 0, nb::arg("count") = nb::none(), nb::arg("normals") = true,
             doc::text(doc::sweep).c_str());
}

}  // namespace sightline::python
