// Sorts queries so that neighbours come together: they visit the same nodes and shapes, which are
// then still in the cache.
#pragma once

#include "host/backend/overlap_rows.hpp"
#include "host/cpu/rays/ray_order.hpp"
#include "host/cpu/shapes/cell_curves.hpp"
#include "host/cpu/threads.hpp"

#include <sightline/geometry/intersect/line.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace sightline::detail {

/// Sorts keys stably, and returns their indices.
class KeyOrder {
 public:
  /// Valid until the next call.
  const std::uint32_t* sort(const std::vector<std::uint32_t>& keys) {
    index_.resize(keys.size());
    if (keys.size() >= few) {
      radix_sort(keys);
    } else {
      std::iota(index_.begin(), index_.end(), 0u);
      std::sort(index_.begin(), index_.end(), [&](std::uint32_t x, std::uint32_t y) {
        return keys[x] < keys[y] || (keys[x] == keys[y] && x < y);
      });
    }
    return index_.data();
  }

 private:
  struct Keyed {
    std::uint32_t key, index;
  };
  static constexpr int digit_bits = 3 * grid_bits / 2 + 2;
  static_assert(2 * digit_bits >= 3 * grid_bits + 3);
  static constexpr std::uint32_t digits = 1u << digit_bits;
  static constexpr std::size_t few = 2048;  // below this size a comparison sort is faster

  /// Two stable passes; the second writes indices only.
  void radix_sort(const std::vector<std::uint32_t>& keys) {
    low_.assign(digits + 1, 0);
    high_.assign(digits + 1, 0);
    for (const std::uint32_t key : keys) {
      ++low_[(key & (digits - 1)) + 1];
      ++high_[(key >> digit_bits) + 1];
    }
    for (std::size_t d = 1; d < digits; ++d) {
      low_[d] += low_[d - 1];
      high_[d] += high_[d - 1];
    }
    by_low_digit_.resize(keys.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      by_low_digit_[low_[keys[i] & (digits - 1)]++] = {keys[i], i};
    }
    for (const Keyed& k : by_low_digit_) index_[high_[k.key >> digit_bits]++] = k.index;
  }

  std::vector<std::uint32_t> index_, low_, high_;
  std::vector<Keyed> by_low_digit_;
};

/// Sorts the queries of a part, along one of the curves of cell_curves.hpp.
template <auto Code = morton_code>
class QueryOrder {
 public:
  /// The sorted indices of the queries [begin, end), less begin. Valid until the next call. copy(i)
  /// is called for each in turn.
  template <class PlaceOf, class GroupOf, class Copy>
  const std::uint32_t* sort(const RayGrid& grid, std::uint64_t begin, std::uint64_t end,
                            const PlaceOf& place_of, const GroupOf& group_of, const Copy& copy) {
    keys_.resize(end - begin);
    for (std::uint64_t i = begin; i < end; ++i) {
      keys_[i - begin] = group_of(i) << (3 * grid_bits) | Code(grid, place_of(i));
      copy(i);
    }
    return order_.sort(keys_);
  }
  template <class PlaceOf, class GroupOf>
  const std::uint32_t* sort(const RayGrid& grid, std::uint64_t begin, std::uint64_t end,
                            const PlaceOf& place_of, const GroupOf& group_of) {
    return sort(grid, begin, end, place_of, group_of, [](std::uint64_t) {});
  }

 private:
  KeyOrder order_;
  std::vector<std::uint32_t> keys_;
};

/// Queries of a sorted part: many, so that neighbours are close.
inline constexpr std::uint64_t ordered_part = 1 << 18;

/// Keeps nothing of the queries of a part.
struct NoCopies {
  void begin(std::uint64_t, std::uint64_t) {}
  void copy(std::uint64_t) {}
};

/// Divides [0, n) into parts, sorts the queries of each by group (of at most 8) and along a curve
/// by position place_of(i), and calls use(state, run, copies) for runs, possibly in parallel.
/// done(begin, end) follows when all of a part are done; begin is a multiple of 64. States are as
/// in nested_parallel_for(). A thread's copies, which make_copies() makes, are told each part by
/// begin(begin, end) and each of its queries in turn by copy(i).
template <auto Code = morton_code, class PlaceOf, class GroupOf, class MakeCopies, class MakeState,
          class Use, class Done>
void for_each_in_order(const Threads& threads, std::uint64_t n, const PlaceOf& place_of,
                       const GroupOf& group_of, const MakeCopies& make_copies,
                       const MakeState& make_state, const Use& use, const Done& done) {
  struct Part {
    QueryOrder<Code> order;
    decltype(make_copies()) copies;
  };
  const RayGrid grid = grid_over(n, place_of);
  threads.for_each_part(
      n, threads.part_of(n, 64, ordered_part),
      [&] {
        return Part{{}, make_copies()};
      },
      [&](Part& part, std::uint64_t begin, std::uint64_t end) {
        part.copies.begin(begin, end);
        const std::uint32_t* index = part.order.sort(grid, begin, end, place_of, group_of,
                                                     [&](std::uint64_t i) { part.copies.copy(i); });
        nested_parallel_for(
            end - begin, most_of_run, make_state,
            [&](auto& state, std::uint64_t from, std::uint64_t to) {
              use(state, QueryRun{begin, index + from, to - from}, std::as_const(part.copies));
            });
        done(begin, end);
      });
}

}  // namespace sightline::detail
