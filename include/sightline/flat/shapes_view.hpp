// A set of 2D shapes: ids, and the arrays that a backend reads.
#pragma once

#include <sightline/flat/shapes.hpp>
#include <sightline/shapes/aabb.hpp>

namespace sightline {

/// In the order in which ids are given.
enum class FlatKind : std::uint8_t { circle, capsule, sector, polygon, aabb, obb };
inline constexpr int flat_kind_count = 6;

/// Shapes of 2D, owned elsewhere. Ids of kind k are [begin[k], begin[k + 1]).
struct FlatShapesView {
  std::uint32_t begin[flat_kind_count + 1] = {};

  const Circle* circle = nullptr;
  const Capsule2* capsule = nullptr;
  const Sector* sector = nullptr;
  const std::uint64_t* polygon_end = nullptr;  ///< of each its corners' end in `corner`
  const Vec2* corner = nullptr;
  const Aabb2* aabb = nullptr;
  const Obb2* obb = nullptr;

  // By id; only in a caster's own view.
  const Vec3 *low = nullptr, *high = nullptr;  ///< the bounds, of the trees' height
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
  /// By its index within the kind.
  SIGHTLINE_HD ConvexPolygon polygon(std::uint32_t i) const {
    const std::uint64_t first = i == 0 ? 0 : polygon_end[i - 1];
    return {corner + first, static_cast<int>(polygon_end[i] - first)};
  }

  /// Calls f(shape) with the shape of this id.
  template <class Function>
  SIGHTLINE_HD auto visit(std::uint32_t id, Function&& f) const {
    const FlatKind kind = kind_of(id);
    const std::uint32_t i = id - begin[static_cast<int>(kind)];
    switch (kind) {
      case FlatKind::circle:
        return f(circle[i]);
      case FlatKind::capsule:
        return f(capsule[i]);
      case FlatKind::sector:
        return f(sector[i]);
      case FlatKind::polygon:
        return f(polygon(i));
      case FlatKind::aabb:
        return f(aabb[i]);
      default:
        return f(obb[i]);
    }
  }
};

}  // namespace sightline
