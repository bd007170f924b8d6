// Traversal of single rays, many of them in flight, for subtrees that few rays enter.
//
// A lone ray waits for its node and then for its branches. Here all rays that are ready take one
// step in turn, without branches: each pops a node, tests eight boxes, and pushes the inner
// children that it enters. A ray that has entered leaves is parked until they have been tested.
#pragma once

#include "host/cpu/rays/leaf_queues.hpp"

namespace sightline::detail::HWY_NAMESPACE {

inline constexpr int slot_count = 64;

template <RayQuery query>
class Singles {
 public:
  /// A ray and the node that it enters next.
  struct Item {
    std::uint32_t node, ray;
  };
  static constexpr int capacity = 4096;

  Singles(const TraceScene& scene, const RayBatch& batch, Leaves<query>& leaves,
          std::uint32_t* stack_memory)
      : nodes_(scene.nodes), rays_(batch.rays), octant_(batch.octant), leaves_(leaves) {
    const std::size_t room = stack_room(scene.depth);
    for (int s = 0; s < slot_count; ++s) {
      slots_[s].child = stack_memory + static_cast<std::size_t>(2 * s) * room;
      slots_[s].t_near = reinterpret_cast<float*>(slots_[s].child + room);
      free_[s] = static_cast<std::uint8_t>(s);
    }
  }

  /// Entries of a stack: seven a level, eight at the deepest, and a vector beyond.
  static std::size_t stack_room(int depth) {
    return (static_cast<std::size_t>(depth) * 7 + 1 + 8 + 15) / 16 * 16;
  }
  static std::size_t stack_words(int depth) { return 2 * slot_count * stack_room(depth); }

  /// How often a ray entered a node.
  std::uint64_t visits() const { return visits_; }
  int waiting() const { return item_count_; }
  void add(std::uint32_t node, std::uint32_t ray) { items_[item_count_++] = {node, ray}; }

  /// Starts every item; with `to_the_end` also finishes every one.
  HWY_NOINLINE void run(bool to_the_end) {
    refill();
    while (ready_count_ + parked_count_ > 0) {
      while (ready_count_ > low_water) {
        round();
        refill();
      }
      if (!to_the_end && next_item_ == item_count_) break;
      if (parked_count_ > 0) {
        unpark();
      } else {
        round();
      }
      refill();
    }
    next_item_ = item_count_ = 0;
  }

 private:
  static constexpr int low_water = 16;

  struct RaySlot {
    std::uint32_t* child;
    float* t_near;
    int size;
    std::uint32_t ray;
  };

  void refill() {
    while (free_count_ > 0 && next_item_ < item_count_) {
      const Item item = items_[next_item_++];
      if (query != RayQuery::closest && rays_[item.ray].reach < 0) continue;
      const std::uint8_t s = free_[--free_count_];
      slots_[s].child[0] = item.node;
      slots_[s].t_near[0] = 0;
      slots_[s].size = 1;
      slots_[s].ray = item.ray;
      ready_[ready_count_++] = s;
    }
  }

  HWY_INLINE void round() {
    const int n = ready_count_;
    visits_ += static_cast<std::uint64_t>(n);
    int still = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint8_t s = ready_[i];
      const int before = leaves_.size();
      step(slots_[s]);
      const bool parks = leaves_.size() != before;
      const bool over = slots_[s].size == 0;
      ready_[still] = s;
      still += !parks & !over;
      parked_[parked_count_] = s;
      parked_count_ += parks;
      free_[free_count_] = s;
      free_count_ += !parks & over;
    }
    ready_count_ = still;
  }

