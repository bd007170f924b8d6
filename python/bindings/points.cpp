// Points and fields of view.
#include "python/bindings/doc/points.hpp"
#include "python/bindings/module.hpp"

#include "host/files/formats/points_file.hpp"

#include <nanobind/stl/string.h>

#include <cmath>

namespace sightline::python {
namespace {

using FieldWord = Word<"typing.Literal['cone', 'sector', 'sector_y_up']">;
constexpr std::initializer_list<const char*> field_shapes = {"cone", "sector", "sector_y_up"};

}  // namespace

Angles angles_of(const Column<float>& degrees, bool half, const char* name) {
  Angles angles;
  for (std::uint64_t i = 0; i < (degrees.data == nullptr ? 1 : degrees.count); ++i) {
    if (half && !(degrees[i] >= 0 && degrees[i] <= 180)) {
      refuse("{}[{}] is {}, not from 0 to 180 degrees", name, i, degrees[i]);
    }
    const float turn = half ? degrees[i] : std::remainder(degrees[i], 360.0f);
    const io::HalfAngle angle = io::half_angle(std::fabs(turn));
    angles.cosine.push_back(angle.cosine);
    angles.sine.push_back(turn < 0 ? -angle.sine : angle.sine);
  }
  return angles;
}

PointsView points_of(Arrays& arrays, nb::handle from, const char* name) {
  PointsView points;
  if (nb::isinstance<PyPoints>(from)) {
    const PyPoints& given = nb::cast<const PyPoints&>(from);
    points.position = arrays.vectors(given.position, name);
    points.mask = arrays.words(given.mask, "mask");
    points.exclude = arrays.words(given.exclude, "exclude");
    points.exclude_group = arrays.words(given.exclude_group, "exclude_group");
  } else {
    points.position = arrays.vectors(from, name);
  }
  points.count = arrays.count();
  return points;
}

std::optional<FieldsView> fields_of(Arrays& arrays, nb::handle from) {
  if (from.is_none()) return std::nullopt;
  if (!nb::isinstance<PyFields>(from)) {
    refuse("fields is no Fields");
  }
  const PyFields& given = nb::cast<const PyFields&>(from);
  FieldsView fields;
  fields.shape = given.shape;
  fields.direction = arrays.vectors(given.direction, "fields.direction");
  fields.range = arrays.numbers(given.range, "fields.range");
  const auto column = [&](const std::vector<float>& of) {
    if (given.one_angle) return Column<float>(of[0]);
    return arrays.numbers(numpy<float>(std::vector(of), given.angles_shape), "fields.half_angle");
  };
  fields.cosine = column(given.angles.cosine);
  fields.sine = column(given.angles.sine);
  return fields;
}

void add_points(nb::module_& m) {
  nb::class_<PyPoints> points(m, "Points", doc::points);
  refuse_as_array(points, "take .position, to which masks and exclusions do not belong");
  points
      .def(
          "__init__",
          [](PyPoints* self, ArrayLike position, ArrayLike mask, ArrayLike exclude,
             ArrayLike exclude_group) {
            new (self) PyPoints{position, mask, exclude, exclude_group};
          },
          nb::arg("position"), nb::kw_only(), bits_argument("mask"), bits_argument("exclude"),
          bits_argument("exclude_group"))
      .def_ro("position", &PyPoints::position, "array_like: as it was given.")
      .def_ro("mask", &PyPoints::mask, "array_like: as it was given.")
      .def_ro("exclude", &PyPoints::exclude, "array_like: as it was given.")
      .def_ro("exclude_group", &PyPoints::exclude_group, "array_like: as it was given.");

  nb::class_<PyFields>(m, "Fields", doc::fields_class)
      .def(
          "__init__",
          [](PyFields* self, ArrayLike direction, ArrayLike half_angle, ArrayLike range,
             const FieldWord& shape) {
            Arrays arrays;
            const Column<float> degrees = arrays.numbers(half_angle, "half_angle");
            PyFields fields;
            fields.one_angle = degrees.data == nullptr;
            fields.angles = angles_of(degrees, true, "half_angle");
            fields.angles_shape = arrays.shape();
            fields.direction = direction;
            fields.half_angle = half_angle;
            fields.range = range;
            fields.shape = static_cast<FieldShape>(choice(shape, "shape", field_shapes));
            new (self) PyFields(std::move(fields));
          },
          nb::arg("direction"), nb::arg("half_angle"), nb::arg("range") = infinity,
          nb::arg("shape") = "cone")
      .def_ro("direction", &PyFields::direction, "array_like: as it was given.")
      .def_ro("half_angle", &PyFields::half_angle, "array_like, degrees: as it was given.")
      .def_ro("range", &PyFields::range, "array_like, scene units: as it was given.")
      .def_prop_ro(
          "shape",
          [](const PyFields& f) {
            return *(field_shapes.begin() + static_cast<std::size_t>(f.shape));
          },
          "str: \"cone\", \"sector\" or \"sector_y_up\".");
}

}  // namespace sightline::python
