// A batch of rays through the wide tree, many in flight on one thread.
//
// One ray alone waits for its node and then for its branches. Here every ray that is not waiting
// takes one step in turn, without branches: it takes a node off its stack, tests eight boxes, and
// puts back the inner ones that it enters. Leaves that it enters go to queues by kind; their rays
// are parked until enough pairs of a ray and a shape are there to fill the lanes.
#pragma once

#include "host/cpu/lanes/leaf_tests.hpp"

namespace sightline::detail::HWY_NAMESPACE {

inline constexpr int slot_count = 64;

/// What a ray in flight has yet to visit.
struct Stack {
  std::uint32_t* child;
  float* t_near;
  int size;
};

/// Children that rays have entered and that are leaves.
struct Candidates {
  static constexpr int capacity = slot_count * wide_width;
  int size = 0;
  alignas(64) std::uint32_t child[capacity + wide_width];
  alignas(64) float gate_near[capacity + wide_width];
  alignas(64) std::uint32_t slot[capacity + wide_width];
};

extern long g_steps, g_cands, g_rays, g_flush;
template <Ask ask>
class Traversal {
 public:
  Traversal(const TraceScene& scene, RayBatch batch, Inside inside, std::uint32_t* stack_memory)
      : scene_(scene), batch_(batch), inside_(inside) {
    const std::size_t room = stack_room(scene.depth);
    for (int s = 0; s < slot_count; ++s) {
      stacks_[s].child = stack_memory + static_cast<std::size_t>(2 * s) * room;
      stacks_[s].t_near = reinterpret_cast<float*>(stacks_[s].child + room);
      stacks_[s].size = 0;
    }
  }

  /// Entries a stack has room for: seven a level, eight at the deepest, and a vector beyond.
  static std::size_t stack_room(int depth) {
    return (static_cast<std::size_t>(depth) * 7 + 1 + 8 + 15) / 16 * 16;
  }

  void run() {
    for (int s = 0; s < slot_count; ++s) refill(s);
    while (ready_count_ > 0 || parked_count_ > 0) {
      while (ready_count_ > low_water) {
        round();
      }
      if (parked_count_ > 0) {
        test_leaves();
      } else {
        while (ready_count_ > 0) round();
      }
    }
  }

 private:
  static constexpr int low_water = 16;

  void refill(int s) {
    while (next_ < batch_.count) {
      const int ray = next_++;
      const RayRecord& r = batch_.rays[ray];
      if (r.flags & record_flags::bad) continue;
      rays_[s] = r; ++g_rays;
      ray_of_[s] = ray;
      stacks_[s].child[0] = 0;
      stacks_[s].t_near[0] = r.t_min;
      stacks_[s].size = 1;
      ready_[ready_count_++] = static_cast<std::uint8_t>(s);
      return;
    }
  }

  void round() {
    const int n = ready_count_;
    int still = 0, done = 0;
    std::uint8_t finished[slot_count];
    for (int i = 0; i < n; ++i) {
      const int s = ready_[i];
      const int before = candidates_.size;
      step(s);
      const bool parks = candidates_.size != before;
      const bool over = stacks_[s].size == 0;
      ready_[still] = static_cast<std::uint8_t>(s);
      still += !parks & !over;
      parked_[parked_count_] = static_cast<std::uint8_t>(s);
      parked_count_ += parks;
      finished[done] = static_cast<std::uint8_t>(s);
      done += !parks & over;
    }
    ready_count_ = still;
    for (int i = 0; i < done; ++i) finish(finished[i]);
  }

