// The only door to the device: every launcher, over views of device memory and a stream.
//
// A launcher enqueues its work in the stream and returns at once, unless it says that it waits. It
// reports no errors: the caller checks cudaGetLastError() after each launch. With a count of 0
// nothing is launched. All pointers below are device memory unless they say otherwise.
#pragma once

#include <sightline/detail/bvh.hpp>
#include <sightline/detail/quantised_node.hpp>
#include <sightline/flat/columns.hpp>
#include <sightline/flat/shapes_view.hpp>
#include <sightline/queries/fields.hpp>
#include <sightline/queries/line_of_sight.hpp>
#include <sightline/queries/nearest.hpp>
#include <sightline/queries/points.hpp>
#include <sightline/queries/sweeps.hpp>
#include <sightline/shapes/shapes.hpp>

#include <cstddef>

struct CUstream_st;

namespace sightline::kernels {

using Stream = CUstream_st*;

/// The oldest compute capability that the code is compiled for.
inline constexpr int oldest_major = 7, oldest_minor = 5;

/// Which nodes the queries read: the builders' binary ones, one lane a ray from start to end, or
/// wide ones of up to 4 or 8 children, by warps that refill idle lanes with new rays.
enum class NodeLayout { binary, wide4, wide8 };
inline constexpr NodeLayout default_layout = NodeLayout::wide4;
constexpr int width_of(NodeLayout layout) {
  return layout == NodeLayout::binary ? 2 : layout == NodeLayout::wide4 ? 4 : 8;
}

/// 16 bytes of a shape's floats: spheres take 1 unit, boxes and capsules 2, oriented boxes 4.
struct alignas(16) RecordUnit {
  float value[4];
};

/// A wide tree: QuantisedNode<4> or <8>, root first; the shapes' records in leaf order; and their
/// ids, one a unit. Null nodes where no shape has bounds.
struct WideView {
  const void* nodes = nullptr;
  const RecordUnit* records = nullptr;
  const std::uint32_t* ids = nullptr;
};

/// How warps traverse a wide tree; affects speed only, never answers.
struct Schedule {
  std::uint32_t refill_at = 8;   ///< idle lanes of 32 at which they get new rays
  std::uint32_t leaves_at = 12;  ///< lanes waiting at leaves at which leaves are tested
  std::uint32_t batch = 1024;    ///< rays of a warp, at most; a multiple of 32 up to 1024
  /// Batches become smaller rather than fewer than this: an H200 holds some 2,000 warps of these
  /// kernels, and several waves of them even out batches of different length.
  std::uint32_t enough_batches = 16384;
};

/// A scene on the device. Without a tree, queries use brute force.
struct DeviceScene {
  ShapesView shapes;
  BvhView bvh;  ///< of the binary layout
  bool has_tree = true;
  NodeLayout layout = NodeLayout::binary;
  WideView wide{};  ///< of the wide layouts
  Schedule schedule{};
};

struct ClosestHitJob {
  DeviceScene scene;
  RaysView rays;
  HitsView hits;
  Inside inside = Inside::solid;
  CastCounts* counts = nullptr;  ///< added to; null: not counted
  std::uint64_t first_ray = 0;   ///< the index of rays[0] in counts->first_bad_ray
  /// [rays.count]: the order in which warps trace the rays, see ray_order(); null: by index.
  /// Answers keep their places. Wide layouts only; the others ignore it.
  const std::uint32_t* order = nullptr;
};
void closest_hit(Stream stream, const ClosestHitJob& job);

/// Bits are written as 32-bit halves of the door's 64-bit words, padding included:
/// blocked [2 * ceil(n / 64)].
struct AnyHitJob {
  DeviceScene scene;
  RaysView rays;
  std::uint32_t* blocked = nullptr;
  Inside inside = Inside::solid;
  CastCounts* counts = nullptr;
  std::uint64_t first_ray = 0;
  const std::uint32_t* order = nullptr;  ///< as in ClosestHitJob
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
  Inside inside = Inside::solid;
  std::uint32_t first = none;
  std::uint32_t* counts = nullptr;
  std::uint8_t* flags = nullptr;
};
void count_hits(Stream stream, const CountHitsJob& job);

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
  Inside inside = Inside::solid;
  const HitPiece* pieces = nullptr;  ///< [rays.count]
  float* t = nullptr;                ///< one for each hit of the pieces, sorted within a piece
  std::uint32_t* id = nullptr;
  float* t_out = nullptr;  ///< null: not wanted
  /// [rays.count]: t of the scaled ray at the last hit of the piece; null: not wanted
  float* last_t = nullptr;
};
void fill_hits(Stream stream, const FillHitsJob& job);

/// Ray i against shape i alone, gate included, masks and exclusions ignored: for the tests that
/// compare shape by shape. rays.count <= shapes.size().
struct CastEachJob {
  ShapesView shapes;
  RaysView rays;
  HitsView hits;
  Inside inside = Inside::solid;
};
void cast_each(Stream stream, const CastEachJob& job);

/// Line of sight from each viewpoint to each target: bit j % 32 of bits[i * row_words + j / 32] is
/// set where viewpoint i sees target_order[j]; bits past the last target are 0. row_words is even
/// and >= ceil(targets / 32).
struct SightJob {
  DeviceScene scene;
  PointsView viewpoints, targets;
  const std::uint32_t* target_order = nullptr;  ///< [targets.count]; null: by index
  SightOptions options;
  std::uint32_t* bits = nullptr;
  std::uint64_t row_words = 0;
  /// Which pairs to test, as bits in the same layout; the others are 0. Null: all. May be `bits`
  /// itself.
  const std::uint32_t* pair_mask = nullptr;
};
void sight(Stream stream, const SightJob& job);

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

