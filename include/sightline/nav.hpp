/// @file
/// Navigation: where an agent can stand and walk, baked over a grid of columns. The glossary
/// defines the terms.
#pragma once

#include <sightline/caster.hpp>

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace sightline {

/// Agent: an upright cylinder that steps over obstacles no higher than its climb. Lengths are in
/// the scene's unit.
struct Agent {
  float radius = 0.6f;  ///< radius of the cylinder, 0 to 2^40
  float height = 2.0f;  ///< head room above a floor, above 0 and at most 2^40
  float climb = 0.9f;   ///< highest step, at least 0 and less than the height
  float slope = 45.0f;  ///< steepest floor, 0 to 90 degrees
};

/// Options of jumps and drops.
struct NavJumpOptions {
  float distance = 0;  ///< greatest horizontal distance, 0 to 64 cells; 0: no jumps
  float rise = 1;      ///< greatest height of the landing above the start, 0 to 2^40
  float drop = 3;      ///< greatest depth of the landing below the start, 0 to 2^40
};

/// Options of bake_nav(). Lengths are in the scene's unit.
struct NavOptions {
  Agent agent;               ///< the agent
  float cell = 0.3f;         ///< side of a column, above 0 and at most 2^40
  float cell_height = 0.2f;  ///< unit of heights for Recast; 1/1024 of it is the slack of heights
  UpAxis up = UpAxis::z;     ///< the scene's axis that points up
  /// Box whose floors are baked. Empty: the bounds of the scene's shapes; planes have none.
  Aabb bounds = empty_aabb();
  NavJumpOptions jumps;  ///< jumps and drops; none by default
  /// Start points. The map keeps only regions with a floor below a point, and regions that jumps
  /// reach from those. Without points it keeps all regions.
  PointsView from;
  float range = 0;  ///< greatest clearance and border, 0 to 64 cells; 0: 4 radii or 64 cells
  std::uint32_t mask = 0xFFFFFFFFu;  ///< a shape counts if (mask & shape mask) != 0
  std::uint64_t max_bytes = 0;       ///< limit in bytes of the map and its buffers; 0: no limit
  /// Called with the name of a stage and its numbers of columns or floors, done and in all. May
  /// throw to end the bake.
  std::function<void(const char* stage, std::uint64_t done, std::uint64_t total)> progress;
};

/// Grid of columns: along x, and along y, or along z if y is up. Column (i, j) has the number
/// j * width + i. Its ray runs through the middle of its cell.
struct NavGrid {
  UpAxis up = UpAxis::z;    ///< the scene's axis that points up
  float cell = 0,           ///< see NavOptions::cell
      cell_height = 0;      ///< see NavOptions::cell_height
  Aabb bounds;              ///< box whose floors are baked
  std::uint32_t width = 0,  ///< number of columns along the first axis
      depth = 0;            ///< number of columns along the second axis

  /// Returns the number of columns.
  std::uint64_t columns() const { return std::uint64_t{width} * depth; }
  /// Returns the point in the middle of a column.
  /// @param column  number of the column
  /// @param height  height of the point
  /// @throws Error{usage} if there is no such column
  Vec3 at(std::uint64_t column, float height) const;
  /// Returns the least height of the bounds.
  float lowest() const { return upright(bounds.min, up).z; }
  /// Returns the greatest height of the bounds.
  float highest() const { return upright(bounds.max, up).z; }
};

/// Bits of NavMap::flags. Each bit implies the bits before it.
namespace nav_flags {
inline constexpr std::uint8_t floor = 1;     ///< the span's top has head room for the agent
inline constexpr std::uint8_t surface = 2;   ///< the floor is no steeper than the slope
inline constexpr std::uint8_t clear = 4;     ///< the surface's clearance is at least the radius
inline constexpr std::uint8_t walkable = 8;  ///< its border is at least the radius, too
}  // namespace nav_flags

/// The value of a NavMap::links element without a link.
inline constexpr std::uint8_t no_link = 0xFF;

/// Region: walkable surfaces that links connect.
struct NavRegion {
  std::uint64_t spans = 0;  ///< number of surfaces
  double area = 0;          ///< area seen from above, in squares of the scene's unit
  Vec3 min,                 ///< least coordinates of its places to stand
      max;                  ///< greatest coordinates of its places to stand
};

/// Jumps and drops [m] between floors that no link connects.
struct NavJumps {
  std::vector<Vec3> from,  ///< [m] positions of the feet at the start
      to;                  ///< [m] positions of the feet at the landing, never higher than `from`
  std::vector<std::array<std::uint64_t, 2>> spans;  ///< [m] spans of start and landing
  std::vector<std::uint8_t> both_ways;  ///< [m] 1 if the fall is at most the rise, else 0

  /// Returns the number of jumps.
  std::uint64_t size() const { return from.size(); }
};

/// Navigation map: spans [n] of solid matter, column by column, and within a column from the lowest
/// up. The spans of column c are the range [offsets[c], offsets[c + 1]).
///
/// The top of a span with head room is a floor. For other spans, the arrays about walking hold 0 or
/// none.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{0, 0, -1}, {12, 6, 0}});
/// scene.add_aabb({{6, 0, 0}, {12, 6, 0.5f}});  // a step
/// const Caster caster(std::move(scene));
/// const NavMap map = bake_nav(caster, {.agent = {.radius = 0.4f}, .cell = 0.25f});
/// for (std::uint64_t c = 0; c < map.grid.columns(); ++c) {
///   for (std::uint64_t s = map.offsets[c]; s < map.offsets[c + 1]; ++s) {
///     if ((map.flags[s] & nav_flags::walkable) == 0) continue;
///     const Vec3 place = map.grid.at(c, map.top[s]);  // where an agent can stand
///   }
/// }
/// @endcode
struct NavMap {
  NavGrid grid;                        ///< the columns
  Agent agent;                         ///< the agent
  float range = 0;                     ///< greatest clearance and border
  NavJumpOptions jump_options;         ///< options of the jumps
  std::vector<std::uint64_t> offsets;  ///< [columns + 1], the first 0
  std::vector<float> bottom,           ///< [n] heights of the spans' bottoms
      top;                             ///< [n] heights of the spans' tops; +inf if never left
  std::vector<float> headroom;         ///< [n] from the top to the next span; +inf without one
  std::vector<std::uint32_t> shape;    ///< [n] ids of the shapes at the tops
  std::vector<float> slope_cosine;     ///< [n] cosines of the floors' slopes
  std::vector<float> clearance;        ///< [n] distances of surfaces to obstacles, at most `range`
  std::vector<float> border;           ///< [n] distances of surfaces to borders, at most `range`
  std::vector<std::uint8_t> flags;     ///< [n] bits of nav_flags
  std::vector<std::uint8_t> ledges;    ///< [n] bit k: there is a ledge at side k
  /// [n] for the sides -x, +y, +x, -y: the linked span's place in its column, or no_link. If y is
  /// up, z replaces y.
  std::vector<std::array<std::uint8_t, 4>> links;
  std::vector<std::uint32_t> region;  ///< [n] regions of walkable surfaces; else none
  std::vector<NavRegion> regions;     ///< regions by number
  NavJumps jumps;                     ///< jumps and drops

  /// Returns the number of spans.
  std::uint64_t spans() const { return top.size(); }
  /// Returns the column next to a column, or nothing at the end of the grid.
  /// @param column  number of the column
  /// @param side    0 to 3: -x, +y, +x, -y
  /// @throws Error{usage} if there is no such column or side
  std::optional<std::uint64_t> neighbour(std::uint64_t column, int side) const;
  /// Returns the span that a span is linked to, or nothing.
  /// @param span    number of the span
  /// @param column  number of its column
  /// @param side    0 to 3: -x, +y, +x, -y
  /// @throws Error{usage} if there is no such span, column or side
  std::optional<std::uint64_t> linked(std::uint64_t span, std::uint64_t column, int side) const;
};

/// Returns the grid that bake_nav() uses.
/// @param scene    the scene
/// @param options  options of the bake
/// @throws Error{usage} if an option is out of its range, or the map has no bounds
/// @throws Error{usage} if the map has more than 2^24 cells along an axis, or lies 2^23 or more
///         cells from the origin
NavGrid nav_grid(const Scene& scene, const NavOptions& options);

/// Bakes a navigation map. Every backend gives the same bytes. The bake takes about 50 bytes per
/// span, half as much again while arrays grow, and the buffers of one chunk.
/// @param caster   the scene
/// @param options  options of the bake
/// @throws Error{usage} as nav_grid(), or if the surroundings of a surface reach beyond the domain
/// @throws Error{out_of_memory} if options.max_bytes does not suffice
NavMap bake_nav(const Caster& caster, const NavOptions& options = {});

}  // namespace sightline
