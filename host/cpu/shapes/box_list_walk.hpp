// Traversal of a group of boxes that are close together: each node is loaded once for all of them,
// no branch depends on a single box, and shapes are prefetched before they are tested.
#pragma once

#include "host/cpu/shapes/walk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace sightline::detail {

/// The memory of such traversals.
class BoxListWalk {
 public:
  static constexpr std::uint32_t most = 256;

  /// Calls leaf(place, list, count) for every shape whose bounds overlap some of the boxes [n],
  /// with the indices of those; n <= most. Boxes whose `done` is 1, which leaf may set, are
  /// skipped, except for a few shapes that are queued already. The place is what ahead(node, slot)
  /// returns, which is called some time before.
  template <class Leaf, class Ahead>
  void run(const WideBvh& bvh, const Aabb* boxes, std::uint32_t n, const std::uint8_t* done,
           const Leaf& leaf, const Ahead& ahead) {
    if (bvh.nodes.empty()) return;
    levels_.resize(static_cast<std::size_t>(bvh.depth) + 1);
    Level* top = levels_.data();
    top->count = n;
    for (std::uint32_t k = 0; k < n; ++k) top->list[k] = static_cast<std::uint16_t>(k);
    enter(*top, bvh, 0, boxes);
    for (;;) {
      if (top->rest == 0) {
        if (top == levels_.data()) break;
        --top;
        continue;
      }
      const int c = __builtin_ctz(top->rest);
      top->rest &= top->rest - 1;
      const BvhChild child = top->node->child[c];
      if (!is_leaf(child)) {
        top[1].count = pick(*top, c, done, top[1].list);
        if (top[1].count == 0) continue;
        enter(*++top, bvh, child, boxes);
        continue;
      }
      if (waiting_ == most_waiting || room_ + most > lists_size) flush(leaf);
      const std::uint32_t count = pick(*top, c, done, lists_ + room_);
      if (count == 0) continue;
      leaves_[waiting_++] = {ahead(*top->node, c), room_, count};
      room_ += count;
    }
    flush(leaf);
  }

 private:
  /// A node on the path, and the boxes that overlap it.
  struct Level {
    const WideNode* node;
    std::uint32_t rest;   ///< children that some box overlaps, not yet visited
    std::uint32_t count;  ///< of boxes
    std::uint16_t list[most + 1];
    std::uint8_t seen[most + 64];  ///< the children that each box overlaps, none behind the last
  };
  /// A queued leaf, and its boxes.
  struct Leaf {
    std::uint32_t place, first, count;
  };
  static constexpr std::uint32_t most_waiting = 16;
  static constexpr std::uint32_t lists_size = 4 * most;

  /// Which of the 64 boxes from `first` on overlap a child, as bits.
  static std::uint64_t boxes_in(const Level& level, int child, std::uint32_t first) {
#if defined(__AVX2__)
    using Bytes = char __attribute__((vector_size(32)));
    using Words = std::int16_t __attribute__((vector_size(32)));
    const auto bits = [&](std::uint32_t at) {
      const Words seen = loaded<Words>(level.seen + at) << (7 - child);
      return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb256(Bytes(seen)));
    };
    return bits(first) | std::uint64_t{bits(first + 32)} << 32;
#else
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t bits = 0;
    for (std::uint32_t k = 0; k < 64; k += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, level.seen + first + k, sizeof(eight));
      // The product gathers the bits of eight bytes in the highest byte.
      bits |= (eight >> child & 0x0101010101010101u) * 0x0102040810204080u >> 56 << k;
    }
    return bits;
#endif
  }

  /// Writes the boxes of a node that overlap a child; the list needs room for one more.
  static std::uint32_t pick(const Level& level, int child, const std::uint8_t* done,
                            std::uint16_t* list) {
    std::uint32_t n = 0;
    for (std::uint32_t first = 0; first < level.count; first += 64) {
      for (std::uint64_t rest = boxes_in(level, child, first); rest != 0; rest &= rest - 1) {
        const std::uint16_t box =
            level.list[first + static_cast<std::uint32_t>(__builtin_ctzll(rest))];
        list[n] = box;
        n += done[box] ^ 1u;
      }
    }
    return n;
  }

  static void enter(Level& level, const WideBvh& bvh, std::uint32_t number, const Aabb* boxes) {
    const WideNode& node = bvh.nodes[number];
    std::uint32_t all = 0;
    for (std::uint32_t k = 0; k < level.count; ++k) {
      const std::uint32_t seen = children_in(node, boxes[level.list[k]]);
      level.seen[k] = static_cast<std::uint8_t>(seen);
      all |= seen;
    }
    std::fill_n(level.seen + level.count, 64, std::uint8_t{0});
    level.node = &node;
    level.rest = all;
    for (; all != 0; all &= all - 1) {
      const BvhChild child = node.child[__builtin_ctz(all)];
      if (!is_leaf(child)) prefetch(bvh.nodes[child]);
    }
  }

  template <class Use>
  void flush(const Use& leaf) {
    for (std::uint32_t k = 0; k < waiting_; ++k) {
      leaf(leaves_[k].place, lists_ + leaves_[k].first, leaves_[k].count);
    }
    waiting_ = room_ = 0;
  }

  std::vector<Level> levels_;
  std::uint32_t waiting_ = 0, room_ = 0;
  Leaf leaves_[most_waiting];
  std::uint16_t lists_[lists_size + 1];
};

}  // namespace sightline::detail
