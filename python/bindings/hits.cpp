#include "python/bindings/hits.hpp"

#include "python/bindings/doc/rays.hpp"

#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

/// Answers on a device are the device's, and arrive there when its stream does.
const Hits& on_host(const Hits& h) {
  if (!h.arrays.on_device()) return h;
  refuse("these hits are on a CUDA device: use the arrays of out=");
}

/// A column that others are made of, which `out` may have left out.
template <class T>
const T* needed(const Hits& hits, const Answers<T>& answers, const char* name) {
  if (on_host(hits), answers.wanted()) return answers.data();
  refuse("out= has no \"{}\", which this needs", name);
}

Answers<bool> hit_mask(const Hits& h) {
  const std::uint32_t* id = needed(h, h.id, "id");
  Answers<bool> hit(h.shape);
  for (std::uint64_t i = 0; i < h.n; ++i) hit.data()[i] = id[i] != none;
  return hit;
}

ArrayOf<std::uint8_t> kinds(const Hits& h) {
  const std::uint32_t* ids = needed(h, h.id, "id");
  std::vector<std::uint8_t> kind(h.n, 0xFF);
  for (std::uint64_t i = 0; i < h.n; ++i) {
    const std::uint32_t id = ids[i];
    if (id == none) continue;
    if (id >= h.first_of_kind.back()) {
      refuse("id[{}] was changed: there is no shape {}", i, id);
    }
    std::uint8_t k = 0;
    while (id >= h.first_of_kind[k + 1u]) ++k;
    kind[i] = k;
  }
  return numpy<std::uint8_t>(std::move(kind), h.shape);
}

ArrayOf<float> points(const Hits& h) {
  if (!h.lines) {
    refuse("a sweep's hits have no points: its spheres and capsules touch");
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
  return numpy<float>(std::move(at), h.shape.with(3));
}

}  // namespace

void remember_kinds(Hits& hits, const Scene& scene) {
  for (int k = 0; k < kind_count; ++k) {
    hits.first_of_kind[k + 1] = hits.first_of_kind[k] + scene.count(static_cast<Kind>(k));
  }
}

HitArrays make_room(Hits& hits, Arrays& arrays, const Shape& shape, bool normals, nb::handle out) {
  hits.shape = shape;
  const std::uint64_t n = hits.n = shape.elements();
  const bool given = !out.is_none();
  if (given && !nb::hasattr(out, "keys")) {
    refuse("out is no mapping of \"t\", \"id\", \"flags\", \"normal\" to arrays");
  }
  std::size_t taken = 0;
  const auto room = [&]<template <class> class Column, class T>(
                        Column<T>& answers, const char* name, const Shape& sides) {
    if (given && nb::cast<bool>(out.attr("__contains__")(name))) {
      ++taken;
      const nb::object array = out[name];
      const std::string words = std::string("out[\"") + name + "\"]";
      answers = {arrays.output<T>(array, words.c_str(), sides), sides.elements(), array};
    } else if (!given) {
      answers = Column<T>(sides);
    }
  };
  room(hits.t, "t", shape);
  room(hits.id, "id", shape);
  room(hits.flags, "flags", shape);
  if (normals) room(hits.normal, "normal", shape.with(3));
  if (given && taken != nb::len(out)) {
    refuse("out has names other than \"t\", \"id\", \"flags\"{}",
           normals ? ", \"normal\"" : ", and normals is False");
  }
  return {hits.t.span(),
          hits.id.span(),
          hits.flags.span(),
          {reinterpret_cast<Vec3*>(hits.normal.data()), hits.normal.wanted() ? n : 0}};
}

void add_hits(nb::module_& m) {
  nb::class_<Hits> hits(m, "Hits", doc::text(doc::hits).c_str());
  add_repr(hits, [](const Hits& h) {
    if (h.arrays.on_device()) return counted(h.n, "rays") + ", on a device";
    return std::to_string(h.report.hits) + " of " + std::to_string(h.n);
  });
  refuse_as_array(hits, "take .t, .id, .flags, .normal, .hit, .kind or .points");
  hits.def("__len__", [](const Hits& h) { return h.n; })
      .def_ro("t", &Hits::t,
              "float32 [n], lengths of the direction: where the ray enters, or leaves if it starts "
              "inside under \"surface\"; inf for a miss.")
      .def_ro("id", &Hits::id, "uint32 [n]: the shape's id; ``NONE`` for a miss.")
      .def_ro(
          "flags", &Hits::flags,
          "uint8 [n]: the sum of 1 (hit), 2 (the ray started inside), 4 (bad ray) and 16 (back of "
          "a triangle).")
      .def_ro("normal", &Hits::normal,
              "float32 [n,3]: the outward normal of length 1; 0 for a miss. None with "
              "``normals=False``.")
      .def_prop_ro("hit", hit_mask, "bool [n]: whether the ray hits.")
      .def_prop_ro("kind", kinds,
                   "uint8 [n]: the shape's kind as an index into ``KINDS``; 255 for a miss.")
      .def_prop_ro("points", points,
                   "float32 [n,3], scene units: origin + t * direction, rounded once; NaN for a "
                   "miss. It reads your arrays at each use.")
      .def_prop_ro(
          "hits", [](const Hits& h) { return on_host(h).report.hits; },
          "int: the number of rays that hit.")
      .def_prop_ro(
          "bad_rays", [](const Hits& h) { return on_host(h).report.bad_rays; },
          "int: the number of bad rays.");
}

}  // namespace sightline::python
