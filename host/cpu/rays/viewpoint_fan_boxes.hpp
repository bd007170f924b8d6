// The targets of a fan that one shape hides or that few shapes or none are in front of, a box of
// them at a time.
#pragma once

#include "host/cpu/rays/shadow.hpp"
#include "host/cpu/rays/simd_kernels.hpp"
#include "host/cpu/rays/viewpoint_fan_vector.hpp"

#include <sightline/geometry/occlusion/shaft.hpp>

#include <utility>

namespace sightline::detail::HWY_NAMESPACE {

/// Leaves whose shapes hide a box of targets: one, or two halves of a wall; none.
struct Hiders {
  std::uint32_t leaf = none, other = none;
};

/// The triangles that were tried for a box last and cover it but for what is beyond an edge.
class HalfHiders {
 public:
  /// With which of them this one hides the box; it is one of them from now on.
  Hiders add(std::uint32_t leaf, const HalfOccluder& half) {
    for (std::uint32_t k = 0; k < count_ && k < most; ++k) {
      if (half_[k].completes(half)) return {leaf_[k], leaf};
    }
    half_[count_ % most] = half;
    leaf_[count_++ % most] = leaf;
    return {};
  }

 private:
  static constexpr std::uint32_t most = 4;
  HalfOccluder half_[most];
  std::uint32_t leaf_[most], count_ = 0;
};

/// Goes through the boxes of a fan's targets, from the largest on, and leaves out those that a
/// shape hides and those with an empty shaft, or nearly so: docs/concepts/inside-cpu.md.
class BoxWalk {
 public:
  BoxWalk(const TraceScene& scene, const Fan& fan, const NodePath& path)
      : scene_(scene),
        fan_(fan),
        path_(path),
        hides_(may_hide_boxes(scene.shapes, fan.options)),
        clears_(may_clear_boxes(scene.shapes, fan.options) && in_domain(fan.viewpoint)) {}

  /// Writes the targets that are left to fan.open, in their order, and behind them a vector of
  /// the last one; returns their number. Those that are surely clear go to fan.clear.
  std::uint32_t open_targets() {
    if (hides_ || clears_) {
      constexpr int top = fan_box_levels - 1;
      constexpr std::uint32_t size = targets_in_box(top);
      for (std::uint32_t at = fan_.first / size * size; at < fan_.count; at += size) {
        enter(top, at);
      }
    } else {
      open(fan_.first, fan_.count);
    }
    const WordTag<native_lanes> words;
    hn::StoreU(hn::Set(words, opened_ == 0 ? 0u : fan_.open[opened_ - 1]), words,
               fan_.open + opened_);
    return opened_;
  }

  /// How many went to fan.clear.
  std::uint32_t cleared() const { return cleared_; }

 private:
  static constexpr int most_in_shaft = 4;

  void enter(int level, std::uint32_t first) {
    const std::uint32_t size = targets_in_box(level);
    const std::uint32_t begin = first > fan_.first ? first : fan_.first;
    const std::uint32_t end = first + size < fan_.count ? first + size : fan_.count;
    if (begin >= end) return;
    FanBox& box = fan_.boxes[level][first / size];
    if (box.rest.is_over()) {
      bool is_way_free = true;  // as far as known
      if (const Hiders by = hides_ ? hiders_of(box, is_way_free) : Hiders(); by.leaf != none) {
        box.leaf = by.leaf, box.other = by.other;
        box.rest.end();
        return hide(begin, end, by);
      }
      if (clears_ && box.all_good && (is_way_free || level == 0)) {
        std::uint32_t leaves[most_in_shaft];
        const int count = leaves_in_shaft(box, level == 0 ? most_in_shaft : 0, leaves);
        if (count >= 0) box.rest.end();
        if (count > 0) return test_few(begin, end, leaves, count);
        if (count == 0) {
          for (std::uint32_t k = begin; k < end; ++k) clear(k);
          return;
        }
      }
      box.rest.lengthen();
    }
    if (level == 0) return open(begin, end);
    for (std::uint32_t child = 0; child < size; child += size / 4) enter(level - 1, first + child);
  }

  /// Of targets that only the shapes of these leaves can block.
  void test_few(std::uint32_t begin, std::uint32_t end, std::uint32_t* leaves, int leaf_count) {
    constexpr std::uint32_t n = native_lanes;
    for (std::uint32_t first = begin; first < end; first += n) {
      HWY_ALIGN std::uint32_t target[n];
      hn::Store(hn::Iota(WordTag<native_lanes>(), first), WordTag<native_lanes>(), target);
      FanVector v(scene_, fan_, target, end - first < n ? end - first : n);
      for (int k = 0; k < leaf_count && v.open() != 0; ++k) {
        const std::uint32_t leaf = leaves[k];
        std::uint32_t which = v.test(leaf);
        if (which == 0) continue;
        for (; which != 0; which &= which - 1) {
          fan_.leaf[first + static_cast<std::uint32_t>(__builtin_ctz(which))] = leaf;
        }
        std::swap(leaves[k], leaves[0]);  // for the next vector
      }
      for (std::uint32_t rest = v.open(); rest != 0; rest &= rest - 1) {
        clear(first + static_cast<std::uint32_t>(__builtin_ctz(rest)));
      }
    }
  }
  void clear(std::uint32_t target) { fan_.clear[cleared_++] = target; }

