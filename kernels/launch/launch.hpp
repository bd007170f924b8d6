// The door to the device, with launch_*.hpp: launchers, over views of device memory and a stream.
//
// A launcher enqueues its work in the stream and returns at once, unless it says that it waits. It
// reports no errors: the caller checks cudaGetLastError() after each launch. With a count of 0
// nothing is launched. All pointers below are device memory unless they say otherwise.
#pragma once

#include "kernels/launch/filters.hpp"
#include "kernels/launch/grid.hpp"
#include "kernels/launch/launch_tree.hpp"

#include <sightline/flat_shapes.hpp>
#include <sightline/geometry/flat/flat_shapes_view.hpp>
#include <sightline/geometry/occlusion/target_box.hpp>
#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/sweep/sweeps_view.hpp>
#include <sightline/points.hpp>

namespace sightline::kernels {

/// The oldest compute capability that the code is compiled for.
inline constexpr int oldest_major = 7, oldest_minor = 5;

/// How warps traverse a wide tree; affects speed only, never answers.
struct Schedule {
  std::uint32_t refill_at = 8;     ///< idle lanes of 32 at which they get new rays; 32 at most
  std::uint32_t leaves_at = 12;    ///< lanes waiting at leaves at which leaves are tested
  std::uint32_t blockers_at = 24;  ///< the same while neighbours' blockers pay: see Blockers
  std::uint32_t batch = 1024;      ///< rays of a warp, at most; a multiple of 32, of a matrix 64
  /// Batches become smaller rather than fewer than this: as many as an H200 holds warps of these
  /// kernels. Four times as many cost 2^18 rays up to a third of their rate there, 2^21 up to 8 %.
  std::uint32_t enough_batches = 3072;
  /// Tiles of matrices grow to `tile` pairs, a multiple of 64 up to 4096, where there are enough
  /// for four to each of these warps.
  std::uint32_t tile = 4096, enough_tiles = 4 * 3072;
};

/// A scene on the device. Without a tree, queries use brute force.
struct DeviceScene {
  ShapesView shapes;
  bool has_tree = true;
  WideView wide{};
  Schedule schedule{};
};

struct ClosestHitJob {
  DeviceScene scene;
  RaysView rays;
  HitsView hits;
  RayPolicy policy = {};
  CastCounts* counts = nullptr;  ///< added to; null: not counted
  std::uint64_t first_ray = 0;   ///< the index of rays[0] in counts->first_bad_ray
};
void closest_hit(Stream stream, const ClosestHitJob& job);

/// Bits are written as 32-bit halves of the door's 64-bit words, padding included:
/// blocked [2 * ceil(n / 64)].
struct AnyHitJob {
  DeviceScene scene;
  RaysView rays;
  std::uint32_t* blocked = nullptr;
  RayPolicy policy = {};
  CastCounts* counts = nullptr;
  std::uint64_t first_ray = 0;
};
void any_hit(Stream stream, const AnyHitJob& job);

/// Closest hits of sweeps and thick rays, or, with `blocked`, any hits as bits like those of
/// AnyHitJob and no other answer.
struct SweepJob {
  DeviceScene scene;
  SweepsView sweeps;
  HitsView hits;
  std::uint32_t* blocked = nullptr;
  Inside inside = Inside::solid;
  CastCounts* counts = nullptr;
  std::uint64_t first_ray = 0;  ///< as in ClosestHitJob
};
void sweep(Stream stream, const SweepJob& job);

/// How many shapes each ray hits, and the flags of its row, which keeps at most `first` hits:
/// counts [n], flags [n].
struct CountHitsJob {
  DeviceScene scene;
  RaysView rays;
  RayPolicy policy = {};
  std::uint32_t first = none;
  std::uint32_t* counts = nullptr;
  std::uint8_t* flags = nullptr;
};
void count_hits(Stream stream, const CountHitsJob& job);

/// Winding numbers of points: numbers [points.count].
struct WindingJob {
  DeviceScene scene;
  PointsView points;
  std::int32_t* numbers = nullptr;
};
void winding(Stream stream, const WindingJob& job);

/// A part of a ray's row of hits: the `count` hits after (t, id) of the scaled ray, stored from
/// element `begin` on. So many exist; 0: none wanted of this ray.
struct HitPiece {
  std::uint64_t begin = 0;
  std::uint32_t count = 0;
  std::uint32_t after_id = 0;
  float after_t = -1;  ///< before any hit
};
struct FillHitsJob {
  DeviceScene scene;
  RaysView rays;
  RayPolicy policy = {};
  const HitPiece* pieces = nullptr;  ///< [rays.count]
  float* t = nullptr;                ///< one for each hit of the pieces, sorted within a piece
  std::uint32_t* id = nullptr;
  float* t_out = nullptr;  ///< null: not wanted
  /// [rays.count]: t of the scaled ray at the last hit of the piece; null: not wanted
  float* last_t = nullptr;
};
void fill_hits(Stream stream, const FillHitsJob& job);

/// Line of sight from each viewpoint to each target: bit j % 32 of bits[i * row_words + j / 32] is
/// set where viewpoint row_order[i] sees target_order[j]; bits past the last target are 0.
/// row_words is even and >= ceil(targets / 32).
struct SightJob {
  DeviceScene scene;
  PointsView viewpoints, targets;
  const std::uint32_t* target_order = nullptr;  ///< [targets.count]; null: by index
  SightOptions options = {};
  std::uint32_t* bits = nullptr;
  std::uint64_t row_words = 0;
  /// Which pairs to test, as bits in the same layout; the others are 0. Null: all. May be `bits`
  /// itself.
  const std::uint32_t* pair_mask = nullptr;
  /// [viewpoints.count]; null: by index. May name viewpoints beyond viewpoints.count, whose columns
  /// are longer then.
  const std::uint32_t* row_order = nullptr;
  /// Pairs on and above the diagonal alone. Of words that it crosses the others are 0 or right, of
  /// words below it arbitrary.
  bool upper = false;
  /// [box_words_of(viewpoints.count, row_words)], arbitrary: room to decide 32 targets at once,
  /// where may_use_boxes() and there is no pair_mask. Null: every pair is traced by itself.
  std::uint32_t* box_words = nullptr;
  /// The lowest nodes around them, where there is a tree: [targets.count] in target_order,
  /// [viewpoints.count] in row_order. Walks begin there; null: at the root.
  const std::uint32_t *target_nodes = nullptr, *viewpoint_nodes = nullptr;
};
/// Whether some boxes of targets may be decided as a whole: in trees, where nothing is filtered.
inline bool may_use_boxes(const DeviceScene& scene, const PointsView& viewpoints,
                          const PointsView& targets, const SightOptions& options) {
  return scene.has_tree && scene.shapes.bounded() > 0 && targets.count > 0 &&
         !may_filter(scene.shapes, viewpoints) && !may_filter(scene.shapes, targets) &&
         (may_hide_boxes(scene.shapes, options) || may_clear_boxes(scene.shapes, options));
}
/// A TargetBox for each word of a row, and two bits for each word of the matrix.
constexpr std::uint64_t box_words_of(std::uint64_t rows, std::uint64_t row_words) {
  return sizeof(TargetBox) / sizeof(std::uint32_t) * row_words + 2 * rows * bit_words32(row_words);
}
void sight(Stream stream, const SightJob& job);

/// The lowest node around each point, the root for those that no other is around. Scenes with a
/// tree.
struct LowestNodesJob {
  DeviceScene scene;
  PointsView points;
  const std::uint32_t* order = nullptr;  ///< [points.count]; null: by index
  std::uint32_t* nodes = nullptr;        ///< [points.count]: of points[order[k]]
};
void lowest_nodes(Stream stream, const LowestNodesJob& job);

/// Which targets are in the field of view of each viewpoint, as bits like those of a SightJob. Adds
/// their number to *in_field.
struct FieldsJob {
  PointsView viewpoints, targets;
  FieldsView fields;                            ///< of the viewpoints
  const std::uint32_t* target_order = nullptr;  ///< [targets.count]; null: by index
  std::uint32_t* bits = nullptr;
  std::uint64_t row_words = 0;
  std::uint64_t* in_field = nullptr;
};
void fields_of_view(Stream stream, const FieldsJob& job);

/// A set against itself, reordered on both sides: bit j of row i is set where order[i] sees
/// order[j]. Each pair is traced once, in blocks of 32 x 32 that are mirrored.
struct SelfSightJob {
  DeviceScene scene;
  PointsView points;
  const std::uint32_t* order = nullptr;  ///< [points.count]; null: by index
  SightOptions options;
  std::uint32_t* bits = nullptr;  ///< [ceil32(points.count), row_words]: rows rounded up to 32
  std::uint64_t row_words = 0;
  std::uint32_t* box_words = nullptr;    ///< as in SightJob
  const std::uint32_t* nodes = nullptr;  ///< [points.count], as SightJob::target_nodes
};
void self_sight(Stream stream, const SelfSightJob& job);

/// Restores the caller's order of a visibility matrix: bit j of output row i is bit column_rank[j]
/// of input row row_rank[first_row + i]; padding bits are 0. Adds the number of set bits to
/// *visible.
struct ReorderBitsJob {
  const std::uint32_t* in = nullptr;  ///< rows of row_words
  std::uint32_t* out = nullptr;       ///< [rows, row_words]
  std::uint64_t rows = 0, columns = 0, row_words = 0;
  std::uint64_t first_row = 0;
  const std::uint32_t* row_rank = nullptr;     ///< null: row first_row + i
  const std::uint32_t* column_rank = nullptr;  ///< [columns]; null: column j
  std::uint64_t* visible = nullptr;            ///< null: not counted
};
void reorder_bits(Stream stream, const ReorderBitsJob& job);

/// Line of sight from from[i] to to[i]: bits [2 * ceil(n / 64)]. Adds the number of set bits to
/// *visible.
struct SightPairsJob {
  DeviceScene scene;
  PointsView from, to;
  SightOptions options;
  std::uint32_t* bits = nullptr;
  std::uint64_t* visible = nullptr;
};
void sight_pairs(Stream stream, const SightPairsJob& job);

/// How many points are bad, and how many good ones lie in or touch a shape; added to.
struct PointCounts {
  std::uint64_t bad = 0, touching = 0;
};
struct CountPointsJob {
  DeviceScene scene;
  PointsView points;
  PointCounts* counts = nullptr;
};
void count_points(Stream stream, const CountPointsJob& job);

/// Query shapes of one kind with bounds: [count] of Aabb, ObbFrame, Sphere, Capsule or Triangle.
struct QueryShapes {
  Kind kind = Kind::aabb;
  const void* shapes = nullptr;
  const std::uint32_t* mask = nullptr;  ///< [count]; null: all ones
  std::uint64_t count = 0;
};
/// counts[i] = how many shapes of the scene query i overlaps, at most `most`, which is not 0.
struct CountOverlapsJob {
  DeviceScene scene;
  QueryShapes queries;
  std::uint32_t most = 0xFFFFFFFFu;
  std::uint32_t* counts = nullptr;  ///< [queries.count]
};
void count_overlaps(Stream stream, const CountOverlapsJob& job);

/// A part of a query's row, in traversal order: the hits [skip, skip + count), stored from
/// ids[begin] on. count > 0, and so many exist.
struct RowPiece {
  std::uint32_t skip = 0, count = 0;
  std::uint64_t begin = 0;
};
struct FillOverlapsJob {
  DeviceScene scene;
  QueryShapes queries;
  const RowPiece* pieces = nullptr;  ///< [queries.count]
  std::uint32_t* ids = nullptr;      ///< one for each hit of the pieces
};
void fill_overlaps(Stream stream, const FillOverlapsJob& job);

/// The k shapes nearest to each point or segment: rows of k in out.distance and out.id, which are
/// not null.
template <class Queries, class Out>
struct NearRowsJob {
  DeviceScene scene;
  Queries queries;
  std::uint32_t k = 1;
  float range = infinity;
  Out out;
};
using NearestJob = NearRowsJob<PointsView, NearestView>;
using ClearanceJob = NearRowsJob<PointPairsView, ClearanceView>;
void nearest(Stream stream, const NearestJob& job);
void clearance(Stream stream, const ClearanceJob& job);

/// A set of 2D shapes on the device, and their bounds as a scene of boxes with the same ids.
struct FlatDeviceScene {
  DeviceScene boxes;
  FlatShapesView shapes;
};

/// CountOverlapsJob, FillOverlapsJob and ClosestHitJob for circles and segments in 2D.
struct CountFlatJob {
  FlatDeviceScene scene;
  CirclesView circles;
  std::uint32_t most = 0xFFFFFFFFu;
  std::uint32_t* counts = nullptr;  ///< [circles.count]
};
void count_flat(Stream stream, const CountFlatJob& job);

struct FillFlatJob {
  FlatDeviceScene scene;
  CirclesView circles;
  const RowPiece* pieces = nullptr;  ///< [circles.count]
  std::uint32_t* ids = nullptr;
};
void fill_flat(Stream stream, const FillFlatJob& job);

struct CastFlatJob {
  FlatDeviceScene scene;
  SegmentsView segments;
  HitsView hits;
  Inside inside = Inside::solid;
};
void cast_flat(Stream stream, const CastFlatJob& job);

}  // namespace sightline::kernels
