// A fan: segments from one viewpoint, in the order of their directions. What blocks one of them
// mostly blocks its neighbours, so most need no tree.
#pragma once

#include "host/cpu/lanes/fan_boxes.hpp"
#include "host/cpu/lanes/leaf_tests.hpp"
#include "host/cpu/lanes/ready_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// The cell of a direction on the octahedral map, as a Morton code of fan_key_bits; arbitrary for
/// NaN. Source: Cigolle and others, "A survey of efficient representations for independent unit
/// vectors", 2014, section 3.
template <int N>
HWY_INLINE hn::Vec<WordTag<N>> direction_cell(const Vec3T<FloatVec<N>>& d) {
  using F = FloatVec<N>;
  const WordTag<N> words;
  const F one(1), per_length = one / (abs(d.x) + abs(d.y) + abs(d.z));
  const F u = d.x * per_length, v = d.y * per_length;
  const auto folded = [&](F a, F b) SIGHTLINE_LAMBDA {
    const F beyond = one - abs(b);
    return select(d.z < F(0), select(a < F(0), -beyond, beyond), a);
  };
  const auto cell = [&](F a) SIGHTLINE_LAMBDA {
    constexpr float half = 1 << (fan_key_bits / 2 - 1);
    const F c = min(max((a + one) * F(half), F(0)), F(2 * half - 1));  // NaN becomes 0
    auto bits = hn::BitCast(words, hn::ConvertTo(IntTag<N>(), c.v));
    const auto apart = [&](auto x, auto moved, std::uint32_t mask)
                           HWY_ATTR { return hn::And(hn::Or(x, moved), hn::Set(words, mask)); };
    bits = apart(bits, hn::ShiftLeft<4>(bits), 0x0f0fu);
    bits = apart(bits, hn::ShiftLeft<2>(bits), 0x3333u);
    return apart(bits, hn::ShiftLeft<1>(bits), 0x5555u);
  };
  return hn::Or(cell(folded(u, v)), hn::ShiftLeft<1>(cell(folded(v, u))));
}

template <int N>
HWY_INLINE Vec3T<FloatVec<N>> targets_of(const Fan& fan, const std::uint32_t* index) {
  const FloatTag<4> quad;
  const Quads<N> q =
      transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, fan.targets[index[i]].position); });
  return {q.x, q.y, q.z};
}

/// Sorts the open targets [count] by direction, stably: fan.order. There are at most as many cells
/// as targets.
inline void sort_by_direction(const Fan& fan, std::uint32_t count) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  const WordTag<n> words;
  int merged_bits = 0;
  while (merged_bits < fan_key_bits && fan_cells >> merged_bits > count) ++merged_bits;
  const std::uint32_t cells = fan_cells >> merged_bits;
  std::uint32_t* const next = fan.next;
  // By vectors: the compiler would call memset() for a loop.
  for (std::uint32_t c = 0; c <= cells; c += n) hn::StoreU(hn::Zero(words), words, next + c);
  const Vec3T<F> from = broadcast<n>(fan.viewpoint);
  for (std::uint32_t first = 0; first < count; first += n) {
    const Vec3T<F> to = targets_of<n>(fan, fan.open + first);
    auto cell = direction_cell<n>({to.x - from.x, to.y - from.y, to.z - from.z});
    cell = hn::ShiftRightSame(cell, merged_bits);
    hn::StoreU(cell, words, fan.cell + first);
  }
  for (std::uint32_t k = 0; k < count; ++k) ++next[fan.cell[k] + 1];
  for (std::uint32_t c = 0; c < cells; ++c) next[c + 1] += next[c];
  for (std::uint32_t k = 0; k < count; ++k) fan.order[next[fan.cell[k]]++] = fan.open[k];
}

/// A vector of a fan's segments.
class FanVector {
 public:
  static constexpr int n = native_lanes;
  using F = FloatVec<n>;

  FanVector(const TraceScene& scene, const RawRays<n>& raw, LaneMask<n> there, Inside inside)
      : scene_(scene), inside_(inside) {
    const ReadyRays<n> ready = make_ready(raw);
    rays_.line.origin = raw.origin;
    rays_.line.direction = ready.direction;
    rays_.line.inverse = {inverse_of(ready.direction.x), inverse_of(ready.direction.y),
                          inverse_of(ready.direction.z)};
    rays_.line.dd = two_dot(ready.direction, ready.direction);
    rays_.line.is_point = ready.is_point;
    rays_.t_min = ready.t_min;
    rays_.t_max = ready.t_max;
    rays_.reach = min(ready.t_max, F(largest_float));
    open_ = ready.good & there;
  }

