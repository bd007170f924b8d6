// Balls through the tree by eights: neighbours that are close to each other go as one box, and
// every shape that the box meets is tested against all eight at once.
#pragma once

#include "host/cpu/walk/box_stream.hpp"
#include "host/cpu/walk/eight_balls.hpp"
#include "host/cpu/walk/leaf_shapes.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

namespace sightline::detail {

class BallStream {
 public:
  static constexpr std::uint32_t most = BoxStream::most;

  /// Takes no balls; set() gives them.
  void clear() {
    eights_ = 0;
    std::fill_n(open_, most / 8, std::uint8_t{0});
  }
  void set(std::uint32_t k, const OverlapQuery<Sphere>& q) {
    const float of_ball[] = {q.shape.center.x, q.shape.center.y, q.shape.center.z, q.shape.radius};
    for (int i = 0; i < 4; ++i) column_[i][k] = of_ball[i];
    mask_[k] = q.mask;
    box_[k] = q.bounds;
    open_[k / 8] = static_cast<std::uint8_t>(open_[k / 8] | 1u << k % 8);
    eights_ = k / 8 + 1;
  }

  /// Calls hit(k, lanes, id) where balls k + i, for each bit i of `lanes`, overlap a shape; it
  /// returns those that need no more.
  template <class Hit>
  void find(const LeafShapes& leaves, const Hit& hit) {
    const ShapesView& shapes = leaves.shapes;
    for (std::uint32_t id = shapes.bounded(); id < shapes.size(); ++id) {
      shapes.visit_unbounded(id, [&](const auto& s) {
        for (std::uint32_t e = 0; e < eights_; ++e) {
          test(e, open_[e], shapes, id, hit,
               [&](std::uint32_t lanes) { return overlapping_one_by_one(e, lanes, s); });
        }
      });
    }
    groups_ = 0;
    for (std::uint32_t e = 0; e < eights_; ++e) add_close(e, 0, 8);
    const auto leaf = [&](std::uint32_t place, const std::uint16_t* list, std::uint32_t count) {
      leaves.visit_at(place, [&](const auto& s, std::uint32_t id) {
        const auto seen = seen_by_balls(s);
        BallMargin margin;
        margin.take(seen);
        for (std::uint32_t j = 0; j < count; ++j) {
          const std::uint32_t e = group_[list[j]].eight, lanes = group_[list[j]].lanes;
          test(e, lanes, shapes, id, hit,
               [&](std::uint32_t open) { return overlapping(e, open, s, seen, margin); });
          done_[list[j]] = (lanes & open_[e]) == 0;
        }
      });
    };
    stream_.walk(leaves.bvh, group_box_, groups_, done_, leaf,
                 [&](const WideNode& node, int c) { return leaves.prefetch_leaf(node, c); });
  }

 private:
  /// Some of eight neighbours.
  struct Group {
    std::uint8_t eight, lanes;
  };
  /// A box as large as so many balls' boxes, or so many times as large for a few: measured.
  static constexpr float largest = 4;

  Balls8 eight(std::uint32_t e) const {
    const auto column = [&](int i) { return loaded<Float8>(column_[i] + 8 * e); };
    return {column(0), column(1), column(2), column(3)};
  }

  /// Makes groups of those of `width` lanes that are open, so small that their common box is not
  /// much larger than each.
  void add_close(std::uint32_t e, std::uint32_t first, std::uint32_t width) {
    const std::uint32_t lanes = open_[e] & ((1u << (first + width)) - (1u << first));
    if (lanes == 0) return;
    Aabb all = empty_aabb();
    float areas = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const Aabb& box = box_[8 * e + static_cast<std::uint32_t>(__builtin_ctz(rest))];
      all = unite(all, box);
      areas += half_area(box);
    }
    if (width > 1 &&
        half_area(all) * static_cast<float>(__builtin_popcount(lanes)) > largest * areas) {
      add_close(e, first, width / 2);
      add_close(e, first + width / 2, width / 2);
      return;
    }
    group_box_[groups_] = all;
    group_[groups_] = {static_cast<std::uint8_t>(e), static_cast<std::uint8_t>(lanes)};
    done_[groups_++] = 0;
  }

  /// Tests those of some lanes that need more and whose mask admits the shape.
  template <class Hit, class Overlapping>
  void test(std::uint32_t e, std::uint32_t lanes, const ShapesView& shapes, std::uint32_t id,
            const Hit& hit, const Overlapping& overlapping) {
    const auto masks = loaded<Int8>(mask_ + 8 * e);
    const auto shape_mask = static_cast<std::int32_t>(shapes.mask_of(id));
    const std::uint32_t admitted = lanes & open_[e] & bits_of_lanes((masks & shape_mask) != 0);
    const std::uint32_t done = hit(8 * e, overlapping(admitted), id);
    open_[e] = static_cast<std::uint8_t>(open_[e] & ~done);
  }

  template <class Shape, class Seen>
  std::uint32_t overlapping(std::uint32_t e, std::uint32_t lanes, const Shape& s, const Seen& seen,
                            const BallMargin& margin) const {
    const Balls8 q = eight(e);
    const Float8 by = excess(q, seen), around = margin.of(q);
    const std::uint32_t yes = bits_of_lanes(by < -around), no = bits_of_lanes(by > around);
    return (lanes & yes) | overlapping_one_by_one(e, lanes & ~(yes | no), s);
  }
  template <class Shape>
  std::uint32_t overlapping_one_by_one(std::uint32_t e, std::uint32_t lanes, const Shape& s) const {
    std::uint32_t found = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const std::uint32_t k = 8 * e + lane;
      const Sphere q = {{column_[0][k], column_[1][k], column_[2][k]}, column_[3][k]};
      // The gate of the group is wider than the ball's own, which doubles do not imply.
      bool gate = true;
      if constexpr (is_bounded<Shape>) gate = overlaps(box_[k], bounds(s));
      found |= std::uint32_t{gate && overlaps(q, s)} << lane;
    }
    return found;
  }

  BoxStream stream_;
  std::uint32_t eights_ = 0, groups_ = 0;
  alignas(32) float column_[4][most] = {};
  alignas(32) std::uint32_t mask_[most] = {};
  Aabb box_[most], group_box_[most];
  Group group_[most];
  std::uint8_t open_[most / 8];  ///< the balls of each eight that need more
  std::uint8_t done_[most];      ///< groups of which none does
};

}  // namespace sightline::detail