  HWY_INLINE void step(int s) {
    ++g_steps;
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    using F = Lanes<n>;
    const FloatTag<n> d;
    const WordTag<n> words;
    static constexpr std::uint8_t rows[8][6] = {
        {0, 8, 16, 24, 32, 40}, {24, 8, 16, 0, 32, 40}, {0, 32, 16, 24, 8, 40},
        {24, 32, 16, 0, 8, 40}, {0, 8, 40, 24, 32, 16}, {24, 8, 40, 0, 32, 16},
        {0, 32, 40, 24, 8, 16}, {24, 32, 40, 0, 8, 16}};
    const RayRecord& ray = rays_[s];
    Stack& stack = stacks_[s];
    const WideNode& node = scene_.nodes[stack.child[--stack.size]];
    const float* planes = &node.low[0][0];
    const std::uint8_t* row = rows[ray.flags & record_flags::octant];
    int size = stack.size, found = candidates_.size;
    for (int part = 0; part < wide_width; part += n) {
      F t_near(ray.t_min), t_far(ray.t_max);
      for (int axis = 0; axis < 3; ++axis) {
        const F o(ray.origin[axis]), inverse(ray.inverse[axis]);
        const F nearer = hn::Load(d, planes + row[axis] + part);
        const F further = hn::Load(d, planes + row[axis + 3] + part);
        t_near = max((nearer - o) * inverse, t_near);
        t_far = min((further - o) * inverse, t_far);
      }
      t_near = t_near * F(1.0f - 4 * 0x1p-23f);
      const auto enters = t_near <= min(t_far, F(ray.limit));
      const auto child = hn::Load(words, node.child + part);
      const hn::RebindToSigned<WordTag<n>> integers;
      const auto leaf = hn::RebindMask(
          d, hn::Lt(hn::BitCast(integers, child), hn::Zero(integers)));
      const auto inner = hn::AndNot(leaf, enters.m), hit_leaf = hn::And(leaf, enters.m);
      hn::StoreU(hn::Compress(child, hn::RebindMask(words, inner)), words, stack.child + size);
      if (ask == Ask::closest) hn::StoreU(hn::Compress(t_near.v, inner), d, stack.t_near + size);
      size += static_cast<int>(hn::CountTrue(d, inner));
      hn::StoreU(hn::Compress(child, hn::RebindMask(words, hit_leaf)), words,
                 candidates_.child + found);
      hn::StoreU(hn::Compress(t_near.v, hit_leaf), d, candidates_.gate_near + found);
      hn::StoreU(hn::Set(words, static_cast<std::uint32_t>(s)), words, candidates_.slot + found);
      found += static_cast<int>(hn::CountTrue(d, hit_leaf));
    }
    if (false) sort(stack, stack.size, size);
    stack.size = size;
    candidates_.size = found;
    prefetch(stack);
  }

  /// The node that the ray visits next, if there is one: it comes while other rays take their step.
  HWY_INLINE void prefetch(const Stack& stack) {
    const char* node = reinterpret_cast<const char*>(scene_.nodes + stack.child[stack.size > 0 ? stack.size - 1 : 0]);
    __builtin_prefetch(node);
    __builtin_prefetch(node + 64);
    __builtin_prefetch(node + 128);
    __builtin_prefetch(node + 192);
  }

  /// The nearest last.
  static void sort(const Stack& stack, int first, int end) {
    for (int i = first + 1; i < end; ++i) {
      const float t = stack.t_near[i];
      const std::uint32_t c = stack.child[i];
      int j = i;
      for (; j > first && stack.t_near[j - 1] < t; --j) {
        stack.t_near[j] = stack.t_near[j - 1];
        stack.child[j] = stack.child[j - 1];
      }
      stack.t_near[j] = t;
      stack.child[j] = c;
    }
  }

  void test_leaves() {
    const ShapesView& shapes = scene_.shapes;
    for (PairQueue& q : queues_) q.size = 0;
    for (int c = 0; c < candidates_.size; ++c) {
      const std::uint32_t id = candidates_.child[c] & ~bvh_leaf_bit;
      if (batch_.filters != nullptr &&
          !counts(batch_.filters[ray_of_[candidates_.slot[c]]], shapes, id)) {
        continue;
      }
      const int kind = (id >= shapes.begin[1]) + (id >= shapes.begin[2]) + (id >= shapes.begin[3]);
      PairQueue& q = queues_[kind];
      q.index[q.size] = id - shapes.begin[kind];
      q.slot[q.size] = candidates_.slot[c];
      q.gate_near[q.size] = candidates_.gate_near[c];
      ++q.size;
    }
    g_cands += candidates_.size; ++g_flush;
    candidates_.size = 0;
    empty<Aabb>(Kind::aabb);
    empty<ObbFrame>(Kind::obb);
    empty<Sphere>(Kind::sphere);
    empty<Capsule>(Kind::capsule);
    for (int i = 0; i < parked_count_; ++i) unpark(parked_[i]);
    parked_count_ = 0;
  }

