// Navigation maps, and places to take cover in them.
#include "python/bindings/doc/nav.hpp"
#include "python/bindings/module.hpp"

#include "host/files/formats/nav_file.hpp"

#include <sightline/cover.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

struct PyNav {
  NavMap map;
  files::Metadata metadata;
};

UpAxis axis_of(const std::string& up) {
  return choice(up, "up", {"z", "y"}) == 0 ? UpAxis::z : UpAxis::y;
}

using Corners = Typed<"tuple[numpy.typing.ArrayLike, numpy.typing.ArrayLike]">;
using StageProgress = Typed<"collections.abc.Callable[[str, int, int], object]">;

/// The interpreter's lock for as long as Python is told how far a bake is; Ctrl-C ends it.
template <class... Values>
void tell(nb::handle progress, Values... values) {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (!progress.is_none()) progress(values...);
}

PyNav bake(const PyCaster& caster, float radius, float height, float climb, float slope, float cell,
           float cell_height, const UpWord& up, Corners bounds, float jump, float rise, float drop,
           PointsLike points, float range, std::uint32_t mask, std::uint64_t max_bytes,
           StageProgress progress) {
  NavOptions options;
  options.agent = {radius, height, climb, slope};
  options.cell = cell;
  options.cell_height = cell_height;
  options.up = axis_of(up);
  options.jumps = {jump, rise, drop};
  options.range = range;
  options.mask = mask;
  options.max_bytes = max_bytes;
  Arrays arrays;
  if (!bounds.is_none()) {
    if (!nb::hasattr(bounds, "__len__") || nb::len(bounds) != 2) {
      refuse("bounds is not (min, max)");
    }
    // Single vectors: a corner [n,3] would be taken for its first row.
    const auto corner = [&](int k, const char* name) {
      Arrays one;
      const Vec3Column at = one.vectors(nb::object(bounds[k]), name);
      if (at.x.data != nullptr) refuse("{} is not [3]", name);
      return at[0];
    };
    options.bounds = {corner(0, "bounds[0]"), corner(1, "bounds[1]")};
  }
  if (!points.is_none()) options.from = points_of(arrays, points, "points");
  options.progress = [&](const char* stage, std::uint64_t done, std::uint64_t total) {
    tell(progress, stage, done, total);
  };
  return {caster.ask([&](const Caster& c) { return bake_nav(c, options); }), {{"up", up}}};
}

/// A view of a map's own memory, which the map keeps alive.
template <class T>
nb::object view(nb::handle self, const void* data, std::vector<std::size_t> shape) {
  return nb::cast(nb::ndarray<nb::numpy, nb::ro, const T>(data, shape.size(), shape.data(), self));
}

using Columns = Typed<"dict[str, numpy.typing.NDArray]">;

/// The columns of the file of a map, as read-only arrays by name.
Columns columns(nb::handle self) {
  const PyNav& nav = nb::cast<const PyNav&>(self);
  nb::dict all;
  for (const io::NavColumn& c : io::nav_columns(nav.map)) {
    const std::vector<std::size_t> shape(c.shape.begin(), c.shape.end());
    nb::object array;
    switch (c.dtype) {
      case io::Dtype::f32:
        array = view<float>(self, c.data, shape);
        break;
      case io::Dtype::f64:
        array = view<double>(self, c.data, shape);
        break;
      case io::Dtype::u8:
        array = view<std::uint8_t>(self, c.data, shape);
        break;
      case io::Dtype::u32:
        array = view<std::uint32_t>(self, c.data, shape);
        break;
      case io::Dtype::u64:
        array = view<std::uint64_t>(self, c.data, shape);
        break;
      default:
        throw Error(ErrorKind::internal, "a column of a map has a type that has no array");
    }
    all[c.name.c_str()] = array;
  }
  return nb::borrow<Columns>(all);
}

/// Where somebody stands on each span: the middle of its cell, at its top.
ArrayOf<float> positions(const PyNav& nav) {
  std::vector<Vec3> at(nav.map.spans());
  for (std::uint64_t column = 0; column + 1 < nav.map.offsets.size(); ++column) {
    for (std::uint64_t i = nav.map.offsets[column]; i < nav.map.offsets[column + 1]; ++i) {
      at[i] = nav.map.grid.at(column, nav.map.top[i]);
    }
  }
  return numpy_rows<float>(std::move(at));
}

