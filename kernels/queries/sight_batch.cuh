// Line of sight in a wide tree: warps make and trace batches of rays and store one bit for each.
#pragma once

#include "kernels/queries/box_sight.cuh"
#include "kernels/queries/cast_batch.cuh"

namespace sightline::kernels {

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
  SIGHTLINE_HD RayPolicy policy() const { return options.inside; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    std::uint64_t i = 0, j = 0;
    if (!pair.find(ray, i, j)) return Start::nothing;
    const SightQuery s = sight_query(from[i], to[j], options);
    q = s.query;
    return s.possible ? Start::trace : Start::nothing;
  }
  SIGHTLINE_HD bool passes_filter(std::uint32_t ray, const ShapesView& shapes,
                                  std::uint32_t id) const {
    std::uint64_t i = 0, j = 0;
    pair.find(ray, i, j);
    return sightline::passes_filter(filters_of(from, i, to, j), shapes, id);
  }
  template <class Shape, class Fallback>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float, Fallback& fallback) {
    return {blocks_gated(q, shape, fallback), 0, false};
  }
  SIGHTLINE_HD std::uint32_t column(std::uint32_t ray) const { return pair.tile_column(ray); }
  SIGHTLINE_HD std::uint32_t first_node(std::uint32_t ray, bool blockers_pay) const
      requires(tiled) {
    return !blockers_pay ? 0 : node_at(pair.job.target_nodes, pair.column(ray));
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

/// The pairs of a tile of the matrix.
template <class Team>
struct MatrixPair : TilePairs<Team> {
  static constexpr bool tiled = true;
  const SightJob& job;
  SIGHTLINE_HD bool find(std::uint32_t ray, std::uint64_t& i, std::uint64_t& j) const {
    i = this->row(ray);
    j = this->column(ray);
    if (j >= job.targets.count || (job.upper && j < i)) return false;
    const std::uint32_t mask = pair_mask_word(job, i * job.row_words + j / warp_size);
    if ((mask >> j % warp_size & 1u) == 0) return false;
    i = index_at(job.row_order, i);
    j = index_at(job.target_order, j);
    return true;
  }
};

/// Whether some pairs of word w of row i must be traced; otherwise their bits are `settled`.
SIGHTLINE_HD bool is_open(const SightJob& job, std::uint64_t i, std::uint64_t w,
                          std::uint32_t& settled) {
  const std::uint64_t first = w * warp_size;
  settled = 0;
  if (first >= job.targets.count || (job.upper && first + warp_size <= i)) return false;
  if (pair_mask_word(job, i * job.row_words + w) == 0) return false;
  if (job.box_words == nullptr) return true;
  const BoxWords boxes(job);
  if (boxes.is_hidden(i, w)) return false;
  if (!boxes.is_seen(i, w)) return true;
  const std::uint64_t targets = job.targets.count - first;
  settled = targets < warp_size ? (1u << targets) - 1 : 0xFFFFFFFFu;
  return false;
}

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
  SIGHTLINE_HD RayPolicy policy() const { return Inside::solid; }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& q) const {
    const SightPoint p = job.points[first + ray];
    if (is_bad(p)) return Start::bad;
    q = touch_query(p);
    return Start::trace;
  }
  SIGHTLINE_HD bool passes_filter(std::uint32_t ray, const ShapesView& shapes,
                                  std::uint32_t id) const {
    return sightline::passes_filter(touch_query(job.points[first + ray]), shapes, id);
  }
  template <class Shape, class Fallback>
  SIGHTLINE_HD static Found test(const Query& q, const Shape& shape, float, Fallback& fallback) {
    return {hits_gated(q, shape, fallback), 0, false};
  }
  SIGHTLINE_HD void finish(std::uint32_t, const ScaledRay&, const Best&) const {}
};

inline Batches batches_of(const SightJob& job) {
  return tiles_of(job.viewpoints.count, job.row_words, job.scene.schedule);
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
template <class Team>
SIGHTLINE_HD void run_batch(const Team& team, const SightJob& job, std::uint32_t size,
                            std::uint64_t k, TileMemory<Team>& memory) {
  const Tile tile = Tiles(job.viewpoints.count, job.row_words, size)[k];
  const auto bits = [&](const MatrixWord& at) -> std::uint32_t& {
    return job.bits[at.row * job.row_words + at.word];
  };
  const std::uint32_t open = list_open_words(team, tile, memory, [&](const MatrixWord& at) {
    std::uint32_t settled = 0;
    const bool to_trace = is_open(job, at.row, at.word, settled);
    if (!to_trace) bits(at) = settled;
    return to_trace;
  });
  if (open == 0) return;
  const SightRays<MatrixPair<Team>> rays(job.scene, job.viewpoints, job.targets, job.options,
                                         {{tile, memory}, job});
  search_words(team, job.scene, rays, tile, open, memory,
               [&](const MatrixWord& at, std::uint32_t marked) { bits(at) = marked; });
}

/// Batch k of the job.
template <class Team>
SIGHTLINE_HD void run_batch(const Team& team, const SightPairsJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const std::uint64_t first = k * size, end = bit_words32(job.from.count);
  const SightRays<SamePair> rays(job.scene, job.from, job.to, job.options, {first});
  search_batch(team, job.scene, rays, part_of_batch(job.from.count, size, k), memory);
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
template <class Team>
SIGHTLINE_HD void run_batch(const Team& team, const CountPointsJob& job, std::uint32_t size,
                            std::uint64_t k, WideMemory<Team>& memory) {
  const TouchRays rays(job, k * size);
  search_batch(team, job.scene, rays, part_of_batch(job.points.count, size, k), memory);
  team.each([&](int lane) {
    const std::uint32_t bad = memory.bad.read(lane), touching = memory.marked.read(lane);
    if (bad != 0) Team::add(&job.counts->bad, count_ones(bad));
    if (touching != 0) Team::add(&job.counts->touching, count_ones(touching));
  });
}

}  // namespace sightline::kernels
