/// @file
/// Cover: which directions are safe for an agent that crouches or stands, and to which side it can
/// lean out.
#pragma once

#include <sightline/nav.hpp>

#include <functional>
#include <span>
#include <vector>

namespace sightline {

/// Options of cover(). Lengths are in the scene's unit, 0 to 2^40. Heights are measured from the
/// feet.
struct CoverOptions {
  Vec3 up{0, 0, 1};               ///< {0, 0, 1} or {0, 1, 0}
  std::uint32_t directions = 32;  ///< number K of directions: 4, 8, 16, 32 or 64
  float at = 0;                   ///< height of the points, -2^40 to 2^40
  float crouch = 0.9f;            ///< height of crouching eyes, at most `stand`
  float stand = 1.6f;             ///< height of standing eyes
  float radius = 0.3f;  ///< least distance of a shape from crouching eyes, at most `reach`
  float reach = 1.2f;   ///< greatest distance of cover
  float lean = 0.6f;    ///< distance to the side when the agent leans out
  float view = 10;      ///< free distance that leaning out needs
};

/// The cover of a point.
enum class CoverHeight : std::uint8_t {
  no_cover,  ///< no direction is safe
  crouch,    ///< a direction is safe crouching, none standing
  stand,     ///< a direction is safe standing
};

/// Report of cover().
struct CoverReport {
  std::uint64_t points = 0;      ///< number of points
  std::uint64_t candidates = 0;  ///< number of points with a shape between `radius` and `reach`
  std::uint64_t crouch = 0;      ///< number of points of CoverHeight::crouch
  std::uint64_t stand = 0;       ///< number of points of CoverHeight::stand
  /// Returns whether all numbers are equal.
  bool operator==(const CoverReport&) const = default;
};

/// The caller's arrays for the cover of n points. All arrays have n elements. Bit k of a mask
/// belongs to direction k.
struct CoverView {
  std::span<CoverHeight> height = {};    ///< cover of each point
  std::span<std::uint8_t> facing = {};   ///< direction of the nearest cover, the first of equals
  std::span<float> distance = {};        ///< from crouching eyes to that cover; +inf without cover
  std::span<std::uint64_t> crouch = {};  ///< safe crouching: a shape is within `reach`
  std::span<std::uint64_t> stand = {};   ///< safe crouching and standing
  /// Safe standing, and free to lean out to the left.
  std::span<std::uint64_t> left = {};
  std::span<std::uint64_t> right = {};  ///< safe standing, and free to lean out to the right

  /// Returns the arrays of points [first, first + n).
  CoverView slice(std::uint64_t first, std::uint64_t n) const {
    const auto part = [&](const auto& all) { return all.subspan(first, n); };
    return {part(height), part(facing), part(distance), part(crouch),
            part(stand),  part(left),   part(right)};
  }
};

/// Cover of points [n].
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_aabb({{1, -3, 0}, {1.5f, 3, 1.2f}});  // a low wall
/// const Caster caster(std::move(scene));
/// const std::vector<Vec3> points = {{0, 0, 0}};
/// const CoverRows rows = cover(caster, points);
/// // rows.height[0] is CoverHeight::crouch, rows.facing[0] is 0: towards +x
/// @endcode
struct CoverRows {
  std::vector<CoverHeight> height;    ///< [n], see CoverView::height
  std::vector<std::uint8_t> facing;   ///< [n], see CoverView::facing
  std::vector<float> distance;        ///< [n], see CoverView::distance
  std::vector<std::uint64_t> crouch;  ///< [n], see CoverView::crouch
  std::vector<std::uint64_t> stand;   ///< [n], see CoverView::stand
  std::vector<std::uint64_t> left;    ///< [n], see CoverView::left
  std::vector<std::uint64_t> right;   ///< [n], see CoverView::right
  CoverReport report = {};            ///< what the call found

  /// Resizes the arrays to n points.
  void resize(std::uint64_t n) {
    height.resize(n), facing.resize(n), distance.resize(n);
    crouch.resize(n), stand.resize(n), left.resize(n), right.resize(n);
  }
  /// Returns the arrays for cover() to write to.
  CoverView view() { return {height, facing, distance, crouch, stand, left, right}; }
};

/// Returns the directions [K], evenly around. Direction k is +x, rotated counterclockwise seen from
/// above by k/K of a turn. Quarter turns are exact.
/// @param directions  number K of directions: 4, 8, 16, 32 or 64
/// @param up          {0, 0, 1} or {0, 1, 0}
/// @throws Error{usage} for other arguments
std::vector<Vec3> cover_directions(std::uint32_t directions, const Vec3& up);

/// Returns the cover of each point. The call takes about 30 MB.
///
/// A point has no cover if it is bad, if its crouching eyes touch a shape, or if the nearest shape
/// is not between `radius` and `reach` away from them. No direction is safe standing if the
/// standing eyes touch a shape.
/// @param caster   the scene
/// @param points   points [n]
/// @param options  the agent and the number of directions
/// @throws Error{usage} if an option is out of its range
CoverRows cover(const Caster& caster, const PointsView& points, const CoverOptions& options = {});
/// Writes the cover into the caller's arrays, all of which have n elements. Throws as the other
/// form, and for another size.
CoverReport cover(const Caster& caster, const PointsView& points, const CoverView& out,
                  const CoverOptions& options = {});

/// Options of find_cover_places().
struct CoverPlaceOptions {
  /// The agent and the number of directions. `at` is the height of places above floors. `up` is
  /// ignored; the map states it.
  CoverOptions cover;
  float spacing = 1;            ///< least distance of similar places, 0 to 64 cells; 0: keep all
  std::uint64_t max_bytes = 0;  ///< limit in bytes of the answer and its buffers; 0: no limit
  /// Called with the number of places along walls, done and in all. May throw to end the search.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Places [n] with cover, in the order of the map's spans.
struct CoverPlaces {
  std::vector<std::uint64_t> span;  ///< [n] spans of the map
  std::vector<Vec3> position;       ///< [n] positions, CoverOptions::at above the floors
  CoverRows cover;                  ///< cover [n] of the places
  std::uint64_t along_walls = 0;    ///< number of places along walls
  std::uint64_t covered = 0;        ///< number of places along walls with cover
};

/// Returns the spans along walls, ascending: walkable spans whose clearance is less than the
/// agent's radius plus a cell. Along a wall at any angle there is one in each row or column of the
/// grid. Ledges are no obstacles.
/// @param map  a navigation map
/// @throws Error{usage} if the range of the map is less than the radius plus a cell, or if its
///         arrays do not fit together
std::vector<std::uint64_t> spans_along_walls(const NavMap& map);

/// Returns places along walls with cover, without places that are similar to a kept one. Every
/// backend gives the same bytes.
///
/// Places are tried in an order. First are places that can lean out to more sides in the direction
/// that they face (CoverView::facing), then places with more directions safe standing, then safe
/// crouching. A place is dropped if a kept place is less than `spacing` away, horizontally and
/// along links, and has at least its cover. The cover is compared in the direction that the dropped
/// place faces: crouching, standing, left and right. So both sides of a corner stay, and both sides
/// of a thin wall.
/// @param caster   the scene that the map was baked from
/// @param map      a navigation map
/// @param options  cover, spacing, limit of memory and progress
/// @throws Error{usage} as spans_along_walls(), or if an option is out of its range
/// @throws Error{out_of_memory} if options.max_bytes does not suffice
CoverPlaces find_cover_places(const Caster& caster, const NavMap& map,
                              const CoverPlaceOptions& options = {});

}  // namespace sightline
