// Rays: the first hit, whether there is any, how many, all of them; and shapes that move.
#include "python/bindings/module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

// Rays that are answered between two looks at Ctrl-C: a second of one core or less.
constexpr std::uint64_t rays_at_a_time = std::uint64_t{1} << 22;

/// What every call with rays takes.
struct RayArguments {
  nb::handle origins, directions, t_min, t_max, mask, exclude, exclude_group;
  std::string inside;
  bool strict;
};

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

CastOptions options_of(const RayArguments& a) { return {inside_of(a.inside), a.strict}; }

void add(CastReport& sum, const CastReport& part, std::uint64_t first) {
  if (sum.bad_rays == 0 && part.bad_rays > 0) sum.first_bad_ray = first + part.first_bad_ray;
  sum.rays += part.rays, sum.hits += part.hits, sum.bad_rays += part.bad_rays;
}
/// A strict call is answered as a whole, so that the index that it names is the caller's.
std::uint64_t part_of(const RayArguments& a, std::uint64_t n) {
  return a.strict ? std::max<std::uint64_t>(n, 1) : rays_at_a_time;
}

/// The first hits [n], each column an array when it is asked for.
struct Hits {
  std::uint64_t n = 0;
  Answers<float> t;
  Answers<std::uint32_t> id;
  Answers<std::uint8_t> flags;
  Answers<float> normal;  ///< [n,3]
  CastReport report;
  Arrays arrays{Arrays::Where::device_allowed};  ///< of the call: what its columns and those of
                                                 ///< `out` point to stays alive
  std::optional<std::pair<Vec3Column, Vec3Column>> lines;  ///< for `points`; none of a sweep
  std::array<std::uint32_t, kind_count + 1> first_of_kind{};
};

void remember_kinds(Hits& hits, const Scene& scene) {
  for (int k = 0; k < kind_count; ++k) {
    hits.first_of_kind[k + 1] = hits.first_of_kind[k] + scene.count(static_cast<Kind>(k));
  }
}

/// Answers on a device are the device's, and arrive there when its stream does.
const Hits& on_host(const Hits& h) {
  if (!h.arrays.on_device()) return h;
  throw Error(ErrorKind::usage, "these hits are on a CUDA device: use the arrays of out=");
}

/// A column that others are made of, which `out` may have left out.
template <class T>
const T* needed(const Hits& hits, const Answers<T>& answers, const char* name) {
  if (on_host(hits), answers.wanted()) return answers.data();
  throw Error(ErrorKind::usage, std::string("out= has no \"") + name + "\", which this needs");
}

nb::object hit_mask(const Hits& h) {
  const std::uint32_t* id = needed(h, h.id, "id");
  Answers<bool> hit({h.n});
  for (std::uint64_t i = 0; i < h.n; ++i) hit.data()[i] = id[i] != none;
  return hit.array();
}

nb::object kinds(const Hits& h) {
  const std::uint32_t* ids = needed(h, h.id, "id");
  std::vector<std::uint8_t> kind(h.n, 0xFF);
  for (std::uint64_t i = 0; i < h.n; ++i) {
    const std::uint32_t id = ids[i];
    if (id == none) continue;
    if (id >= h.first_of_kind.back()) {
      throw Error(ErrorKind::usage, "id[" + std::to_string(i) +
                                        "] was changed: there is no shape " + std::to_string(id));
    }
    std::uint8_t k = 0;
    while (id >= h.first_of_kind[k + 1u]) ++k;
    kind[i] = k;
  }
  return numpy(std::move(kind));
}

nb::object points(const Hits& h) {
  if (!h.lines) {
    throw Error(ErrorKind::usage, "a sweep's hits have no points: its spheres and capsules touch");
  }
  const auto& [origin, direction] = *h.lines;
  const float* ts = needed(h, h.t, "t");
  std::vector<Vec3> at(h.n);
  for (std::uint64_t i = 0; i < h.n; ++i) {
    const double t = ts[i];
    const Vec3 o = origin[i], d = direction[i];
    const auto along = [t](float a, float b) {
      return t < infinity ? static_cast<float>(a + t * b) : std::numeric_limits<float>::quiet_NaN();
    };
    at[i] = {along(o.x, d.x), along(o.y, d.y), along(o.z, d.z)};
  }
  return numpy_rows<float>(std::move(at));
}

