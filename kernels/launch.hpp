// The only door to the device: every launcher, over views of device memory and a stream.
//
// A launcher puts its work into the stream and returns at once, unless it says that it waits. It
// reports no error: the caller asks the runtime after each launch. Launchers whose count is 0 do
// nothing. All pointers below are device memory unless they say otherwise.
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

/// Devices older than this compute capability have no code of ours.
inline constexpr int oldest_major = 7, oldest_minor = 5;

/// Which nodes the queries read: the builders' binary ones, one lane a ray from beginning to end,
/// or wide ones of up to 4 or 8 children, by warps that give their idle lanes new rays.
enum class NodeLayout { binary, wide4, wide8 };
inline constexpr NodeLayout default_layout = NodeLayout::wide4;
constexpr int width_of(NodeLayout layout) {
  return layout == NodeLayout::binary ? 2 : layout == NodeLayout::wide4 ? 4 : 8;
}

/// 16 bytes of a shape's numbers: spheres take 1, boxes and capsules 2, oriented boxes 4.
struct alignas(16) RecordUnit {
  float value[4];
};

/// A wide tree: QuantisedNode<4> or <8>, root first; the shapes in the order of its leaves; and
/// their ids, one for every unit. Null nodes when there are no shapes with bounds.
struct WideView {
  const void* nodes = nullptr;
  const RecordUnit* records = nullptr;
  const std::uint32_t* ids = nullptr;
};

/// How warps go through a wide tree; decides how fast, never what they answer.
struct Schedule {
  std::uint32_t refill_at = 8;   ///< idle lanes of 32 before they get new rays
  std::uint32_t leaves_at = 12;  ///< lanes that wait before their leaves are tested
  std::uint32_t batch = 1024;    ///< rays of a warp, at most; a multiple of 32 up to 1024
  /// Fewer rays each, rather than fewer batches than this: an H200 holds some 2,000 warps of these
  /// kernels, and several rounds of them even out what batches differ by.
  std::uint32_t enough_batches = 16384;
};

/// A scene on the device. Without a tree the queries are answered by brute force.
struct DeviceScene {
  ShapesView shapes;
  BvhView bvh;  ///< of the binary layout
  bool has_tree = true;
  NodeLayout layout = NodeLayout::binary;
  WideView wide{};  ///< of the others
  Schedule schedule{};
};

struct ClosestHitJob {
  DeviceScene scene;
  RaysView rays;
  HitsView hits;
  Inside inside = Inside::solid;
  CastCounts* counts = nullptr;  ///< added to; null: not counted
  std::uint64_t first_ray = 0;   ///< what rays[0] counts as in counts->first_bad_ray
  /// [rays.count]: in which order warps take the rays, see ray_order(); null: as they come. Answers
  /// stand where they would. For wide layouts; the others take the rays as they come.
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

/// Closest hits of what moves along rays, or with `blocked` any hits: bits as in AnyHitJob, and no
/// other answer.
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

/// How many shapes each ray hits, and the flags of its row, of which `first` are kept at most:
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

/// A part of a ray's row of hits: the first `count` of those that come after (t, id) of the scaled
/// ray, to elements `begin` and on. So many are there; 0: nothing is asked of this ray.
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
  float* t = nullptr;                ///< as many as the pieces count, in order within a piece
  std::uint32_t* id = nullptr;
  float* t_out = nullptr;  ///< null: not asked for
  float* last_t =
      nullptr;  ///< [rays.count]: of the scaled ray, where a piece ends; null: not asked
};
void fill_hits(Stream stream, const FillHitsJob& job);

/// Ray i against the shape of id i alone, gate included, filters left out: what the parity tests
/// compare shape by shape. rays.count <= shapes.size().
struct CastEachJob {
  ShapesView shapes;
  RaysView rays;
  HitsView hits;
  Inside inside = Inside::solid;
};
void cast_each(Stream stream, const CastEachJob& job);

