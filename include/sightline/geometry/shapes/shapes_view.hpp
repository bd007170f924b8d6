// The shapes of a scene: ids, and the columns that backends read.
#pragma once

#include <sightline/ray.hpp>
#include <sightline/shapes.hpp>

namespace sightline {

/// Structure-of-arrays shapes, owned elsewhere. Ids of kind k are [begin[k], begin[k + 1]).
struct ShapesView {
  std::uint32_t begin[kind_count + 1] = {};
  ShapeKinds::Columns<ColumnPointer> columns;  ///< see of(); null where there are none

  const Aabb* bounds = nullptr;          ///< by id, [bounded()]
  const std::uint32_t* mask = nullptr;   ///< by id; null: all ones
  const std::uint32_t* group = nullptr;  ///< by id; null: no groups

  SIGHTLINE_HD std::uint32_t size() const { return begin[kind_count]; }
  /// How many shapes have bounds; they come first.
  SIGHTLINE_HD std::uint32_t bounded() const { return begin[ShapeKinds::bounded]; }
  SIGHTLINE_HD Kind kind_of(std::uint32_t id) const {
    int k = 0;
    while (k + 1 < kind_count && id >= begin[k + 1]) ++k;
    return static_cast<Kind>(k);
  }

  SIGHTLINE_HD std::uint32_t mask_of(std::uint32_t id) const {
    return mask == nullptr ? 0xFFFFFFFFu : mask[id];
  }
  SIGHTLINE_HD std::uint32_t group_of(std::uint32_t id) const {
    return group == nullptr ? none : group[id];
  }

  /// The columns of a kind: of<Capsule>().radius[i].
  template <class Shape>
  SIGHTLINE_HD const auto& of() const {
    return columns_of<Shape>(columns);
  }
  template <class Shape>
  SIGHTLINE_HD auto& of() {
    return columns_of<Shape>(columns);
  }
  /// How many shapes are of a kind.
  SIGHTLINE_HD std::uint32_t count(Kind kind) const {
    return begin[static_cast<int>(kind) + 1] - begin[static_cast<int>(kind)];
  }
  /// A shape by its index within its kind.
  template <class Shape>
  SIGHTLINE_HD Shape get(std::uint32_t i) const {
    Shape s;
    ShapeTraits<Shape>::fields([i](const char*, auto& field, const auto* column)
                                   SIGHTLINE_LAMBDA { field = column[i]; },
                               s, of<Shape>());
    return s;
  }

  /// Shapes [first, first + n), within the scene, with ids from 0.
  SIGHTLINE_HD ShapesView slice(std::uint32_t first, std::uint32_t n) const {
    ShapesView v = *this;
    for (std::uint32_t& b : v.begin) b = b <= first ? 0 : b - first < n ? b - first : n;
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
      constexpr int k = static_cast<int>(kind_for<S>);
      const std::uint32_t skipped = first <= begin[k]       ? 0
                                    : first >= begin[k + 1] ? begin[k + 1] - begin[k]
                                                            : first - begin[k];
      for_each_column<S>([&](const char*, auto& to,
                             const auto* from) { to = from == nullptr ? from : from + skipped; },
                         v.of<S>(), of<S>());
    });
    const auto move = [&](auto&... by_id) {
      ((by_id = by_id == nullptr ? by_id : by_id + first), ...);
    };
    move(v.bounds, v.mask, v.group);
    return v;
  }

  /// Returns f(shape) of the shape with this id.
  template <class Function>
  SIGHTLINE_HD auto visit(std::uint32_t id, Function&& f) const {
    const Kind kind = kind_of(id);
    const std::uint32_t i = id - begin[static_cast<int>(kind)];
    return with_kind(kind, [&]<class S>(ShapeTag<S>) SIGHTLINE_LAMBDA { return f(get<S>(i)); });
  }
  /// Returns f(ShapeTag, index within the kind) of a bounded shape. No index is a variable, so that
  /// a kernel's copy of the view stays in registers.
  template <class Function>
  SIGHTLINE_HD auto locate_bounded(std::uint32_t id, Function&& f) const {
    return locate_from<0>(id, f, columns);
  }
  /// Returns f(shape) of a bounded shape.
  template <class Function>
  SIGHTLINE_HD auto visit_bounded(std::uint32_t id, Function&& f) const {
    return locate_bounded(
        id, [&]<class S>(ShapeTag<S>, std::uint32_t i) SIGHTLINE_LAMBDA { return f(get<S>(i)); });
  }
  /// Calls f(shape) of an unbounded shape.
  template <class Function>
  SIGHTLINE_HD void visit_unbounded(std::uint32_t id, Function&& f) const {
    visit(id, [&]<class S>(const S& shape) SIGHTLINE_LAMBDA {
      if constexpr (!is_bounded<S>) f(shape);
    });
  }

 private:
  template <int k, class Function, class Columns>
  SIGHTLINE_HD auto locate_from(std::uint32_t id, Function& f, const Columns& own) const {
    if constexpr (k + 1 < ShapeKinds::bounded) {
      if (id >= begin[k + 1]) return locate_from<k + 1>(id, f, own.rest);
    }
    return f(ShapeTag<typename Columns::Shape>(), id - begin[k]);
  }
};

}  // namespace sightline
