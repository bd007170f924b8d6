// Traversal of a batch of rays: every node is entered once, with the list of the rays that enter
// it.
#pragma once

#include "host/cpu/rays/singles.hpp"

#include <tuple>

namespace sightline::detail::HWY_NAMESPACE {

template <RayQuery query>
class Stream {
 public:
  Stream(const TraceScene& scene, const RayBatch& batch, Leaves<query>& leaves,
         Singles<query>& singles, std::uint32_t* lists)
      : nodes_(scene.nodes),
        rays_(batch.rays),
        count_(batch.count),
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
    for (int i = 0; i < count_; ++i) {
      lists_[count] = static_cast<std::uint32_t>(i);
      count += (rays_[i].flags & record_flags::bad) == 0;
    }
    end_list(lists_ + count);
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

  /// Puts a vector of indices that may be read behind a list.
  static HWY_INLINE void end_list(std::uint32_t* end) {
    const WordTag<native_lanes> words;
    hn::StoreU(hn::Zero(words), words, end);
  }

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

  /// A node that is entered: its planes, its leaves, and the lists of its inner children.
  struct Visit {
    int leaves, children;
    /// Copied, so that they lie at fixed places: pointers to them would take up six registers.
    alignas(32) float nearer[3][wide_width], further[3][wide_width];
    typename Leaves<query>::Places leaf;
    std::uint32_t* lists;
    std::uint32_t room;  ///< of a list
    /// Where the list of an inner child begins and ends in `lists`.
    alignas(32) std::uint32_t begin[wide_width], end[wide_width];
    /// Where the first ray crosses the last of the nearer planes; for closest hit alone.
    alignas(32) float first[wide_width];
  };

  HWY_INLINE void enter(const Frame& f) {
    visits_ += static_cast<std::uint64_t>(f.count);
    const WideNode& node = nodes_[f.node];
    Visit visit;
    std::tie(visit.leaves, visit.children) = counts_of(node);
    leaves_.find_places(node, visit.leaf);
    visit.lists = f.top;
    visit.room = (static_cast<std::uint32_t>(f.count) + 15) / 16 * 16 + 16;
    set_out(node, rays_[f.list[0]], visit);
    // The child that any hit enters first would otherwise be fetched when it is already needed.
    if (query != RayQuery::closest && visit.children > visit.leaves) {
      prefetch(node.child[visit.leaves]);
    }
    for (int begin = 0; begin < f.count; begin += native_lanes) {
      test_vector(f.list + begin, f.count - begin, visit);
      if (leaves_.is_full()) leaves_.test();
    }
    if (leaves_.size() >= Leaves<query>::enough) leaves_.test();
    push_children(node, visit);
  }