/// Line of sight from each viewpoint to each target: bit j % 32 of
/// bits[i * row_words + j / 32] = target_order[j] is seen from viewpoint i; the bits from the
/// last target on to the end of the row are 0. row_words is even and >= ceil(targets / 32).
struct SightJob {
  DeviceScene scene;
  PointsView viewpoints, targets;
  const std::uint32_t* target_order = nullptr;  ///< [targets.count]; null: as they come
  SightOptions options;
  std::uint32_t* bits = nullptr;
  std::uint64_t row_words = 0;
  /// Pairs that are looked at, as bits like those; the others are not seen. Null: all. May be
  /// `bits` itself.
  const std::uint32_t* asked = nullptr;
};
void sight(Stream stream, const SightJob& job);

/// Which targets are in the field of each viewpoint, as bits like those of a SightJob. Adds the
/// ones to *in_field.
struct FieldsJob {
  PointsView viewpoints, targets;
  FieldsView fields;                            ///< of the viewpoints
  const std::uint32_t* target_order = nullptr;  ///< [targets.count]; null: as they come
  std::uint32_t* bits = nullptr;
  std::uint64_t row_words = 0;
  std::uint64_t* in_field = nullptr;
};
void fields_of_view(Stream stream, const FieldsJob& job);

/// A set against itself, in its order on both sides: bit j of row i = order[j] is seen from
/// order[i]. Each pair is traced once, in blocks of 32 x 32 that are mirrored.
struct SelfSightJob {
  DeviceScene scene;
  PointsView points;
  const std::uint32_t* order = nullptr;  ///< [points.count]; null: as they come
  SightOptions options;
  std::uint32_t* bits = nullptr;  ///< [ceil32(points.count), row_words]: rows to a multiple of 32
  std::uint64_t row_words = 0;
};
void self_sight(Stream stream, const SelfSightJob& job);

/// Puts a matrix of sight into the caller's order: bit j of output row i is bit column_rank[j] of
/// input row row_rank[first_row + i]; padding bits are 0. Adds the ones to *visible.
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

/// Line of sight from from[i] to to[i]: bits [2 * ceil(n / 64)]. Adds the ones to *visible.
struct SightPairsJob {
  DeviceScene scene;
  PointsView from, to;
  SightOptions options;
  std::uint32_t* bits = nullptr;
  std::uint64_t* visible = nullptr;
};
void sight_pairs(Stream stream, const SightPairsJob& job);

/// Adds the points that are bad, and the good ones that lie in or touch a shape.
struct PointCounts {
  std::uint64_t bad = 0, touching = 0;
};
struct CountPointsJob {
  DeviceScene scene;
  PointsView points;
  PointCounts* counts = nullptr;
};
void count_points(Stream stream, const CountPointsJob& job);

/// Shapes of one kind that ask what they overlap: [count] of Aabb, ObbFrame, Sphere or Capsule.
struct Asking {
  Kind kind = Kind::aabb;
  const void* shapes = nullptr;
  const std::uint32_t* mask = nullptr;  ///< [count]; null: all ones
  std::uint64_t count = 0;
};
/// counts[i] = how many shapes of the scene each overlaps; it stops at `most`, which is not 0.
struct CountOverlapsJob {
  DeviceScene scene;
  Asking asking;
  std::uint32_t most = 0xFFFFFFFFu;
  std::uint32_t* counts = nullptr;  ///< [asking.count]
};
void count_overlaps(Stream stream, const CountOverlapsJob& job);

/// A part of what a shape overlaps, in the order in which it comes: found `skip` up to skip +
/// count, to ids[begin] and on. count > 0; so many are there.
struct RowPiece {
  std::uint32_t skip = 0, count = 0;
  std::uint64_t begin = 0;
};
struct FillOverlapsJob {
  DeviceScene scene;
  Asking asking;
  const RowPiece* pieces = nullptr;  ///< [asking.count]
  std::uint32_t* ids = nullptr;      ///< as many as the pieces count
};
void fill_overlaps(Stream stream, const FillOverlapsJob& job);

/// The k shapes nearest to each point or segment: rows of k, in out.distance and out.id, which are
/// not null.
template <class Asked, class Out>
struct NearRowsJob {
  DeviceScene scene;
  Asked asked;
  std::uint32_t k = 1;
  float range = infinity;
  Out out;
};
using NearestJob = NearRowsJob<PointsView, NearestView>;
using ClearanceJob = NearRowsJob<PointPairsView, ClearanceView>;
void nearest(Stream stream, const NearestJob& job);
void clearance(Stream stream, const ClearanceJob& job);

