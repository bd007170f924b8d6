// Sight to whole boxes of 32 targets: which of them one shape hides from a viewpoint, and between
// which and the viewpoint there is nothing. A matrix of viewpoints and boxes, in tiles like the
// matrix of pairs, of which it then leaves less to trace.
#pragma once

#include "kernels/queries/sight.cuh"
#include "kernels/traverse/matrix_tile.cuh"
#include "kernels/traverse/wide_walk.cuh"

#include <sightline/geometry/occlusion/occluder.hpp>
#include <sightline/geometry/occlusion/shaft.hpp>

namespace sightline::kernels {

/// The job, with room for boxes only where some may be decided.
inline SightJob with_useful_boxes(SightJob job) {
  if (job.pair_mask != nullptr ||
      !may_use_boxes(job.scene, job.viewpoints, job.targets, job.options)) {
    job.box_words = nullptr;
  }
  return job;
}

/// SightJob::box_words: the boxes, one for each word of a row of pairs, then two matrices of bits
/// with a row for each viewpoint and a bit for each box.
struct BoxWords {
  bool may_hide, may_clear;
  TargetBox* boxes;            ///< [count]
  std::uint32_t *left, *seen;  ///< boxes that are not hidden; of these, those that all of are seen
  std::uint64_t count, row_words;

  SIGHTLINE_HD explicit BoxWords(const SightJob& job)
      : may_hide(may_hide_boxes(job.scene.shapes, job.options)),
        may_clear(may_clear_boxes(job.scene.shapes, job.options)),
        boxes(reinterpret_cast<TargetBox*>(job.box_words)),
        left(job.box_words + sizeof(TargetBox) / sizeof(std::uint32_t) * job.row_words),
        seen(left + job.viewpoints.count * bit_words32(job.row_words)),
        count(pieces(job.targets.count, warp_size)),
        row_words(bit_words32(job.row_words)) {}

  SIGHTLINE_HD bool is_hidden(std::uint64_t row, std::uint64_t box) const {
    return may_hide && !bit(left, row, box);
  }
  SIGHTLINE_HD bool is_seen(std::uint64_t row, std::uint64_t box) const {
    return may_clear && bit(seen, row, box);
  }
  /// Whether not all boxes of a word of bits are hidden.
  SIGHTLINE_HD bool has_any_left(std::uint64_t word) const { return !may_hide || left[word] != 0; }

 private:
  SIGHTLINE_HD bool bit(const std::uint32_t* bits, std::uint64_t row, std::uint64_t box) const {
    return (bits[row * row_words + box / warp_size] >> box % warp_size & 1u) != 0;
  }
};

/// Box k.
SIGHTLINE_HD void put_target_box(const SightJob& job, std::uint64_t k) {
  const std::uint64_t first = k * warp_size;
  TargetBox box(point_of(job.targets, job.target_order, first).position);
  for (std::uint64_t j = first + 1; j < first + warp_size && j < job.targets.count; ++j) {
    box.add(point_of(job.targets, job.target_order, j).position);
  }
  BoxWords(job).boxes[k] = box;
}

/// Boxes of a tile's columns for which nothing was gained rest for 0, 1, 3, 7 rows. In tiles of few
/// rows several boxes share a column, which affects speed only.
template <class Team>
class Rests {
 public:
  SIGHTLINE_HD void clear(int lane) {
    for (auto k = static_cast<std::uint32_t>(lane); k < tile_columns; k += warp_size) {
      words_.write(k, 0);
    }
  }
  SIGHTLINE_HD bool has(std::uint32_t column, std::uint32_t row) {
    return row < (words_.read(column) & 0xFFFFu);
  }
  SIGHTLINE_HD void learn(std::uint32_t column, std::uint32_t row, bool is_gain) {
    const std::uint32_t rows = words_.read(column) >> 16;
    words_.write(column, is_gain ? 0 : (2 * rows + 1) << 16 | (row + 1 + rows));
  }

 private:
  typename Team::template Words<tile_columns> words_;  ///< next rest << 16 | the row that ends it
};
template <class Team>
struct BoxMemory : TileMemory<Team> {
  Rests<Team> rests;
};

/// What goes from viewpoints to the boxes of a tile.
template <class Team>
struct ToBoxes {
  static constexpr bool closest = false, tiled = true;
  const SightJob& job;
  BoxWords words;
  TilePairs<Team> pairs;
  Rests<Team>& rests;

