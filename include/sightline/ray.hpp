// Rays, hits, their structure-of-arrays views, and the meaning of answers
// (docs/reference/contract.md).
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

/// Two ids, none by default, or columns of them: `{.exclude = {5}}` names one alone.
template <class T>
struct TwoIds {
  T first = none;   ///< an id
  T second = none;  ///< another

  /// The first for 0, else the second.
  SIGHTLINE_HD T& operator[](int k) { return k == 0 ? first : second; }
  /// The same.
  SIGHTLINE_HD const T& operator[](int k) const { return k == 0 ? first : second; }
  /// Whether both are equal.
  bool operator==(const TwoIds&) const = default;
};

/// A ray: the points origin + t * direction, t_min <= t <= t_max, closed at both ends.
///
/// t is in units of the direction's length, which may be any finite nonzero length. A zero
/// direction hits, at t_min and under `solid` only, the shapes that contain the origin.
/// A bad ray (NaN, infinite origin or direction, outside the domain, t_min > t_max, t_min < 0)
/// is a miss, flagged.
struct Ray {
  Vec3 origin{0, 0, 0};                      ///< where t = 0
  Vec3 direction{0, 0, 0};                   ///< of any length
  float t_min = 0;                           ///< where it begins
  float t_max = infinity;                    ///< where it ends
  std::uint32_t mask = 0xFFFFFFFFu;          ///< a shape counts when (mask & shape mask) != 0
  TwoIds<std::uint32_t> exclude = {};        ///< shape ids to leave out
  TwoIds<std::uint32_t> exclude_group = {};  ///< groups to leave out
};

/// Bits of Hit::flags.
namespace hit_flags {
inline constexpr std::uint8_t hit = 1;             ///< not a miss
inline constexpr std::uint8_t started_inside = 2;  ///< t_in < t_min
inline constexpr std::uint8_t bad_ray = 4;         ///< a miss because the ray is bad
inline constexpr std::uint8_t overflow = 8;        ///< more hits than are kept
}  // namespace hit_flags

/// The answer to one ray: the hit with the least (t, id).
struct Hit {
  float t = infinity;       ///< of the caller's ray; +inf for a miss
  std::uint32_t id = none;  ///< none for a miss
  std::uint8_t flags = 0;   ///< bits of hit_flags
  Vec3 normal{0, 0, 0};     ///< outward unit normal if wanted; 0 for a miss
};

/// Rays [n] as columns, such as `{origins, directions}` of two vectors. Each column is an array of
/// n elements, or one value for all; values alone are one ray.
struct RaysView {
  Vec3Column origin;                                 ///< as Ray has it
  Vec3Column direction;                              ///< as Ray has it
  Column<float> t_min = 0.0f;                        ///< as Ray has it
  Column<float> t_max = infinity;                    ///< as Ray has it
  Column<std::uint32_t> mask = 0xFFFFFFFFu;          ///< as Ray has it
  TwoIds<Column<std::uint32_t>> exclude = {};        ///< as Ray has them
  TwoIds<Column<std::uint32_t>> exclude_group = {};  ///< as Ray has them
  /// Of spheres that move along the rays, 0 to 2^40: see geometry/sweep/. 0 is the ray itself.
  Column<float> radius = 0.0f;
  /// Set by the library, which counts once; callers leave it.
  std::uint64_t count = Column<float>::not_given;

  /// Rays side by side.
  static RaysView rows(std::span<const Ray> r) {
    RaysView v{{r, &Ray::origin}, {r, &Ray::direction}, {r, &Ray::t_min}, {r, &Ray::t_max}};
    v.mask = {r, &Ray::mask};
    for (int k = 0; k < 2; ++k) {
      const Ray* const ray = r.data();
      v.exclude[k] = {ray == nullptr ? nullptr : &ray->exclude[k], r.size(), sizeof(Ray)};
      v.exclude_group[k] = {ray == nullptr ? nullptr : &ray->exclude_group[k], r.size(),
                            sizeof(Ray)};
    }
    return v;
  }

  /// n.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, origin, direction);
  }
  /// Ray i, without its radius.
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

  /// Calls f(name, column...) with each column.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("origin", v.origin...), f("direction", v.direction...);
    f("t_min", v.t_min...), f("t_max", v.t_max...), f("radius", v.radius...), f("mask", v.mask...);
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
  std::uint64_t hits = 0;                           ///< rays that hit anything
  std::uint64_t bad_rays = 0;                       ///< which are misses
  std::uint64_t first_bad_ray = ~std::uint64_t{0};  ///< an index; all ones for none
};

/// Where hits [n] go, behind the door, which is given HitArrays. Null `normal` (rows [n,3]) asks
/// for no normals. Every element of every array given is written.
struct HitsView {
  float* t = nullptr;             ///< [n] or null
  std::uint32_t* id = nullptr;    ///< [n] or null
  std::uint8_t* flags = nullptr;  ///< [n] or null
  Vec3* normal = nullptr;         ///< [n] or null

  /// Writes hit i.
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
