// Where one can take cover: which directions are safe, crouching or standing, and on which side one
// can lean out.
#pragma once

#include <sightline/nav.hpp>

#include <functional>
#include <span>
#include <vector>

namespace sightline {

/// Lengths are in scene units, heights above the feet.
struct CoverOptions {
  Vec3 up{0, 0, 1};               ///< or {0, 1, 0}
  std::uint32_t directions = 32;  ///< K: 4, 8, 16, 32 or 64, evenly around; see cover_directions
  float at = 0;                   ///< how high the points are
  float crouch = 0.9f;            ///< eyes when crouching, below those when standing
  float stand = 1.6f;             ///< eyes when standing
  float radius = 0.3f;            ///< of the body: nothing may be nearer to the crouching eyes
  float reach = 1.2f;             ///< what is further away is no cover
  float lean = 0.6f;              ///< how far to the side
  float view = 10;                ///< how far one must see from there
};

enum class CoverHeight : std::uint8_t { no_cover, crouch, stand };

/// What a call about cover found.
struct CoverReport {
  std::uint64_t points = 0;      ///< that were asked about
  std::uint64_t candidates = 0;  ///< with something between `radius` and `reach` of their eyes
  std::uint64_t crouch = 0;      ///< points whose cover is for crouching alone
  std::uint64_t stand = 0;       ///< points whose cover is for standing
  /// Whether all numbers are equal.
  bool operator==(const CoverReport&) const = default;
};

/// Cover of points [n], all of whose arrays are wanted; bit k of a mask is direction k.
struct CoverView {
  std::span<CoverHeight> height = {};   ///< `stand` where any direction is safe standing
  std::span<std::uint8_t> facing = {};  ///< the direction of the nearest cover, the first of equals
  std::span<float> distance = {};  ///< of that cover from the crouching eyes; +inf without cover
  std::span<std::uint64_t> crouch = {};  ///< safe crouching: a ray of length `reach` is blocked
  std::span<std::uint64_t> stand = {};   ///< safe crouching and standing
  /// Safe standing, and the way to the left, and the view from there, are free.
  std::span<std::uint64_t> left = {};
  std::span<std::uint64_t> right = {};  ///< the same to the right

  /// Points [first, first + n) of it.
  CoverView slice(std::uint64_t first, std::uint64_t n) const {
    const auto part = [&](const auto& all) { return all.subspan(first, n); };
    return {part(height), part(facing), part(distance), part(crouch),
            part(stand),  part(left),   part(right)};
  }
};

/// Cover of points [n] in memory of its own; the members mean what those of CoverView do.
struct CoverRows {
  std::vector<CoverHeight> height;    ///< [n]
  std::vector<std::uint8_t> facing;   ///< [n]
  std::vector<float> distance;        ///< [n]
  std::vector<std::uint64_t> crouch;  ///< [n]
  std::vector<std::uint64_t> stand;   ///< [n]
  std::vector<std::uint64_t> left;    ///< [n]
  std::vector<std::uint64_t> right;   ///< [n]
  CoverReport report = {};            ///< what the call found

  /// Makes room for n points.
  void resize(std::uint64_t n) {
    height.resize(n), facing.resize(n), distance.resize(n);
    crouch.resize(n), stand.resize(n), left.resize(n), right.resize(n);
  }
  /// Where cover() writes to.
  CoverView view() { return {height, facing, distance, crouch, stand, left, right}; }
};

/// The directions [K]: direction k is k/K of a turn from the first axis (x) towards up x first.
/// Exact at quarters. Throws Error{usage} for another number than CoverOptions says.
std::vector<Vec3> cover_directions(std::uint32_t directions, const Vec3& up);

/// The cover at each point. A point without something between `radius` and `reach` of its crouching
/// eyes, or whose crouching eyes touch a shape, or that is bad, has none; nor is any direction safe
/// standing where the standing eyes touch a shape. Takes some 30 MB. Throws Error{usage} for
/// options out of order.
CoverRows cover(const Caster& caster, const PointsView& points, const CoverOptions& options = {});
/// The same into arrays. Throws Error{usage} for arrays of another size.
CoverReport cover(const Caster& caster, const PointsView& points, const CoverView& out,
                  const CoverOptions& options = {});

/// Which places find_cover_places() keeps.
struct CoverPlaceOptions {
  /// What cover is, and how high above the floors the places are; but for up, which is the map's.
  CoverOptions cover;
  float spacing = 1;            ///< between places that are alike, 0 to 64 cells; 0: all are kept
  std::uint64_t max_bytes = 0;  ///< of the answer and its buffers; 0: no limit
  /// Told how many of the places along walls were looked at. May throw to end it.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

/// Places [n] to take cover at, in the order of the map's spans.
struct CoverPlaces {
  std::vector<std::uint64_t> span;  ///< of the map
  std::vector<Vec3> position;       ///< of the feet
  CoverRows cover;                  ///< there
  std::uint64_t along_walls = 0;    ///< how many places there are along walls
  std::uint64_t covered = 0;        ///< how many of those have cover
};

/// The spans, ascending, on which the map's agent stands next to an obstacle: walkable ones whose
/// clearance is less than its radius and a cell. Along every wall, at whatever angle, there is one
/// in each row or column of the grid; ledges are no obstacles. Throws Error{usage} for a map whose
/// range is less.
std::vector<std::uint64_t> spans_along_walls(const NavMap& map);

/// Of the places along walls those with cover, thinned. First come those that lean out to more
/// sides in the direction that they face (CoverView::facing), then those with more directions safe
/// standing, then crouching, then in the order of spans. One is left out when a kept one is less
/// than `spacing` away from it, horizontally and on foot, and offers in the direction that it faces
/// all that it does: crouching, standing, leaning to the left, to the right. So both sides of a
/// corner stay, and both of a thin wall. The same from every backend. Throws Error{usage} for
/// options out of order and Error{out_of_memory} where max_bytes does not suffice.
CoverPlaces find_cover_places(const Caster& caster, const NavMap& map,
                              const CoverPlaceOptions& options = {});

}  // namespace sightline
