// A fan: segments from one viewpoint, in the order of their directions. What blocks one of them
// mostly blocks its neighbours, so most need no tree.
#pragma once

#include "host/cpu/rays/viewpoint_fan_boxes.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Where directions point: once around the z axis from 0 to 4, and up from -1 to 1, by sums of
/// magnitudes instead of lengths; arbitrary for NaN.
template <int N>
struct Bearings {
  FloatVec<N> around, up;

  HWY_INLINE explicit Bearings(const Vec3T<FloatVec<N>>& d) {
    using F = FloatVec<N>;
    const F least(0x1p-126f), level = abs(d.x) + abs(d.y);
    const F x = d.x / max(level, least);
    around = select(d.y < F(0), F(3) + x, F(1) - x);
    up = d.z / max(level + abs(d.z), least);
  }
};

/// The range of a fan's bearings, around or up, divided into cells.
class FanSide {
 public:
  template <int N>
  FanSide(FloatVec<N> lows, FloatVec<N> highs) {
    const FloatTag<N> d;
    low_ = hn::GetLane(hn::MinOfLanes(d, lows.v));
    span_ = hn::GetLane(hn::MaxOfLanes(d, highs.v)) - low_;
  }
  float span() const { return span_; }

  void divide(int bits) {
    cells_ = static_cast<float>(1 << bits);
    per_unit_ = span_ > 0 ? cells_ / span_ : 0.0f;
  }
  template <int N>
  HWY_INLINE hn::Vec<WordTag<N>> cell_of(FloatVec<N> v) const {
    using F = FloatVec<N>;
    const F c = min(max((v - F(low_)) * F(per_unit_), F(0)), F(cells_ - 1));  // NaN becomes 0
    return hn::BitCast(WordTag<N>(), hn::ConvertTo(IntTag<N>(), c.v));
  }

 private:
  float low_, span_, cells_ = 1, per_unit_ = 0;
};

/// Sorts the open targets [count] by direction, stably: fan.order. Cells are about as wide as high,
/// or wider than that where the fan is tall: in a flat scene all lie around, so that neighbours are
/// next to each other. There are at most as many cells as targets, or two.
inline void sort_by_direction(const Fan& fan, std::uint32_t count) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  const WordTag<n> words;
  const FloatTag<n> floats;
  const Vec3T<F> from = broadcast<n>(fan.viewpoint);
  F low[2] = {F(infinity), F(infinity)}, high[2] = {F(-infinity), F(-infinity)};
  for (std::uint32_t first = 0; first < count; first += n) {
    const Vec3T<F> to = targets_of<n>(fan, fan.open + first);
    const Bearings<n> b({to.x - from.x, to.y - from.y, to.z - from.z});
    hn::StoreU(b.around.v, floats, fan.around + first);
    hn::StoreU(b.up.v, floats, fan.up + first);
    // In this order NaN is left out.
    low[0] = min(b.around, low[0]), high[0] = max(b.around, high[0]);
    low[1] = min(b.up, low[1]), high[1] = max(b.up, high[1]);
  }
  FanSide around(low[0], high[0]), up(low[1], high[1]);
  int bits = 1;
  while (bits < fan_key_bits && 2u << bits <= count) ++bits;
  // Cells are as high as wide where up.span() / 2^up_bits == around.span() / 2^(bits - up_bits).
  int up_bits = 0;
  while (up_bits < bits / 2 && up.span() * static_cast<float>(1 << bits) >
                                   around.span() * static_cast<float>(2 << 2 * up_bits)) {
    ++up_bits;
  }
  around.divide(bits - up_bits);
  up.divide(up_bits);
  const std::uint32_t cells = 1u << bits;
  std::uint32_t* const next = fan.next;
  // By vectors: the compiler would call memset() for a loop.
  for (std::uint32_t c = 0; c <= cells; c += n) hn::StoreU(hn::Zero(words), words, next + c);
  // Bit i goes to bit 2 i.
  const auto apart = [&](auto x) HWY_ATTR {
    const auto moved = [&](auto by, std::uint32_t mask)
                           HWY_ATTR { return hn::And(hn::Or(x, by), hn::Set(words, mask)); };
    x = moved(hn::ShiftLeft<4>(x), 0x0f0fu);
    x = moved(hn::ShiftLeft<2>(x), 0x3333u);
    return moved(hn::ShiftLeft<1>(x), 0x5555u);
  };
  const auto low_bits = hn::Set(words, (1u << up_bits) - 1);
  for (std::uint32_t first = 0; first < count; first += n) {
    const auto a = around.cell_of(F(hn::LoadU(floats, fan.around + first)));
    const auto u = up.cell_of(F(hn::LoadU(floats, fan.up + first)));
    const auto code = hn::Or(hn::ShiftLeft<1>(apart(hn::And(a, low_bits))), apart(u));
    const auto strip = hn::ShiftLeftSame(hn::ShiftRightSame(a, up_bits), 2 * up_bits);
    hn::StoreU(hn::Or(strip, code), words, fan.cell + first);
  }
  for (std::uint32_t k = 0; k < count; ++k) ++next[fan.cell[k] + 1];
  for (std::uint32_t c = 0; c < cells; ++c) next[c + 1] += next[c];
  for (std::uint32_t k = 0; k < count; ++k) fan.order[next[fan.cell[k]]++] = fan.open[k];
}

// See SimdKernels.
inline FanCounts trace_fan(const TraceScene& scene, const Fan& fan) {
  constexpr int n = native_lanes;
  constexpr int most_tests = 8;                // of a vector, of what blocked before
  constexpr int most_followed = 4;             // of a vector; other segments are left
  constexpr std::uint32_t few_segments = 128;  // too few to judge a fan by
  const bool bounded_only = scene.shapes.size() == scene.shapes.bounded();
  const auto lowest = [](std::uint32_t bits) SIGHTLINE_LAMBDA { return __builtin_ctz(bits); };
  const NodePath path(scene.nodes, fan.viewpoint);
  BoxWalk boxes(scene, fan, path);
  const std::uint32_t open = boxes.open_targets();
  sort_by_direction(fan, open);
  const std::uint32_t cleared = boxes.cleared();
  FanCounts counts = {cleared, 0, 0, fan.count - fan.first - open - cleared, cleared};
  // What blocked in this fan last, latest first.
  std::uint32_t last[2] = {none, none};
  for (std::uint32_t first = 0; first < open; first += n) {
    HWY_ALIGN std::uint32_t target[n];
    const std::uint32_t count = open - first < n ? open - first : n;
    for (std::uint32_t i = 0; i < n; ++i) target[i] = fan.order[first + (i < count ? i : 0)];
    FanVector v(scene, fan, target, count);
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
    const auto try_leaf = [&](std::uint32_t leaf) SIGHTLINE_LAMBDA {
      bool again = leaf == none;
      for (int k = 0; k < tests; ++k) again |= tried[k] == leaf;
      if (again) return;
      tried[tests++] = leaf;
      test(leaf);
    };
    for (std::uint32_t rest = v.open(); rest != 0 && tests < most_tests;) {
      const std::uint32_t leaf = fan.leaf[target[lowest(rest)]];
      rest &= rest - 1;
      try_leaf(leaf);
      rest &= v.open();
    }
    const int most =
        counts.pays(counts.hidden + counts.cleared + first + few_segments, scene.node_count)
            ? most_followed
            : 0;
    for (int followed = 0; v.open() != 0 && followed < most; ++followed) {
      const int k = lowest(v.open());
      ++counts.followed;
      if (!v.follow(k, path, blocked)) continue;
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
