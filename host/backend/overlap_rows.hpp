// The answers of overlaps: whether a query overlaps anything, how many shapes, or which.
//
// `Queries` has a count() and
//   for_each_run(use, done)  calls use(run, find) for runs that partition the queries, possibly in
//                            parallel; find(hit) calls hit(k, lanes, id) where queries k + i of the
//                            run, for each bit i of `lanes`, overlap a shape; k is a multiple of 8.
//                            hit returns those that need no more. Calls done(begin, end) when
//                            these queries are done; begin is a multiple of 64
//   for_each(n, use)         calls use(i) for i < n, possibly in parallel
#pragma once

#include "host/backend/queries.hpp"
#include "host/backend/report_sums.hpp"

#include <algorithm>
#include <numeric>

namespace sightline::detail {

/// Queries of a run, at most.
inline constexpr std::uint64_t most_of_run = 256;

/// Queries that are answered together: `begin` + index[k] for k < count; null index: `begin` + k.
struct QueryRun {
  std::uint64_t begin;
  const std::uint32_t* index;
  std::uint64_t count;

  std::uint64_t operator[](std::uint64_t k) const {
    return begin + (index == nullptr ? k : index[k]);
  }
};

/// hit() of one query: whether it needs no more.
template <class Hit>
bool hit_one(const Hit& hit, std::uint64_t k, std::uint32_t id) {
  return hit(k / 8 * 8, 1u << k % 8, id) != 0;
}

/// The Queries of a backend that asks one after the other. find_one(i, leaf) calls leaf(id) for
/// every shape that query i overlaps, until leaf returns true.
template <class Search, class FindOne>
struct QueriesInTurn {
  const Search& search;
  std::uint64_t queries;
  FindOne find_one;

  std::uint64_t count() const { return queries; }
  template <class Use, class Done>
  void for_each_run(const Use& use, const Done& done) const {
    search.for_each_part(queries, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t first = begin; first < end; first += most_of_run) {
        const QueryRun run = {first, nullptr, std::min(end - first, most_of_run)};
        use(run, [&](const auto& hit) {
          for (std::uint64_t k = 0; k < run.count; ++k) {
            find_one(run[k], [&](std::uint32_t id) { return hit_one(hit, k, id); });
          }
        });
      }
      done(begin, end);
    });
  }
  template <class Use>
  void for_each(std::uint64_t n, const Use& use) const {
    search.for_each_part(n, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) use(i);
    });
  }
};

/// One byte a query until done(), since other threads' runs share the words.
template <class Queries, class View>
OverlapReport answer_overlaps(const Queries& queries, const OverlapAnyOf<View>& asked) {
  std::uint64_t* const bits = asked.bits;
  std::vector<std::uint8_t> any(queries.count());
  ReportSum<OverlapReport> sum;
  queries.for_each_run(
      [&](const QueryRun& run, const auto& find) {
        std::uint32_t found[most_of_run / 8] = {};
        find([&](std::uint64_t k, std::uint32_t lanes, std::uint32_t) {
          found[k / 8] |= lanes;
          return lanes;
        });
        for (std::uint64_t k = 0; k < run.count; ++k) any[run[k]] = found[k / 8] >> k % 8 & 1;
      },
      [&](std::uint64_t begin, std::uint64_t end) {
        OverlapReport here{end - begin, 0, 0};
        std::fill(bits + begin / 64, bits + bit_words(end), 0);
        for (std::uint64_t i = begin; i < end; ++i) {
          bits[i / 64] |= std::uint64_t{any[i]} << i % 64;
          here.overlapping += any[i];
        }
        sum += here;
      });
  return sum.total();
}

template <class Queries, class View>
OverlapReport answer_overlaps(const Queries& queries, const OverlapCountOf<View>& asked) {
  ReportSum<OverlapReport> sum;
  queries.for_each_run(
      [&](const QueryRun& run, const auto& find) {
        std::uint32_t found[most_of_run] = {};
        find([&](std::uint64_t k, std::uint32_t lanes, std::uint32_t) {
          for (std::uint32_t i = 0; i < 8; ++i) found[k + i] += lanes >> i & 1;
          return 0u;
        });
        OverlapReport here{run.count, 0, 0};
        for (std::uint64_t k = 0; k < run.count; ++k) {
          asked.counts[run[k]] = found[k];
          here.overlapping += found[k] > 0;
          here.pairs += found[k];
        }
        sum += here;
      },
      [](std::uint64_t, std::uint64_t) {});
  return sum.total();
}

