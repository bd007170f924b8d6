// Leaves that vectors of a packet enter: the shape in every lane where many rays of a vector enter,
// queued pairs of rays and shapes where few do.
#pragma once

#include "host/cpu/rays/packet_rays.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class PacketLeaves {
 public:
  /// `filters`: of the rays, or null where nothing is filtered.
  PacketLeaves(const ShapesView& shapes, RayPolicy policy, const RayFilter* filters,
               PacketRays& rays)
      : shapes_(shapes), policy_(policy), filters_(filters), rays_(rays) {}

  /// Vectors with new hits since the last call.
  HWY_INLINE std::uint32_t take_touched() {
    const std::uint32_t vectors = touched_;
    touched_ = 0;
    return vectors;
  }

  /// Tests the shapes without bounds, which are in no tree.
  HWY_INLINE void test_unbounded() {
    for (std::uint32_t id = shapes_.bounded(); id < shapes_.size(); ++id) {
      const auto plane = broadcast_shape<Plane, n>(shapes_, id - shapes_.bounded());
      for (int v = 0; v < packet_vectors; ++v) {
        const F t_min = hn::Load(FloatTag<n>(), rays_.t_min + v * n);
        const F reach = hn::Load(FloatTag<n>(), rays_.reach + v * n);
        offer(v, id, plane, t_min, t_min <= reach);
      }
    }
  }

  /// Prefetches the shape.
  HWY_INLINE void prefetch(std::uint32_t id) const {
    shapes_.locate_bounded(id, [this]<class S>(ShapeTag<S>, std::uint32_t i) SIGHTLINE_LAMBDA {
      ShapeTraits<S>::fields([i](const char*, const auto* column)
                                 SIGHTLINE_LAMBDA { __builtin_prefetch(column + i); },
                             shapes_.of<S>());
    });
  }

  /// Tests child c of the node, a leaf, with these vectors, or queues their pairs.
  HWY_INLINE void test(const WideNode& node, int c, std::uint32_t vectors) {
    const std::uint32_t id = node.child[c] & ~bvh_leaf_bit;
    shapes_.locate_bounded(id, [&]<class S>(ShapeTag<S>, std::uint32_t)
                                   SIGHTLINE_LAMBDA { test_shape<S>(node, c, id, vectors); });
  }

  /// Tests the queued pairs.
  HWY_INLINE void finish() {
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) SIGHTLINE_LAMBDA {
      if constexpr (is_bounded<S>) finish_queue<S>();
    });
  }

 private:
  static constexpr int n = native_lanes;
  using F = FloatVec<n>;
  static constexpr WordTag<n> words{};
  /// With fewer rays of a vector than this, queued pairs fill vectors better.
  static constexpr int dense_count = n / 2;
  /// Queued pairs of one kind, at most.
  static constexpr int most_waiting = n;

  template <class Shape>
  HWY_NOINLINE void test_shape(const WideNode& node, int c, std::uint32_t id,
                               std::uint32_t vectors) {
    constexpr int kind = static_cast<int>(kind_for<Shape>);
    const FloatTag<n> d;
    const std::uint32_t index = id - shapes_.begin[kind];
    auto& queue = queues_[kind];
    const bool one_origin = rays_.one_origin;
    F nearer[3], further[3];  // seen from the origin where it is that of all rays
    for (int axis = 0; axis < 3; ++axis) {
      const PlaneRows planes = planes_of(node, rays_.octant, axis);
      const F origin(one_origin ? rays_.origin[axis][0] : 0.0f);
      nearer[axis] = F(planes.nearer[c]) - origin;
      further[axis] = F(planes.further[c]) - origin;
    }
    for (; vectors != 0; vectors &= vectors - 1) {
      const int v = __builtin_ctz(vectors), at = v * n;
      LaneSlab<n> gate = {hn::Load(d, rays_.t_min + at), hn::Load(d, rays_.reach + at)};
      if (one_origin) {
        for (int axis = 0; axis < 3; ++axis) {
          gate.cut(nearer[axis], further[axis], hn::Load(d, rays_.inverse[axis] + at));
        }
      } else {
        for (int axis = 0; axis < 3; ++axis) {
          gate.cut(nearer[axis], further[axis], hn::Load(d, rays_.origin[axis] + at),
                   hn::Load(d, rays_.inverse[axis] + at));
        }
      }
      const LaneMask<n> enters = gate.enters();
      const Compress<n> compress(enters);
      const int count = compress.count();
      if (count >= dense_count) {  // read here, as few leaves of small shapes come to this
        offer(v, id, broadcast_shape<Shape, n>(shapes_, index), gate.t_near, enters);
      } else if (count > 0) {
        const auto rays = hn::Iota(words, static_cast<std::uint32_t>(at));
        hn::StoreU(compress(rays), words, queue.ray + queue.size);
        hn::StoreU(compress(gate.t_near.v), d, queue.gate_near + queue.size);
        hn::StoreU(hn::Set(words, index), words, queue.shape + queue.size);
        queue.size += count;
        if (queue.size >= most_waiting) finish_queue<Shape>();
      }
    }
  }

  /// Offers one shape to some rays of vector v.
  template <class Shapes>
  HWY_INLINE void offer(int v, std::uint32_t id, const Shapes& shape, F gate_near,
                        LaneMask<n> there) {
    const FloatTag<n> d;
    const int at = v * n;
    if (filters_ != nullptr) there = there & passing(at, id);
    const RayLanes<n> r = rays_.from(at);
    const FoundT<F> found = find_hit<query>(r, shape, gate_near, there, policy_);
    if (!any(found.hit)) return;
    const auto best = hn::Load(words, rays_.best + at);
    LaneMask<n> better = found.hit;
    if (query == RayQuery::closest) {
      const LaneMask<n> lesser_id = hn::RebindMask(d, hn::Lt(hn::Set(words, id), best));
      better = better & ((found.t < r.reach) | ((found.t == r.reach) & lesser_id));
      const std::uint32_t changed = bits_of_mask(better);
      if (changed == 0) return;
      rays_.started_inside[v] = static_cast<std::uint16_t>(
          (rays_.started_inside[v] & ~changed) | (bits_of_mask(found.started_inside) & changed));
    }
    const auto better_words = hn::RebindMask(words, better.m);
    hn::Store(hn::IfThenElse(better_words, hn::Set(words, id), best), words, rays_.best + at);
    const F reach = query == RayQuery::closest ? found.t : F(no_reach);
    hn::Store(select(better, reach, r.reach).v, d, rays_.reach + at);
    touched_ |= 1u << v;
  }

  /// Rays whose filters admit the shape.
  HWY_NOINLINE LaneMask<n> passing(int at, std::uint32_t id) const {
    HWY_ALIGN std::uint32_t pass[n];
    for (int i = 0; i < n; ++i) pass[i] = passes_filter(filters_[at + i], shapes_, id) ? 1 : 0;
    return hn::RebindMask(FloatTag<n>(), hn::Ne(hn::Load(words, pass), hn::Zero(words)));
  }

  template <class Shape>
  HWY_NOINLINE void finish_queue() {
    constexpr int kind = static_cast<int>(kind_for<Shape>);
    const FloatTag<n> d;
    auto& q = queues_[kind];
    if (q.size == 0) return;
    const std::uint32_t begin = shapes_.begin[kind];
    for (int i = q.size; i % n != 0; ++i) {  // fills up the last vector
      q.shape[i] = q.shape[0];
      q.ray[i] = q.ray[0];
      q.gate_near[i] = infinity;  // beyond any reach
    }
    for (int first = 0; first < q.size; first += n) {
      const RayLanes<n> r = rays_.gathered(q.ray + first);
      const F gate_near = hn::LoadU(d, q.gate_near + first);
      const auto shape = gather_shapes<Shape, n>(shapes_, q.shape + first);
      LaneMask<n> there = gate_near <= r.reach;
      if (filters_ != nullptr) there = there & pairs_passing(q.ray + first, q.shape + first, begin);
      const FoundT<F> found = find_hit<query>(r, shape, gate_near, there, policy_);
      HWY_ALIGN float t[n];
      hn::Store(found.t.v, d, t);
      const std::uint32_t inside = bits_of_mask(found.started_inside);
      for (std::uint32_t hits = bits_of_mask(found.hit); hits != 0; hits &= hits - 1) {
        const int k = __builtin_ctz(hits);
        const std::uint32_t ray = q.ray[first + k];
        offer_one(ray, q.shape[first + k] + begin, t[k], (inside >> k & 1) != 0);
      }
    }
    q.size = 0;
  }

  HWY_NOINLINE LaneMask<n> pairs_passing(const std::uint32_t* ray, const std::uint32_t* shape,
                                         std::uint32_t begin) const {
    HWY_ALIGN std::uint32_t pass[n];
    for (int i = 0; i < n; ++i) {
      pass[i] = passes_filter(filters_[ray[i]], shapes_, shape[i] + begin) ? 1 : 0;
    }
    return hn::RebindMask(FloatTag<n>(), hn::Ne(hn::Load(words, pass), hn::Zero(words)));
  }

  HWY_INLINE void offer_one(std::uint32_t ray, std::uint32_t id, float t, bool inside) {
    touched_ |= 1u << ray / n;
    if (query != RayQuery::closest) {
      rays_.best[ray] = id;
      rays_.reach[ray] = no_reach;
    } else if (t < rays_.reach[ray] || (t == rays_.reach[ray] && id < rays_.best[ray])) {
      rays_.reach[ray] = t;
      rays_.best[ray] = id;
      std::uint16_t& bits = rays_.started_inside[ray / n];
      const unsigned bit = 1u << ray % n;
      bits = static_cast<std::uint16_t>(inside ? bits | bit : bits & ~bit);
    }
  }

  const ShapesView& shapes_;
  const RayPolicy policy_;
  const RayFilter* const filters_;
  PacketRays& rays_;
  std::uint32_t touched_ = 0;
  PairQueue<most_waiting + n> queues_[ShapeKinds::bounded];
};

}  // namespace sightline::detail::HWY_NAMESPACE