/// Query shapes of one kind: [count] of Aabb, ObbFrame, Sphere or Capsule.
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

/// The bounds of every bounded shape, by id: bounds [shapes.bounded()]. The same bits as the
/// host's. shapes.bounds is not read.
void shape_bounds(Stream stream, const ShapesView& shapes, Aabb* bounds);

// The functions below allocate and wait for their stream.

/// A builder's source of temporary device memory. `allocate` throws when there is none. `release`
/// may be called while work in the builder's stream still uses the memory, which may then be reused
/// by later work in that stream alone.
struct Scratch {
  void* context = nullptr;
  void* (*allocate)(void* context, std::size_t bytes) = nullptr;
  void (*release)(void* context, void* memory, std::size_t bytes) = nullptr;  ///< never throws
};

/// How a tree is built. `ploc`: about 25 rounds over all clusters, four kernels each. `hploc`: one
/// kernel, whose warps merge clusters along the hierarchy of Morton codes (kernels/hploc.cuh); more
/// memory, and another tree of similar quality.
enum class Builder { ploc, hploc };
inline constexpr Builder default_builder = Builder::ploc;

/// The order in which the nodes of a tree are refitted: round r has nodes [begin[r + 1], begin[r]),
/// whose children are leaves or nodes of earlier rounds. In host memory.
struct TreeRounds {
  int count = 0;
  std::uint32_t begin[bvh_max_depth + 1] = {};
};

/// Nodes of the tree over `bounded` shapes: one less than shapes, but one for one shape.
constexpr std::uint32_t tree_nodes(std::uint32_t bounded) {
  return bounded < 2 ? bounded : bounded - 1;
}

/// Builds the tree over the shapes with bounds (at most 2^31): nodes [tree_nodes(bounded)]. The
/// same bytes on every device and every Thrust system, by either builder. Returns the runtime's
/// error code, 0 for success. Waits.
int build_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, TreeRounds* rounds,
               const Scratch& scratch, Builder builder = default_builder);

/// Makes the boxes fit shapes that have moved. Does not wait.
void refit_tree(Stream stream, const ShapesView& shapes, BvhNode* nodes, const TreeRounds& rounds);

/// The sum of the half areas of all boxes, which tells when a refitted tree is outgrown. Waits.
/// Returns the runtime's error code.
int tree_area(Stream stream, const BvhNode* nodes, std::uint32_t count, double* area,
              const Scratch& scratch);

/// The most nodes of a wide tree over `bounded` shapes: a node that is not full has at least two
/// children, all of them leaves (see kernels/widen.cuh).
constexpr std::uint64_t most_wide_nodes(std::uint64_t bounded, int width) {
  return bounded / 2 + (bounded - bounded / 2) / static_cast<std::uint64_t>(width - 1) + 1;
}

/// The longest record, in units: a node counts its leaves' units in 5 bits.
inline constexpr std::uint32_t longest_record = 4;
/// The units of a shape's record: its floats, in order.
template <class Shape>
inline constexpr std::uint32_t record_units_of = (sizeof(Shape) + sizeof(RecordUnit) - 1) /
                                                 sizeof(RecordUnit);
/// The units of the records of all bounded shapes.
SIGHTLINE_HD std::uint64_t record_units(const ShapesView& shapes) {
  std::uint64_t units = 0;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if (is_bounded<S>) units += std::uint64_t{record_units_of<S>} * shapes.count(kind_for<S>);
  });
  return units;
}
/// The most units that a node can address.
inline constexpr std::uint64_t most_record_units = 0xFFFFFFFFu;

/// Makes the wide tree of a binary one, with quantised boxes, and the records: nodes
/// [most_wide_nodes(bounded, width)], of which the first *node_count are written; records and ids
/// [record_units(shapes)], at most most_record_units. The same bytes on every device and every
/// Thrust system. Takes up to 12 bytes of scratch a node, and what the scan takes. Returns the
/// runtime's error code. Waits.
struct WidenJob {
  ShapesView shapes;
  BvhView bvh;
  NodeLayout layout = NodeLayout::wide8;  ///< not binary
  void* nodes = nullptr;
  RecordUnit* records = nullptr;
  std::uint32_t* ids = nullptr;
};
int widen_tree(Stream stream, const WidenJob& job, std::uint32_t* node_count,
               const Scratch& scratch);

/// The order of points along the Morton curve of their bounds (bad points last), ties by index:
/// order [n] and its inverse, rank[order[k]] = k. n <= 2^32 - 1. Returns the runtime's error code.
/// Waits.
int morton_order(Stream stream, const PointsView& points, std::uint32_t* order, std::uint32_t* rank,
                 const Scratch& scratch);

/// Sorts rays by the signs of their direction, then along the Morton curve of the box `around`,
/// which lies in the domain: by their origin, or by their midpoint where they have an end, clamped
/// to the box. Bad rays last, ties by index: order [n], n <= 2^32 - 1. Takes 8 bytes of scratch a
/// ray and what the sort takes. Returns the runtime's error code. Does not wait: the memory must
/// outlive the work, as Scratch::release says.
int ray_order(Stream stream, const RaysView& rays, const Aabb& around, std::uint32_t* order,
              const Scratch& scratch);

}  // namespace sightline::kernels
