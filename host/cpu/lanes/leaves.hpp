// The queue of entered leaves: sorted by kind of shape, tested by vectors of pairs.
#pragma once

#include "host/cpu/lanes/leaf_tests.hpp"

#include <type_traits>

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class Leaves {
 public:
  Leaves(const TraceScene& scene, const RayBatch& batch, Inside inside)
      : shapes_(scene.shapes), batch_(batch), inside_(inside) {}

  /// From this size on the queue is tested, so that it always has room for one vector of rays times
  /// eight children.
  static constexpr int room = 512;
  /// Enough pairs for an efficient test.
  static constexpr int enough = 128;

  // Where callers write a vector of children, gates and rays before append().
  std::uint32_t* child() { return child_ + size_; }
  float* gate_near() { return gate_near_ + size_; }
  std::uint32_t* ray() { return ray_ + size_; }
  void append(int count) { size_ += count; }
  int size() const { return size_; }

  /// Tests all pairs.
  HWY_NOINLINE void test() {
    for (int begin = 0; begin < size_; begin += part) {
      sort_by_kind(begin, begin + part < size_ ? begin + part : size_);
      ShapeKinds::for_each([&]<class S>(ShapeTag<S>) SIGHTLINE_LAMBDA {
        if constexpr (is_bounded<S>) test_queue<S>();
      });
    }
    size_ = 0;
  }

 private:
  static constexpr int part = 512;

  HWY_INLINE void sort_by_kind(int begin, int end) {
    for (auto& q : queues_) q.size = 0;
    for (int i = begin; i < end; ++i) {
      const std::uint32_t id = child_[i] & ~bvh_leaf_bit;
      if (batch_.filters != nullptr && !counts(batch_.filters[ray_[i]], shapes_, id)) continue;
      int kind = 0;
      for (int k = 1; k < ShapeKinds::bounded; ++k) kind += id >= shapes_.begin[k] ? 1 : 0;
      auto& q = queues_[kind];
      q.shape[q.size] = id - shapes_.begin[kind];
      q.ray[q.size] = ray_[i];
      q.gate_near[q.size] = gate_near_[i];
      ++q.size;
    }
  }

  template <class Shape>
  HWY_NOINLINE void test_queue() {
    constexpr int kind = static_cast<int>(kind_for<Shape>);
    constexpr int n = native_lanes;
    auto& q = queues_[kind];
    if (q.size == 0) return;
    pad<n>(q);
    // The exact stage of a capsule is long, and two in three rays that enter its box miss it.
    if constexpr (query == RayQuery::closest && std::is_same_v<Shape, Capsule>) {
      if (q.size > n) {
        drop_misses<Shape, n>(shapes_, batch_.rays, q);
        pad<n>(q);
      }
    }
    for (int first = 0; first < q.size; first += n) {
      const int count = q.size - first < n ? q.size - first : n;
      const PairAnswers<n> a =
          test_pairs<Shape, query, n>(shapes_, batch_.rays, q.shape + first, q.ray + first,
                                      q.gate_near + first, count, inside_);
      for (std::uint32_t hits = a.hits; hits != 0; hits &= hits - 1) {
        const int k = __builtin_ctz(hits);
        const std::uint32_t id = q.shape[first + k] + shapes_.begin[kind];
        offer(batch_.rays[q.ray[first + k]], id, a, k);
      }
    }
  }

  template <int N>
  HWY_INLINE void offer(RayRecord& ray, std::uint32_t id, const PairAnswers<N>& a, int k) {
    if (query != RayQuery::closest) {
      ray.best = id;
      ray.reach = no_reach;
    } else if (a.t[k] < ray.reach || (a.t[k] == ray.reach && id < ray.best)) {
      ray.reach = a.t[k];
      ray.best = id;
      ray.flags = (ray.flags & ~record_flags::started_inside) |
                  ((a.started_inside >> k) & 1) * record_flags::started_inside;
    }
  }

  const ShapesView& shapes_;
  const RayBatch& batch_;
  const Inside inside_;
  int size_ = 0;
  // The most pairs: fewer than `room` when a vector of rays enters eight children; or `enough` from
  // the stream and eight from each single ray that is parked.
  static constexpr int capacity = room + 64 * wide_width + 16;
  alignas(64) std::uint32_t child_[capacity];
  alignas(64) std::uint32_t ray_[capacity];
  alignas(64) float gate_near_[capacity];
  PairQueue<part> queues_[ShapeKinds::bounded];
};

}  // namespace sightline::detail::HWY_NAMESPACE
