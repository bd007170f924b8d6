// The order in which a ray visits a wide node's children: eight bytes of stack for all of them.
#pragma once

#include "kernels/team.cuh"

#include <sightline/detail/quantised_node.hpp>

namespace sightline::kernels {

/// The children of one node that are still to be visited. `first` is the node of slot 0; `rest`
/// encodes the remaining slots as one of the classes below does.
struct alignas(8) Waiting {
  std::uint32_t first, rest;
};

/// Nearest first. The lower bits of `rest` list slots, the next one lowest, ended by a 1; the upper
/// bits are a lower bound of their distances, as a float without its sign.
template <int N>
class NearFirst {
 public:
  SIGHTLINE_HD static Waiting none() { return {0, 1}; }
  SIGHTLINE_HD static bool is_empty(const Waiting& w) { return (w.rest & rest_mask) == 1; }
  SIGHTLINE_HD static std::int32_t no_nearer_than(const Waiting& w) {
    return static_cast<std::int32_t>((w.rest & ~rest_mask) >> 1);
  }
  /// Pops the next node.
  SIGHTLINE_HD static std::uint32_t take(Waiting& w) {
    const std::uint32_t node = w.first + (w.rest & slot_mask);
    w.rest = (w.rest & ~rest_mask) | (w.rest & rest_mask) >> slot_bits;
    return node;
  }

  /// Adds child k, a constant; called once for each.
  template <class K>
  SIGHTLINE_HD void add(K k, std::int32_t entry) {
    key_[k] = (static_cast<std::uint32_t>(entry) & ~slot_mask) | k;
  }
  /// Of the children in `slots`, a bit each and at least one: returns the first node to visit, and
  /// the others in `rest`.
  SIGHTLINE_HD std::uint32_t take_first(std::uint32_t first_child, std::uint32_t slots,
                                        Waiting& rest) {
    std::uint32_t order = 0;
    for_each_slot<N>([&](auto k) {
      if ((slots >> k & 1u) == 0) key_[k] = nothing;
    });
    sort();
    for_each_slot<N>([&](auto k) { order |= (key_[k] & slot_mask) << slot_bits * k; });
    const std::uint32_t end = 1u << slot_bits * static_cast<int>(count_ones(slots));
    order = (order & (end - 1)) | end;
    rest = {first_child, (key_[1] << 1 & ~rest_mask) | order >> slot_bits};
    return first_child + (order & slot_mask);
  }

 private:
  static constexpr int slot_bits = N == 4 ? 2 : 3;
  static constexpr std::uint32_t slot_mask = N - 1;
  /// All children but one can be pending.
  static constexpr std::uint32_t rest_mask = (2u << (N - 1) * slot_bits) - 1;
  static constexpr std::uint32_t nothing = 0xFFFFFFFFu;  // sorts last

  SIGHTLINE_HD void put_in_order(int i, int j) {
    const std::uint32_t a = key_[i], b = key_[j];
    key_[i] = a < b ? a : b;
    key_[j] = a < b ? b : a;
  }
  /// Batcher's odd-even merge sort: 5 comparisons of 4, 19 of 8.
  SIGHTLINE_HD void sort() {
    put_in_order(0, 1), put_in_order(2, 3);
    put_in_order(0, 2), put_in_order(1, 3);
    put_in_order(1, 2);
    if constexpr (N == 8) {
      put_in_order(4, 5), put_in_order(6, 7);
      put_in_order(4, 6), put_in_order(5, 7);
      put_in_order(5, 6);
      put_in_order(0, 4), put_in_order(1, 5), put_in_order(2, 6), put_in_order(3, 7);
      put_in_order(2, 4), put_in_order(3, 5);
      put_in_order(1, 2), put_in_order(3, 4), put_in_order(5, 6);
    }
  }

  std::uint32_t key_[N];
};

/// In slot order, larger boxes first, for rays that any hit will do: `rest` has a bit for each
/// slot.
class LargeFirst {
 public:
  SIGHTLINE_HD static Waiting none() { return {0, 0}; }
  SIGHTLINE_HD static bool is_empty(const Waiting& w) { return w.rest == 0; }
  SIGHTLINE_HD static std::int32_t no_nearer_than(const Waiting&) { return 0; }
  SIGHTLINE_HD static std::uint32_t take(Waiting& w) {
    const std::uint32_t node = w.first + lowest_one(w.rest);
    w.rest &= w.rest - 1;
    return node;
  }

  template <class K>
  SIGHTLINE_HD void add(K, std::int32_t) {}
};

}  // namespace sightline::kernels