  void open(std::uint32_t begin, std::uint32_t end) {
    const WordTag<native_lanes> words;
    for (std::uint32_t k = begin; k < end; k += native_lanes) {
      hn::StoreU(hn::Iota(words, k), words, fan_.open + opened_ + (k - begin));
    }
    opened_ += end - begin;
  }
  void hide(std::uint32_t begin, std::uint32_t end, const Hiders& by) {
    if (by.other != none) {  // which of them blocks a target is not known
      last_[0] = by.leaf, last_[1] = by.other;
      return;
    }
    for (std::uint32_t k = begin; k < end; ++k) fan_.leaf[k] = by.leaf;
    if (by.leaf == last_[0]) return;
    last_[1] = last_[0];
    last_[0] = by.leaf;
  }

  /// Writes the leaves that reach into the shaft, and returns their number; -1 where there are more
  /// than `most`, or it cannot be said.
  int leaves_in_shaft(const FanBox& box, int most, std::uint32_t* leaves) const {
    const Shaft shaft(fan_.viewpoint, box);
    const auto enters = [&shaft](const WideNode& node, int part, ChildVec&) SIGHTLINE_LAMBDA {
      const FloatTag<child_lanes> d;
      ChildVec low[3], high[3];
      for (int i = 0; i < 3; ++i) {
        low[i] = hn::Load(d, node.low[i] + part);
        high[i] = hn::Load(d, node.high[i] + part);
      }
      return shaft.entered_by(low, high);
    };
    int count = 0;
    const auto are_too_many = [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
      if (count == most) return true;
      leaves[count++] = leaf;
      return false;
    };
    return !shaft.is_usable() || walk_boxes<false>(scene_.nodes, path_, enters, are_too_many)
               ? -1
               : count;
  }

  /// What hides the whole box: what hid neighbours, what hid it last, or what the way to its middle
  /// meets. Says whether that met anything.
  Hiders hiders_of(const FanBox& box, bool& is_way_free) const {
    const BoxView view(fan_.viewpoint, box, fan_.options);
    HalfHiders halves;
    Hiders by;
    const std::uint32_t known[4] = {last_[0], box.leaf, box.other, last_[1]};
    for (int i = 0; i < 4; ++i) {
      bool again = known[i] == none;
      for (int k = 0; k < i; ++k) again |= known[k] == known[i];
      if (!again) by = hiders(known[i], view, halves);
      if (by.leaf != none) return by;
    }
    const Vec3 middle = view.middle();
    const OneRay ray = {
        {fan_.viewpoint.x, fan_.viewpoint.y, fan_.viewpoint.z},
        {1 / (middle.x + 0.0f), 1 / (middle.y + 0.0f), 1 / (middle.z + 0.0f)},
        0,
        1,
        (middle.x < 0 ? 1u : 0u) | (middle.y < 0 ? 2u : 0u) | (middle.z < 0 ? 4u : 0u)};
    // What casts the shadow mostly reaches around it there, except along the way.
    const auto suits = [&](const WideNode& node, int part, ChildVec t_near) SIGHTLINE_LAMBDA {
      const auto is_around = [&](int axis, float from, float low, float high) SIGHTLINE_LAMBDA {
        const FloatTag<child_lanes> d;
        const ChildVec child_low = hn::Load(d, node.low[axis] + part);
        const ChildVec child_high = hn::Load(d, node.high[axis] + part);
        return (child_low <= fma(t_near, ChildVec(low), ChildVec(from))) &
               (child_high >= fma(t_near, ChildVec(high), ChildVec(from)));
      };
      const auto x = is_around(0, fan_.viewpoint.x, view.low().x, view.high().x);
      const auto y = is_around(1, fan_.viewpoint.y, view.low().y, view.high().y);
      const auto z = is_around(2, fan_.viewpoint.z, view.low().z, view.high().z);
      return (x & y) | (y & z) | (x & z);
    };
    walk_one(scene_.nodes, path_, ray, suits, [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
      is_way_free = false;
      by = hiders(leaf, view, halves);
      return by.leaf != none;
    });
    return by;
  }
  /// Of a leaf by itself, or with one of the halves.
  Hiders hiders(std::uint32_t leaf, const BoxView& view, HalfHiders& halves) const {
    const std::uint32_t child = scene_.nodes[leaf / wide_width].child[leaf % wide_width];
    const auto tried = [&]<class Shape>(const Shape& shape) SIGHTLINE_LAMBDA -> Hiders {
      if constexpr (std::is_same_v<Shape, Triangle>) {
        const Cover cover = view.template cover_of<true>(shape);
        if (cover.side == 0) return {};
        if (cover.open_edge >= 0) return halves.add(leaf, HalfOccluder(shape, cover));
        return {leaf, none};
      } else {
        return view.hidden_by(shape) ? Hiders{leaf, none} : Hiders();
      }
    };
    return scene_.shapes.visit_bounded(child & ~bvh_leaf_bit, tried);
  }

  const TraceScene& scene_;
  const Fan& fan_;
  const NodePath& path_;
  const bool hides_, clears_;  ///< what boxes are tried for
  std::uint32_t opened_ = 0, cleared_ = 0;
  std::uint32_t last_[2] = {none, none};  ///< what hid boxes of this fan last, latest first
};

}  // namespace sightline::detail::HWY_NAMESPACE
