// Bakes over points: areas, probes, cover.
#include "python/bindings/module.hpp"

#include "host/files/formats/areas_file.hpp"

#include <sightline/areas.hpp>
#include <sightline/cover.hpp>
#include <sightline/probes.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace sightline::python {
namespace {

void add_area(Areas& areas, nb::handle corners, float height, std::uint32_t samples) {
  Arrays arrays;
  const Vec3Column at = arrays.vectors(corners, "corners");
  std::vector<Vec3> all(arrays.count());
  for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at[i];
  areas.add(all, height, samples);
}

/// Samples that see themselves, of areas or of points that say of which area each is.
AreaSamples samples_of(const Caster& caster, const Areas& areas, std::uint32_t samples,
                       const std::string& up, Inside inside) {
  return free_samples(caster, sample_areas(areas, samples, up_of(up)), inside);
}

constexpr std::uint64_t area_pairs_at_a_time = 4096;

/// What a call about areas asks.
struct AreaQuestion {
  const Areas& areas;
  std::uint32_t samples;
  std::string up;
  VisibilityOptions options;
};

/// Calls f(caster, samples, rows, columns, elements) for parts of the matrix of all areas, where
/// the elements are [first, first + count) of it. Returns the samples.
template <class F>
AreaSamples for_area_rows(const PyCaster& caster, const AreaQuestion& asked, nb::handle progress,
                          F&& f) {
  const std::uint64_t n = asked.areas.size(),
                      rows = std::max<std::uint64_t>(
                          1, area_pairs_at_a_time / std::max<std::uint64_t>(n, 1));
  const auto range = [](std::uint64_t at, std::uint64_t size) {
    return IdRange{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(size)};
  };
  AreaSamples points;
  caster.ask_in_parts(
      n, rows, progress, [&](const Caster& c, std::uint64_t first, std::uint64_t count) {
        if (first == 0) {
          points = samples_of(c, asked.areas, asked.samples, asked.up, asked.options.inside);
        }
        f(c, points, range(first, count), range(0, n), range(first * n, count * n));
      });
  return points;
}

/// Areas are few enough for a matrix, whose elements 32 bits count. Throws Error{out_of_memory}.
AreaQuestion question(const Areas& areas, std::uint32_t samples, const std::string& up, float range,
                      float margin, const std::string& inside) {
  if (areas.size() > 65535) {
    throw Error(ErrorKind::out_of_memory, std::to_string(areas.size()) +
                                              " areas make a matrix of more than 2^32 elements: "
                                              "bake it into a file");
  }
  return {areas, samples, up, {range, margin, inside_of(inside)}};
}

nb::object areas(const PyCaster& caster, const Areas& of, std::uint32_t samples,
                 const std::string& up, float range, float margin, const std::string& inside,
                 nb::handle progress) {
  const AreaQuestion asked = question(of, samples, up, range, margin, inside);
  const std::size_t n = of.size();
  Answers<std::uint32_t> seen({n, n});
  const AreaSamples points = for_area_rows(
      caster, asked, progress,
      [&](const Caster& c, const AreaSamples& all, const IdRange& rows, const IdRange& columns,
          const IdRange& elements) {
        area_counts(c, all, rows, columns, seen.span().subspan(elements.first, elements.count),
                    asked.options);
      });
  std::vector<std::uint32_t> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(points.count(i));
  return nb::make_tuple(seen.array(), numpy(std::move(in)));
}

nb::object pvs(const PyCaster& caster, const Areas& of, std::uint32_t samples,
               const std::string& up, float range, float margin, const std::string& inside,
               nb::handle progress) {
  const AreaQuestion asked = question(of, samples, up, range, margin, inside);
  const std::size_t n = of.size();
  Answers<std::uint8_t> classes({n, n});
  for_area_rows(
      caster, asked, progress,
      [&](const Caster& c, const AreaSamples& all, const IdRange& rows, const IdRange& columns,
          const IdRange& elements) {
        auto* const to = reinterpret_cast<AreaClass*>(classes.data());
        area_classes(c, all, rows, columns, {to + elements.first, elements.count}, asked.options);
      });
  return classes.array();
}

nb::object probes(const PyCaster& caster, nb::handle points, std::uint32_t n, float range,
                  const std::string& inside, nb::handle progress) {
  Arrays arrays;
  const PointsView at = points_of(arrays, points, "points");
  if (n == 0 || n > 4096) {
    throw Error(ErrorKind::usage, "n is " + std::to_string(n) + ", not from 1 to 4096");
  }
  const std::size_t cells = std::size_t{n} * n;
  Answers<float> distance({at.count, n, n});
  const ProbeOptions options{range, inside_of(inside)};
  const std::uint64_t most = std::max<std::uint64_t>(1, (std::uint64_t{1} << 22) / cells);
  caster.ask_in_parts(
      at.count, most, progress, [&](const Caster& c, std::uint64_t first, std::uint64_t count) {
        probe_distances(c, at.slice(first, count), n,
                        distance.span().subspan(first * cells, count * cells), options);
      });
  return distance.array();
}

}  // namespace

