// Tracing of rays in the wide tree, compiled once per instruction set and chosen at run time.
#pragma once

#include "host/cpu/lanes/ray_record.hpp"

namespace sightline::detail {

/// One instruction set's code for rays of one source.
template <class Source>
struct SourceTracer {
  /// Writes the source's rays [count] and their sort keys [count], whose highest bits are the
  /// octant, and the others the place in the grid, where there is one; `keys` has room for 16 more.
  /// Segments that cannot be clear in any scene (see sight_query()) become bad rays.
  void (*collect)(const Source& source, std::uint64_t count, const RayGrid* grid, RawRay* rays,
                  std::uint32_t* keys);
  /// Traces rays [first, first + packet_size) of the source as a packet if they run close together,
  /// relative to the scene's leaves, and returns how many hit; else no_packet. Filters are of these
  /// rays, or null where nothing is filtered.
  int (*trace_packet)(const TraceScene& scene, const Source& source, std::uint64_t first,
                      RayQuery query, Inside inside, const RayFilter* filters,
                      const PacketAnswers& answers);
};

/// The bounds of shapes as columns, by axis: low[axis][id]. Each has room for 16 more.
struct BoundsColumns {
  const float *low[3], *high[3];
};

/// One instruction set's code.
struct Tracer {
  const char* name;
  int packet_size;  ///< a multiple of 64, at most largest_packet
  SourceTracer<RaysView> rays;
  SourceTracer<Sights> sights;
  /// Which of the segments from one viewpoint [count] are not known to be blocked by the leaves
  /// that blocked their targets before: left [count + 16] gets their indices, and their number is
  /// returned. Bad segments are left out, too. leaf, older_leaf [count + 16]: the two leaves that
  /// blocked each target last, as eight times the node plus the slot, or none; updated where one of
  /// them, or a neighbour's, blocks it now.
  std::uint32_t (*drop_blocked)(const TraceScene& scene, const Sights& sights, Inside inside,
                                std::uint32_t* leaf, std::uint32_t* older_leaf,
                                std::uint32_t* left);
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
                         Inside inside, void* scratch);
};

template <class Source>
const SourceTracer<Source>& source_tracer(const Tracer& tracer) {
  if constexpr (std::is_same_v<Source, RaysView>) {
    return tracer.rays;
  } else {
    return tracer.sights;
  }
}

const Tracer& tracer_avx512();
const Tracer& tracer_avx2();
const Tracer& tracer_portable();

}  // namespace sightline::detail
