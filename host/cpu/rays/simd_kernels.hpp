// What is compiled once per instruction set: rays in the wide tree, brute force, few shapes. The
// set is chosen at run time (simd_dispatch.hpp).
#pragma once

#include "host/cpu/rays/ray_record.hpp"
#include "host/cpu/shapes/shape_kernels.hpp"

#include <sightline/geometry/occlusion/target_box.hpp>

namespace sightline::detail {

/// One instruction set's code for rays of one source.
template <class Source>
struct SourceKernels {
  /// Writes the sort keys [count] of the source's rays, whose highest bits are the octant, and the
  /// others the place in the grid, where there is one; `keys` has room for 16 more. Also copies the
  /// rays, as place() does, where `copy` is not null.
  void (*collect)(const Source& source, std::uint64_t count, const RayGrid* grid,
                  std::uint32_t* keys, RawRay* copy);
  /// Moves the source's rays [count] into buckets: ray i to to[position], with
  /// position = next[keys[i] >> shift]++, which keys[i] becomes. Segments that cannot be clear in
  /// any scene (see sight_query()) become bad rays.
  void (*place)(const Source& source, std::uint64_t count, int shift, std::uint32_t* next,
                std::uint32_t* keys, RawRay* to);
  /// Traces rays [first, first + packet_size) of the source as a packet if they run close together,
  /// relative to the scene's leaves, and returns how many hit; else no_packet. Filters are of these
  /// rays, or null where nothing is filtered.
  int (*trace_packet)(const TraceScene& scene, const Source& source, std::uint64_t first,
                      RayQuery query, RayPolicy policy, const RayFilter* filters,
                      const PacketAnswers& answers);
};

/// Targets are sorted by the cell of their direction, of fan_cells in all.
inline constexpr int fan_key_bits = 12;
inline constexpr std::uint32_t fan_cells = 1u << fan_key_bits;
struct alignas(16) FanTarget {
  float position[4];  ///< the last is arbitrary
};

/// Targets that follow each other lie in boxes: 16 in a box of the lowest level, four boxes in one
/// of the level above.
inline constexpr int fan_box_levels = 3;
constexpr std::uint32_t targets_in_box(int level) { return 16u << 2 * level; }
/// When to try again what has failed: 0, 1, 3, ... 31 fans later.
struct FanRest {
  std::uint32_t left = 0, next = 0;

  bool is_over() {
    if (left == 0) return true;
    --left;
    return false;
  }
  void lengthen() {
    left = next;
    if (next < 31) next = 2 * next + 1;
  }
  void end() { next = 0; }
};
struct FanBox : TargetBox {
  /// What hid all of its targets from a viewpoint last, as eight times the node plus the slot, or
  /// none; and, if these were two halves of a wall, the other one.
  std::uint32_t leaf = none, other = none;
  FanRest rest = {};
};
/// Puts target k, which comes after k - 1, into its box of a level.
inline void add_to_boxes(std::vector<FanBox>& boxes, int level, std::uint32_t k, const Vec3& p) {
  if (k % targets_in_box(level) == 0) boxes.push_back({TargetBox(p)});
  boxes.back().add(p);
}

/// The segments from one viewpoint to targets [first, count). Arrays of targets have room for 16
/// more.
struct Fan {
  Vec3 viewpoint;
  const FanTarget* targets;
  std::uint32_t first, count;
  SightOptions options;
  FanBox* boxes[fan_box_levels];
  /// What blocked each target last, numbered as a box's: tried first, and updated.
  std::uint32_t* leaf;
  /// Indices of targets are written to them: those that are clear, and those that are left open.
  std::uint32_t *clear, *left;
  std::uint32_t *open, *cell, *order;  ///< of the targets; arbitrary
  float *around, *up;                  ///< of the targets; arbitrary
  std::uint32_t* next;                 ///< [fan_cells + 16]: arbitrary
};
/// All other segments are blocked, or bad.
struct FanCounts {
  std::uint32_t clear, left;
  std::uint32_t followed;  ///< through the tree, one by one
  std::uint32_t hidden;    ///< blocked by what hides their box, or by the few shapes in its shaft
  std::uint32_t cleared;   ///< clear by the same

  /// Whether the fan costs less than batches of its segments, of which there were so many, in a
  /// tree of so many nodes: batches cost more where nodes are not in the cache. Measured:
  /// docs/notes/2026-11-cpu.md.
  bool pays(std::uint64_t segments, std::size_t nodes) const {
    constexpr std::size_t cached_nodes = 1u << 12;  // 0.9 MB
    return 20 * (std::uint64_t{left} + followed) <= (nodes < cached_nodes ? 8u : 9u) * segments;
  }
};

/// The bounds of shapes as columns, by axis: low[axis][id]. Each has room for 16 more.
struct BoundsColumns {
  const float *low[3], *high[3];
};

/// One instruction set's code.
struct SimdKernels {
  const char* name;
  ShapeKernels shapes;  ///< of overlaps and nearest shapes
  int packet_size;      ///< a multiple of 64, at most largest_packet
  SourceKernels<RaysView> rays;
  SourceKernels<Sights> sights;
  /// Decides which segments of the fan are blocked and which are clear, and leaves the others.
  FanCounts (*trace_fan)(const TraceScene& scene, const Fan& fan);
  /// For brute force: writes to ids [end - begin + 16], in rising order, which of the shapes
  /// [begin, end) have a gate that is not empty, and to gate_near [end - begin + 16] the near ends
  /// of these gates; returns their number.
  std::uint32_t (*gates)(const BoundsColumns& bounds, const ScaledRay& ray, std::uint32_t begin,
                         std::uint32_t end, std::uint32_t* ids, float* gate_near);
  /// Writes the intervals [count] of a line in bounded shapes of one kind, as staged_interval().
  void (*intervals)(const ShapesView& shapes, const Line& line, Kind kind, const std::uint32_t* ids,
                    std::uint32_t count, Interval* intervals);
  /// Writes the records [count] of rays[0] to rays[count - 1].
  void (*set_up)(const RawRay* rays, int count, RayRecord* records);
  /// Bytes of scratch memory, aligned to 64, that trace() needs for so many rays in a tree of this
  /// depth.
  std::size_t (*scratch_bytes)(int depth, int rays);
  /// Traces every ray of the batch that is not bad, and updates `best`, `reach` and `flags`.
  /// Returns how often a ray visited a node.
  std::uint64_t (*trace)(const TraceScene& scene, const RayBatch& batch, RayQuery query,
                         RayPolicy policy, void* scratch);
};

template <class Source>
const SourceKernels<Source>& source_kernels(const SimdKernels& simd) {
  if constexpr (std::is_same_v<Source, RaysView>) {
    return simd.rays;
  } else {
    return simd.sights;
  }
}

const SimdKernels& simd_avx512();
const SimdKernels& simd_avx2();
const SimdKernels& simd_portable();

}  // namespace sightline::detail
