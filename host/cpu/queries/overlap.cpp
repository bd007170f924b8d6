#include "host/cpu/queries/overlap.hpp"

#include "host/backend/backend.hpp"
#include "host/cpu/queries/overlap_run.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace sightline::detail {
namespace {

/// A point of the shape, its first: by where it lies it is put in order.
Vec3 place_of(const ShapesView& asking, std::uint64_t id) {
  const auto place = [&]<class S>(ShapeTag<S>, std::uint32_t i) {
    const Vec3* first = nullptr;
    const auto take = [&]<class T>(const char*, const T* column) {
      if constexpr (std::is_same_v<T, Vec3>) first = first == nullptr ? column : first;
    };
    ShapeTraits<S>::fields(take, asking.of<S>());
    return first[i];
  };
  return asking.locate_bounded(static_cast<std::uint32_t>(id), place);
}

/// Calls use(memory, run) and done(begin, end) as for_each_in_order does.
template <class Use, class Done>
void for_each_run(const WalkScene& scene, const ShapesView& asking, const Use& use,
                  const Done& done) {
  for_each_in_order(
      scene.threads, asking.size(), [&](std::uint64_t i) { return place_of(asking, i); },
      [&](std::uint64_t i) {
        return static_cast<std::uint32_t>(asking.kind_of(static_cast<std::uint32_t>(i)));
      },
      [] { return RunMemory(); }, use, done);
}

void nothing(std::uint64_t, std::uint64_t) {}

/// The ids of a run, query by query as it has them.
struct RunOfIds {
  std::vector<std::uint32_t> queries, ids;
};

}  // namespace

// A byte a query until a part is done, since runs of other threads have bits in the same words.
OverlapReport cpu_overlap_any(const WalkScene& scene, const ShapesView& asking,
                              std::uint64_t* bits) {
  std::vector<std::uint8_t> any(asking.size());
  std::atomic<std::uint64_t> overlapping{0};
  for_each_run(
      scene, asking,
      [&](RunMemory& memory, const QueryRun& run) {
        find_overlaps(scene, asking, run, memory,
                      [&](std::uint64_t k, std::uint32_t) { return any[run[k]] = 1; });
      },
      [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t here = 0;
        std::fill(bits + begin / 64, bits + words_for(end), 0);
        for (std::uint64_t i = begin; i < end; ++i) {
          bits[i / 64] |= std::uint64_t{any[i]} << i % 64;
          here += any[i];
        }
        overlapping += here;
      });
  return {asking.size(), overlapping, 0};
}

OverlapReport cpu_overlap_count(const WalkScene& scene, const ShapesView& asking,
                                std::uint32_t* counts) {
  std::atomic<std::uint64_t> overlapping{0}, pairs{0};
  for_each_run(
      scene, asking,
      [&](RunMemory& memory, const QueryRun& run) {
        std::uint32_t found[ordered_run] = {};
        find_overlaps(scene, asking, run, memory, [&](std::uint64_t k, std::uint32_t) {
          ++found[k];
          return std::uint8_t{0};
        });
        std::uint64_t overlapping_here = 0, pairs_here = 0;
        for (std::uint64_t k = 0; k < run.count; ++k) {
          counts[run[k]] = found[k];
          overlapping_here += found[k] > 0;
          pairs_here += found[k];
        }
        overlapping += overlapping_here;
        pairs += pairs_here;
      },
      nothing);
  return {asking.size(), overlapping, pairs};
}

// Every run keeps its own ids until all are counted.
OverlapRows cpu_overlap_all(const WalkScene& scene, const ShapesView& asking) {
  struct Pair {
    std::uint32_t k, id;
  };
  const std::uint64_t n = asking.size();
  OverlapRows rows;
  rows.offsets.resize(n + 1);
  std::mutex mutex;
  std::vector<RunOfIds> runs;
  for_each_run(
      scene, asking,
      [&](RunMemory& memory, const QueryRun& run) {
        std::vector<Pair> pairs;
        std::uint32_t place[ordered_run + 1] = {};  // of a query's ids: first begin, then end
        find_overlaps(scene, asking, run, memory, [&](std::uint64_t k, std::uint32_t id) {
          pairs.push_back({static_cast<std::uint32_t>(k), id});
          ++place[k + 1];
          return std::uint8_t{0};
        });
        RunOfIds found;
        for (std::uint64_t k = 0; k < run.count; ++k) {
          found.queries.push_back(static_cast<std::uint32_t>(run[k]));
          rows.offsets[run[k] + 1] = place[k + 1];
          place[k + 1] += place[k];
        }
        found.ids.resize(pairs.size());
        for (const Pair& pair : pairs) found.ids[place[pair.k]++] = pair.id;
        for (std::uint64_t k = 0; k < run.count; ++k) {
          const auto at = [&](std::uint32_t i) {
            return found.ids.begin() + static_cast<std::ptrdiff_t>(i);
          };
          std::sort(at(k == 0 ? 0 : place[k - 1]), at(place[k]));
        }
        const std::lock_guard lock(mutex);
        runs.push_back(std::move(found));
      },
      nothing);
  for (std::uint64_t i = 0; i < n; ++i) rows.offsets[i + 1] += rows.offsets[i];
  rows.ids.resize(rows.offsets[n]);
  scene.threads.for_each_part(
      runs.size(), 1, [] { return 0; },
      [&](int, std::uint64_t begin, std::uint64_t) {
        const RunOfIds run = std::move(runs[begin]);
        const std::uint32_t* ids = run.ids.data();
        for (const std::uint32_t i : run.queries) {
          const std::uint64_t count = rows.offsets[i + 1] - rows.offsets[i];
          std::copy_n(ids, count, rows.ids.data() + rows.offsets[i]);
          ids += count;
        }
      });
  return rows;
}

}  // namespace sightline::detail
