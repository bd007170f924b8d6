// A few shapes by kind, as the code of lanes reads them: spheres and points are compared with every
// one of them. Neither a tree nor an order would pay.
#pragma once

#include "host/cpu/shapes/certain_shapes.hpp"
#include "host/cpu/shapes/triangle_form.hpp"

#include <sightline/geometry/shapes/all_shapes.hpp>

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

namespace sightline::detail {

/// Of more shapes a tree is faster (docs/notes/2026-11-queries.md, "Small sets", "Bodies").
inline constexpr std::uint32_t most_tested_in_turn = 128, most_for_bodies = 512;

/// A capsule for many spheres or points.
struct CapsuleAxis {
  Vec3 a, way;    ///< from one end to the other
  float inverse;  ///< of the squared length; 0 where that is next to nothing
  float radius;
};

// What lanes read of a shape, by kind.
template <class Shape>
NeverCertain lane_form(const Shape&) {
  return {};
}
inline const Aabb& lane_form(const Aabb& s) { return s; }
inline const ObbFrame& lane_form(const ObbFrame& s) { return s; }
inline const Sphere& lane_form(const Sphere& s) { return s; }
inline CapsuleAxis lane_form(const Capsule& s) {
  const Vec3 way = {s.b.x - s.a.x, s.b.y - s.a.y, s.b.z - s.a.z};
  const float square = (way.x * way.x + way.y * way.y) + way.z * way.z;
  return {s.a, way, square > 0x1p-60f ? 1 / square : 0.0f, s.radius};
}
inline TriangleForm lane_form(const Triangle& s) { return triangle_form(s); }
template <class Shape>
using LaneForm = std::decay_t<decltype(lane_form(std::declval<const Shape&>()))>;

// The operations of a test against a sphere: excess() in sphere_lanes.hpp. Of a kind that lanes do
// not decide: those of a test in doubles.
template <class Shape>
constexpr float operations_of(ShapeTag<Shape>) {
  return 200;
}
constexpr float operations_of(ShapeTag<Aabb>) { return 17; }
constexpr float operations_of(ShapeTag<ObbFrame>) { return 28; }
constexpr float operations_of(ShapeTag<Sphere>) { return 10; }
constexpr float operations_of(ShapeTag<Capsule>) { return 19; }

/// How large some shapes are, for the error of floats.
struct SphereMargin {
  static constexpr float never_certain = 0x1p40f;

  float radius = 0, length = 0;

  void take(const NeverCertain&) {}
  void take(const TriangleForm&) {}  // lanes decide no overlaps of it
  void take(const Sphere& s) { radius = max(radius, s.radius); }
  void take(const Aabb&) {}
  void take(const ObbFrame& s) {
    length = max(length, (s.half_extents.x + s.half_extents.y) + s.half_extents.z);
  }
  // Never sure of a segment so short that the square of its length underflows.
  void take(const CapsuleAxis& s) {
    const float sum = (abs(s.way.x) + abs(s.way.y)) + abs(s.way.z);
    radius = max(radius, s.radius);
    length = max(length, sum > 0 && s.inverse == 0 ? never_certain : sum);
  }
  float size() const { return radius + length; }
};

template <class Shape>
struct FormList {
  const LaneForm<Shape>*begin, *end;
};
/// Shapes by kind, as lanes read them.
struct FormLists {
  ShapeKinds::Each<std::tuple, FormList> lists;

  template <class Shape>
  SIGHTLINE_HD const FormList<Shape>& of(ShapeTag<Shape>) const {
    return std::get<ShapeKinds::index<Shape>()>(lists);
  }
};
/// Shapes that are tested in turn, with one margin.
struct ShapeBlock {
  FormLists shapes;
  SphereMargin margin;
};
struct ShapeBlocks {
  const ShapeBlock* blocks;
  std::uint32_t count, size;  ///< of blocks, of shapes in them
};

/// The shapes of FormLists.
class FewShapes {
 public:
  void clear() {
    std::apply([](auto&... list) { (list.clear(), ...); }, lists_);
  }
  template <class Shape>
  void add(const Shape& s) {
    std::get<ShapeKinds::index<Shape>()>(lists_).push_back(lane_form(s));
  }
  /// Valid until another shape is added.
  FormLists lists() const {
    const auto of = [](const auto&... list) {
      return FormLists{{{list.data(), list.data() + list.size()}...}};
    };
    return std::apply(of, lists_);
  }

 private:
  template <class Shape>
  using Forms = std::vector<LaneForm<Shape>>;
  ShapeKinds::Each<std::tuple, Forms> lists_;
};

/// The bounded shapes.
inline FewShapes few_of(const ShapesView& shapes) {
  FewShapes few;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    shapes.visit_bounded(id, [&](const auto& s) { few.add(s); });
  }
  return few;
}