/// Memory for the columns of n hits: the caller's where `out` has an array of that name.
HitArrays make_room(Hits& hits, Arrays& arrays, std::uint64_t n, bool normals, nb::handle out) {
  hits.n = n;
  const bool given = !out.is_none();
  if (given && !nb::hasattr(out, "keys")) {
    throw Error(ErrorKind::usage,
                "out is no mapping of \"t\", \"id\", \"flags\", \"normal\" to arrays");
  }
  std::size_t taken = 0;
  const auto room = [&]<class T>(Answers<T>& answers, const char* name, std::size_t width) {
    if (given && nb::cast<bool>(out.attr("__contains__")(name))) {
      ++taken;
      const nb::object array = out[name];
      const std::string words = std::string("out[\"") + name + "\"]";
      answers = {arrays.output<T>(array, words.c_str(), n, width), n * width, array};
    } else if (!given) {
      answers = width == 1 ? Answers<T>({n}) : Answers<T>({n, width});
    }
  };
  room(hits.t, "t", 1);
  room(hits.id, "id", 1);
  room(hits.flags, "flags", 1);
  if (normals) room(hits.normal, "normal", 3);
  if (given && taken != nb::len(out)) {
    throw Error(ErrorKind::usage, std::string("out has names other than \"t\", \"id\", \"flags\"") +
                                      (normals ? ", \"normal\"" : ", and normals is False"));
  }
  return {hits.t.span(),
          hits.id.span(),
          hits.flags.span(),
          {reinterpret_cast<Vec3*>(hits.normal.data()), hits.normal.wanted() ? n : 0}};
}

HitArrays from(const HitArrays& h, std::uint64_t first, std::uint64_t n) {
  const auto part = [&](const auto& all) { return all.empty() ? all : all.subspan(first, n); };
  return {part(h.t), part(h.id), part(h.flags), part(h.normal)};
}

nb::object closest_hit(const PyCaster& caster, nb::handle origins, nb::handle directions,
                       nb::handle t_min, nb::handle t_max, nb::handle radius, nb::handle mask,
                       nb::handle exclude, nb::handle exclude_group, const std::string& inside,
                       bool strict, bool normals, nb::handle out,
                       std::optional<std::uintptr_t> stream) {
  auto* hits = new Hits;
  nb::object result = nb::cast(hits, nb::rv_policy::take_ownership);
  Arrays& arrays = hits->arrays;
  arrays.use_stream(stream);
  const RayArguments a{origins, directions,    t_min,  t_max, mask,
                       exclude, exclude_group, inside, strict};
  Column<float> radii;
  const bool thick = !radius.is_none();
  if (thick) radii = arrays.numbers(radius, "radius");
  const RaysView rays = rays_of(arrays, a);
  hits->lines.emplace(rays.origin, rays.direction);
  const HitArrays room = make_room(*hits, arrays, rays.count, normals, out);
  const CastOptions options = options_of(a);
  if (arrays.on_device()) {
    if (out.is_none() || thick) {
      throw Error(ErrorKind::usage, thick ? "rays on a device have no radius"
                                          : "rays on a device need out=, arrays on that device");
    }
    caster.ask([&](const Caster& c) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): streams are passed as numbers.
      c.closest_hit_on_device(rays, room, reinterpret_cast<CudaStream>(stream.value_or(0)),
                              options);
    });
    return result;
  }
  caster.ask_in_parts(rays.count, part_of(a, rays.count), {},
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        if (first == 0) remember_kinds(*hits, c.scene());
                        const RaysView part = rays.slice(first, n);
                        const HitArrays to = from(room, first, n);
                        add(hits->report,
                            thick ? c.closest_hit(part, radii.slice(first, n), to, options)
                                  : c.closest_hit(part, to, options),
                            first);
                      });
  return result;
}

