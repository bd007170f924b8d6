// The order in which a ray visits a wide node's children: eight bytes of stack for all of them.
#pragma once

#include "kernels/traverse/team.cuh"

#include <sightline/geometry/bvh/quantised_node.hpp>

namespace sightline::kernels {

/// The children of one node that are still to be visited. `first` is the node of slot 0, or the one
/// before; `rest` encodes the remaining slots as one of the classes below does.
struct alignas(8) Waiting {
  std::uint32_t first, rest;
};

/// Nearest first. The three lowest digits of `rest`, of four bits, list slots, each plus one, so
/// that 0 is their end, the next one lowest; the upper bits are a lower bound of their distances,
/// as a float. `first` is the node before slot 0's.
class NearFirst {
 public:
  /// A single node, at distance 0.
  SIGHTLINE_HD static Waiting only(std::uint32_t node) { return {node - 1, 1}; }
  SIGHTLINE_HD static bool is_empty(const Waiting& w) { return (w.rest & 15u) == 0; }
  SIGHTLINE_HD static std::int32_t no_nearer_than(const Waiting& w) {
    return static_cast<std::int32_t>(w.rest & ~0xFFFu);
  }
  /// Pops the next node.
  SIGHTLINE_HD static std::uint32_t take(Waiting& w) {
    const std::uint32_t node = w.first + (w.rest & 15u);
    w.rest = (w.rest & ~0xFFFu) | (w.rest >> 4 & 0xFFu);
    return node;
  }

  /// Adds child k, a constant; called once for each. Its digit is twice in the key's lowest byte.
  template <class K>
  SIGHTLINE_HD void add(K k, std::int32_t entry) {
    const auto bits = static_cast<std::uint32_t>(entry);
#if defined(__CUDA_ARCH__)
    key_[k] = __byte_perm(bits, 0x44332211u, 0x3214u + k);
#else
    key_[k] = (bits & ~0xFFu) | (k + 1u) * 0x11u;
#endif
  }
  /// Of the children in `slots`, a bit each and at least one: returns the first node to visit, and
  /// the others in `rest`.
  SIGHTLINE_HD std::uint32_t take_first(std::uint32_t first_child, std::uint32_t slots,
                                        Waiting& rest) {
    for_each_slot<4>([&](auto k) {
      if ((slots >> k & 1u) == 0) key_[k] = 0xFFFFFF00u;  // sorts last
    });
    put_in_order(0, 1), put_in_order(2, 3);
    put_in_order(0, 2), put_in_order(1, 3);
    put_in_order(1, 2);
    const std::uint32_t two = (key_[1] & ~0xF0u) | (key_[2] & 0xF0u);
    rest = {first_child - 1, (two & ~0xF00u) | (key_[3] << 4 & 0xF00u)};
    return rest.first + (key_[0] & 15u);
  }

 private:
  SIGHTLINE_HD void put_in_order(int i, int j) {
    const std::uint32_t a = key_[i], b = key_[j];
    key_[i] = a < b ? a : b;
    key_[j] = a < b ? b : a;
  }
  std::uint32_t key_[4];
};

/// In slot order, larger boxes first, for rays that any hit will do: `rest` has a bit for each
/// slot.
class LargeFirst {
 public:
  SIGHTLINE_HD static Waiting only(std::uint32_t node) { return {node, 1}; }
  SIGHTLINE_HD static bool is_empty(const Waiting& w) { return w.rest == 0; }
  SIGHTLINE_HD static std::uint32_t take(Waiting& w) {
    const std::uint32_t node = w.first + lowest_one(w.rest);
    w.rest &= w.rest - 1;
    return node;
  }

  template <class K>
  SIGHTLINE_HD void add(K, std::int32_t) {}
};

}  // namespace sightline::kernels