CoverOptions cover_options(const std::string& up, std::uint32_t directions, float at, float crouch,
                           float stand, float radius, float reach, float lean, float view) {
  return {up_of(up), directions, at, crouch, stand, radius, reach, lean, view};
}

PyCover arrays_of(CoverRows&& rows) {
  PyCover cover;
  std::vector<std::uint8_t> height(rows.height.size());
  for (std::size_t i = 0; i < height.size(); ++i) {
    height[i] = static_cast<std::uint8_t>(rows.height[i]);
  }
  cover.height = numpy(std::move(height));
  cover.facing = numpy(std::move(rows.facing));
  cover.distance = numpy(std::move(rows.distance));
  cover.crouch = numpy(std::move(rows.crouch));
  cover.stand = numpy(std::move(rows.stand));
  cover.left = numpy(std::move(rows.left));
  cover.right = numpy(std::move(rows.right));
  return cover;
}

namespace {

PyCover cover_of(const PyCaster& caster, nb::handle points, const std::string& up,
                 std::uint32_t directions, float at, float crouch, float stand, float radius,
                 float reach, float lean, float view, nb::handle progress) {
  Arrays arrays;
  const PointsView of = points_of(arrays, points, "points");
  const CoverOptions options =
      cover_options(up, directions, at, crouch, stand, radius, reach, lean, view);
  CoverRows rows;
  rows.resize(of.count);
  caster.ask_in_parts(of.count, std::uint64_t{1} << 16, progress,
                      [&](const Caster& c, std::uint64_t first, std::uint64_t n) {
                        cover(c, of.slice(first, n), rows.view().slice(first, n), options);
                      });
  return arrays_of(std::move(rows));
}

#define SIGHTLINE_AREAS                                                                  \
  "self, areas: Areas, samples: int = 16, *, up: str = \"z\", range: float = math.inf, " \
  "margin: float = 0.0, inside: str = \"solid\", "                                       \
  "progress: typing.Optional[collections.abc.Callable[[int, int], object]] = None"

}  // namespace

