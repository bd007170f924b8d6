// A set of 2D shapes: ids, and the arrays that backends read.
#pragma once

#include <sightline/flat_shapes.hpp>
#include <sightline/shapes.hpp>

namespace sightline {

/// The array of a kind, in a view or its owner; of polygons, their ends.
template <class Shape, class Arrays>
SIGHTLINE_HD auto& array_of(Arrays& a) {
  if constexpr (std::is_same_v<Shape, Circle>) {
    return a.circle;
  } else if constexpr (std::is_same_v<Shape, Capsule2>) {
    return a.capsule;
  } else if constexpr (std::is_same_v<Shape, Sector>) {
    return a.sector;
  } else if constexpr (std::is_same_v<Shape, ConvexPolygon>) {
    return a.polygon_end;
  } else if constexpr (std::is_same_v<Shape, Aabb2>) {
    return a.aabb;
  } else {
    return a.obb;
  }
}

/// Shapes of 2D, owned elsewhere. Ids of kind k are [begin[k], begin[k + 1]).
struct FlatShapesView {
  std::uint32_t begin[flat_kind_count + 1] = {};

  const Circle* circle = nullptr;
  const Capsule2* capsule = nullptr;
  const Sector* sector = nullptr;
  const std::uint64_t* polygon_end = nullptr;  ///< the end of each polygon's corners in `corner`
  const Vec2* corner = nullptr;
  const Aabb2* aabb = nullptr;
  const Obb2* obb = nullptr;

  // By id; only in a caster's own view.
  const Vec3 *low = nullptr, *high = nullptr;  ///< the bounds, with the height of the trees' boxes
  const std::uint32_t* mask = nullptr;         ///< null: all ones

  SIGHTLINE_HD std::uint32_t size() const { return begin[flat_kind_count]; }
  SIGHTLINE_HD FlatKind kind_of(std::uint32_t id) const {
    int k = 0;
    while (k + 1 < flat_kind_count && id >= begin[k + 1]) ++k;
    return static_cast<FlatKind>(k);
  }
  SIGHTLINE_HD std::uint32_t mask_of(std::uint32_t id) const {
    return mask == nullptr ? 0xFFFFFFFFu : mask[id];
  }
  SIGHTLINE_HD Aabb bounds_of(std::uint32_t id) const { return {low[id], high[id]}; }
  SIGHTLINE_HD std::uint32_t count(FlatKind kind) const {
    return begin[static_cast<int>(kind) + 1] - begin[static_cast<int>(kind)];
  }
  /// A polygon by its index within the kind.
  SIGHTLINE_HD ConvexPolygon polygon(std::uint32_t i) const {
    const std::uint64_t first = i == 0 ? 0 : polygon_end[i - 1];
    return {corner + first, static_cast<int>(polygon_end[i] - first)};
  }

  /// Calls f(shape) with the shape of this id.
  template <class Function>
  SIGHTLINE_HD auto visit(std::uint32_t id, Function&& f) const {
    const FlatKind kind = kind_of(id);
    const std::uint32_t i = id - begin[static_cast<int>(kind)];
    return FlatKinds::with(static_cast<int>(kind), [&]<class S>(ShapeTag<S>) {
      if constexpr (std::is_same_v<S, ConvexPolygon>) {
        return f(polygon(i));
      } else {
        return f(array_of<S>(*this)[i]);
      }
    });
  }
};

}  // namespace sightline