  SIGHTLINE_HD std::uint32_t column(std::uint32_t ray) const { return pairs.tile_column(ray); }
  SIGHTLINE_HD std::uint32_t row_of_tile(std::uint32_t ray) const {
    return static_cast<std::uint32_t>(pairs.row(ray) - pairs.tile.row);
  }
  SIGHTLINE_HD const TargetBox& box(std::uint32_t ray) const {
    return words.boxes[pairs.column(ray)];
  }
  SIGHTLINE_HD Vec3 viewpoint(std::uint32_t ray) const {
    return point_of(job.viewpoints, job.row_order, pairs.row(ray)).position;
  }
  /// Whether some of the box's pairs are asked, and it does not rest.
  SIGHTLINE_HD bool is_tried(std::uint32_t ray) const {
    const std::uint64_t b = pairs.column(ray);
    if (b >= words.count || (job.upper && (b + 1) * warp_size <= pairs.row(ray))) return false;
    return !rests.has(column(ray), row_of_tile(ray));
  }
  SIGHTLINE_HD void learn(std::uint32_t ray, bool is_gain) const {
    rests.learn(column(ray), row_of_tile(ray), is_gain);
  }
};

/// The ways to the boxes' middles, which end where a shape hides the whole box.
template <class Team>
struct MiddleWays : ToBoxes<Team> {
  SIGHTLINE_HD std::uint32_t first_node(std::uint32_t ray, bool) const {
    return node_at(this->job.viewpoint_nodes, this->pairs.row(ray));
  }
  static constexpr bool marks = true;  // of those that are hidden
  struct Path {
    Vec3 low, high;  ///< of the box, as seen from the viewpoint
  };
  using View = BoxViewT<OneCorner>;

  /// Whether any boxes of this word of bits may be decided.
  SIGHTLINE_HD static bool has_any(const BoxWords&, std::uint64_t) { return true; }
  SIGHTLINE_HD static void store(const BoxWords& boxes, std::uint64_t word, std::uint32_t hidden) {
    boxes.left[word] = ~hidden;
  }
  SIGHTLINE_HD View view(std::uint32_t ray) const {
    return View(this->viewpoint(ray), this->box(ray), this->job.options);
  }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query& query, Path& path) const {
    if (!this->is_tried(ray)) return Start::nothing;
    const View to = view(ray);
    const Vec3 way = to.middle();
    const auto per = [](float x) { return 1 / (x + 0.0f); };
    query.ray.line.origin = this->viewpoint(ray);
    query.ray.line.inverse = {per(way.x), per(way.y), per(way.z)};
    query.ray.t_max = 1;
    path = {to.low(), to.high()};
    return Start::trace;
  }
  /// What casts the shadow mostly reaches around it there, but along the way.
  SIGHTLINE_HD std::uint32_t children_seen(const QuantisedNode& node, const NodeRay& way,
                                           std::int32_t last, const Path& path) const {
    std::uint32_t seen = 0;
    test_children(node, way, last, [&](auto k, std::int32_t entry, bool is_met) {
      const float t = float_of(static_cast<std::uint32_t>(entry));
      const auto is_around = [&](int axis, float origin, float low, float high) {
        const float base = node.base[axis] - origin;
        return above_base(node, axis, node.low[axis], k) + base <= t * low &&
               above_base(node, axis, node.high[axis], k) + base >= t * high;
      };
      const bool x = is_around(0, way.origin.x, path.low.x, path.high.x);
      const bool y = is_around(1, way.origin.y, path.low.y, path.high.y);
      const bool z = is_around(2, way.origin.z, path.low.z, path.high.z);
      if (is_met && (x ? y || z : y && z)) seen |= 1u << k;
    });
    return seen;
  }
  template <class Shape>
  SIGHTLINE_HD bool test(std::uint32_t ray, const Shape& shape, const Path&) const {
    return view(ray).hidden_by(shape);
  }
  SIGHTLINE_HD void finish(std::uint32_t ray, bool is_hidden) const { this->learn(ray, is_hidden); }
};

