// Overlaps, nearest shapes, clearance of paths.
#include "python/bindings/doc/shapes.hpp"
#include "python/bindings/module.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

AnyArray overlap_any(const PyCaster& caster, const PyScene& shapes, std::uint32_t first,
                     std::optional<std::uint32_t> count, std::uint32_t body, bool packed) {
  const IdRange of = range_of(shapes.scene, first, count);
  const std::uint64_t n = of.count / std::max(body, 1u);  // the call refuses 0
  Answers<std::uint64_t> bits({bit_words(n)});
  caster.ask([&](const Caster& c) { c.overlap_any(shapes.scene, bits.span(), {of, body}); });
  return bits_as(std::move(bits), {n}, packed);
}

Answers<std::uint32_t> overlap_count(const PyCaster& caster, const PyScene& shapes,
                                     std::uint32_t first, std::optional<std::uint32_t> count) {
  const IdRange of = range_of(shapes.scene, first, count);
  Answers<std::uint32_t> counts({of.count});
  caster.ask([&](const Caster& c) { c.overlap_count(shapes.scene, counts.span(), {of}); });
  return counts;
}

/// All overlaps, in rows of different length.
struct Overlaps {
  ArrayOf<std::uint64_t> offsets;
  ArrayOf<std::uint32_t> id;
};

Overlaps overlap_all(const PyCaster& caster, const PyScene& shapes, std::uint32_t first,
                     std::optional<std::uint32_t> count) {
  const IdRange of = range_of(shapes.scene, first, count);
  OverlapRows rows = caster.ask([&](const Caster& c) { return c.overlap_all(shapes.scene, {of}); });
  return {numpy(std::move(rows.offsets)), numpy(std::move(rows.ids))};
}

struct Nearest {
  Answers<float> distance;
  Answers<std::uint32_t> id;
  OptionalAnswers<float> point, direction;
  NearestReport report;
};

struct Clearances {
  Answers<float> distance;
  Answers<std::uint32_t> id;
  OptionalAnswers<float> t, on_segment, on_shape;
  NearestReport report;
};

std::span<Vec3> vectors(const Answers<float>& answers) {
  return {reinterpret_cast<Vec3*>(answers.data()), answers.span().size() / 3};
}

/// k answers for each element of a call.
Shape rows_of(const Arrays& arrays, std::uint32_t k) {
  if (k == 0) refuse("k is 0, below 1");
  return arrays.shape().with(k);
}

Nearest nearest(const PyCaster& caster, PointsLike points, std::uint32_t k, float range,
                bool places) {
  Arrays arrays;
  const PointsView of = points_of(arrays, points, "points");
  const Shape shape = rows_of(arrays, k);
  Nearest found;
  found.distance = Answers<float>(shape);
  found.id = Answers<std::uint32_t>(shape);
  NearestArrays out{found.distance.span(), found.id.span()};
  if (places) {
    found.point = OptionalAnswers<float>(shape.with(3));
    found.direction = OptionalAnswers<float>(shape.with(3));
    out.point = vectors(found.point);
    out.direction = vectors(found.direction);
  }
  found.report = caster.ask([&](const Caster& c) { return c.nearest(of, out, {k, range}); });
  return found;
}

Answers<std::int32_t> winding(const PyCaster& caster, PointsLike points) {
  Arrays arrays;
  const PointsView of = points_of(arrays, points, "points");
  Answers<std::int32_t> numbers(arrays.shape());
  caster.ask([&](const Caster& c) { return c.winding(of, numbers.span()); });
  return numbers;
}

Clearances clearance(const PyCaster& caster, PointsLike a, PointsLike b, std::uint32_t k,
                     float range, bool places) {
  Arrays arrays;
  PointsView from = points_of(arrays, a, "a");
  PointsView to = points_of(arrays, b, "b");
  from.count = to.count = arrays.count();
  const Shape shape = rows_of(arrays, k);
  Clearances found;
  found.distance = Answers<float>(shape);
  found.id = Answers<std::uint32_t>(shape);
  ClearanceArrays out{found.distance.span(), found.id.span()};
  if (places) {
    found.t = OptionalAnswers<float>(shape);
    found.on_segment = OptionalAnswers<float>(shape.with(3));
    found.on_shape = OptionalAnswers<float>(shape.with(3));
    out.t = found.t.span();
    out.on_segment = vectors(found.on_segment);
    out.on_shape = vectors(found.on_shape);
  }
  found.report = caster.ask([&](const Caster& c) {
    return c.clearance(from, to, out, {k, range});
  });
  return found;
}

