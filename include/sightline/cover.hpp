// Where one can take cover: which directions are safe, crouching or standing, and on which side one
// can lean out.
#pragma once

#include <sightline/caster.hpp>

#include <span>
#include <vector>

namespace sightline {

/// Lengths are in scene units, heights above the feet.
struct CoverOptions {
  Vec3 up{0, 0, 1};               ///< or {0, 1, 0}
  std::uint32_t directions = 32;  ///< K: 4, 8, 16, 32 or 64, evenly around; see cover_directions
  float at = 0;                   ///< how high the points are
  float crouch = 0.9f;            ///< eyes when crouching, below those when standing
  float stand = 1.6f;
  float radius = 0.3f;  ///< of the body: nothing may be nearer to the crouching eyes
  float reach = 1.2f;   ///< what is further away is no cover
  float lean = 0.6f;    ///< how far to the side
  float view = 10;      ///< how far one must see from there
};

enum class CoverHeight : std::uint8_t { no_cover, crouch, stand };

/// Cover of points [n], all of whose arrays are wanted; bit k of a mask is direction k.
struct CoverView {
  std::span<CoverHeight> height = {};   ///< `stand` where any direction is safe standing
  std::span<std::uint8_t> facing = {};  ///< the direction of the nearest cover, the first of equals
  std::span<float> distance = {};  ///< of that cover from the crouching eyes; +inf without cover
  std::span<std::uint64_t> crouch = {};  ///< safe crouching: a ray of length `reach` is blocked
  std::span<std::uint64_t> stand = {};   ///< safe crouching and standing
  /// Safe standing, and the way to the left, and the view from there, are free.
  std::span<std::uint64_t> left = {};
  std::span<std::uint64_t> right = {};

  CoverView slice(std::uint64_t first, std::uint64_t n) const {
    const auto part = [&](const auto& all) { return all.subspan(first, n); };
    return {part(height), part(facing), part(distance), part(crouch),
            part(stand),  part(left),   part(right)};
  }
};

/// The same in memory of its own.
struct CoverRows {
  std::vector<CoverHeight> height;
  std::vector<std::uint8_t> facing;
  std::vector<float> distance;
  std::vector<std::uint64_t> crouch, stand, left, right;

  void resize(std::uint64_t n) {
    height.resize(n), facing.resize(n), distance.resize(n);
    crouch.resize(n), stand.resize(n), left.resize(n), right.resize(n);
  }
  CoverView view() { return {height, facing, distance, crouch, stand, left, right}; }
};

struct CoverReport {
  std::uint64_t points = 0;
  std::uint64_t candidates = 0;  ///< with something between `radius` and `reach` of their eyes
  std::uint64_t crouch = 0;      ///< points whose cover is for crouching alone
  std::uint64_t stand = 0;
  bool operator==(const CoverReport&) const = default;
};

/// The directions [K]: direction k is k/K of a turn from the first axis (x) towards up x first.
/// Exact at quarters. Throws Error{usage} for another number than CoverOptions says.
std::vector<Vec3> cover_directions(std::uint32_t directions, const Vec3& up);

/// The cover at each point. A point without something between `radius` and `reach` of its crouching
/// eyes, or whose crouching eyes touch a shape, or that is bad, has none; nor is any direction safe
/// standing where the standing eyes touch a shape. Takes some 30 MB. Throws Error{usage} for
/// options out of order and arrays of another size.
CoverReport cover(const Caster& caster, const PointsView& points, const CoverView& out,
                  const CoverOptions& options = {});

}  // namespace sightline