/// The shafts to boxes that are not hidden, which end where a shape's bounds reach into them.
template <class Team>
struct Shafts : ToBoxes<Team> {
  static constexpr bool marks = false;  // of those that are not empty
  using Path = Shaft;

  SIGHTLINE_HD static bool has_any(const BoxWords& boxes, std::uint64_t word) {
    return boxes.has_any_left(word);
  }
  SIGHTLINE_HD static void store(const BoxWords& boxes, std::uint64_t word, std::uint32_t empty) {
    boxes.seen[word] = empty;
  }
  SIGHTLINE_HD Start start(std::uint32_t ray, Query&, Shaft& shaft) const {
    const bool is_hidden = this->words.is_hidden(this->pairs.row(ray), this->pairs.column(ray));
    if (is_hidden || !this->is_tried(ray)) return Start::nothing;
    const Vec3 viewpoint = this->viewpoint(ray);
    const TargetBox& box = this->box(ray);
    shaft = Shaft(viewpoint, box);
    const bool may_be_empty = shaft.is_usable() && box.all_good && in_domain(viewpoint);
    return may_be_empty ? Start::trace : Start::nothing;
  }
  SIGHTLINE_HD static bool enters(const Aabb& b, const Shaft& shaft) {
    const float low[3] = {b.min.x, b.min.y, b.min.z}, high[3] = {b.max.x, b.max.y, b.max.z};
    return shaft.entered_by(low, high);
  }
  SIGHTLINE_HD std::uint32_t children_seen(const QuantisedNode& node, const NodeRay&, std::int32_t,
                                           const Shaft& shaft) const {
    std::uint32_t seen = 0;
    for_each_slot<4>([&](auto k) {
      if (enters(child_box(node, k), shaft)) seen |= 1u << k;
    });
    return seen;
  }
  template <class Shape>
  SIGHTLINE_HD bool test(std::uint32_t, const Shape& shape, const Shaft& shaft) const {
    return enters(bounds(shape), shaft);
  }
  SIGHTLINE_HD void finish(std::uint32_t ray, bool is_entered) const {
    this->learn(ray, !is_entered);
  }
};

/// A search of the matrix of viewpoints and boxes of a SightJob.
template <template <class> class Search>
struct BoxJob : SightJob {};
using MiddleWaysJob = BoxJob<MiddleWays>;
using ShaftsJob = BoxJob<Shafts>;

template <class Team, template <class> class Search>
struct MemoryOf<Team, BoxJob<Search>> {
  using Type = BoxMemory<Team>;
};

/// In small tiles: in each the boxes that rest are tried again.
template <template <class> class Search>
Batches batches_of(const BoxJob<Search>& job) {
  Schedule schedule = job.scene.schedule;
  schedule.tile = schedule.batch;
  return tiles_of(job.viewpoints.count, BoxWords(job).row_words, schedule);
}

/// Tile k of the job, in tiles of at most `size` boxes.
template <class Team, template <class> class Search>
SIGHTLINE_HD void run_batch(const Team& team, const BoxJob<Search>& job, std::uint32_t size,
                            std::uint64_t k, BoxMemory<Team>& memory) {
  const BoxWords words(job);
  const Tile tile = Tiles(job.viewpoints.count, words.row_words, size)[k];
  const auto place = [&](const MatrixWord& at) { return at.row * words.row_words + at.word; };
  const std::uint32_t open = list_open_words(team, tile, memory, [&](const MatrixWord& at) {
    return at.word * warp_size < words.count && Search<Team>::has_any(words, place(at));
  });
  if (open == 0) return;
  team.each([&](int lane) { memory.rests.clear(lane); });
  const Search<Team> looks{{job, words, {tile, memory}, memory.rests}};
  search_words(team, job.scene, looks, tile, open, memory,
               [&](const MatrixWord& at, std::uint32_t marked) {
                 Search<Team>::store(words, place(at), marked);
               });
}

/// Calls search(job) for the searches that may decide boxes of the job, one after the other.
template <class F>
void search_boxes(const SightJob& job, F&& search) {
  const BoxWords words(job);
  if (words.may_hide) search(MiddleWaysJob{job});
  if (words.may_clear) search(ShaftsJob{job});
}

}  // namespace sightline::kernels