nb::object any_hit(const PyCaster& caster, nb::handle origins, nb::handle directions,
                   nb::handle t_min, nb::handle t_max, nb::handle radius, nb::handle mask,
                   nb::handle exclude, nb::handle exclude_group, const std::string& inside,
                   bool strict, bool packed, nb::handle out, std::optional<std::uintptr_t> stream) {
  Arrays arrays(Arrays::Where::device_allowed);
  arrays.use_stream(stream);
  const RayArguments a{origins, directions,    t_min,  t_max, mask,
                       exclude, exclude_group, inside, strict};
  Column<float> radii;
  const bool thick = !radius.is_none();
  if (thick) radii = arrays.numbers(radius, "radius");
  const RaysView rays = rays_of(arrays, a);
  const std::uint64_t words = bit_words(rays.count);
  Answers<std::uint64_t> bits =
      out.is_none() ? Answers<std::uint64_t>({static_cast<std::size_t>(words)})
                    : Answers<std::uint64_t>(arrays.output<std::uint64_t>(out, "out", words), words,
                                             nb::borrow(out));
  const CastOptions options = options_of(a);
  if (arrays.on_device()) {
    if (out.is_none() || thick) {
      throw Error(ErrorKind::usage, thick ? "rays on a device have no radius"
                                          : "rays on a device need out=, an array on that device");
    }
    caster.ask([&](const Caster& c) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): streams are passed as numbers.
      c.any_hit_on_device(rays, bits.span(), reinterpret_cast<CudaStream>(stream.value_or(0)),
                          options);
    });
    return nb::borrow(out);
  }
  caster.ask_in_parts(rays.count, part_of(a, rays.count), {},
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        const RaysView part = rays.slice(first, n);
                        const auto to = bits.span().subspan(first / 64, bit_words(n));
                        thick ? c.any_hit(part, radii.slice(first, n), to, options)
                              : c.any_hit(part, to, options);
                      });
  return bits_as(std::move(bits), rays.count, packed || !out.is_none());
}

nb::object count_hits(const PyCaster& caster, nb::handle origins, nb::handle directions,
                      nb::handle t_min, nb::handle t_max, nb::handle mask, nb::handle exclude,
                      nb::handle exclude_group, const std::string& inside, bool strict) {
  Arrays arrays;
  const RayArguments a{origins, directions,    t_min,  t_max, mask,
                       exclude, exclude_group, inside, strict};
  const RaysView rays = rays_of(arrays, a);
  Answers<std::uint32_t> counts({static_cast<std::size_t>(rays.count)});
  caster.ask_in_parts(rays.count, part_of(a, rays.count), {},
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        c.count_hits(rays.slice(first, n), counts.span().subspan(first, n),
                                     options_of(a));
                      });
  return counts.array();
}

/// All hits, in rows of different length.
struct Rows {
  nb::object offsets, id, t, t_out, count, flags;
  HitRowsReport report;
};

Rows all_hits(const PyCaster& caster, nb::handle origins, nb::handle directions, nb::handle t_min,
              nb::handle t_max, nb::handle mask, nb::handle exclude, nb::handle exclude_group,
              const std::string& inside, bool strict, std::optional<std::uint32_t> first,
              bool t_out) {
  Arrays arrays;
  const RayArguments a{origins, directions,    t_min,  t_max, mask,
                       exclude, exclude_group, inside, strict};
  const RaysView rays = rays_of(arrays, a);
  const HitRowsOptions options{inside_of(inside), strict, first.value_or(none), t_out};
  HitRows rows;
  Rows result;
  result.report = caster.ask([&](const Caster& c) { return c.all_hits(rays, rows, options); });
  result.offsets = numpy(std::move(rows.offsets));
  result.id = numpy(std::move(rows.id));
  result.t = numpy(std::move(rows.t));
  result.t_out = t_out ? numpy(std::move(rows.t_out)) : nb::none();
  result.count = numpy(std::move(rows.count));
  result.flags = numpy(std::move(rows.flags));
  return result;
}

