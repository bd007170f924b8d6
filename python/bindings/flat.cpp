// 2D: circles and segments at a set of flat shapes.
#include "python/bindings/module.hpp"

#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/points_file.hpp"

#include <sightline/flat_caster.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <cmath>

namespace sightline::python {
namespace {

/// Adds shapes of a kind from its columns: `floats` numbers a shape, in the order of its struct.
template <class Shape>
std::uint32_t add(FlatScene& scene, std::vector<Column<float>>&& columns, Arrays& arrays,
                  nb::handle mask) {
  const Column<std::uint32_t> masks = arrays.words(mask, "mask");
  const std::uint64_t n = arrays.count();
  // All of them or none: a refused one leaves the set as it was.
  FlatScene with = scene;
  std::uint32_t first = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::array<float, sizeof(Shape) / sizeof(float)> numbers;
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = columns[k][i];
    const std::uint32_t index = with.add(std::bit_cast<Shape>(numbers), masks[i]);
    if (i == 0) first = index;
  }
  scene = std::move(with);
  return first;
}

/// Angles in degrees as the columns of their cosines and sines, the same on every machine.
struct Angles {
  std::vector<float> cosine, sine;
};
Angles angles_of(const Column<float>& degrees, bool half, const char* name) {
  Angles angles;
  for (std::uint64_t i = 0; i < (degrees.data == nullptr ? 1 : degrees.count); ++i) {
    if (half && !(degrees[i] >= 0 && degrees[i] <= 180)) {
      throw Error(ErrorKind::usage, std::string(name) + "[" + std::to_string(i) + "] is " +
                                        std::to_string(degrees[i]) + ", not from 0 to 180 degrees");
    }
    const float turn = half ? degrees[i] : std::remainder(degrees[i], 360.0f);
    const io::HalfAngle angle = io::half_angle(std::fabs(turn));
    angles.cosine.push_back(angle.cosine);
    angles.sine.push_back(turn < 0 ? -angle.sine : angle.sine);
  }
  return angles;
}
Column<float> column_of(const std::vector<float>& values) {
  return values.size() == 1 ? Column<float>(values[0]) : Column<float>(values);
}

CirclesView circles_of(Arrays& arrays, nb::handle centers, nb::handle radii, nb::handle mask) {
  CirclesView circles;
  circles.center = arrays.flat_vectors(centers, "centers");
  circles.radius = arrays.numbers(radii, "radii");
  circles.mask = arrays.words(mask, "mask");
  circles.count = arrays.count();
  return circles;
}

struct FlatHits {
  nb::object t, id, flags;
};
struct FlatRows {
  nb::object offsets, id;
};

#define SIGHTLINE_CIRCLES                                                     \
  "self, centers: numpy.typing.ArrayLike, radii: numpy.typing.ArrayLike, *, " \
  "mask: numpy.typing.ArrayLike = 0xFFFFFFFF"

}  // namespace

