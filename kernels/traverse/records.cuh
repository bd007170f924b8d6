// The records of a wide tree: its shapes, contiguous, in leaf order.
#pragma once

#include "kernels/launch/launch.hpp"

#include <cstring>

namespace sightline::kernels {

SIGHTLINE_HD std::uint32_t units_of(Kind kind) {
  return with_bounded_kind(kind, []<class S>(ShapeTag<S>) { return record_units_of<S>; });
}

/// What a leaf names: where the record begins, in units, and its kind.
struct LeafRecord {
  std::uint32_t unit;
  Kind kind;
};
SIGHTLINE_HD LeafRecord leaf_of(const QuantisedNode& node, std::uint32_t slot) {
  const std::uint32_t byte = node.leaf_byte(slot);
  return {node.seldom.first_record + (byte & 31u), static_cast<Kind>(byte >> 5)};
}

/// Writes the floats of a bounded shape in order, padded with zeros.
template <class Shape>
SIGHTLINE_HD void put_record(const Shape& s, RecordUnit* to) {
  static_assert(record_units_of<Shape> <= longest_record);
  RecordUnit units[record_units_of<Shape>] = {};
  std::memcpy(units, &s, sizeof s);
  for (std::uint32_t k = 0; k < record_units_of<Shape>; ++k) to[k] = units[k];
}

/// The last kind whose records have so many units: the one left when all others are excluded.
template <class... Shapes>
SIGHTLINE_HD constexpr Kind last_with_units(std::uint32_t units, KindList<Shapes...>) {
  Kind last = Kind::aabb;
  ((last = is_bounded<Shapes> && record_units_of<Shapes> == units ? kind_for<Shapes> : last), ...);
  return last;
}

/// If `kind` has records of `count` units: calls f with the shape in `units` and returns true.
template <std::uint32_t count, class F, class... Shapes>
SIGHTLINE_HD bool visit_units(const RecordUnit* units, Kind kind, F& f, KindList<Shapes...> kinds) {
  const auto visit = [&]<class S>(ShapeTag<S>) {
    if constexpr (is_bounded<S> && record_units_of<S> == count) {
      constexpr bool is_last_kind =
          count == longest_record && kind_for<S> == last_with_units(count, kinds);
      if (!is_last_kind && kind != kind_for<S>) return false;
      S shape;
      std::memcpy(static_cast<void*>(&shape), units, sizeof shape);
      f(shape);
      return true;
    }
    return false;
  };
  return (visit(ShapeTag<Shapes>()) || ...);
}

/// Calls f(shape) with the shape of a record, and reads no more of it than the kind needs: units
/// before `read` are in `units` already.
template <std::uint32_t read, class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F& f, RecordUnit* units) {
  units[read] = from[read];
  if (visit_units<read + 1>(units, kind, f, ShapeKinds())) return;
  if constexpr (read + 1 < longest_record) visit_record<read + 1>(from, kind, f, units);
}
template <class F>
SIGHTLINE_HD void visit_record(const RecordUnit* from, Kind kind, F&& f) {
  RecordUnit units[longest_record];
  visit_record<0>(from, kind, f, units);
}

}  // namespace sightline::kernels
