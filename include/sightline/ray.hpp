// Rays, hits, their structure-of-arrays views, and the meaning of answers (docs/contract.md).
#pragma once

#include <sightline/column.hpp>

#include <span>

namespace sightline {

/// The version of the answers: it changes whenever any bit of any answer does.
inline constexpr std::uint32_t answers_version = 1;

/// "No shape", "no group".
inline constexpr std::uint32_t none = 0xFFFFFFFFu;

/// Coordinates, radii and extents are at most this large; beyond it a shape is refused and a ray
/// is bad.
inline constexpr float domain_limit = 1099511627776.0f;  // 2^40

/// The answer where the ray begins inside a shape, whose interval is [t_in, t_out].
enum class Inside : std::uint8_t {
  solid,    ///< t = max(t_in, t_min)
  surface,  ///< t_in if it is >= t_min, else t_out (which must be <= t_max)
  ignore,   ///< a miss when t_in < t_min
};

/// A ray: the points origin + t * direction, t_min <= t <= t_max, closed at both ends.
///
/// t is in units of the direction's length, which may be any finite nonzero length. A zero
/// direction hits, at t_min and under `solid` only, the shapes that contain the origin.
/// A bad ray (NaN, infinite origin or direction, outside the domain, t_min > t_max, t_min < 0)
/// is a miss, flagged.
struct Ray {
  Vec3 origin{0, 0, 0};
  Vec3 direction{0, 0, 0};
  float t_min = 0;
  float t_max = infinity;
  std::uint32_t mask = 0xFFFFFFFFu;         ///< a shape counts when (mask & shape mask) != 0
  std::uint32_t exclude[2] = {none, none};  ///< shape ids to leave out
  std::uint32_t exclude_group[2] = {none, none};
};

/// Bits of Hit::flags.
namespace hit_flags {
inline constexpr std::uint8_t hit = 1;
inline constexpr std::uint8_t started_inside = 2;  ///< t_in < t_min
inline constexpr std::uint8_t bad_ray = 4;
inline constexpr std::uint8_t overflow = 8;
}  // namespace hit_flags

/// The answer to one ray: the hit with the least (t, id).
struct Hit {
  float t = infinity;       ///< of the caller's ray; +inf for a miss
  std::uint32_t id = none;  ///< none for a miss
  std::uint8_t flags = 0;
  Vec3 normal{0, 0, 0};  ///< outward unit normal if wanted; 0 for a miss
};

/// Rays [n] as columns or rows; a column with null data gives every ray its common value.
struct RaysView {
  std::uint64_t count = 0;
  Vec3Column origin, direction;
  Column<float> t_min = 0.0f, t_max = infinity;
  Column<std::uint32_t> mask = 0xFFFFFFFFu;
  Column<std::uint32_t> exclude[2] = {none, none};
  Column<std::uint32_t> exclude_group[2] = {none, none};

  /// Rays side by side.
  static RaysView rows(std::span<const Ray> r) {
    RaysView v{r.size(),         {r, &Ray::origin}, {r, &Ray::direction},
               {r, &Ray::t_min}, {r, &Ray::t_max},  {r, &Ray::mask}};
    for (int k = 0; k < 2; ++k) {
      v.exclude[k] = {r.empty() ? nullptr : r[0].exclude + k, r.size(), sizeof(Ray)};
      v.exclude_group[k] = {r.empty() ? nullptr : r[0].exclude_group + k, r.size(), sizeof(Ray)};
    }
    return v;
  }

  SIGHTLINE_HD Ray operator[](std::uint64_t i) const {
    Ray r;
    r.origin = origin[i];
    r.direction = direction[i];
    r.t_min = t_min[i];
    r.t_max = t_max[i];
    r.mask = mask[i];
    for (int k = 0; k < 2; ++k) {
      r.exclude[k] = exclude[k][i];
      r.exclude_group[k] = exclude_group[k][i];
    }
    return r;
  }

  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("origin", v.origin...), f("direction", v.direction...);
    f("t_min", v.t_min...), f("t_max", v.t_max...), f("mask", v.mask...);
    for (int k = 0; k < 2; ++k) {
      f("exclude", v.exclude[k]...), f("exclude_group", v.exclude_group[k]...);
    }
  }
  /// Rays [first, first + n).
  RaysView slice(std::uint64_t first, std::uint64_t n) const {
    RaysView v = sliced(*this, first, n);
    v.count = n;
    return v;
  }
};

/// Counts of a call on device arrays.
struct CastCounts {
  std::uint64_t hits = 0;
  std::uint64_t bad_rays = 0;
  std::uint64_t first_bad_ray = ~std::uint64_t{0};  ///< an index; all ones for none
};

/// Where hits [n] go, behind the door, which is given HitArrays. Null `normal` (rows [n,3]) asks
/// for no normals. Every element of every array given is written.
struct HitsView {
  float* t = nullptr;
  std::uint32_t* id = nullptr;
  std::uint8_t* flags = nullptr;
  Vec3* normal = nullptr;

  SIGHTLINE_HD void store(std::uint64_t i, const Hit& hit) const {
    if (t != nullptr) t[i] = hit.t;
    if (id != nullptr) id[i] = hit.id;
    if (flags != nullptr) flags[i] = hit.flags;
    if (normal != nullptr) normal[i] = hit.normal;
  }

  /// Hits from `first` on.
  HitsView from(std::uint64_t first) const {
    return {t == nullptr ? t : t + first, id == nullptr ? id : id + first,
            flags == nullptr ? flags : flags + first, normal == nullptr ? normal : normal + first};
  }
};

}  // namespace sightline
