// Shapes as the leaves of a wide tree keep them: in the leaves' order, one after the other.
#pragma once

#include "kernels/launch.hpp"

namespace sightline::kernels {

SIGHTLINE_HD std::uint32_t units_of(Kind kind) {
  return with_bounded_kind(kind, []<class S>(ShapeTag<S>) { return record_units_of<S>; });
}

/// A record's numbers, one after the other.
template <class Units>
struct RecordNumbers {
  Units* units;
  int at = 0;
  SIGHTLINE_HD auto& next() {
    const int k = at++;
    return units[k / 4].value[k % 4];
  }
};

/// Writes the record of a shape; shapes without bounds are in no tree.
template <class Shape>
SIGHTLINE_HD void put_record(const Shape& s, RecordUnit* to) {
  if constexpr (is_bounded<Shape>) {
    RecordUnit units[record_units_of<Shape>] = {};
    RecordNumbers<RecordUnit> numbers{units};
    ShapeTraits<Shape>::fields(
        [&]<class T>(const char*, const T& field) {
          if constexpr (std::is_same_v<T, float>) {
            numbers.next() = field;
          } else {
            numbers.next() = field.x, numbers.next() = field.y, numbers.next() = field.z;
          }
        },
        s);
    for (std::uint32_t k = 0; k < record_units_of<Shape>; ++k) to[k] = units[k];
  }
}

template <class Shape>
SIGHTLINE_HD Shape shape_of(const RecordUnit* record) {
  Shape s;
  RecordNumbers<const RecordUnit> numbers{record};
  ShapeTraits<Shape>::fields(
      [&]<class T>(const char*, T& field) {
        if constexpr (std::is_same_v<T, float>) {
          field = numbers.next();
        } else {
          field.x = numbers.next(), field.y = numbers.next(), field.z = numbers.next();
        }
      },
      s);
  return s;
}

/// Calls f(shape) with the shape whose record this is; `read` units of it are in `units`. No more
/// are read than the kind needs.
template <std::uint32_t read = 0, class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F&& f, RecordUnit* units) {
  constexpr std::uint32_t most = 4;
  units[read] = from[read];
  bool found = false;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if constexpr (is_bounded<S> && record_units_of<S> == read + 1) {
      if (found || kind != kind_for<S>) return;
      found = true;
      f(shape_of<S>(units));
    }
  });
  if constexpr (read + 1 < most) {
    if (!found) visit_record<read + 1>(from, kind, f, units);
  }
}
template <class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F&& f) {
  RecordUnit units[4];
  visit_record(from, kind, f, units);
}

}  // namespace sightline::kernels
