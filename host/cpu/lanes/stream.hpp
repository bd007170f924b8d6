// Traversal of a batch of rays: every node is entered once, with the list of the rays that enter
// it.
#pragma once

#include "host/cpu/lanes/singles.hpp"

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class Stream {
 public:
  Stream(const TraceScene& scene, const RayBatch& batch, Leaves<query>& leaves,
         Singles<query>& singles, std::uint32_t* lists)
      : nodes_(scene.nodes),
        batch_(batch),
        octant_(batch.octant),
        leaves_(leaves),
        singles_(singles),
        lists_(lists) {}

  /// Words of lists: eight lists a level, each with room for a vector beyond its rays.
  static std::size_t list_words(int depth, int rays) {
    return static_cast<std::size_t>(depth + 1) * wide_width * (static_cast<std::size_t>(rays) + 32);
  }

  void run() {
    int count = 0;
    for (int i = 0; i < batch_.count; ++i) {
      lists_[count] = static_cast<std::uint32_t>(i);
      count += (batch_.rays[i].flags & record_flags::bad) == 0;
    }
    std::uint32_t* const top = lists_ + count + 16;
    if (count > 0) {
      push({0, count, lists_, top});
      enter_all();
    }
    singles_.run(true);
    if (leaves_.size() > 0) leaves_.test();
  }

  /// How often a ray entered a node together with others.
  std::uint64_t visits() const { return visits_; }

 private:
  /// Fewer rays than this continue in Singles.
  static constexpr int least = 5;

  struct Frame {
    std::uint32_t node;
    int count;
    const std::uint32_t* list;
    std::uint32_t* top;  ///< free space for the lists of nodes below
  };

  void push(const Frame& f) { frames_[frame_count_++] = f; }

  HWY_INLINE void enter_all() {
    while (frame_count_ > 0) {
      const Frame f = frames_[--frame_count_];
      if (f.count < least) {
        if (singles_.waiting() + f.count > Singles<query>::capacity) singles_.run(false);
        for (int i = 0; i < f.count; ++i) singles_.add(f.node, f.list[i]);
        if (singles_.waiting() >= 128) singles_.run(false);
      } else {
        enter(f);
      }
    }
  }

  HWY_INLINE void enter(const Frame& f) {
    visits_ += static_cast<std::uint64_t>(f.count);
    const WideNode& node = nodes_[f.node];
    const auto [leaves, children] = counts_of(node);
    std::uint32_t* out[wide_width];
    int count[wide_width] = {};
    float first[wide_width] = {};
    const int room = (f.count + 15) / 16 * 16 + 16;
    for (int c = leaves; c < children; ++c) out[c] = f.top + (c - leaves) * room;
    // The child that any hit enters first would otherwise be fetched when it is already needed.
    if (query != RayQuery::closest && children > leaves) prefetch(node.child[leaves]);
    for (int begin = 0; begin < f.count; begin += native_lanes) {
      test_vector(node, children, f.list + begin, f.count - begin, out, count, first, begin == 0,
                  leaves);
      if (leaves_.size() >= Leaves<query>::room) leaves_.test();
    }
    if (leaves_.size() >= Leaves<query>::enough) leaves_.test();
    push_children(node, leaves, children, out, count, first, f.top + (children - leaves) * room);
  }

  struct ChildCounts {
    int leaves, children;
  };
  /// A node has its leaves first, then inner children, then missing ones. Counted without branches,
  /// which would be unpredictable.
  static HWY_INLINE ChildCounts counts_of(const WideNode& node) {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    const FloatTag<n> d;
    const hn::RebindToSigned<WordTag<n>> integers;
    std::uint32_t there = 0, leaf = 0;
    for (int part = 0; part < wide_width; part += n) {
      const auto child = hn::BitCast(integers, hn::Load(WordTag<n>(), node.child + part));
      const LaneMask<n> is_there =
          hn::Le(hn::Load(d, node.low[0] + part), hn::Load(d, node.high[0] + part));
      const LaneMask<n> is_leaf = hn::RebindMask(d, hn::Lt(child, hn::Zero(integers)));
      there |= bits_of_mask(is_there) << part;
      leaf |= bits_of_mask(is_there & is_leaf) << part;
    }
    return {__builtin_popcount(leaf), __builtin_popcount(there)};
  }

  /// Tests the next vector of a list, with 8 lanes where these are enough.
  HWY_INLINE void test_vector(const WideNode& node, int children, const std::uint32_t* list,
                              int there, std::uint32_t* const* out, int* count, float* first,
                              bool is_first, int leaves) {
    if constexpr (native_lanes > 8) {
      if (there <= 8)
        return test<8>(node, children, list, there, out, count, first, is_first, leaves);
    }
    test<native_lanes>(node, children, list, there, out, count, first, is_first, leaves);
  }

  template <int N>
  HWY_INLINE void test(const WideNode& node, int children, const std::uint32_t* list, int there,
                       std::uint32_t* const* out, int* count, float* first, bool is_first,
                       int leaves) {
    using F = FloatVec<N>;
    const FloatTag<N> d;
    const WordTag<N> words;
    const FloatTag<4> quad;
    const RayRecord* const rays = batch_.rays;
    const auto alive = hn::FirstN(d, static_cast<std::size_t>(there < N ? there : N));
    const auto ids = hn::IfThenElseZero(hn::RebindMask(words, alive), hn::LoadU(words, list));
    HWY_ALIGN std::uint32_t index[N];
    hn::Store(ids, words, index);
    Quads<N> o =
        transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, rays[index[i]].origin); });
    // Lanes beyond the list enter nothing, since a reach is finite.
    o.w = F(hn::IfThenElse(alive, o.w.v, hn::Set(d, infinity)));
    const Quads<N> inverse =
        transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, rays[index[i]].inverse); });
    const F origin[3] = {o.x, o.y, o.z}, inverses[3] = {inverse.x, inverse.y, inverse.z};
    const PlaneRows planes[3] = {planes_of(node, octant_, 0), planes_of(node, octant_, 1),
                                 planes_of(node, octant_, 2)};
    // Lanes that enter child c, and where.
    const auto entering = [&](int c, F& t_near) HWY_ATTR {
      LaneSlab<N> gate = {o.w, inverse.w};
      for (int axis = 0; axis < 3; ++axis) {
        gate.cut(F(planes[axis].nearer[c]), F(planes[axis].further[c]), origin[axis],
                 inverses[axis]);
      }
      const auto enters = gate.enters().m;
      t_near = gate.t_near;
      return enters;
    };
    F t_near;
    for (int c = leaves; c < children; ++c) {
      const Compress<N> compress(entering(c, t_near));
      hn::StoreU(compress(ids), words, out[c] + count[c]);
      count[c] += compress.count();
      if (is_first) first[c] = hn::GetLane(t_near.v);
    }
    if (leaves == 0) return;
    // Stores may alias, for the compiler: the leaves' own fields are read once.
    std::uint32_t* const ray = leaves_.ray();
    float* const gate_near = leaves_.gate_near();
    std::uint32_t* const child = leaves_.child();
    int found = 0;
    for (int c = 0; c < leaves; ++c) {
      const Compress<N> compress(entering(c, t_near));
      hn::StoreU(compress(ids), words, ray + found);
      hn::StoreU(compress(t_near.v), d, gate_near + found);
      hn::StoreU(hn::Set(words, node.child[c]), words, child + found);
      found += compress.count();
    }
    leaves_.append(found);
  }

  /// For closest hit the child that the first ray reaches first is pushed last, to be entered
  /// first; for any hit the one that is first in the node.
  HWY_INLINE void push_children(const WideNode& node, int leaves, int children,
                                std::uint32_t* const* out, const int* count, const float* first,
                                std::uint32_t* top) {
    const int begin = frame_count_;
    float key[wide_width];
    for (int c = children - 1; c >= leaves; --c) {
      if (count[c] == 0) continue;
      int j = frame_count_ - begin;
      ++frame_count_;
      prefetch(node.child[c]);
      if (query == RayQuery::closest) {
        for (; j > 0 && key[j - 1] < first[c]; --j) {
          key[j] = key[j - 1];
          frames_[begin + j] = frames_[begin + j - 1];
        }
        key[j] = first[c];
      }
      frames_[begin + j] = {node.child[c], count[c], out[c], top};
    }
  }

  HWY_INLINE void prefetch(std::uint32_t node) {
    const char* bytes = reinterpret_cast<const char*>(nodes_ + node);
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + 64);
    __builtin_prefetch(bytes + 128);
    __builtin_prefetch(bytes + 192);
  }

  const WideNode* const nodes_;
  const RayBatch& batch_;
  const std::uint32_t octant_;
  Leaves<query>& leaves_;
  Singles<query>& singles_;
  std::uint32_t* const lists_;
  std::uint64_t visits_ = 0;
  int frame_count_ = 0;
  Frame frames_[bvh_max_depth * wide_width];
};

}  // namespace sightline::detail::HWY_NAMESPACE
