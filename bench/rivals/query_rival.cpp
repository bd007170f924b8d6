#include "bench/rivals/query_rival.hpp"

#include "bench/rivals/morton.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <algorithm>

namespace sightline::rivals {
namespace {

constexpr std::uint64_t part = 512;

Vec3 middle(const Aabb& b) {
  return {0.5f * (b.min.x + b.max.x), 0.5f * (b.min.y + b.max.y), 0.5f * (b.min.z + b.max.z)};
}

}  // namespace

QueryRunner::QueryRunner(int threads) : arena_(threads) {
  // Without this, more threads than cores would quietly be fewer.
  if (threads > tbb::info::default_concurrency()) {
    more_threads_.emplace(tbb::global_control::max_allowed_parallelism,
                          static_cast<std::size_t>(threads));
  }
}

template <class PlaceOf, class Ask>
void QueryRunner::run(bool sorted, std::uint64_t n, const PlaceOf& place_of, const Ask& ask) {
  arena_.execute([&] {
    if (sorted) {
      Aabb all = empty_aabb();
      for (std::uint64_t i = 0; i < n; ++i) {
        const Vec3 p = place_of(i);
        all = unite(all, {p, p});
      }
      const MortonGrid grid(all);
      keys_.resize(n);
      tbb::parallel_for(std::uint64_t{0}, n, [&](std::uint64_t i) {
        keys_[i] = std::uint64_t{grid.code(place_of(i))} << 32 | i;
      });
      tbb::parallel_sort(keys_.begin(), keys_.end());
    }
    tbb::parallel_for(std::uint64_t{0}, (n + part - 1) / part, [&](std::uint64_t p) {
      for (std::uint64_t k = p * part; k < std::min(n, (p + 1) * part); ++k) {
        ask(sorted ? static_cast<std::uint32_t>(keys_[k]) : static_cast<std::uint32_t>(k));
      }
    });
  });
}

void QueryRunner::any(const QueryTree& tree, bool sorted, const ShapesView& queries,
                      std::uint64_t n, std::uint64_t* bits) {
  bytes_.resize(n);
  run(
      sorted, n, [&](std::uint64_t i) { return middle(queries.bounds[i]); },
      [&](std::uint32_t i) {
        Found found{true};
        tree.overlaps(queries, i, found);
        bytes_[i] = found.count > 0;
      });
  std::fill_n(bits, (n + 63) / 64, 0);
  for (std::uint64_t i = 0; i < n; ++i) bits[i / 64] |= std::uint64_t{bytes_[i]} << i % 64;
}

void QueryRunner::count(const QueryTree& tree, bool sorted, const ShapesView& queries,
                        std::uint64_t n, std::uint32_t* counts) {
  run(
      sorted, n, [&](std::uint64_t i) { return middle(queries.bounds[i]); },
      [&](std::uint32_t i) {
        Found found{false};
        tree.overlaps(queries, i, found);
        counts[i] = found.count;
      });
}

// Every query has a vector of its own, kept from call to call; then the rows are put together.
void QueryRunner::all(const QueryTree& tree, bool sorted, const ShapesView& queries,
                      std::uint64_t n, OverlapRows& rows) {
  if (rows_.size() < n) rows_.resize(n);
  run(
      sorted, n, [&](std::uint64_t i) { return middle(queries.bounds[i]); },
      [&](std::uint32_t i) {
        rows_[i].clear();
        Found found{false, 0, &rows_[i]};
        tree.overlaps(queries, i, found);
        std::sort(rows_[i].begin(), rows_[i].end());
      });
  rows.offsets.assign(n + 1, 0);
  for (std::uint64_t i = 0; i < n; ++i) rows.offsets[i + 1] = rows.offsets[i] + rows_[i].size();
  rows.ids.resize(rows.offsets[n]);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::copy(rows_[i].begin(), rows_[i].end(),
              rows.ids.begin() + static_cast<std::ptrdiff_t>(rows.offsets[i]));
  }
}

void QueryRunner::nearest(const QueryTree& tree, bool sorted, const Vec3* points, std::uint64_t n,
                          float* distance, std::uint32_t* id) {
  run(
      sorted, n, [&](std::uint64_t i) { return points[i]; },
      [&](std::uint32_t i) {
        const Near found = tree.nearest(points[i]);
        distance[i] = found.distance;
        id[i] = found.id;
      });
}

}  // namespace sightline::rivals
