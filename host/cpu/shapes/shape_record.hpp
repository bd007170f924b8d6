// Shapes whose numbers lie side by side: to read one takes one line of memory instead of one for
// each of its columns.
#pragma once

#include "host/common/pages.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace sightline::detail {

/// A bounded shape of any kind, and its id.
struct alignas(64) ShapeRecord {
  std::byte shape[60];
  std::uint32_t id;

  template <class Shape>
  void set(const Shape& s, std::uint32_t number) {
    static_assert(sizeof(Shape) <= sizeof(shape) && std::is_trivially_copyable_v<Shape>);
    std::memcpy(shape, &s, sizeof(s));
    id = number;
  }
  /// The shape that was set. In place: a copy's vectors would wait for the stores of its parts.
  template <class Shape>
  const Shape& get() const {
    return *std::launder(reinterpret_cast<const Shape*>(shape));
  }
};
static_assert(sizeof(ShapeRecord) == 64);

}  // namespace sightline::detail