/// The bounded shapes, those that decide most spheres first: large ones, that cost little.
inline std::vector<std::uint32_t> order_by_likely_hit(const ShapesView& shapes) {
  std::vector<std::pair<float, std::uint32_t>> weights;
  for (std::uint32_t id = 0; id < shapes.bounded(); ++id) {
    const float operations = shapes.locate_bounded(
        id, []<class S>(ShapeTag<S> kind, std::uint32_t) { return operations_of(kind); });
    weights.emplace_back(-half_area(bounds_of(shapes, id)) / operations, id);
  }
  std::sort(weights.begin(), weights.end());
  std::vector<std::uint32_t> ids;
  for (const auto& [weight, id] : weights) ids.push_back(id);
  return ids;
}

/// Blocks of `least` to 16 of the shapes, in the order of these ids.
class FewInBlocks {
 public:
  FewInBlocks(const ShapesView& shapes, std::span<const std::uint32_t> ids, std::size_t least) {
    const auto extent = [&](std::uint32_t id) {
      const Aabb b = bounds_of(shapes, id);
      return max(max(b.max.x - b.min.x, b.max.y - b.min.y), b.max.z - b.min.z);
    };
    std::size_t next = 0;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      // Nor may a planet's margin be that of the stones on it.
      if (k == next || blocks_.back().margin.size() > 64 * extent(ids[k])) {
        few_.emplace_back(), blocks_.emplace_back();
        next = k + std::clamp<std::size_t>(k / 2, least, 16);
      }
      shapes.visit_bounded(ids[k], [&](const auto& s) {
        few_.back().add(s);
        blocks_.back().margin.take(lane_form(s));
      });
    }
    for (std::size_t b = 0; b < few_.size(); ++b) blocks_[b].shapes = few_[b].lists();
    size_ = static_cast<std::uint32_t>(ids.size());
  }
  /// All bounded shapes, for spheres that are asked one by one.
  explicit FewInBlocks(const ShapesView& shapes)
      : FewInBlocks(shapes, order_by_likely_hit(shapes), 4) {}
  ShapeBlocks view() const {
    return {blocks_.data(), static_cast<std::uint32_t>(blocks_.size()), size_};
  }

 private:
  std::vector<FewShapes> few_;  ///< of the blocks
  std::vector<ShapeBlock> blocks_;
  std::uint32_t size_;
};

/// Eight boxes as columns; missing ones are empty.
struct alignas(32) EightBoxes {
  float low[3][8], high[3][8];

  EightBoxes() {
    for (std::size_t k = 0; k < 8; ++k) set(k, empty_aabb());
  }
  void set(std::size_t k, const Aabb& b) {
    low[0][k] = b.min.x, low[1][k] = b.min.y, low[2][k] = b.min.z;
    high[0][k] = b.max.x, high[1][k] = b.max.y, high[2][k] = b.max.z;
  }
};
/// The boxes and the margins of a list of shapes.
struct BoxedListView {
  const EightBoxes* boxes;
  const SphereMargin* margins;
};
struct ShapesForBodiesView {
  ShapeBlocks first;
  FormLists others;
  BoxedListView boxed[ShapeKinds::bounded];  ///< the others
  bool has_others;
};

/// Few shapes for bodies of spheres: a body's spheres lie close together, so that the box around
/// some of them misses most shapes. The shapes that decide most are in blocks, which all bodies
/// test; the others have boxes.
class ShapesForBodies {
 public:
  explicit ShapesForBodies(const ShapesView& shapes)
      : ShapesForBodies(shapes, order_by_likely_hit(shapes)) {}
  ShapesForBodiesView view() const {
    ShapesForBodiesView v = {first_.view(), others_.lists(), {}, has_others_};
    for (int k = 0; k < ShapeKinds::bounded; ++k) {
      v.boxed[k] = {boxed_[k].boxes.data(), boxed_[k].margins.data()};
    }
    return v;
  }

 private:
  // Measured, see docs/notes/2026-11-queries.md, "Bodies".
  static constexpr std::size_t most_without_boxes = 16, first_of_more = 3;
  using Ids = std::vector<std::uint32_t>;

  static std::size_t first_of(const Ids& order) {
    return order.size() <= most_without_boxes ? order.size() : first_of_more;
  }
  ShapesForBodies(const ShapesView& shapes, const Ids& order)
      : first_(shapes, std::span(order).first(first_of(order)), first_of_more),
        has_others_(first_of(order) < order.size()) {
    for (const std::uint32_t id : std::span(order).subspan(first_of(order))) {
      shapes.visit_bounded(id, [&]<class S>(const S& s) {
        others_.add(s);
        boxed_[static_cast<int>(kind_for<S>)].add(bounds(s), lane_form(s));
      });
    }
  }

  struct BoxedList {
    std::vector<EightBoxes> boxes;
    std::vector<SphereMargin> margins;

    template <class Form>
    void add(const Aabb& box, const Form& form) {
      if (margins.size() % 8 == 0) boxes.emplace_back();
      boxes.back().set(margins.size() % 8, box);
      margins.emplace_back().take(form);
    }
  };

  FewInBlocks first_;
  FewShapes others_;
  BoxedList boxed_[ShapeKinds::bounded];
  bool has_others_;
};

}  // namespace sightline::detail
