// A fan: segments from one viewpoint, in the order of their directions. What blocks one of them
// mostly blocks its neighbours, so most need no tree.
#pragma once

#include "host/cpu/lanes/fan_boxes.hpp"

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

// See Tracer.
inline FanCounts trace_fan(const TraceScene& scene, const Fan& fan) {
  constexpr int n = native_lanes;
  constexpr int most_tests = 8;                // of a vector, of what blocked before
  constexpr int most_followed = 4;             // of a vector; other segments are left
  constexpr std::uint32_t few_segments = 128;  // too few to judge a fan by
  const bool bounded_only = scene.shapes.size() == scene.shapes.bounded();
  const auto lowest = [](std::uint32_t bits) SIGHTLINE_LAMBDA { return __builtin_ctz(bits); };
  BoxWalk boxes(scene, fan);
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