  /// How many leaves, and children in all: a node has its leaves first, then inner children, then
  /// missing ones. Counted without branches, which would be unpredictable.
  static HWY_INLINE std::pair<int, int> counts_of(const WideNode& node) {
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

  /// Copies the planes, and begins the lists of the children.
  HWY_INLINE void set_out(const WideNode& node, const RayRecord& first, Visit& visit) const {
    constexpr int n = native_lanes < wide_width ? native_lanes : wide_width;
    const WordTag<n> words;
    const FloatTag<n> d;
    for (int part = 0; part < wide_width; part += n) {
      const auto child = hn::Iota(words, static_cast<std::uint32_t>(part));
      const auto inner = hn::Sub(child, hn::Set(words, static_cast<std::uint32_t>(visit.leaves)));
      const auto begin = hn::Mul(inner, hn::Set(words, visit.room));
      hn::Store(begin, words, visit.begin + part);
      hn::Store(begin, words, visit.end + part);
      FloatVec<n> t(0);
      for (int axis = 0; axis < 3; ++axis) {
        const PlaneRows planes = planes_of(node, octant_, axis);
        const FloatVec<n> nearer = hn::Load(d, planes.nearer + part);
        hn::Store(nearer.v, d, visit.nearer[axis] + part);
        hn::Store(hn::Load(d, planes.further + part), d, visit.further[axis] + part);
        t = max((nearer - FloatVec<n>(first.origin[axis])) * FloatVec<n>(first.inverse[axis]), t);
      }
      if (query == RayQuery::closest) hn::Store(t.v, d, visit.first + part);
    }
  }

  /// Tests the next vector of a list, with 8 lanes where these are enough.
  HWY_INLINE void test_vector(const std::uint32_t* list, int there, Visit& visit) {
    if constexpr (native_lanes > 8) {
      if (there <= 8) return test<8>(list, there, visit);
    }
    test<native_lanes>(list, there, visit);
  }

  template <int N>
  HWY_INLINE void test(const std::uint32_t* list, int there, Visit& visit) {
    using F = FloatVec<N>;
    const FloatTag<N> d;
    const WordTag<N> words;
    const FloatTag<4> quad;
    const RayRecord* const rays = rays_;
    const auto alive = hn::FirstN(d, static_cast<std::size_t>(there < N ? there : N));
    const auto ids = hn::LoadU(words, list);
    Quads<N> o =
        transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, rays[list[i]].origin); });
    // Lanes beyond the list enter nothing, since a reach is finite.
    o.w = F(hn::IfThenElse(alive, o.w.v, hn::Set(d, infinity)));
    const Quads<N> inverse =
        transposed<N>([&](int i) HWY_ATTR { return hn::Load(quad, rays[list[i]].inverse); });
    const F origin[3] = {o.x, o.y, o.z}, inverses[3] = {inverse.x, inverse.y, inverse.z};
    // Lanes that enter child c, and where.
    const auto entering = [&](int c, F& t_near) HWY_ATTR {
      LaneSlab<N> gate = {o.w, inverse.w};
      for (int axis = 0; axis < 3; ++axis) {
        gate.cut(F(visit.nearer[axis][c]), F(visit.further[axis][c]), origin[axis], inverses[axis]);
      }
      const auto enters = gate.enters().m;
      t_near = gate.t_near;
      return enters;
    };
    F t_near;
    for (int c = visit.leaves; c < visit.children; ++c) {
      const Compress<N> compress(entering(c, t_near));
      hn::StoreU(compress(ids), words, visit.lists + visit.end[c]);
      visit.end[c] += static_cast<std::uint32_t>(compress.count());
    }
    int found = 0;
    for (int c = 0; c < visit.leaves; ++c) {
      const Compress<N> compress(entering(c, t_near));
      auto& q = leaves_.queue(visit.leaf.queue[c]);
      const int size = q.size;
      hn::StoreU(compress(ids), words, q.ray + size);
      hn::StoreU(compress(t_near.v), d, q.gate_near + size);
      hn::StoreU(hn::Set(words, visit.leaf.shape[c]), words, q.shape + size);
      q.size = size + compress.count();
      found += compress.count();
    }
    leaves_.added(found);
  }

  /// For closest hit the child that the first ray reaches first is pushed last, to be entered
  /// first; for any hit the one that is first in the node.
  HWY_INLINE void push_children(const WideNode& node, const Visit& visit) {
    const int begin = frame_count_;
    std::uint32_t* const top =
        visit.lists + static_cast<std::uint32_t>(visit.children - visit.leaves) * visit.room;
    float key[wide_width];
    for (int c = visit.children - 1; c >= visit.leaves; --c) {
      const auto count = static_cast<int>(visit.end[c] - visit.begin[c]);
      if (count == 0) continue;
      end_list(visit.lists + visit.end[c]);
      int j = frame_count_ - begin;
      ++frame_count_;
      prefetch(node.child[c]);
      if (query == RayQuery::closest) {
        const float first = visit.first[c];
        for (; j > 0 && key[j - 1] < first; --j) {
          key[j] = key[j - 1];
          frames_[begin + j] = frames_[begin + j - 1];
        }
        key[j] = first;
      }
      frames_[begin + j] = {node.child[c], count, visit.lists + visit.begin[c], top};
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
  const RayRecord* const rays_;
  const int count_;
  const std::uint32_t octant_;
  Leaves<query>& leaves_;
  Singles<query>& singles_;
  std::uint32_t* const lists_;
  std::uint64_t visits_ = 0;
  int frame_count_ = 0;
  Frame frames_[bvh_max_depth * wide_width];
};

}  // namespace sightline::detail::HWY_NAMESPACE
