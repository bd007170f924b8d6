// Points with masks and exclusions, and fields of view, as Python's objects hold them.
#pragma once

#include "python/bindings/arrays.hpp"

namespace sightline::python {

/// Columns of points: arrays, or one value for all.
struct PyPoints {
  nb::object position, mask, exclude, exclude_group;
};

/// Columns of fields of view; the half angles as cosines and sines, exact at right angles.
struct PyFields {
  FieldShape shape = FieldShape::cone;
  nb::object direction, half_angle, range;
  bool one_angle = true;  ///< for all; else [n]
  std::vector<float> cosine, sine;
};

/// The fields of the viewpoints, which say how many there are as other columns do; nothing where
/// `from` is None.
std::optional<FieldsView> fields_of(Arrays& arrays, nb::handle from);

}  // namespace sightline::python