/// A set of 2D shapes on the device: its shapes, and their bounds as a scene of boxes whose ids are
/// theirs.
struct FlatDeviceScene {
  DeviceScene boxes;
  FlatShapesView shapes;
};

/// As CountOverlapsJob, FillOverlapsJob and ClosestHitJob, of circles and segments in 2D.
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

/// The bounds of every shape that has any, by id: bounds [shapes.bounded()]. The same bits as the
/// host's. shapes.bounds is not read.
void shape_bounds(Stream stream, const ShapesView& shapes, Aabb* bounds);

// What follows allocates and waits for its stream.

/// Where a builder's temporary device memory comes from. `allocate` throws when there is none.
/// `release` may come while work in the builder's stream still uses the memory: until the stream is
/// done with it, it is given to later work in that stream alone.
struct Scratch {
  void* context = nullptr;
  void* (*allocate)(void* context, std::size_t bytes) = nullptr;
  void (*release)(void* context, void* memory, std::size_t bytes) = nullptr;  ///< never throws
};

/// How a tree is built. `ploc`: by rounds over all clusters, some 25 of four kernels each. `hploc`:
/// by one kernel, whose warps merge clusters where the Morton codes part (kernels/hploc.cuh); more
/// memory, and another tree of much the same quality.
enum class Builder { ploc, hploc };
inline constexpr Builder default_builder = Builder::ploc;

/// In which order the nodes of a tree are refitted: round r those of [begin[r + 1], begin[r]),
/// whose children are leaves or nodes of the rounds before it. Lives on the host.
struct TreeRounds {
  int count = 0;
  std::uint32_t begin[bvh_max_depth + 1] = {};
};

/// Nodes of the tree over so many shapes with bounds: one less than shapes, but one for one.
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

/// Sum of the half areas of all boxes, over which a refitted tree is judged; waits. Returns the
/// runtime's error code.
int tree_area(Stream stream, const BvhNode* nodes, std::uint32_t count, double* area,
              const Scratch& scratch);

/// The most nodes that widening makes of a tree over so many shapes with bounds: a node that has
/// not all its children has at least two, and leaves alone (see kernels/widen.cuh).
constexpr std::uint64_t most_wide_nodes(std::uint64_t bounded, int width) {
  return bounded / 2 + (bounded - bounded / 2) / static_cast<std::uint64_t>(width - 1) + 1;
}

/// The units of a node's leaves are counted in 5 bits.
inline constexpr std::uint32_t longest_record = 4;
/// Units of the record of a shape: its numbers, in order.
template <class Shape>
inline constexpr std::uint32_t record_units_of = (sizeof(Shape) + sizeof(RecordUnit) - 1) /
                                                 sizeof(RecordUnit);
/// Units of the records of all shapes with bounds.
SIGHTLINE_HD std::uint64_t record_units(const ShapesView& shapes) {
  std::uint64_t units = 0;
  ShapeKinds::for_each([&]<class S>(ShapeTag<S>) {
    if (is_bounded<S>) units += std::uint64_t{record_units_of<S>} * shapes.count(kind_for<S>);
  });
  return units;
}
/// The most that a node can name.
inline constexpr std::uint64_t most_record_units = 0xFFFFFFFFu;

/// Makes the wide tree of a binary one, its boxes quantised, and the records: nodes
/// [most_wide_nodes(bounded, width)] of which the first *node_count are written, records and ids
/// [record_units(shapes)], at most most_record_units. The same bytes on every device and every
/// Thrust system. Takes up to 12 bytes of scratch a node and what the scan takes. Returns the
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

/// The order of rays by the signs of their direction, then along the Morton curve of `around`, a
/// box in the domain, by where they begin, or the middle of what has an end, or what of the box is
/// nearest to that; bad rays last, ties by number: order [n], n <= 2^32 - 1. Takes 8 bytes of
/// scratch a ray and what the sort takes. Returns the runtime's error code. Does not wait: the
/// memory must outlive the work, as Scratch::release says.
int ray_order(Stream stream, const RaysView& rays, const Aabb& around, std::uint32_t* order,
              const Scratch& scratch);

}  // namespace sightline::kernels
