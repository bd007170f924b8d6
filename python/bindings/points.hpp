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
  nb::object direction, range;
  std::vector<float> cosine, sine;  ///< one for all, or [n]
};

/// The fields of n viewpoints, or nothing where `from` is None. Throws Error{usage} for another
/// number.
std::optional<FieldsView> fields_of(Arrays& arrays, nb::handle from);

}  // namespace sightline::python
