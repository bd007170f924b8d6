#include "bench/rivals/query_rival.hpp"

#include "bench/rivals/morton.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

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

void QueryRunner::answer(const QueryTree& tree, bool sorted, const bench::QueryBatch& batch,
                         const std::string& ask, std::uint64_t n, bench::Answers& to) {
  if (ask == "nearest") {
    const auto place = [&](std::uint64_t i) { return batch.points[i]; };
    return run(sorted, n, place, [&](std::uint32_t i) {
      const Near found = tree.nearest(batch.points[i]);
      to.t[i] = found.distance;
      to.id[i] = found.id;
    });
  }
  const ShapesView queries = batch.shapes.view();
  const bool any = ask == "any", all = ask == "all";
  std::vector<std::uint32_t>& counts = ask == "count" ? to.counts : counts_;
  counts.resize(std::max<std::uint64_t>(n, counts.size()));
  // Every query has a vector of its own, kept from call to call; then the rows are put together.
  if (all && rows_.size() < n) rows_.resize(n);
  const auto place = [&](std::uint64_t i) { return middle(queries.bounds[i]); };
  run(sorted, n, place, [&](std::uint32_t i) {
    Found found{any, 0, all ? &rows_[i] : nullptr};
    if (all) rows_[i].clear();
    tree.overlaps(queries, i, found);
    if (all) std::sort(rows_[i].begin(), rows_[i].end());
    counts[i] = found.count;
  });
  if (any) {
    std::fill_n(to.bits.begin(), bit_words(n), 0);
    for (std::uint64_t i = 0; i < n; ++i) to.bits[i / 64] |= std::uint64_t{counts[i] > 0} << i % 64;
  }
  if (!all) return;
  to.offsets.assign(n + 1, 0);
  for (std::uint64_t i = 0; i < n; ++i) to.offsets[i + 1] = to.offsets[i] + rows_[i].size();
  to.id.resize(to.offsets[n]);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::ranges::copy(rows_[i], to.id.begin() + static_cast<std::ptrdiff_t>(to.offsets[i]));
  }
}

}  // namespace sightline::rivals