nb::object sweep(const PyCaster& caster, const PyScene& moving, nb::handle directions, float t_max,
                 const std::string& inside, bool strict, std::uint32_t first,
                 std::optional<std::uint32_t> count, bool normals) {
  const IdRange of = range_of(moving.scene, first, count);
  const std::uint64_t n = of.count;
  Arrays arrays;
  const Vec3Column steps = arrays.vectors(directions, "directions");
  if (arrays.count() != n && arrays.count() != 1) {
    throw Error(ErrorKind::usage, "directions has " + std::to_string(arrays.count()) +
                                      " elements for " + std::to_string(n) + " moving shapes");
  }
  std::vector<Vec3> each(n);
  for (std::uint64_t i = 0; i < n; ++i) each[i] = steps[arrays.count() == 1 ? 0 : i];
  auto* hits = new Hits;
  nb::object result = nb::cast(hits, nb::rv_policy::take_ownership);
  const HitArrays room = make_room(*hits, hits->arrays, n, normals, nb::none());
  const SweepOptions options{inside_of(inside), strict, t_max};
  hits->report = caster.ask([&](const Caster& c) {
    remember_kinds(*hits, c.scene());
    return c.sweep(moving.scene, each, room, options, of);
  });
  return result;
}

#define SIGHTLINE_RAY_WORDS                                                                       \
  "origins, directions: [n,3] or [3]; a direction may have any length, in which t counts; of "    \
  "length\n"                                                                                      \
  "0 it hits only what the origin is in. t_min, t_max: the part of the ray that counts, closed "  \
  "at\n"                                                                                          \
  "both ends. mask: shapes count that have a bit of it. exclude: ids of shapes to leave out: "    \
  "one,\n"                                                                                        \
  "[n] (one a ray), [n,2] (two a ray) or [[a, b]] (two for all); exclude_group: groups. inside: " \
  "of\n"                                                                                          \
  "a ray that starts in a shape, \"solid\": a hit at t_min; \"surface\": where it leaves;\n"      \
  "\"ignore\": none. A bad ray (NaN, infinite, beyond 2^40) hits nothing and is flagged 4; "      \
  "strict:\n"                                                                                     \
  "it raises BadInputError."
#define SIGHTLINE_RADIUS_WORDS \
  "\nradius: of spheres that move along the rays; below 0, NaN or infinite, the ray is bad."

#define SIGHTLINE_RAYS                                                             \
  "self, origins: numpy.typing.ArrayLike, directions: numpy.typing.ArrayLike, *, " \
  "t_min: numpy.typing.ArrayLike = 0.0, t_max: numpy.typing.ArrayLike = math.inf, "
#define SIGHTLINE_RADIUS "radius: typing.Optional[numpy.typing.ArrayLike] = None, "
#define SIGHTLINE_FILTERS                                                                    \
  "mask: numpy.typing.ArrayLike = 0xFFFFFFFF, "                                              \
  "exclude: typing.Optional[numpy.typing.ArrayLike] = None, "                                \
  "exclude_group: typing.Optional[numpy.typing.ArrayLike] = None, inside: str = \"solid\", " \
  "strict: bool = False"

}  // namespace