struct PyPlaces {
  ArrayOf<std::uint64_t> span;
  ArrayOf<float> position;
  PyCover cover;
};

PyPlaces places(const PyCaster& caster, const PyNav& nav, float spacing, std::uint32_t directions,
                float crouch, float stand, float radius, float reach, float lean, float view,
                Progress progress) {
  CoverPlaceOptions options;
  options.cover = cover_options("z", directions, 0, crouch, stand, radius, reach, lean, view);
  options.spacing = spacing;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { tell(progress, done, total); };
  CoverPlaces found;
  found = caster.ask([&](const Caster& c) { return find_cover_places(c, nav.map, options); });
  const std::size_t n = found.span.size();
  return {numpy(std::move(found.span)), numpy_rows<float>(std::move(found.position)),
          arrays_of(std::move(found.cover), {n})};
}

}  // namespace

void add_nav(nb::module_& m, nb::class_<PyCaster>& caster) {
  const auto words = [](const char* of) { return doc::text(of, fmt::arg("floor", doc::floor)); };
  nb::class_<PyNav> nav(m, "NavMap", words(doc::nav_map).c_str());
  add_repr(nav, [](const PyNav& n) {
    return std::to_string(n.map.grid.width) + " x " + std::to_string(n.map.grid.depth) +
           " columns, " + counted(n.map.spans(), "spans") + ", " +
           counted(n.map.regions.size(), "regions");
  });
  refuse_as_array(nav, "take .positions() or one of .columns()");
  nav.def("__len__", [](const PyNav& n) { return n.map.spans(); })
      .def_prop_ro(
          "width", [](const PyNav& n) { return n.map.grid.width; },
          "int: the number of columns along x.")
      .def_prop_ro(
          "depth", [](const PyNav& n) { return n.map.grid.depth; },
          "int: the number of columns along y, or along z if y is up.")
      .def_prop_ro(
          "cell", [](const PyNav& n) { return n.map.grid.cell; },
          "float, scene units: the side of a column.")
      .def("columns", columns, words(doc::nav_columns).c_str())
      .def("positions", positions, words(doc::nav_positions).c_str());
  add_files(
      nav, [](const auto& path, const PyNav& n) { io::write_nav(path, n.map, n.metadata); },
      words(doc::nav_save),
      [](const std::filesystem::path& path, io::Notes&) {
        PyNav n;
        n.map = io::read_nav(path, &n.metadata);
        return n;
      },
      words(doc::nav_load));
  caster.def("bake_navigation", bake, nb::kw_only(), nb::arg("radius") = 0.6,
             nb::arg("height") = 2.0, nb::arg("climb") = 0.9, nb::arg("slope") = 45.0,
             nb::arg("cell") = 0.3, nb::arg("cell_height") = 0.2, nb::arg("up") = "z",
             nb::arg("bounds") = nb::none(), nb::arg("jump") = 0.0, nb::arg("rise") = 1.0,
             nb::arg("drop") = 3.0, nb::arg("points") = nb::none(), nb::arg("range") = 0.0,
             bits_argument("mask"), nb::arg("max_bytes") = 0, nb::arg("progress") = nb::none(),
             words(doc::bake_navigation).c_str());
  nb::class_<PyPlaces> all(m, "CoverPlaces", words(doc::cover_places_class).c_str());
  add_repr(all, [](const PyPlaces& p) { return counted(nb::len(p.span), "places"); });
  refuse_as_array(all, "take .span, .position or .cover");
  all.def_ro("span", &PyPlaces::span, "uint64 [n]: the number of the map's span.")
      .def_ro("position", &PyPlaces::position, "float32 [n,3], scene units: where the feet are.")
      .def_ro("cover", &PyPlaces::cover, "Cover [n]: the cover there.");
  caster.def("cover_places", places, nb::arg("nav"), nb::kw_only(), nb::arg("spacing") = 1.0,
             nb::arg("directions") = 32, nb::arg("crouch") = 0.9, nb::arg("stand") = 1.6,
             nb::arg("radius") = 0.3, nb::arg("reach") = 1.2, nb::arg("lean") = 0.6,
             nb::arg("view") = 10.0, nb::arg("progress") = nb::none(),
             words(doc::cover_places).c_str());
}

}  // namespace sightline::python
