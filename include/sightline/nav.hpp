// Navigation: where an agent can stand and walk, baked over a grid of columns.
#pragma once

#include <sightline/caster.hpp>

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace sightline {

/// Who walks, in scene units: an upright cylinder that steps over what is no higher than `climb`.
/// The defaults are Recast's.
struct Agent {
  float radius = 0.6f;  ///< at least 0
  float height = 2.0f;  ///< that has to be free above a floor
  float climb = 0.9f;   ///< the highest step; less than the height
  float slope = 45.0f;  ///< the steepest floor, in degrees, 0 to 90
};

/// Jumps and drops that are looked for; none where the distance is 0.
struct NavJumpOptions {
  float distance = 0;  ///< from landing to landing along the map, at most 64 cells
  float rise = 1;      ///< the highest landing above the start; at most 2^40
  float drop = 3;      ///< the deepest below it; at most 2^40
};

/// What bake_nav() bakes, and how finely.
struct NavOptions {
  Agent agent;               ///< who walks
  float cell = 0.3f;         ///< side of a column
  float cell_height = 0.2f;  ///< of the quantised spans; its 1/1024 is the slack of all heights
  UpAxis up = UpAxis::z;     ///< of the scene
  /// What is baked: floors within. Empty: the bounds of the scene's shapes (planes have none).
  Aabb bounds = empty_aabb();
  NavJumpOptions jumps;  ///< none unless asked for
  /// Only regions are kept that have a point above a floor of theirs, or that jumps lead to from
  /// such; without points all.
  PointsView from;
  float range = 0;  ///< as far as distances are told, at most 64 cells; 0: 4 radii, if so many
  std::uint32_t mask = 0xFFFFFFFFu;  ///< shapes count that have a bit of it
  std::uint64_t max_bytes = 0;       ///< of the answer and its buffers; 0: no limit
  /// Told how far the bake is: done of total columns or floors of a stage. May throw to end it.
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
};

/// Columns side by side: along x, and along y or, where y is up, z. Column (i, j) is number
/// j * width + i; its ray stands in the middle of its cell.
struct NavGrid {
  UpAxis up = UpAxis::z;               ///< of the scene
  float cell = 0, cell_height = 0;     ///< as in NavOptions
  Aabb bounds;                         ///< as asked for
  std::uint32_t width = 0, depth = 0;  ///< columns along the first axis and the second

  /// How many columns there are.
  std::uint64_t columns() const { return std::uint64_t{width} * depth; }
  /// Where the column of this number stands, of a point at this height.
  Vec3 at(std::uint64_t column, float height) const;
  /// The least height of the bounds.
  float lowest() const { return upright(bounds.min, up).z; }
  /// The greatest height of the bounds.
  float highest() const { return upright(bounds.max, up).z; }
};

/// Bits of NavMap::flags, each only with those before it.
namespace nav_flags {
inline constexpr std::uint8_t floor = 1;     ///< its top can be stood on: head clearance
inline constexpr std::uint8_t surface = 2;   ///< and is no steeper than the slope
inline constexpr std::uint8_t clear = 4;     ///< and no obstacle is nearer than the radius
inline constexpr std::uint8_t walkable = 8;  ///< and neither is a border
}  // namespace nav_flags

/// No neighbour.
inline constexpr std::uint8_t no_link = 0xFF;

/// Walkable floors that steps connect.
struct NavRegion {
  std::uint64_t spans = 0;  ///< how many floors
  double area = 0;          ///< seen from above, in square units
  Vec3 min, max;            ///< of the places to stand
};

/// Ways from floor to floor that no step connects, [m] each: a fall of at most the rise can be
/// jumped back up.
struct NavJumps {
  std::vector<Vec3> from, to;                       ///< places of the feet, `to` never the higher
  std::vector<std::array<std::uint64_t, 2>> spans;  ///< on which they stand
  std::vector<std::uint8_t> both_ways;              ///< 1, or 0

  /// How many ways there are.
  std::uint64_t size() const { return from.size(); }
};

/// Spans of solid matter, column by column, each from the lowest up: those of column c are elements
/// offsets[c] up to offsets[c + 1]. A floor is the top of a span. What has to do with walking is 0,
/// or none, of spans that are no floor.
struct NavMap {
  NavGrid grid;                        ///< its columns
  Agent agent;                         ///< who walks
  float range = 0;                     ///< as far as distances are told
  NavJumpOptions jump_options;         ///< of the jumps that were looked for
  std::vector<std::uint64_t> offsets;  ///< [columns + 1], the first 0
  std::vector<float> bottom, top;      ///< [n]: heights; a top that is never left is +inf
  std::vector<float> headroom;         ///< [n]: from the top to the span above; +inf
  std::vector<std::uint32_t> shape;    ///< [n]: id of the shape at the top
  std::vector<float> slope_cosine;     ///< [n]: the cosine of the slope; 0 where nobody can stand
  std::vector<float> clearance;        ///< [n]: of surfaces, to the nearest obstacle; <= range
  std::vector<float> border;           ///< [n]: of surfaces, to the nearest border; <= range
  std::vector<std::uint8_t> flags;     ///< [n]: nav_flags
  std::vector<std::uint8_t> ledges;    ///< [n]: bit k: towards side k the floor drops
  std::vector<std::array<std::uint8_t, 4>> links;  ///< [n]: of the neighbours at sides -x, +y, +x,
                                                   ///< -y their places in their columns, or no_link
  std::vector<std::uint32_t> region;               ///< [n]: of walkable floors; else none
  std::vector<NavRegion> regions;                  ///< by the numbers in `region`
  NavJumps jumps;                                  ///< between floors

  /// How many spans there are: n.
  std::uint64_t spans() const { return top.size(); }
  /// The column at this side of another, or nothing at the grid's end.
  std::optional<std::uint64_t> neighbour(std::uint64_t column, int side) const;
  /// The span that a span of a column is linked to on this side, or nothing.
  std::optional<std::uint64_t> linked(std::uint64_t span, std::uint64_t column, int side) const;
};

/// The grid that these options ask for over a scene. Throws Error{usage}.
NavGrid nav_grid(const Scene& scene, const NavOptions& options);

/// Bakes the map: the same bytes from every backend. Takes memory for all spans, some 50 bytes
/// each, and half as much again while their arrays grow, and for buffers of one chunk. Throws
/// Error{usage} for numbers that make no sense, and Error{out_of_memory} where max_bytes does not
/// suffice.
NavMap bake_nav(const Caster& caster, const NavOptions& options = {});

}  // namespace sightline