  /// Segments that nothing is known to block, except bad ones.
  std::uint32_t open() const { return bits_of_mask(open_); }

  /// Closes the segments that the leaf's shape blocks, and returns them.
  HWY_INLINE std::uint32_t test(std::uint32_t leaf) {
    const WideNode& node = scene_.nodes[leaf / wide_width];
    const int slot = static_cast<int>(leaf % wide_width);
    LaneSlab<n> gate = {rays_.t_min, rays_.reach};
    const auto cut = [&](int axis, F origin, F direction, F inverse) SIGHTLINE_LAMBDA {
      const F low(node.low[axis][slot]), high(node.high[axis][slot]);
      const LaneMask<n> backward = direction < F(0);
      gate.cut(select(backward, high, low), select(backward, low, high), origin, inverse);
    };
    const LineT<F>& line = rays_.line;
    cut(0, line.origin.x, line.direction.x, line.inverse.x);
    cut(1, line.origin.y, line.direction.y, line.inverse.y);
    cut(2, line.origin.z, line.direction.z, line.inverse.z);
    LaneMask<n> hit = open_ & gate.enters();
    if (!any(hit)) return 0;
    scene_.shapes.locate_bounded(node.child[slot] & ~bvh_leaf_bit,
                                 [&]<class S>(ShapeTag<S>, std::uint32_t i) SIGHTLINE_LAMBDA {
                                   const auto shape = broadcast_shape<S, n>(scene_.shapes, i);
                                   hit = find_any<RayQuery::sight>(rays_, shape, gate.t_near, hit,
                                                                   inside_);
                                 });
    open_ = open_ & !hit;
    return bits_of_mask(hit);
  }

  /// Takes open segment k through the tree until something blocks it; tests every leaf that it
  /// enters for all open segments: blocked(leaf, which). Returns whether nothing bounded blocks it.
  template <class Blocked>
  HWY_INLINE bool follow(int k, const Blocked& blocked) {
    HWY_ALIGN float of[8][n];
    const LineT<F>& line = rays_.line;
    const F columns[8] = {line.origin.x,  line.origin.y,  line.origin.z, line.inverse.x,
                          line.inverse.y, line.inverse.z, rays_.t_min,   rays_.reach};
    for (int row = 0; row < 8; ++row) hn::Store(columns[row].v, FloatTag<n>(), of[row]);
    const OneRay ray = {{of[0][k], of[1][k], of[2][k]},
                        {of[3][k], of[4][k], of[5][k]},
                        of[6][k],
                        of[7][k],
                        octant_of(k)};
    const auto all = [](const WideNode&, int, ChildVec)
                         SIGHTLINE_LAMBDA { return LaneMask<child_lanes>(true); };
    const bool is_blocked =
        walk_one(scene_.nodes, ray, all, [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
          const std::uint32_t which = test(leaf);
          if (which != 0) blocked(leaf, which);
          return (which >> k & 1) != 0;
        });
    if (is_blocked) return false;
    open_ = open_ & !mask_of_bits<n>(1u << k);
    return true;
  }

 private:
  std::uint32_t octant_of(int k) const {
    const Vec3T<F>& d = rays_.line.direction;
    const F zero(0);
    return (bits_of_mask(d.x < zero) >> k & 1) | (bits_of_mask(d.y < zero) >> k & 1) << 1 |
           (bits_of_mask(d.z < zero) >> k & 1) << 2;
  }

  const TraceScene& scene_;
  const Inside inside_;
  RayLanes<n> rays_;
  LaneMask<n> open_;
};

