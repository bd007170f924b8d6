// The queues of entered leaves, one a kind of shape, tested by vectors of pairs.
#pragma once

#include "host/cpu/rays/leaf_tests.hpp"

#include <type_traits>

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class Leaves {
  /// The most pairs: fewer than `room` when a vector of rays enters eight children; or `enough`
  /// from the stream and eight from each single ray that is parked.
  static constexpr int room = 512, capacity = room + 64 * wide_width;

 public:
  using Queue = PairQueue<capacity>;
  /// The queues of a node's leaves, as offsets in bytes, which saves a multiplication a vector, and
  /// the shapes within their kind; arbitrary for its other children.
  struct Places {
    alignas(32) std::uint32_t queue[wide_width];
    alignas(32) std::uint32_t shape[wide_width];
  };

  Leaves(const TraceScene& scene, const RayBatch& batch, RayPolicy policy)
      : shapes_(scene.shapes), batch_(batch), policy_(policy) {
    for (int k = 1; k < ShapeKinds::bounded; ++k) {
      last_before_[k] = static_cast<std::int32_t>(shapes_.begin[k] - 1);
      count_before_[k] = shapes_.begin[k] - shapes_.begin[k - 1];
    }
  }

  /// Enough pairs for an efficient test.
  static constexpr int enough = 128;
  /// Whether all are to be tested, so that there always is room for one vector of rays times eight
  /// children.
  bool is_full() const { return size_ >= room; }

  /// Where the leaves of a node go.
  HWY_INLINE void find_places(const WideNode& node, Places& places) const {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    const WordTag<n> words;
    const hn::RebindToSigned<WordTag<n>> integers;
    for (int part = 0; part < wide_width; part += n) {
      const auto id = hn::AndNot(hn::Set(words, bvh_leaf_bit), hn::Load(words, node.child + part));
      auto queue = hn::Zero(words), first = hn::Zero(words);
      for (int k = 1; k < ShapeKinds::bounded; ++k) {
        const auto is_from_here =
            hn::Gt(hn::BitCast(integers, id), hn::Set(integers, last_before_[k]));
        const auto mask = hn::BitCast(words, hn::VecFromMask(integers, is_from_here));
        queue = hn::Add(queue, hn::And(mask, hn::Set(words, std::uint32_t{sizeof(Queue)})));
        first = hn::Add(first, hn::And(mask, hn::Set(words, count_before_[k])));
      }
      hn::Store(queue, words, places.queue + part);
      hn::Store(hn::Sub(id, first), words, places.shape + part);
    }
  }
  /// To which callers append the rays of a leaf, a vector at a time; added() says how many.
  Queue& queue(std::uint32_t place) {
    return *reinterpret_cast<Queue*>(reinterpret_cast<char*>(queues_) + place);
  }
  void added(int count) { size_ += count; }

  // Where callers write a vector of leaves of any kind, their gates and ray, before append().
  std::uint32_t* child() { return mixed_.shape + mixed_.size; }
  float* gate_near() { return mixed_.gate_near + mixed_.size; }
  std::uint32_t* ray() { return mixed_.ray + mixed_.size; }
  void append(int count) { mixed_.size += count, size_ += count; }
  int size() const { return size_; }

  /// Tests all pairs.
  HWY_NOINLINE void test() {
    sort_by_kind();
    ShapeKinds::for_each([&]<class S>(ShapeTag<S>) SIGHTLINE_LAMBDA {
      if constexpr (is_bounded<S>) test_queue<S>();
    });
    size_ = 0;
  }

 private:
  HWY_INLINE void sort_by_kind() {
    for (int i = 0; i < mixed_.size; ++i) {
      const std::uint32_t id = mixed_.shape[i] & ~bvh_leaf_bit;
      int kind = 0;
      for (int k = 1; k < ShapeKinds::bounded; ++k) kind += id >= shapes_.begin[k] ? 1 : 0;
      Queue& q = queues_[kind];
      q.shape[q.size] = id - shapes_.begin[kind];
      q.ray[q.size] = mixed_.ray[i];
      q.gate_near[q.size] = mixed_.gate_near[i];
      ++q.size;
    }
    mixed_.size = 0;
  }

  /// Removes pairs that the rays' filters do not admit.
  HWY_NOINLINE void filter(Queue& q, std::uint32_t first_id) const {
    int kept = 0;
    for (int i = 0; i < q.size; ++i) {
      q.shape[kept] = q.shape[i];
      q.ray[kept] = q.ray[i];
      q.gate_near[kept] = q.gate_near[i];
      kept += passes_filter(batch_.filters[q.ray[i]], shapes_, q.shape[i] + first_id) ? 1 : 0;
    }
    q.size = kept;
  }

  template <class Shape>
  HWY_NOINLINE void test_queue() {
    constexpr int kind = static_cast<int>(kind_for<Shape>);
    constexpr int n = native_lanes;
    Queue& q = queues_[kind];
    if (q.size > 0 && batch_.filters != nullptr) filter(q, shapes_.begin[kind]);
    if (q.size == 0) return;
    pad<n>(q);
    // The exact stage of these is long, and two in three rays that enter a capsule's box miss it.
    constexpr bool is_long = std::is_same_v<Shape, Capsule> || std::is_same_v<Shape, Cylinder>;
    if constexpr (query == RayQuery::closest && is_long) {
      if (q.size > n) {
        drop_misses<Shape, n>(shapes_, batch_.rays, q);
        pad<n>(q);
      }
    }
    for (int first = 0; first < q.size; first += n) {
      const int count = q.size - first < n ? q.size - first : n;
      const PairAnswers<n> a =
          test_pairs<Shape, query, n>(shapes_, batch_.rays, q.shape + first, q.ray + first,
                                      q.gate_near + first, count, policy_);
      for (std::uint32_t hits = a.hits; hits != 0; hits &= hits - 1) {
        const int k = __builtin_ctz(hits);
        const std::uint32_t id = q.shape[first + k] + shapes_.begin[kind];
        offer(batch_.rays[q.ray[first + k]], id, a, k);
      }
    }
    q.size = 0;
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
  const RayPolicy policy_;
  // Of each kind but the first: the last id of the kinds before, and how many the kind before has.
  std::int32_t last_before_[ShapeKinds::bounded];
  std::uint32_t count_before_[ShapeKinds::bounded];
  int size_ = 0;  ///< of all queues
  Queue mixed_;   ///< with children for shapes
  Queue queues_[ShapeKinds::bounded];
};

}  // namespace sightline::detail::HWY_NAMESPACE
