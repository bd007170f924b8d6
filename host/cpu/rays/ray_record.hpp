// Rays and the scene as the lanes traverse them: plain data that every translation unit agrees on.
#pragma once

#include "host/tree/wide_bvh.hpp"

#include <sightline/geometry/queries/line_of_sight.hpp>

namespace sightline::detail {

/// A ray as the caller gave it, half a cache line.
struct alignas(32) RawRay {
  float origin[3];
  float t_min;
  float direction[3];
  float t_max;
};

/// One ray of a batch, scaled, with its best hit so far: one cache line. The first half is for box
/// tests, the second for shape tests.
struct alignas(64) RayRecord {
  float origin[3];
  float t_min;
  float inverse[3];
  float reach;  ///< hits beyond do not count: t of the best hit, or else t_max, finite
  float direction[3];
  float t_max;
  float dd_high, dd_low;
  std::uint32_t best;   ///< id of the best hit, or none
  std::uint32_t flags;  ///< of record_flags
};
static_assert(sizeof(RayRecord) == 64);
/// The record as sixteen words, which lanes load and store by fours.
inline float* words_of(RayRecord& ray) { return reinterpret_cast<float*>(&ray); }
inline const float* words_of(const RayRecord& ray) { return reinterpret_cast<const float*>(&ray); }

namespace record_flags {
inline constexpr std::uint32_t octant = 7;  ///< bit i: the direction is negative along axis i
inline constexpr std::uint32_t is_point = 8;
inline constexpr std::uint32_t started_inside = 16;
inline constexpr std::uint32_t bad = 32;   ///< hits nothing
inline constexpr std::uint32_t back = 64;  ///< the best hit is on the back of a triangle
/// The bits from here on hold the exponent of the scaling (see ScaledRay), which is at least -149.
inline constexpr int exponent_shift = 8;
inline constexpr int exponent_bias = 256;
inline int exponent_of(std::uint32_t flags) {
  return static_cast<int>(flags >> exponent_shift) - exponent_bias;
}
}  // namespace record_flags

/// The reach of a ray that is done: no box begins before it.
inline constexpr float no_reach = -1.0f;

/// What was found along a ray; of a closest hit it is the caller's Hit, without the normal.
struct RayAnswer {
  float t;           ///< of a closest hit, and else arbitrary
  std::uint32_t id;  ///< of a closest hit; of any hit `some_id`, or none
  std::uint32_t flags;
};
inline constexpr std::uint32_t some_id = 0;
inline bool is_bad(const RayAnswer& r) { return (r.flags & hit_flags::bad_ray) != 0; }

/// The mask and exclusions of a ray; batches without any have none.
struct RayFilter {
  std::uint32_t mask;
  std::uint32_t exclude[2];
  std::uint32_t exclude_group[2];
};

/// What is searched for along a ray.
enum class RayQuery {
  closest,  ///< the hit with the least (t, id)
  any,      ///< whether there is a hit
  sight,    ///< whether a shape blocks: see blocks() in line_of_sight.hpp
};

/// Rays [count] that run into the same octant (except bad ones, which are skipped), and their
/// filters, or null where nothing is filtered.
struct RayBatch {
  RayRecord* rays;
  const RayFilter* filters;
  int count;
  std::uint32_t octant;
};
/// Rays of a batch, at most. Long lists are faster, the more so where rays spread, as those of
/// closest hit do; beyond these sizes the memory traffic of records costs as much.
constexpr std::uint32_t batch_capacity(RayQuery query) {
  return query == RayQuery::closest ? 32768 : 16384;
}

/// Rays of a packet, at most, for any instruction set.
inline constexpr int largest_packet = 256;
/// Where a packet's answers go: for closest hit `hits`, without normals; else `bits`, one a ray.
struct PacketAnswers {
  HitsView hits;
  std::uint64_t* bits = nullptr;
};
/// Returned where the rays are no packet.
inline constexpr int no_packet = -1;

/// The cells by which queries and points are ordered: a cube of grid_cells along each axis;
/// positions outside belong to the cells at the border. Rays are ordered by coarser ones.
inline constexpr int grid_bits = 7;
inline constexpr int grid_cells = 1 << grid_bits;
struct RayGrid {
  Vec3 low;
  float scale;       ///< cells per unit of length
  bool by_midpoint;  ///< of the ray's interval, where it has one; else by origin
};

/// Decides whether rays are traced in packets; does not affect answers.
struct SceneScale {
  Vec3 center;      ///< of the tree
  float leaf_size;  ///< mean extent of the boxes of leaves along an axis
};

/// The tree and the shapes below it.
struct TraceScene {
  const WideNode* nodes;  ///< [node_count]; none over no shapes
  std::size_t node_count;
  int depth;
  ShapesView shapes;
  SceneScale scale;
  bool has_zero_mask;  ///< some shape's mask is 0
};

/// The segments between from[i] and to[i], i < count.
struct Sights {
  std::uint64_t count;
  PointsView from, to;
  SightOptions options;

  Sights slice(std::uint64_t first, std::uint64_t n) const {
    return {n, from.slice(first, n), to.slice(first, n), options};
  }
};

}  // namespace sightline::detail