// See Tracer.
inline FanCounts trace_fan(const TraceScene& scene, const Fan& fan) {
  constexpr int n = native_lanes;
  constexpr int most_tests = 8;                // of a vector, of what blocked before
  constexpr int most_followed = 4;             // of a vector; other segments are left
  constexpr std::uint32_t few_segments = 128;  // too few to judge a fan by
  const bool bounded_only = scene.shapes.size() == scene.shapes.bounded();
  const auto lowest = [](std::uint32_t bits) SIGHTLINE_LAMBDA { return __builtin_ctz(bits); };
  // The segments to the targets of which at(i), i < count, are the indices, which it writes.
  const auto vector_of = [&](int count, std::uint32_t* target, const auto& at) SIGHTLINE_LAMBDA {
    for (int i = 0; i < n; ++i) target[i] = at(i < count ? i : 0);
    const auto there = hn::FirstN(FloatTag<n>(), static_cast<std::size_t>(count));
    return FanVector(
        scene, sight_lanes<n>(broadcast<n>(fan.viewpoint), targets_of<n>(fan, target), fan.options),
        there, fan.options.inside);
  };
  const auto room_until = [](std::uint32_t begin, std::uint32_t end) SIGHTLINE_LAMBDA {
    return static_cast<int>(end - begin < n ? end - begin : n);
  };
  BoxWalk boxes(scene, fan);
  const auto test_few = [&](std::uint32_t begin, std::uint32_t end,
                            std::span<std::uint32_t> leaves) SIGHTLINE_LAMBDA {
    for (std::uint32_t first = begin; first < end; first += n) {
      HWY_ALIGN std::uint32_t target[n];
      FanVector v = vector_of(room_until(first, end), target, [&](int i) SIGHTLINE_LAMBDA {
        return first + static_cast<std::uint32_t>(i);
      });
      for (std::uint32_t& leaf : leaves) {
        if (v.open() == 0) break;
        std::uint32_t which = v.test(leaf);
        if (which == 0) continue;
        for (; which != 0; which &= which - 1) fan.leaf[target[lowest(which)]] = leaf;
        std::swap(leaf, leaves.front());  // for the next vector
      }
      for (std::uint32_t rest = v.open(); rest != 0; rest &= rest - 1) {
        boxes.clear(target[lowest(rest)]);
      }
    }
  };
  const std::uint32_t open = boxes.open_targets(test_few);
  sort_by_direction(fan, open);
  const std::uint32_t cleared = boxes.cleared();
  FanCounts counts = {cleared, 0, 0, fan.count - fan.first - open - cleared, cleared};
  // What blocked in this fan last, latest first.
  std::uint32_t last[2] = {none, none};
  for (std::uint32_t first = 0; first < open; first += n) {
    HWY_ALIGN std::uint32_t target[n];
    FanVector v = vector_of(room_until(first, open), target, [&](int i) SIGHTLINE_LAMBDA {
      return fan.order[first + static_cast<std::uint32_t>(i)];
    });
    const auto blocked = [&](std::uint32_t leaf, std::uint32_t which) SIGHTLINE_LAMBDA {
      for (; which != 0; which &= which - 1) fan.leaf[target[lowest(which)]] = leaf;
      if (leaf == last[0]) return;
      last[1] = last[0];
      last[0] = leaf;
    };
    const auto test = [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
      const std::uint32_t which = v.test(leaf);
      if (which != 0) blocked(leaf, which);
    };
    std::uint32_t tried[most_tests];
    int tests = 0;
    for (const std::uint32_t leaf : {last[0], last[1]}) {
      if (leaf == none || v.open() == 0) continue;
      tried[tests++] = leaf;
      test(leaf);
    }
    for (std::uint32_t rest = v.open(); rest != 0 && tests < most_tests;) {
      const std::uint32_t leaf = fan.leaf[target[lowest(rest)]];
      rest &= rest - 1;
      bool again = leaf == none;
      for (int k = 0; k < tests; ++k) again |= tried[k] == leaf;
      if (again) continue;
      tried[tests++] = leaf;
      test(leaf);
      rest &= v.open();
    }
    const int most =
        counts.pays(counts.hidden + counts.cleared + first + few_segments) ? most_followed : 0;
    for (int followed = 0; v.open() != 0 && followed < most; ++followed) {
      const int k = lowest(v.open());
      ++counts.followed;
      if (!v.follow(k, blocked)) continue;
      if (bounded_only) {
        fan.clear[counts.clear++] = target[k];
      } else {
        fan.left[counts.left++] = target[k];
      }
    }
    for (std::uint32_t rest = v.open(); rest != 0; rest &= rest - 1) {
      fan.left[counts.left++] = target[lowest(rest)];
    }
  }
  return counts;
}

}  // namespace sightline::detail::HWY_NAMESPACE