void add_flat(nb::module_& m) {
  nb::class_<FlatScene>(
      m, "FlatScene",
      "2D shapes, numbered kind by kind (circle, capsule, sector, polygon, aabb, obb)\n"
      "and within a kind in the order added. Each ``add_*`` takes columns [n,2] and [n],\n"
      "and returns the index within its kind of the first shape added.")
      .def(nb::init<>())
      .def("__len__", [](const FlatScene& s) { return s.size(); })
      .def(
          "add_circles",
          [](FlatScene& s, nb::handle centers, nb::handle radii, nb::handle mask) {
            Arrays arrays;
            std::vector<Column<float>> all;
            arrays.columns(centers, "centers", 2, all);
            arrays.columns(radii, "radii", 1, all);
            return add<Circle>(s, std::move(all), arrays, mask);
          },
          nb::arg("centers"), nb::arg("radii"), nb::arg("mask") = 0xFFFFFFFFu,
          "Disks: centers [n,2], radii [n].")
      .def(
          "add_capsules",
          [](FlatScene& s, nb::handle a, nb::handle b, nb::handle radii, nb::handle mask) {
            Arrays arrays;
            std::vector<Column<float>> all;
            arrays.columns(a, "a", 2, all);
            arrays.columns(b, "b", 2, all);
            arrays.columns(radii, "radii", 1, all);
            return add<Capsule2>(s, std::move(all), arrays, mask);
          },
          nb::arg("a"), nb::arg("b"), nb::arg("radii"), nb::arg("mask") = 0xFFFFFFFFu,
          "All points within a radius [n] of the segments from a [n,2] to b [n,2].")
      .def(
          "add_sectors",
          [](FlatScene& s, nb::handle centers, nb::handle directions, nb::handle half_angles,
             nb::handle radii, nb::handle mask) {
            Arrays arrays;
            std::vector<Column<float>> all;
            arrays.columns(centers, "centers", 2, all);
            arrays.columns(directions, "directions", 2, all);
            const Angles angles =
                angles_of(arrays.numbers(half_angles, "half_angles"), true, "half_angles");
            all.push_back(column_of(angles.cosine));
            all.push_back(column_of(angles.sine));
            arrays.columns(radii, "radii", 1, all);
            return add<Sector>(s, std::move(all), arrays, mask);
          },
          nb::arg("centers"), nb::arg("directions"), nb::arg("half_angles"), nb::arg("radii"),
          nb::arg("mask") = 0xFFFFFFFFu, "half_angles in degrees, 0 to 180.")
      .def(
          "add_polygon",
          [](FlatScene& s, nb::handle corners, std::uint32_t mask) {
            Arrays arrays;
            const Vec2Column at = arrays.flat_vectors(corners, "corners");
            std::vector<Vec2> all(arrays.count());
            for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at[i];
            return s.add_polygon(all, mask);
          },
          nb::arg("corners"), nb::arg("mask") = 0xFFFFFFFFu,
          "A convex polygon, corners [k,2] in order, either way round.")
      .def(
          "add_aabbs",
          [](FlatScene& s, nb::handle min, nb::handle max, nb::handle mask) {
            Arrays arrays;
            std::vector<Column<float>> all;
            arrays.columns(min, "min", 2, all);
            arrays.columns(max, "max", 2, all);
            return add<Aabb2>(s, std::move(all), arrays, mask);
          },
          nb::arg("min"), nb::arg("max"), nb::arg("mask") = 0xFFFFFFFFu,
          "Rectangles along the axes: min [n,2], max [n,2].")
      .def(
          "add_obbs",
          [](FlatScene& s, nb::handle centers, nb::handle half_extents, nb::handle turns,
             nb::handle mask) {
            Arrays arrays;
            std::vector<Column<float>> all;
            arrays.columns(centers, "centers", 2, all);
            arrays.columns(half_extents, "half_extents", 2, all);
            const Angles angles = angles_of(arrays.numbers(turns, "turns"), false, "turns");
            all.push_back(column_of(angles.cosine));
            all.push_back(column_of(angles.sine));
            return add<Obb2>(s, std::move(all), arrays, mask);
          },
          nb::arg("centers"), nb::arg("half_extents"), nb::arg("turns"),
          nb::arg("mask") = 0xFFFFFFFFu, "turns in degrees, counterclockwise.")
      .def(
          "save",
          [](const FlatScene& s, const std::filesystem::path& path) {
            io::write_flat_scene(path, s);
          },
          nb::arg("path"), "Writes the file that the program reads.")
      .def_static(
          "load", [](const std::filesystem::path& path) { return io::read_flat_scene(path); },
          nb::arg("path"), "Reads a set that the program reads.");

  nb::class_<FlatHits>(m, "FlatHits", "The first hits of n segments.")
      .def_ro("t", &FlatHits::t,
              nb::for_getter(nb::sig("def t(self) -> numpy.typing.NDArray[numpy.float32]")),
              "float32 [n]: in lengths of the segment, 0 to 1; +inf for a miss.")
      .def_ro("id", &FlatHits::id,
              nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
              "uint32 [n]; ``NONE`` for a miss.")
      .def_ro("flags", &FlatHits::flags,
              nb::for_getter(nb::sig("def flags(self) -> numpy.typing.NDArray[numpy.uint8]")),
              "uint8 [n]: 1 hit, 2 started inside, 4 bad.");
  nb::class_<FlatRows>(m, "FlatRows",
                       "Overlaps, those of circle i at offsets[i] .. offsets[i + 1].")
      .def_ro("offsets", &FlatRows::offsets,
              nb::for_getter(nb::sig("def offsets(self) -> numpy.typing.NDArray[numpy.uint64]")),
              "uint64 [n+1].")
      .def_ro("id", &FlatRows::id,
              nb::for_getter(nb::sig("def id(self) -> numpy.typing.NDArray[numpy.uint32]")),
              "uint32 [offsets[n]].");
  nb::class_<FlatCaster>(
      m, "FlatCaster",
      "A set of 2D shapes that answers for circles and segments, on the devices of\n"
      "``Caster``: the same bytes from each.")
      .def(
          "__init__",
          [](FlatCaster* self, const FlatScene& scene, const std::string& device, int threads) {
            FlatScene copy = scene;
            const CasterOptions options =
                options_of(device, threads, "auto", "auto", "fast", "auto", 0);
            const nb::gil_scoped_release unlocked;
            new (self) FlatCaster(std::move(copy), device_of(device).backend, options);
          },
          nb::arg("scene"), nb::arg("device") = "auto", nb::kw_only(), nb::arg("threads") = 0)
      .def_prop_ro("description", [](const FlatCaster& c) { return c.description(); })
      .def(
          "cast",
          [](const FlatCaster& c, nb::handle a, nb::handle b, nb::handle mask,
             const std::string& inside) {
            Arrays arrays;
            SegmentsView segments;
            segments.a = arrays.flat_vectors(a, "a");
            segments.b = arrays.flat_vectors(b, "b");
            segments.mask = arrays.words(mask, "mask");
            segments.count = arrays.count();
            const std::size_t n = segments.count;
            Answers<float> t({n});
            Answers<std::uint32_t> id({n});
            Answers<std::uint8_t> flags({n});
            {
              const nb::gil_scoped_release unlocked;
              c.cast(segments, {t.span(), id.span(), flags.span()}, inside_of(inside));
            }
            return FlatHits{t.array(), id.array(), flags.array()};
          },
          nb::arg("a"), nb::arg("b"), nb::kw_only(), nb::arg("mask") = 0xFFFFFFFFu,
          nb::arg("inside") = "solid",
          nb::sig(
              "def cast(self, a: numpy.typing.ArrayLike, b: numpy.typing.ArrayLike, *, "
              "mask: numpy.typing.ArrayLike = 0xFFFFFFFF, inside: str = \"solid\") -> FlatHits"),
          "The first hit of each segment from a [n,2] to b [n,2].")
      .def(
          "overlap_any",
          [](const FlatCaster& c, nb::handle centers, nb::handle radii, nb::handle mask,
             bool packed) {
            Arrays arrays;
            const CirclesView circles = circles_of(arrays, centers, radii, mask);
            Answers<std::uint64_t> bits({static_cast<std::size_t>(bit_words(circles.count))});
            {
              const nb::gil_scoped_release unlocked;
              c.overlap_any(circles, bits.span());
            }
            return bits_as(std::move(bits), circles.count, packed);
          },
          nb::arg("centers"), nb::arg("radii"), nb::kw_only(), nb::arg("mask") = 0xFFFFFFFFu,
          nb::arg("packed") = false,
          nb::sig("def overlap_any(" SIGHTLINE_CIRCLES
                  ", packed: bool = False) -> numpy.typing.NDArray"),
          "Whether each circle overlaps any shape: bool [n], or packed as ``Caster.any_hit``.")
      .def(
          "overlap_count",
          [](const FlatCaster& c, nb::handle centers, nb::handle radii, nb::handle mask) {
            Arrays arrays;
            const CirclesView circles = circles_of(arrays, centers, radii, mask);
            Answers<std::uint32_t> counts({static_cast<std::size_t>(circles.count)});
            {
              const nb::gil_scoped_release unlocked;
              c.overlap_count(circles, counts.span());
            }
            return counts.array();
          },
          nb::arg("centers"), nb::arg("radii"), nb::kw_only(), nb::arg("mask") = 0xFFFFFFFFu,
          nb::sig("def overlap_count(" SIGHTLINE_CIRCLES ") -> numpy.typing.NDArray"),
          "How many shapes each circle overlaps: uint32 [n].")
      .def(
          "overlap_all",
          [](const FlatCaster& c, nb::handle centers, nb::handle radii, nb::handle mask) {
            Arrays arrays;
            const CirclesView circles = circles_of(arrays, centers, radii, mask);
            OverlapRows rows;
            {
              const nb::gil_scoped_release unlocked;
              c.overlap_all(circles, rows);
            }
            return FlatRows{numpy(std::move(rows.offsets)), numpy(std::move(rows.ids))};
          },
          nb::arg("centers"), nb::arg("radii"), nb::kw_only(), nb::arg("mask") = 0xFFFFFFFFu,
          nb::sig("def overlap_all(" SIGHTLINE_CIRCLES ") -> FlatRows"),
          "Which shapes each circle overlaps.");
}

}  // namespace sightline::python