void add_bakes(nb::module_& m, nb::class_<PyCaster>& caster) {
  nb::class_<Areas>(m, "Areas",
                    "Convex polygons with a height: rooms, sectors, cells. An area is what lies\n"
                    "between its polygon and the same polygon ``height`` further up.")
      .def(nb::init<>())
      .def("__len__", [](const Areas& a) { return a.size(); })
      .def("add", add_area, nb::arg("corners"), nb::arg("height"), nb::arg("samples") = 0,
           nb::sig("def add(self, corners: numpy.typing.ArrayLike, height: float, "
                   "samples: int = 0) -> None"),
           "corners [k,3], at least three, in order. samples: 0 for as many as the call says.");
  caster.def(
      "areas", areas, nb::arg("areas"), nb::arg("samples") = 16, nb::kw_only(), nb::arg("up") = "z",
      nb::arg("range") = infinity, nb::arg("margin") = 0.0f, nb::arg("inside") = "solid",
      nb::arg("progress") = nb::none(),
      nb::sig("def areas(" SIGHTLINE_AREAS
              ") -> tuple[numpy.typing.NDArray, numpy.typing.NDArray]"),
      "How many pairs of samples of two areas see each other: (uint32 [A,A], uint32 [A] with\n"
      "the samples of each area). Samples that lie in a shape are left out.");
  caster.def("pvs", pvs, nb::arg("areas"), nb::arg("samples") = 16, nb::kw_only(),
             nb::arg("up") = "z", nb::arg("range") = infinity, nb::arg("margin") = 0.0f,
             nb::arg("inside") = "solid", nb::arg("progress") = nb::none(),
             nb::sig("def pvs(" SIGHTLINE_AREAS ") -> numpy.typing.NDArray"),
             "Which areas see which: uint8 [A,A], 0 hidden, 1 partly, 2 fully, by the samples.");
  caster.def(
      "probes", probes, nb::arg("points"), nb::arg("n") = 8, nb::arg("range") = infinity,
      nb::kw_only(), nb::arg("inside") = "solid", nb::arg("progress") = nb::none(),
      nb::sig("def probes(self, points: typing.Union[numpy.typing.ArrayLike, Points], "
              "n: int = 8, range: float = math.inf, *, inside: str = \"solid\", "
              "progress: typing.Optional[collections.abc.Callable[[int, int], object]] = "
              "None) -> numpy.typing.NDArray"),
      "How far one sees from each point all around: float32 [P,n,n], +inf beyond ``range``;\n"
      "cell [p,j,i] is direction j * n + i of ``octahedral_directions(n)``.");
  m.def(
      "octahedral_directions",
      [](std::uint32_t n) { return numpy_rows<float>(octahedral_directions(n)); }, nb::arg("n"),
      nb::sig("def octahedral_directions(n: int) -> numpy.typing.NDArray"),
      "Unit directions [n*n,3] of the octahedral map of n x n cells.");
  m.def(
      "cover_directions",
      [](std::uint32_t directions, const std::string& up) {
        return numpy_rows<float>(cover_directions(directions, up_of(up)));
      },
      nb::arg("directions") = 32, nb::arg("up") = "z",
      nb::sig(
          "def cover_directions(directions: int = 32, up: str = \"z\") -> numpy.typing.NDArray"),
      "The unit directions [directions,3] that cover is told for.");

  nb::class_<PyCover>(m, "Cover",
                      "What cover there is at n points; bit k of a mask is direction k.")
      .def_ro("height", &PyCover::height,
              nb::for_getter(nb::sig("def height(self) -> numpy.typing.NDArray[numpy.uint8]")),
              "uint8 [n]: 0 none, 1 crouching, 2 standing.")
      .def_ro("facing", &PyCover::facing,
              nb::for_getter(nb::sig("def facing(self) -> numpy.typing.NDArray[numpy.uint8]")),
              "uint8 [n]: the direction of the nearest cover.")
      .def_ro("distance", &PyCover::distance,
              nb::for_getter(nb::sig("def distance(self) -> numpy.typing.NDArray[numpy.float32]")),
              "float32 [n]: of that cover; +inf without.")
      .def_ro("crouch", &PyCover::crouch,
              nb::for_getter(nb::sig("def crouch(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n]: directions that are safe crouching.")
      .def_ro("stand", &PyCover::stand,
              nb::for_getter(nb::sig("def stand(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n]: directions that are safe standing, too.")
      .def_ro("left", &PyCover::left,
              nb::for_getter(nb::sig("def left(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n]: where one can lean out to the left.")
      .def_ro("right", &PyCover::right,
              nb::for_getter(nb::sig("def right(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n]: to the right.");
  caster.def(
      "cover", cover_of, nb::arg("points"), nb::kw_only(), nb::arg("up") = "z",
      nb::arg("directions") = 32, nb::arg("at") = 0.0f, nb::arg("crouch") = 0.9f,
      nb::arg("stand") = 1.6f, nb::arg("radius") = 0.3f, nb::arg("reach") = 1.2f,
      nb::arg("lean") = 0.6f, nb::arg("view") = 10.0f, nb::arg("progress") = nb::none(),
      nb::sig("def cover(self, points: typing.Union[numpy.typing.ArrayLike, Points], *, "
              "up: str = \"z\", directions: int = 32, at: float = 0.0, "
              "crouch: float = 0.9, stand: float = 1.6, radius: float = 0.3, "
              "reach: float = 1.2, lean: float = 0.6, view: float = 10.0, "
              "progress: typing.Optional[collections.abc.Callable[[int, int], object]] = "
              "None) -> Cover"),
      "What cover there is at points ``at`` above the feet. crouch and stand: heights of the\n"
      "eyes; radius: of the body; reach: what is further is no cover; lean: how far to the\n"
      "side; view: how far one must see from there. directions: 4, 8, 16, 32 or 64.");
}

}  // namespace sightline::python
