// Overlaps, nearest shapes, clearance of paths.
#include "python/bindings/module.hpp"

#include <nanobind/stl/optional.h>

namespace sightline::python {
namespace {

nb::object overlap_any(const PyCaster& caster, const PyScene& shapes, std::uint32_t first,
                       std::optional<std::uint32_t> count, bool packed) {
  const IdRange of = range_of(shapes.scene, first, count);
  const std::uint64_t n = of.count;
  Answers<std::uint64_t> bits({static_cast<std::size_t>(bit_words(n))});
  caster.ask([&](const Caster& c) { c.overlap_any(shapes.scene, bits.span(), of); });
  return bits_as(std::move(bits), n, packed);
}

nb::object overlap_count(const PyCaster& caster, const PyScene& shapes, std::uint32_t first,
                         std::optional<std::uint32_t> count) {
  const IdRange of = range_of(shapes.scene, first, count);
  Answers<std::uint32_t> counts({static_cast<std::size_t>(of.count)});
  caster.ask([&](const Caster& c) { c.overlap_count(shapes.scene, counts.span(), of); });
  return counts.array();
}

/// All overlaps, in rows of different length.
struct Overlaps {
  nb::object offsets, id;
};

Overlaps overlap_all(const PyCaster& caster, const PyScene& shapes, std::uint32_t first,
                     std::optional<std::uint32_t> count) {
  const IdRange of = range_of(shapes.scene, first, count);
  OverlapRows rows;
  rows = caster.ask([&](const Caster& c) { return c.overlap_all(shapes.scene, of); });
  return {numpy(std::move(rows.offsets)), numpy(std::move(rows.ids))};
}

struct Nearest {
  Answers<float> distance;
  Answers<std::uint32_t> id;
  Answers<float> point, direction;
  NearestReport report;
};

struct Clearances {
  Answers<float> distance;
  Answers<std::uint32_t> id;
  Answers<float> t, on_segment, on_shape;
  NearestReport report;
};

std::span<Vec3> vectors(const Answers<float>& answers, std::size_t n) {
  return {reinterpret_cast<Vec3*>(answers.data()), n};
}

/// Throws Error{out_of_memory} before a size overflows.
std::size_t elements(std::uint64_t n, std::uint32_t k) {
  if (k == 0) throw Error(ErrorKind::usage, "k is 0, below 1");
  if (n > (std::uint64_t{1} << 56) / k) {
    throw Error(ErrorKind::out_of_memory,
                std::to_string(n) + " rows of " + std::to_string(k) + " do not fit in memory");
  }
  return n * k;
}

nb::object nearest(const PyCaster& caster, nb::handle points, std::uint32_t k, float range,
                   bool places) {
  Arrays arrays;
  const PointsView of = points_of(arrays, points, "points");
  const std::size_t n = of.count, all = elements(n, k);
  auto* found = new Nearest;
  nb::object result = nb::cast(found, nb::rv_policy::take_ownership);
  found->distance = Answers<float>({n, k});
  found->id = Answers<std::uint32_t>({n, k});
  NearestArrays out{found->distance.span(), found->id.span()};
  if (places) {
    found->point = Answers<float>({n, k, 3});
    found->direction = Answers<float>({n, k, 3});
    out.point = vectors(found->point, all);
    out.direction = vectors(found->direction, all);
  }
  found->report = caster.ask([&](const Caster& c) { return c.nearest(of, out, {k, range}); });
  return result;
}

nb::object clearance(const PyCaster& caster, nb::handle a, nb::handle b, std::uint32_t k,
                     float range, bool places) {
  Arrays arrays;
  PointsView from = points_of(arrays, a, "a");
  PointsView to = points_of(arrays, b, "b");
  from.count = to.count = arrays.count();
  const std::size_t n = from.count, all = elements(n, k);
  auto* found = new Clearances;
  nb::object result = nb::cast(found, nb::rv_policy::take_ownership);
  found->distance = Answers<float>({n, k});
  found->id = Answers<std::uint32_t>({n, k});
  ClearanceArrays out{found->distance.span(), found->id.span()};
  if (places) {
    found->t = Answers<float>({n, k});
    found->on_segment = Answers<float>({n, k, 3});
    found->on_shape = Answers<float>({n, k, 3});
    out.t = found->t.span();
    out.on_segment = vectors(found->on_segment, all);
    out.on_shape = vectors(found->on_shape, all);
  }
  found->report = caster.ask([&](const Caster& c) {
    return c.clearance(from, to, out, {k, range});
  });
  return result;
}

#define SIGHTLINE_SHAPES "self, shapes: Scene, first: int = 0, count: typing.Optional[int] = None"

}  // namespace

void add_shapes(nb::module_& m, nb::class_<PyCaster>& caster) {
  caster.def(
      "overlap_any", overlap_any, nb::arg("shapes"), nb::arg("first") = 0,
      nb::arg("count") = nb::none(), nb::kw_only(), nb::arg("packed") = false,
      nb::sig("def overlap_any(" SIGHTLINE_SHAPES
              ", *, packed: bool = False) -> numpy.typing.NDArray"),
      "Whether each shape of another scene, from id ``first`` on, overlaps any of this one:\n"
      "bool [n], or packed as ``any_hit``. Touching overlaps. Not planes.");
  caster.def("overlap_count", overlap_count, nb::arg("shapes"), nb::arg("first") = 0,
             nb::arg("count") = nb::none(),
             nb::sig("def overlap_count(" SIGHTLINE_SHAPES ") -> numpy.typing.NDArray"),
             "How many shapes of this scene each shape of another overlaps: uint32 [n].");
  caster.def("overlap_all", overlap_all, nb::arg("shapes"), nb::arg("first") = 0,
             nb::arg("count") = nb::none(),
             nb::sig("def overlap_all(" SIGHTLINE_SHAPES ") -> OverlapRows"),
             "Which shapes of this scene each shape of another overlaps.");
  nb::class_<Overlaps>(m, "OverlapRows",
                       "Overlaps, those of shape i at offsets[i] up to offsets[i + 1].")
      .def_ro("offsets", &Overlaps::offsets,
              nb::for_getter(nb::sig("def offsets(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n+1].")
      .def_ro("id", &Overlaps::id,
              nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
              "uint32 [offsets[n]]: ids, ascending within a row.")
      .def(
          "csr",
          [](nb::handle self, std::optional<std::uint64_t> shapes) {
            return nb::module_::import_("sightline.results").attr("csr")(self, shapes);
          },
          nb::arg("shapes") = nb::none(),
          "The overlaps as scipy.sparse.csr_array [n, shapes] of ones; needs SciPy.");

  nb::class_<Nearest>(m, "Nearest", "The k shapes nearest to each of n points, by (distance, id).")
      .def_prop_ro(
          "distance", [](const Nearest& r) { return r.distance.array(); },
          nb::for_getter(nb::sig("def distance(self) -> numpy.typing.NDArray[numpy.float32]")),
          "float32 [n,k]: signed, negative inside; +inf where there is none.")
      .def_prop_ro(
          "id", [](const Nearest& r) { return r.id.array(); },
          nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
          "uint32 [n,k]; ``NONE`` where there is none.")
      .def_prop_ro(
          "point", [](const Nearest& r) { return r.point.array(); },
          nb::for_getter(
              nb::sig("def point(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,k,3]: the nearest point of the shape's surface.")
      .def_prop_ro(
          "direction", [](const Nearest& r) { return r.direction.array(); },
          nb::for_getter(nb::sig(
              "def direction(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,k,3]: unit, out of the shape.")
      .def_prop_ro(
          "bad_points", [](const Nearest& r) { return r.report.bad_points; },
          "Points that are NaN, infinite or beyond 2^40, and find nothing.");
  caster.def(
      "nearest", nearest, nb::arg("points"), nb::arg("k") = 1, nb::arg("range") = infinity,
      nb::kw_only(), nb::arg("places") = true,
      nb::sig("def nearest(self, points: typing.Union[numpy.typing.ArrayLike, Points], "
              "k: int = 1, range: float = math.inf, *, places: bool = True) -> Nearest"),
      "The k shapes nearest to each point, none further than ``range``. places=False leaves\n"
      "out ``point`` and ``direction``.");
  nb::class_<Clearances>(m, "Clearance",
                         "The k shapes nearest to each of n segments, by (distance, id).")
      .def_prop_ro(
          "distance", [](const Clearances& r) { return r.distance.array(); },
          nb::for_getter(nb::sig("def distance(self) -> numpy.typing.NDArray[numpy.float32]")),
          "float32 [n,k]: 0 where they meet; +inf where there is none.")
      .def_prop_ro(
          "id", [](const Clearances& r) { return r.id.array(); },
          nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
          "uint32 [n,k]; ``NONE`` where there is none.")
      .def_prop_ro(
          "t", [](const Clearances& r) { return r.t.array(); },
          nb::for_getter(
              nb::sig("def t(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,k]: of the segment's nearest point a + t (b - a).")
      .def_prop_ro(
          "on_segment", [](const Clearances& r) { return r.on_segment.array(); },
          nb::for_getter(nb::sig(
              "def on_segment(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,k,3]: that point.")
      .def_prop_ro(
          "on_shape", [](const Clearances& r) { return r.on_shape.array(); },
          nb::for_getter(nb::sig(
              "def on_shape(self) -> typing.Optional[numpy.typing.NDArray[numpy.float32]]")),
          "float32 [n,k,3]: the shape's nearest point.")
      .def_prop_ro(
          "bad_points", [](const Clearances& r) { return r.report.bad_points; },
          "Segments with an end that is NaN, infinite or beyond 2^40; they find nothing.");
  caster.def("clearance", clearance, nb::arg("a"), nb::arg("b"), nb::arg("k") = 1,
             nb::arg("range") = infinity, nb::kw_only(), nb::arg("places") = true,
             nb::sig("def clearance(self, a: typing.Union[numpy.typing.ArrayLike, Points], "
                     "b: typing.Union[numpy.typing.ArrayLike, Points], k: int = 1, "
                     "range: float = math.inf, *, places: bool = True) -> Clearance"),
             "The k shapes nearest to each segment a[i] .. b[i]: how clear a path is.");
}

}  // namespace sightline::python