void add_rays(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Hits>(m, "Hits", "The first hits of n rays, or of n moving shapes.")
      .def("__len__", [](const Hits& h) { return h.n; })
      .def("__repr__",
           [](const Hits& h) {
             return h.arrays.on_device() ? "Hits(" + std::to_string(h.n) + " rays, on a device)"
                                         : "Hits(" + std::to_string(h.report.hits) + " of " +
                                               std::to_string(h.n) + ")";
           })
      .def_prop_ro(
          "t", [](const Hits& h) { return h.t.array(); },
          nb::for_getter(nb::sig("def t(self) -> numpy.typing.NDArray[numpy.float32]")),
          "float32 [n]: where the ray enters, or leaves under \"surface\", in lengths of its\n"
          "direction; +inf for a miss.")
      .def_prop_ro(
          "id", [](const Hits& h) { return h.id.array(); },
          nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
          "uint32 [n]: the shape's id; ``NONE`` for a miss.")
      .def_prop_ro(
          "flags", [](const Hits& h) { return h.flags.array(); },
          nb::for_getter(nb::sig("def flags(self) -> numpy.typing.NDArray[numpy.uint8]")),
          "uint8 [n]: 1 hit, 2 the ray started inside, 4 bad ray.")
      .def_prop_ro(
          "normal", [](const Hits& h) { return h.normal.array(); },
          nb::for_getter(
              nb::sig("def normal(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,3]: the outward unit normal; 0 for a miss. None with normals=False.")
      .def_prop_ro("hit", hit_mask,
                   nb::for_getter(nb::sig("def hit(self) -> numpy.typing.NDArray[numpy.bool_]")),
                   "bool [n].")
      .def_prop_ro("kind", kinds,
                   nb::for_getter(nb::sig("def kind(self) -> numpy.typing.NDArray[numpy.uint8]")),
                   "uint8 [n]: an index into ``KINDS``; 255 for a miss.")
      .def_prop_ro(
          "points", points,
          nb::for_getter(nb::sig("def points(self) -> numpy.typing.NDArray[numpy.float32]")),
          "float32 [n,3]: origin + t * direction, rounded once; NaN for a miss. Computed\n"
          "when asked for: of float32 arrays that were used where they lie, from what they\n"
          "hold then.")
      .def_prop_ro(
          "hits", [](const Hits& h) { return on_host(h).report.hits; }, "How many rays hit.")
      .def_prop_ro(
          "bad_rays", [](const Hits& h) { return on_host(h).report.bad_rays; },
          "How many rays are bad.");

  nb::class_<Rows>(m, "HitRows",
                   "All hits of n rays, those of ray i at offsets[i] up to offsets[i + 1].")
      .def_ro("offsets", &Rows::offsets,
              nb::for_getter(nb::sig("def offsets(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n+1].")
      .def_ro("id", &Rows::id,
              nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
              "uint32 [offsets[n]]: ids in the order of t.")
      .def_ro("t", &Rows::t,
              nb::for_getter(nb::sig("def t(self) -> numpy.typing.NDArray[numpy.float32]")),
              "float32 [offsets[n]]: where the shape is entered.")
      .def_ro("t_out", &Rows::t_out,
              nb::for_getter(nb::sig(
                  "def t_out(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
              "float32 [offsets[n]]: where it is left; None unless asked for.")
      .def_ro("count", &Rows::count,
              nb::for_getter(nb::sig("def count(self) -> numpy.typing.NDArray[numpy.uint32]")),
              "uint32 [n]: all hits of the ray, kept or not.")
      .def_ro("flags", &Rows::flags,
              nb::for_getter(nb::sig("def flags(self) -> numpy.typing.NDArray[numpy.uint8]")),
              "uint8 [n]: as of Hits; 8: more hits than are kept.")
      .def_prop_ro(
          "hits", [](const Rows& r) { return r.report.hits; }, "All hits, kept or not.")
      .def_prop_ro(
          "bad_rays", [](const Rows& r) { return r.report.bad_rays; }, "How many rays are bad.")
      .def(
          "csr",
          [](nb::handle self, std::optional<std::uint64_t> shapes) {
            return nb::module_::import_("sightline.results").attr("csr")(self, shapes);
          },
          nb::arg("shapes") = nb::none(),
          "The hits as scipy.sparse.csr_array [n, shapes] of t; needs SciPy.");

  constexpr const char* closest_words =
      "The first hit of each ray.\n\n" SIGHTLINE_RAY_WORDS SIGHTLINE_RADIUS_WORDS
      "\nout: a mapping with arrays of the caller's for \"t\", \"id\", \"flags\" and \"normal\", "
      "which\n"
      "are written; the others are not asked for. Rays on a CUDA device are answered there, in\n"
      "`stream`; out is needed then, and the call does not wait.";
  caster.def(
      "closest_hit", closest_hit, nb::arg("origins"), nb::arg("directions"), nb::kw_only(),
      nb::arg("t_min") = 0.0f, nb::arg("t_max") = infinity, nb::arg("radius") = nb::none(),
      nb::arg("mask") = 0xFFFFFFFFu, nb::arg("exclude") = nb::none(),
      nb::arg("exclude_group") = nb::none(), nb::arg("inside") = "solid", nb::arg("strict") = false,
      nb::arg("normals") = true, nb::arg("out") = nb::none(), nb::arg("stream") = nb::none(),
      nb::sig("def closest_hit(" SIGHTLINE_RAYS SIGHTLINE_RADIUS SIGHTLINE_FILTERS
              ", normals: bool = True, out: typing.Optional[collections.abc.Mapping] = None, "
              "stream: typing.Optional[int] = None) -> Hits"),
      closest_words);
  constexpr const char* any_words =

      "Whether each ray hits anything: bool [n], or with packed=True uint64 [ceil(n/64)]\n"
      "with ray i at bit i % 64 of word i // 64.\n\n" SIGHTLINE_RAY_WORDS SIGHTLINE_RADIUS_WORDS
      "\nout: an array of those words, which is written and returned.";
  caster.def("any_hit", any_hit, nb::arg("origins"), nb::arg("directions"), nb::kw_only(),
             nb::arg("t_min") = 0.0f, nb::arg("t_max") = infinity, nb::arg("radius") = nb::none(),
             nb::arg("mask") = 0xFFFFFFFFu, nb::arg("exclude") = nb::none(),
             nb::arg("exclude_group") = nb::none(), nb::arg("inside") = "solid",
             nb::arg("strict") = false, nb::arg("packed") = false, nb::arg("out") = nb::none(),
             nb::arg("stream") = nb::none(),
             nb::sig("def any_hit(" SIGHTLINE_RAYS SIGHTLINE_RADIUS SIGHTLINE_FILTERS
                     ", packed: bool = False, out: typing.Optional[numpy.typing.ArrayLike] = None, "
                     "stream: typing.Optional[int] = None) -> numpy.typing.NDArray"),
             any_words);
  constexpr const char* count_words =
      "How many shapes each ray hits: uint32 [n].\n\n" SIGHTLINE_RAY_WORDS;
  caster.def(
      "count_hits", count_hits, nb::arg("origins"), nb::arg("directions"), nb::kw_only(),
      nb::arg("t_min") = 0.0f, nb::arg("t_max") = infinity, nb::arg("mask") = 0xFFFFFFFFu,
      nb::arg("exclude") = nb::none(), nb::arg("exclude_group") = nb::none(),
      nb::arg("inside") = "solid", nb::arg("strict") = false,
      nb::sig("def count_hits(" SIGHTLINE_RAYS SIGHTLINE_FILTERS ") -> numpy.typing.NDArray"),
      count_words);
  constexpr const char* all_words =

      "All shapes that each ray hits, or its ``first`` so many; ``t_out``: also where\n"
      "each is left.\n\n" SIGHTLINE_RAY_WORDS;
  caster.def("all_hits", all_hits, nb::arg("origins"), nb::arg("directions"), nb::kw_only(),
             nb::arg("t_min") = 0.0f, nb::arg("t_max") = infinity, nb::arg("mask") = 0xFFFFFFFFu,
             nb::arg("exclude") = nb::none(), nb::arg("exclude_group") = nb::none(),
             nb::arg("inside") = "solid", nb::arg("strict") = false, nb::arg("first") = nb::none(),
             nb::arg("t_out") = false,
             nb::sig("def all_hits(" SIGHTLINE_RAYS SIGHTLINE_FILTERS
                     ", first: typing.Optional[int] = None, t_out: bool = False) -> HitRows"),
             all_words);
  caster.def(
      "sweep", sweep, nb::arg("moving"), nb::arg("directions"), nb::kw_only(),
      nb::arg("t_max") = infinity, nb::arg("inside") = "solid", nb::arg("strict") = false,
      nb::arg("first") = 0, nb::arg("count") = nb::none(), nb::arg("normals") = true,
      nb::sig("def sweep(self, moving: Scene, directions: numpy.typing.ArrayLike, *, "
              "t_max: float = math.inf, inside: str = \"solid\", strict: bool = False, "
              "first: int = 0, count: typing.Optional[int] = None, normals: bool = True) "
              "-> Hits"),
      "The first hit of spheres and capsules that move, each along a direction [n,3] or all\n"
      "along one: the shapes of ``moving`` from id ``first`` on, ``count`` of them. t counts\n"
      "in lengths of the direction, up to t_max.");
}

}  // namespace sightline::python