/// "100 points, k = 2".
std::string rows_in_words(const Answers<std::uint32_t>& ids, const char* of) {
  const Shape& shape = ids.shape();
  const std::size_t k = shape[shape.size() - 1];
  return counted(ids.span().size() / k, of) + ", k = " + std::to_string(k);
}

void add_nearest(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Nearest> near(m, "Nearest", doc::text(doc::nearest_rows).c_str());
  add_repr(near, [](const Nearest& r) { return rows_in_words(r.id, "points"); });
  refuse_as_array(near, "take .distance, .id, .point or .direction");
  near.def_ro("distance", &Nearest::distance,
              "float32 [n,k], scene units: signed, negative inside; inf for none.")
      .def_ro("id", &Nearest::id, "uint32 [n,k]: the shape's id; ``NONE`` for none.")
      .def_ro("point", &Nearest::point,
              "float32 [n,k,3], scene units: the nearest point of the shape's surface; 0 for none.")
      .def_ro("direction", &Nearest::direction,
              "float32 [n,k,3]: the direction out of the shape, of length 1; 0 for none.")
      .def_prop_ro(
          "bad_points", [](const Nearest& r) { return r.report.bad_points; },
          "int: the number of points that are NaN, infinite or beyond 2^40.");
  caster.def("winding", winding, nb::arg("points"), doc::text(doc::winding).c_str());
  caster.def("nearest", nearest, nb::arg("points"), nb::arg("k") = 1, nb::arg("range") = infinity,
             nb::kw_only(), nb::arg("places") = true, doc::text(doc::nearest).c_str());
}

void add_clearance(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Clearances> clear(m, "Clearance", doc::text(doc::clearance_rows).c_str());
  add_repr(clear, [](const Clearances& r) { return rows_in_words(r.id, "segments"); });
  refuse_as_array(clear, "take .distance, .id, .t, .on_segment or .on_shape");
  clear
      .def_ro("distance", &Clearances::distance,
              "float32 [n,k], scene units: 0 if they meet; inf for none.")
      .def_ro("id", &Clearances::id, "uint32 [n,k]: the shape's id; ``NONE`` for none.")
      .def_ro("t", &Clearances::t,
              "float32 [n,k]: where the segment's nearest point a + t (b - a) is; 0 for none.")
      .def_ro("on_segment", &Clearances::on_segment,
              "float32 [n,k,3], scene units: that point; 0 for none.")
      .def_ro("on_shape", &Clearances::on_shape,
              "float32 [n,k,3], scene units: the shape's nearest point; 0 for none.")
      .def_prop_ro(
          "bad_points", [](const Clearances& r) { return r.report.bad_points; },
          "int: the number of segments with an end that is NaN, infinite or beyond 2^40.");
  caster.def("clearance", clearance, nb::arg("a"), nb::arg("b"), nb::arg("k") = 1,
             nb::arg("range") = infinity, nb::kw_only(), nb::arg("places") = true,
             doc::text(doc::clearance).c_str());
}

}  // namespace

void add_shapes(nb::module_& m, nb::class_<PyCaster>& caster) {
  caster.def("overlap_any", overlap_any, nb::arg("shapes"), nb::arg("first") = 0,
             nb::arg("count") = nb::none(), nb::kw_only(), nb::arg("body") = 1,
             nb::arg("packed") = false, doc::text(doc::overlap_any).c_str());
  caster.def("overlap_count", overlap_count, nb::arg("shapes"), nb::arg("first") = 0,
             nb::arg("count") = nb::none(), doc::text(doc::overlap_count).c_str());
  caster.def("overlap_all", overlap_all, nb::arg("shapes"), nb::arg("first") = 0,
             nb::arg("count") = nb::none(), doc::text(doc::overlap_all).c_str());
  nb::class_<Overlaps> rows(m, "OverlapRows", doc::text(doc::overlap_rows).c_str());
  add_repr(rows, [](const Overlaps& r) {
    return counted(nb::len(r.id), "overlaps") + " of " + counted(nb::len(r.offsets) - 1, "shapes");
  });
  refuse_as_array(rows, "take .offsets or .id");
  rows.def_ro("offsets", &Overlaps::offsets, "uint64 [n+1]: where each query shape's row begins.")
      .def_ro("id", &Overlaps::id, "uint32 [offsets[n]]: the shapes' ids, ascending within a row.");
  add_csr(rows, doc::text(doc::overlap_rows_csr));
  add_nearest(m, caster);
  add_clearance(m, caster);
}

}  // namespace sightline::python