/// The ids of the shapes that the queries of a run overlap. Most queries overlap few, so these have
/// places of their own, and no branch depends on their number.
class RunIds {
 public:
  /// Of queries first + i, for each bit i of `lanes`; `first` is a multiple of 8.
  void add(std::uint64_t first, std::uint32_t lanes, std::uint32_t id) {
    std::uint32_t* const count = count_ + first;
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < 8; ++i) most = std::max(most, count[i]);
    if ((lanes & (lanes - 1)) != 0 && most < places) {
      for (std::uint32_t i = 0; i < 8; ++i) {
        place_[first + i][count[i]] = id;
        count[i] += lanes >> i & 1;
      }
      return;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
      const std::uint64_t k = first + static_cast<std::uint32_t>(__builtin_ctz(lanes));
      const std::uint32_t before = count_[k]++;
      if (before < places) {
        place_[k][before] = id;
      } else {
        rest_.push_back({static_cast<std::uint32_t>(k), id});
      }
    }
  }
  std::uint32_t count(std::uint64_t k) const { return count_[k]; }

  /// The first so many numbers of a row are read and written whatever its length.
  static constexpr std::uint64_t few = 4;

  /// The sorted ids of n queries in turn, and `few` numbers more. Calls begins(k, its ids).
  template <class Begins>
  std::vector<std::uint32_t> rows(std::uint64_t n, const Begins& begins) const {
    std::vector<std::uint32_t> ids(std::accumulate(count_, count_ + n, few));
    std::uint32_t* row[most_of_run];
    std::uint32_t* next = ids.data();
    for (std::uint64_t k = 0; k < n; ++k) {
      row[k] = next;
      if (count_[k] <= few) {
        write_few(place_[k], count_[k], next);
      } else {
        std::copy_n(place_[k], std::min(count_[k], places), next);
      }
      begins(k, next);
      next += count_[k];
    }
    std::uint32_t* behind[most_of_run];
    for (std::uint64_t k = 0; k < n; ++k) behind[k] = row[k] + places;
    for (const Behind& b : rest_) *behind[b.k]++ = b.id;
    for (std::uint64_t k = 0; k < n; ++k) {
      if (count_[k] > few) std::sort(row[k], row[k] + count_[k]);
    }
    return ids;
  }

 private:
  /// An id for which its query has no place.
  struct Behind {
    std::uint32_t k, id;
  };
  static constexpr std::uint32_t places = 8;

  /// Numbers behind the last become `none`, the greatest.
  static void write_few(const std::uint32_t* from, std::uint32_t count, std::uint32_t* to) {
    std::uint32_t id[few];
    for (std::uint32_t k = 0; k < few; ++k) id[k] = from[k] | (0u - std::uint32_t{k >= count});
    const auto order = [&](int a, int b) {
      const std::uint32_t x = id[a], y = id[b];
      id[a] = std::min(x, y);
      id[b] = std::max(x, y);
    };
    order(0, 1), order(2, 3), order(0, 2), order(1, 3), order(1, 2);
    std::copy_n(id, few, to);
  }

  std::uint32_t count_[most_of_run] = {};
  std::uint32_t place_[most_of_run][places] = {};
  std::vector<Behind> rest_;
};

/// Sorts the ids of each query. Every run keeps its own ids until all are counted; then rows are
/// written one behind the other.
template <class Queries, class View>
OverlapRows answer_overlaps(const Queries& queries, const OverlapAllOf<View>&) {
  constexpr std::uint64_t rows_of_block = 4096;
  const std::uint64_t n = queries.count();
  OverlapRows rows;
  rows.offsets.resize(n + 1);
  std::vector<const std::uint32_t*> ids_of(n);  // of each query, in those of its run
  std::mutex mutex;
  std::vector<std::vector<std::uint32_t>> runs;
  queries.for_each_run(
      [&](const QueryRun& run, const auto& find) {
        RunIds found;
        find([&](std::uint64_t first, std::uint32_t lanes, std::uint32_t id) {
          found.add(first, lanes, id);
          return 0u;
        });
        std::vector<std::uint32_t> ids =
            found.rows(run.count, [&](std::uint64_t k, const std::uint32_t* begin) {
              rows.offsets[run[k] + 1] = found.count(k);
              ids_of[run[k]] = begin;
            });
        const std::lock_guard lock(mutex);
        runs.push_back(std::move(ids));
      },
      [](std::uint64_t, std::uint64_t) {});
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.ids.resize(rows.offsets.back());
  queries.for_each((n + rows_of_block - 1) / rows_of_block, [&](std::uint64_t block) {
    const std::uint64_t begin = block * rows_of_block, end = std::min(n, begin + rows_of_block);
    const std::uint64_t* const offsets = rows.offsets.data();
    const std::uint32_t* const* const from = ids_of.data();
    std::uint32_t* const ids = rows.ids.data();
    const std::uint64_t last = offsets[end];
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t first = offsets[i], count = offsets[i + 1] - first;
      // What is copied too much lies in later rows of this block, which overwrite it.
      const bool few = count <= RunIds::few && last - first >= RunIds::few;
      if (few) {
        std::copy_n(from[i], RunIds::few, ids + first);
      } else {
        std::copy_n(from[i], count, ids + first);
      }
    }
  });
  return rows;
}

}  // namespace sightline::detail
