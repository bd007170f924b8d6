// Spheres through the tree by eights: neighbours that are close to each other go as one box, and
// every shape that the box meets is tested against all eight at once.
#pragma once

#include "host/cpu/shapes/box_list_walk.hpp"
#include "host/cpu/shapes/leaf_shapes.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"

#include <sightline/geometry/queries/overlap_query.hpp>

namespace sightline::detail {

class SpheresInTree {
 public:
  static constexpr std::uint32_t most = BoxListWalk::most;
  static_assert(most == SphereColumns::most);

  /// Takes no spheres; set() gives them.
  void clear() {
    eights_ = 0;
    std::fill_n(open_, most / 8, std::uint8_t{0});
  }
  void set(std::uint32_t k, const OverlapQuery<Sphere>& q) {
    const Sphere& s = q.shape;
    spheres_.x[k] = s.center.x, spheres_.y[k] = s.center.y, spheres_.z[k] = s.center.z;
    spheres_.radius[k] = s.radius;
    mask_[k] = q.mask;
    box_[k] = q.bounds;
    open_[k / 8] = static_cast<std::uint8_t>(open_[k / 8] | 1u << k % 8);
    eights_ = k / 8 + 1;
  }

  /// Calls hit(k, lanes, id) where spheres k + i, for each bit i of `lanes`, overlap a shape; it
  /// returns those that need no more.
  template <class Hit>
  void find(const ShapeKernels& kernels, const LeafShapes& leaves, const Hit& hit) {
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
      leaves.visit_at(place, [&]<class S>(const S& s, std::uint32_t id) {
        const auto& form = lane_form(s);
        SphereMargin margin;
        margin.take(form);
        EightVerdict verdict[most];
        std::get<ShapeKinds::index<S>()>(kernels.test_groups)(spheres_, group_, list, count, form,
                                                              margin, verdict);
        for (std::uint32_t j = 0; j < count; ++j) {
          const SphereGroup& group = group_[list[j]];
          test(group.eight, group.lanes, shapes, id, hit, [&](std::uint32_t open) {
            const std::uint32_t surely = open & verdict[j].surely;
            const std::uint32_t unsure = open & verdict[j].possibly & ~surely;
            return surely | overlapping_one_by_one(group.eight, unsure, s);
          });
          done_[list[j]] = (group.lanes & open_[group.eight]) == 0;
        }
      });
    };
    box_walk_.run(leaves.bvh, group_box_, groups_, done_, leaf,
                  [&](const WideNode& node, int c) { return leaves.prefetch_leaf(node, c); });
  }

 private:
  /// A box as large as so many spheres' boxes, or so many times as large for a few: measured.
  static constexpr float largest = 4;

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

  template <class Shape>
  std::uint32_t overlapping_one_by_one(std::uint32_t e, std::uint32_t lanes, const Shape& s) const {
    std::uint32_t found = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const std::uint32_t k = 8 * e + lane;
      const Sphere q = {{spheres_.x[k], spheres_.y[k], spheres_.z[k]}, spheres_.radius[k]};
      // The gate of the group is wider than the sphere's own, which doubles do not imply.
      bool gate = true;
      if constexpr (is_bounded<Shape>) gate = overlaps(box_[k], bounds(s));
      found |= std::uint32_t{gate && overlaps(q, s)} << lane;
    }
    return found;
  }

  BoxListWalk box_walk_;
  std::uint32_t eights_ = 0, groups_ = 0;
  SphereColumns spheres_;
  alignas(32) std::uint32_t mask_[most] = {};
  Aabb box_[most], group_box_[most];
  SphereGroup group_[most];
  std::uint8_t open_[most / 8];  ///< the spheres of each eight that need more
  std::uint8_t done_[most];      ///< groups of which none does
};

}  // namespace sightline::detail
