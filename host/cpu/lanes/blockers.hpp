// Segments from one viewpoint to neighbouring targets, tested against what blocked the same targets
// for the viewpoint before: most pairs of a matrix need no tree.
#pragma once

#include "host/cpu/lanes/leaf_tests.hpp"
#include "host/cpu/lanes/ready_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

/// Which of the open segments the leaf's shape blocks.
HWY_INLINE LaneMask<native_lanes> blocked_by(const TraceScene& scene,
                                             const RayLanes<native_lanes>& r, std::uint32_t leaf,
                                             LaneMask<native_lanes> open, Inside inside) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  const WideNode& node = scene.nodes[leaf / wide_width];
  const int slot = static_cast<int>(leaf % wide_width);
  LaneSlab<n> gate = {r.t_min, r.reach};
  const auto cut = [&](int axis, F origin, F direction, F inverse) SIGHTLINE_LAMBDA {
    const F low(node.low[axis][slot]), high(node.high[axis][slot]);
    const LaneMask<n> backward = direction < F(0);
    gate.cut(select(backward, high, low), select(backward, low, high), origin, inverse);
  };
  cut(0, r.line.origin.x, r.line.direction.x, r.line.inverse.x);
  cut(1, r.line.origin.y, r.line.direction.y, r.line.inverse.y);
  cut(2, r.line.origin.z, r.line.direction.z, r.line.inverse.z);
  open = open & gate.enters();
  if (!any(open)) return open;
  scene.shapes.locate_bounded(node.child[slot] & ~bvh_leaf_bit,
                              [&]<class S>(ShapeTag<S>, std::uint32_t i) SIGHTLINE_LAMBDA {
                                const auto shape = broadcast_shape<S, n>(scene.shapes, i);
                                open =
                                    find_any<RayQuery::sight>(r, shape, gate.t_near, open, inside);
                              });
  return open;
}

// See Tracer.
inline std::uint32_t drop_blocked(const TraceScene& scene, const Sights& sights, Inside inside,
                                  std::uint32_t* leaf, std::uint32_t* older_leaf,
                                  std::uint32_t* left) {
  constexpr int n = native_lanes;
  using F = FloatVec<n>;
  constexpr int most_tests = 8;  // of a vector; the tree does the rest
  const WordTag<n> words;
  const auto first_of = [](std::uint32_t bits) SIGHTLINE_LAMBDA {
    return static_cast<std::uint32_t>(__builtin_ctz(bits));
  };
  std::uint32_t count_left = 0, last = none;
  for (std::uint64_t first = 0; first < sights.count; first += n) {
    const std::uint64_t rest = sights.count - first;
    const int count = rest < n ? static_cast<int>(rest) : n;
    const RawRays<n> raw = raw_lanes<n>(sights, first, count);
    const ReadyRays<n> ready = make_ready(raw);
    RayLanes<n> r;
    r.line.origin = raw.origin;
    r.line.direction = ready.direction;
    r.line.inverse = {inverse_of(ready.direction.x), inverse_of(ready.direction.y),
                      inverse_of(ready.direction.z)};
    r.line.dd = two_dot(ready.direction, ready.direction);
    r.line.is_point = ready.is_point;
    r.t_min = ready.t_min;
    r.t_max = ready.t_max;
    r.reach = min(ready.t_max, F(largest_float));

    LaneMask<n> open = ready.good & LaneMask<n>(hn::FirstN(FloatTag<n>(), std::size_t(count)));
    // Of each target what blocked it last, and before that; then what blocked a neighbour last.
    auto newer = hn::LoadU(words, leaf + first), older = hn::LoadU(words, older_leaf + first);
    const auto unknown = hn::Set(words, none);
    LaneMask<n> try_newer = hn::RebindMask(FloatTag<n>(), hn::Ne(newer, unknown));
    LaneMask<n> try_older = hn::RebindMask(FloatTag<n>(), hn::Ne(older, unknown));
    const std::uint32_t neighbours = last;
    bool neighbours_tried = neighbours == none;
    for (int tests = 0; tests < most_tests && any(open); ++tests) {
      const std::uint32_t by_newer = bits_of_mask<n>(open & try_newer);
      const std::uint32_t by_older = bits_of_mask<n>(open & try_older);
      if ((by_newer | by_older) == 0 && neighbours_tried) break;
      const std::uint32_t blocker = by_newer != 0       ? leaf[first + first_of(by_newer)]
                                    : !neighbours_tried ? neighbours
                                                        : older_leaf[first + first_of(by_older)];
      neighbours_tried = neighbours_tried || blocker == neighbours;
      const auto all_of_it = hn::Set(words, blocker);
      const LaneMask<n> is_newer = hn::RebindMask(FloatTag<n>(), hn::Eq(newer, all_of_it));
      const LaneMask<n> is_older = hn::RebindMask(FloatTag<n>(), hn::Eq(older, all_of_it));
      try_newer = try_newer & !is_newer;
      try_older = try_older & !is_older;
      const LaneMask<n> hit = blocked_by(scene, r, blocker, open, inside);
      if (!any(hit)) continue;
      open = open & !hit;
      last = blocker;
      const LaneMask<n> is_new = hit & !is_newer;
      const auto changed = hn::RebindMask(words, is_new.m);
      older = hn::IfThenElse(changed, newer, older);
      newer = hn::IfThenElse(changed, all_of_it, newer);
    }
    hn::StoreU(newer, words, leaf + first);
    hn::StoreU(older, words, older_leaf + first);
    const Compress<n> compress(open);
    hn::StoreU(compress(hn::Iota(words, static_cast<std::uint32_t>(first))), words,
               left + count_left);
    count_left += static_cast<std::uint32_t>(compress.count());
  }
  return count_left;
}

}  // namespace sightline::detail::HWY_NAMESPACE