  HWY_INLINE void step(RaySlot& slot) {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    using F = FloatVec<n>;
    const FloatTag<n> d;
    const WordTag<n> words;
    const hn::RebindToSigned<WordTag<n>> integers;
    const RayRecord& ray = rays_[slot.ray];
    int size = slot.size - 1;
    const WideNode& node = nodes_[slot.child[size]];
    for (int part = 0; part < wide_width; part += n) {
      LaneSlab<n> gate = {F(ray.t_min), F(ray.reach)};
      for (int axis = 0; axis < 3; ++axis) {
        const PlaneRows planes = planes_of(node, octant_, axis);
        gate.cut(hn::Load(d, planes.nearer + part), hn::Load(d, planes.further + part),
                 F(ray.origin[axis]), F(ray.inverse[axis]));
      }
      const auto enters = gate.enters().m;
      const auto t_near = gate.t_near.v;
      const auto child = hn::Load(words, node.child + part);
      const auto leaf = hn::RebindMask(d, hn::Lt(hn::BitCast(integers, child), hn::Zero(integers)));
      const Compress<n> inner(hn::AndNot(leaf, enters)), hit_leaf(hn::And(leaf, enters));
      hn::StoreU(inner(child), words, slot.child + size);
      if (query == RayQuery::closest) hn::StoreU(inner(t_near), d, slot.t_near + size);
      size += inner.count();
      hn::StoreU(hit_leaf(child), words, leaves_.child());
      hn::StoreU(hit_leaf(t_near), d, leaves_.gate_near());
      hn::StoreU(hn::Set(words, slot.ray), words, leaves_.ray());
      leaves_.append(hit_leaf.count());
    }
    if (query == RayQuery::closest && size - slot.size > 0) sort(slot, slot.size - 1, size);
    slot.size = size;
    prefetch(slot);
  }

  /// Prefetches the ray's next node, which loads while other rays take their step.
  HWY_INLINE void prefetch(const RaySlot& slot) {
    const int top = slot.size - 1 + (slot.size == 0);
    const char* node = reinterpret_cast<const char*>(nodes_ + slot.child[top]);
    __builtin_prefetch(node);
    __builtin_prefetch(node + 64);
    __builtin_prefetch(node + 128);
    __builtin_prefetch(node + 192);
  }

  /// Sorts the nearest last.
  static void sort(const RaySlot& slot, int first, int end) {
    for (int i = first + 1; i < end; ++i) {
      const float t = slot.t_near[i];
      const std::uint32_t c = slot.child[i];
      int j = i;
      for (; j > first && slot.t_near[j - 1] < t; --j) {
        slot.t_near[j] = slot.t_near[j - 1];
        slot.child[j] = slot.child[j - 1];
      }
      slot.t_near[j] = t;
      slot.child[j] = c;
    }
  }

  HWY_INLINE void unpark() {
    leaves_.test();
    for (int i = 0; i < parked_count_; ++i) {
      const std::uint8_t s = parked_[i];
      RaySlot& slot = slots_[s];
      if (query == RayQuery::closest) {
        drop_beyond(slot, rays_[slot.ray].reach);
      } else if (rays_[slot.ray].reach < 0) {
        slot.size = 0;
      }
      if (slot.size == 0) {
        free_[free_count_++] = s;
      } else {
        ready_[ready_count_++] = s;
      }
    }
    parked_count_ = 0;
  }

  /// Removes entries that begin beyond the best hit.
  static HWY_INLINE void drop_beyond(RaySlot& slot, float reach) {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    const FloatTag<n> d;
    const WordTag<n> words;
    int kept = 0;
    for (int i = 0; i < slot.size; i += n) {
      const auto t = hn::LoadU(d, slot.t_near + i);
      const auto child = hn::LoadU(words, slot.child + i);
      const auto keep = hn::And(hn::Le(t, hn::Set(d, reach)),
                                hn::FirstN(d, static_cast<std::size_t>(slot.size - i)));
      const Compress<n> compress(keep);
      hn::StoreU(compress(t), d, slot.t_near + kept);
      hn::StoreU(compress(child), words, slot.child + kept);
      kept += compress.count();
    }
    slot.size = kept;
  }

  const WideNode* const nodes_;
  RayRecord* const rays_;
  const std::uint32_t octant_;
  Leaves<query>& leaves_;
  int ready_count_ = 0, parked_count_ = 0, free_count_ = slot_count;
  std::uint64_t visits_ = 0;
  int item_count_ = 0, next_item_ = 0;
  // One more than there are slots: round() writes before it knows whether to keep.
  std::uint8_t ready_[slot_count + 1], parked_[slot_count + 1], free_[slot_count + 1];
  RaySlot slots_[slot_count];
  Item items_[capacity];
};

}  // namespace sightline::detail::HWY_NAMESPACE