  template <class Shape>
  HWY_NOINLINE void empty(Kind kind) {
    constexpr int n = native_lanes;
    PairQueue& q = queues_[static_cast<int>(kind)];
    if (q.size == 0) return;
    for (int i = q.size; i % n != 0; ++i) {  // lanes of a last vector that is not full
      q.index[i] = q.index[0];
      q.slot[i] = q.slot[0];
      q.gate_near[i] = 0;
    }
    for (int first = 0; first < q.size; first += n) {
      const int count = q.size - first < n ? q.size - first : n;
      const PairAnswers<n> a = test_pairs<Shape, ask, n>(scene_.shapes, rays_, q, first, count,
                                                         inside_);
      for (std::uint32_t hits = a.hits; hits != 0; hits &= hits - 1) {
        const int k = __builtin_ctz(hits);
        RayRecord& ray = rays_[q.slot[first + k]];
        const std::uint32_t id = q.index[first + k] + scene_.shapes.begin[static_cast<int>(kind)];
        if (ask != Ask::closest) {
          ray.best = id;
        } else if (a.t[k] < ray.limit || (a.t[k] == ray.limit && id < ray.best)) {
          ray.limit = a.t[k];
          ray.best = id;
          ray.flags = (ray.flags & ~record_flags::started_inside) |
                      ((a.started_inside >> k) & 1) * record_flags::started_inside;
        }
      }
    }
  }

  HWY_INLINE void unpark(int s) {
    Stack& stack = stacks_[s];
    if (ask == Ask::closest) {
      drop_beyond(stack, rays_[s].limit);
    } else if (rays_[s].best != none) {
      stack.size = 0;
    }
    if (stack.size == 0) return finish(s);
    ready_[ready_count_++] = static_cast<std::uint8_t>(s);
  }

  /// Takes out what begins beyond the best hit.
  static void drop_beyond(Stack& stack, float limit) {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    const FloatTag<n> d;
    const WordTag<n> words;
    int kept = 0;
    for (int i = 0; i < stack.size; i += n) {
      const auto t = hn::LoadU(d, stack.t_near + i);
      const auto child = hn::LoadU(words, stack.child + i);
      const auto keep = hn::And(hn::Le(t, hn::Set(d, limit)),
                                hn::FirstN(d, static_cast<std::size_t>(stack.size - i)));
      hn::StoreU(hn::Compress(t, keep), d, stack.t_near + kept);
      hn::StoreU(hn::Compress(child, hn::RebindMask(words, keep)), words, stack.child + kept);
      kept += static_cast<int>(hn::CountTrue(d, keep));
    }
    stack.size = kept;
  }

  HWY_INLINE void finish(int s) {
    RayRecord& r = batch_.rays[ray_of_[s]];
    r.best = rays_[s].best;
    r.limit = rays_[s].limit;
    r.flags = rays_[s].flags;
    refill(s);
  }

  const TraceScene scene_;
  const RayBatch batch_;
  const Inside inside_;
  int next_ = 0;
  int ready_count_ = 0, parked_count_ = 0;
  std::uint8_t ready_[2 * slot_count], parked_[slot_count + 1];
  int ray_of_[slot_count];
  alignas(64) RayRecord rays_[slot_count];
  Stack stacks_[slot_count];
  Candidates candidates_;
  PairQueue queues_[4];
};

}  // namespace sightline::detail::HWY_NAMESPACE
