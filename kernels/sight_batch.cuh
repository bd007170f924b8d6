// Line of sight in a wide tree: warps make and trace batches of rays and store one bit for each.
#pragma once

#include "kernels/cast_batch.cuh"
#include "kernels/sight.cuh"

namespace sightline::kernels {

inline constexpr std::uint32_t tile_words = tile_columns / warp_size;

/// Rays between two points, which Pair names, if there is such a pair.
template <class Pair>
struct SightRays {
  static constexpr bool closest = false, marks = false;  // misses are marked
  static constexpr bool tiled = Pair::tiled;
  const PointsView &from, &to;
  const SightOptions& options;
  Pair pair;
  bool filtered;

  SIGHTLINE_HD SightRays(const DeviceScene& scene, const PointsView& f, const PointsView& t,
                         const SightOptions& o, const Pair& p)
      : from(f),
        to(t),
        options(o),
        pair(p),
        filtered(may_filter(scene.shapes, f) || may_filter(scene.shapes, t)) {}
  SIGHTLINE_HD Inside inside() const { return options.inside; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    std::uint64_t i = 0, j = 0;
    if (!pair.find(ray, i, j)) return Start::nothing;
    const SightQuery s = sight_query(from[i], to[j], options);
    q = s.query;
    return s.possible ? Start::trace : Start::nothing;
  }
  SIGHTLINE_HD bool counts(std::uint32_t ray, const ShapesView& shapes, std::uint32_t id) const {
    std::uint64_t i = 0, j = 0;
    pair.find(ray, i, j);
    return sightline::counts(filters_of(from, i, to, j), shapes, id);
  }
  template <class Shape, class Settle>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float, Settle& settle) {
    return {blocks_gated(q, shape, settle), 0, false};
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

/// The pairs of a tile of the matrix, one ray a bit: strips of tile_columns from word `word` on,
/// each of rows [row, row + rows).
struct MatrixPair {
  static constexpr bool tiled = true;
  const SightJob& job;
  std::uint64_t row, word;
  std::uint32_t rows;
  SIGHTLINE_HD bool find(std::uint32_t ray, std::uint64_t& i, std::uint64_t& j) const {
    std::uint64_t w = word;
    for (; ray >= rows * tile_columns; ray -= rows * tile_columns) w += tile_words;
    i = row + ray / tile_columns;
    w += ray % tile_columns / warp_size;
    const std::uint64_t target = w * warp_size + ray % warp_size;
    if (target >= job.targets.count || (job.upper && target < i)) return false;
    const std::uint32_t mask = pair_mask_word(job, i * job.row_words + w);
    if ((mask >> ray % warp_size & 1u) == 0) return false;
    i = index_at(job.row_order, i);
    j = index_at(job.target_order, target);
    return true;
  }
};

/// Pairs first + [0, ...).
struct SamePair {
  static constexpr bool tiled = false;
  std::uint64_t first;
  SIGHTLINE_HD bool find(std::uint32_t ray, std::uint64_t& i, std::uint64_t& j) const {
    i = j = first + ray;
    return true;
  }
};

/// Points first + [0, ...): marked where they lie in or touch a shape.
struct TouchRays {
  static constexpr bool closest = false, marks = true, tiled = false;
  const CountPointsJob& job;
  std::uint64_t first;
  bool filtered;

  SIGHTLINE_HD TouchRays(const CountPointsJob& j, std::uint64_t f)
      : job(j), first(f), filtered(may_filter(j.scene.shapes, j.points)) {}
  SIGHTLINE_HD Inside inside() const { return Inside::solid; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    const SightPoint p = job.points[first + ray];
    if (is_bad(p)) return Start::bad;
    q = touch_query(p);
    return Start::trace;
  }
  SIGHTLINE_HD bool counts(std::uint32_t ray, const ShapesView& shapes, std::uint32_t id) const {
    return sightline::counts(touch_query(job.points[first + ray]), shapes, id);
  }
  template <class Shape, class Settle>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float, Settle& settle) {
    return {hits_gated(q, shape, settle), 0, false};
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

/// How the job is cut into tiles of at most `rays` rays: of few rows only where it has few.
struct Tiles {
  std::uint32_t rows, strips;  ///< of a tile; the last ones perhaps of fewer
  std::uint64_t across, down;  ///< of the matrix
};
SIGHTLINE_HD Tiles tiles_of(const SightJob& job, std::uint32_t rays) {
  const std::uint32_t strips = rays < tile_columns ? 1 : rays / tile_columns;
  const std::uint64_t down = pieces(job.viewpoints.count, strips);
  const auto rows = static_cast<std::uint32_t>(pieces(job.viewpoints.count, down));
  return {rows, strips / rows, pieces(job.row_words / tile_words, strips / rows), down};
}
inline Batches batches_of(const SightJob& job) {
  const std::uint64_t pairs = job.viewpoints.count * job.row_words * warp_size;
  const std::uint32_t rays = batches_of(pairs, job.scene.schedule).size;
  if (pairs == 0) return {rays, 0};
  const Tiles tiles = tiles_of(job, rays);
  return {rays, tiles.across * tiles.down};
}
inline Batches batches_of(const SightPairsJob& job) {
  return batches_of(job.from.count, job.scene.schedule);
}
inline Batches batches_of(const CountPointsJob& job) {
  return batches_of(job.points.count, job.scene.schedule);
}

template <class Team>
struct MemoryOf<Team, SightJob> {
  using Type = TileMemory<Team>;
};

/// Tile k of the job, in tiles of at most `size` rays.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const SightJob& job, std::uint32_t size,
                            std::uint64_t k, TileMemory<Team>& memory) {
  const Tiles tiles = tiles_of(job, size);
  const std::uint64_t down = k / tiles.across, across = k % tiles.across;
  const std::uint64_t row = down * tiles.rows, word = across * tiles.strips * tile_words;
  const std::uint32_t rows = part_of_batch(job.viewpoints.count, tiles.rows, down);
  const std::uint32_t strips = part_of_batch(job.row_words / tile_words, tiles.strips, across);
  if (job.upper && (word + strips * tile_words) * warp_size <= row) return;
  const SightRays<MatrixPair> rays(job.scene, job.viewpoints, job.targets, job.options,
                                   MatrixPair{job, row, word, rows});
  search_batch<N>(team, job.scene, rays, rows * strips * tile_columns, memory);
  team.each([&](int lane) {
    const auto l = static_cast<std::uint32_t>(lane);
    if (l >= rows * strips * tile_words) return;
    const std::uint64_t i = row + l / tile_words % rows;
    const std::uint64_t w = word + l / (tile_words * rows) * tile_words + l % tile_words;
    job.bits[i * job.row_words + w] = memory.marked.read(lane);
  });
}

/// Batch k of the job.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const SightPairsJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const std::uint64_t first = k * size, end = bit_words32(job.from.count);
  const SightRays<SamePair> rays(job.scene, job.from, job.to, job.options, {first});
  search_batch<N>(team, job.scene, rays, part_of_batch(job.from.count, size, k), memory);
  const std::uint64_t words =
      first + size >= job.from.count ? end - first / warp_size : size / warp_size;
  team.each([&](int lane) {
    const auto l = static_cast<std::uint64_t>(lane);
    if (l >= words) return;
    const std::uint32_t word = memory.marked.read(lane);
    job.bits[first / warp_size + l] = word;
    if (job.visible != nullptr && word != 0) Team::add(job.visible, count_ones(word));
  });
}

/// Batch k of the job.
template <int N, class Team>
SIGHTLINE_HD void run_batch(const Team& team, const CountPointsJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const TouchRays rays(job, k * size);
  search_batch<N>(team, job.scene, rays, part_of_batch(job.points.count, size, k), memory);
  team.each([&](int lane) {
    const std::uint32_t bad = memory.bad.read(lane), touching = memory.marked.read(lane);
    if (bad != 0) Team::add(&job.counts->bad, count_ones(bad));
    if (touching != 0) Team::add(&job.counts->touching, count_ones(touching));
  });
}

/// Its pairs on and above the diagonal.
inline SightJob upper_half(const SelfSightJob& job) {
  SightJob upper = {job.scene, job.points,    job.points, job.order, job.options,
                    job.bits,  job.row_words, nullptr,    job.order};
  upper.upper = true;
  return upper;
}

/// Square k of the job, of which the upper half is traced, and its mirror image.
template <class Team>
SIGHTLINE_HD void mirror_square(const Team& team, const SelfSightJob& job, std::uint64_t k) {
  const MatrixEntry square = triangle_entry(k, pieces(job.points.count, warp_size));
  typename Team::template Lanes<std::uint32_t> word;
  team.each([&](int lane) {
    const std::uint64_t r = square.row * warp_size + static_cast<std::uint64_t>(lane);
    word[lane] = r < job.points.count ? job.bits[r * job.row_words + square.column] : 0;
  });
  store_square(team, job, square, word);
}

}  // namespace sightline::kernels
