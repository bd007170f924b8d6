// Shapes as the leaves of a wide tree keep them: in the leaves' order, one after the other.
#pragma once

#include "kernels/launch.hpp"

#include <cstring>

namespace sightline::kernels {

SIGHTLINE_HD std::uint32_t units_of(Kind kind) {
  return with_bounded_kind(kind, []<class S>(ShapeTag<S>) { return record_units_of<S>; });
}

/// The numbers of a shape with bounds, in order, and zeros; others are in no tree.
template <class Shape>
SIGHTLINE_HD void put_record(const Shape& s, RecordUnit* to) {
  if constexpr (is_bounded<Shape>) {
    static_assert(record_units_of<Shape> <= longest_record);
    RecordUnit units[record_units_of<Shape>] = {};
    std::memcpy(units, &s, sizeof s);
    for (std::uint32_t k = 0; k < record_units_of<Shape>; ++k) to[k] = units[k];
  }
}

/// Calls f(shape) with the shape whose record this is, of which `read` units are in `units`: no
/// more are read than the kind needs.
template <std::uint32_t read, class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F& f, RecordUnit* units) {
  units[read] = from[read];
  bool found = false;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if constexpr (is_bounded<S> && record_units_of<S> == read + 1) {
      if (kind != kind_for<S>) return;
      found = true;
      S shape;
      std::memcpy(static_cast<void*>(&shape), units, sizeof shape);
      f(shape);
    }
  });
  if constexpr (read + 1 < longest_record) {
    if (!found) visit_record<read + 1>(from, kind, f, units);
  }
}
template <class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F&& f) {
  RecordUnit units[longest_record];
  visit_record<0>(from, kind, f, units);
}

}  // namespace sightline::kernels
