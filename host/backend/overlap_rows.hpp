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

/// The ids of a run, in the order of its queries.
struct RunOfIds {
  std::vector<std::uint64_t> queries;
  std::vector<std::uint32_t> ids;
};

/// Sorts the ids of each query. Every run keeps its own ids until all are counted.
template <class Queries, class View>
OverlapRows answer_overlaps(const Queries& queries, const OverlapAllOf<View>&) {
  struct Pair {
    std::uint32_t k, id;
  };
  OverlapRows rows;
  rows.offsets.resize(queries.count() + 1);
  std::mutex mutex;
  std::vector<RunOfIds> runs;
  queries.for_each_run(
      [&](const QueryRun& run, const auto& find) {
        std::vector<Pair> pairs;
        std::uint64_t place[most_of_run + 1] = {};  // of a query's ids: first begin, then end
        find([&](std::uint64_t first, std::uint32_t lanes, std::uint32_t id) {
          for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint64_t k = first + static_cast<std::uint32_t>(__builtin_ctz(lanes));
            pairs.push_back({static_cast<std::uint32_t>(k), id});
            ++place[k + 1];
          }
          return 0u;
        });
        RunOfIds found;
        for (std::uint64_t k = 0; k < run.count; ++k) {
          found.queries.push_back(run[k]);
          rows.offsets[run[k] + 1] = place[k + 1];
          place[k + 1] += place[k];
        }
        found.ids.resize(pairs.size());
        for (const Pair& pair : pairs) found.ids[place[pair.k]++] = pair.id;
        std::uint32_t* const ids = found.ids.data();
        for (std::uint64_t k = 0; k < run.count; ++k) {
          std::sort(ids + (k == 0 ? 0 : place[k - 1]), ids + place[k]);
        }
        const std::lock_guard lock(mutex);
        runs.push_back(std::move(found));
      },
      [](std::uint64_t, std::uint64_t) {});
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.ids.resize(rows.offsets.back());
  queries.for_each(runs.size(), [&](std::uint64_t r) {
    const RunOfIds run = std::move(runs[r]);
    const std::uint32_t* ids = run.ids.data();
    for (const std::uint64_t i : run.queries) {
      const std::uint64_t count = rows.offsets[i + 1] - rows.offsets[i];
      std::copy_n(ids, count, rows.ids.data() + rows.offsets[i]);
      ids += count;
    }
  });
  return rows;
}

}  // namespace sightline::detail
