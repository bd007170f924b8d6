/// @file
/// Rays, hits, and their views as columns. docs/reference/contract.md defines what answers mean.
#pragma once

#include <sightline/column.hpp>

#include <span>

namespace sightline {

/// Version of the answers. It changes whenever a bit of any answer does.
inline constexpr std::uint32_t answers_version = 1;

/// The id of no shape, and the number of no group.
inline constexpr std::uint32_t none = 0xFFFFFFFFu;

/// The greatest size of a coordinate, radius or extent, 2^40. A shape beyond it is refused, and a
/// ray beyond it is bad.
inline constexpr float domain_limit = 1099511627776.0f;  // 2^40

/// Inside policy: the answer if a ray starts inside a shape, which it meets in [t_in, t_out].
enum class Inside : std::uint8_t {
  solid,    ///< a hit at t = max(t_in, t_min)
  surface,  ///< a hit at t_in if t_in >= t_min, else at t_out, which must be <= t_max
  ignore,   ///< a miss if t_in < t_min
};

/// Side filter: the sides of triangles that rays hit. A line in a triangle's plane meets no side.
/// Other shapes have none, and count always.
enum class Side : std::uint8_t {
  both,   ///< all hits, also in the triangle's plane
  front,  ///< the side from which the corners run counterclockwise
  back,   ///< the other side: see hit_flags::back
};

/// Which of a shape's points along a ray are a hit.
struct RayPolicy {
  Inside inside = Inside::solid;  ///< inside policy
  Side side = Side::both;         ///< side filter

  /// Makes the policy of an inside policy and a side filter.
  SIGHTLINE_HD constexpr RayPolicy(Inside i = Inside::solid, Side s = Side::both)
      : inside(i), side(s) {}
  /// Returns the inside policy.
  SIGHTLINE_HD constexpr operator Inside() const { return inside; }
};

/// Two ids or groups to ignore, none by default, or columns of them: `{.exclude = {5}}`.
/// @tparam T  std::uint32_t, or Column<std::uint32_t>
template <class T>
struct TwoIds {
  T first = none;   ///< one id or group
  T second = none;  ///< another id or group

  /// Returns the first for 0, else the second.
  SIGHTLINE_HD T& operator[](int k) { return k == 0 ? first : second; }
  /// Returns the first for 0, else the second.
  SIGHTLINE_HD const T& operator[](int k) const { return k == 0 ? first : second; }
  /// Returns whether both are equal.
  bool operator==(const TwoIds&) const = default;
};

/// Ray: the points origin + t * direction for t_min <= t <= t_max, both ends included.
///
/// A ray whose direction is 0 hits the shapes that contain its origin, at t_min and under
/// Inside::solid only. A bad ray is a miss with a flag. A ray is bad if a number is NaN, the
/// direction is infinite, or the origin is outside the domain. It is also bad if t_min is negative
/// or above t_max.
///
/// @code{.cpp}
/// Scene scene;
/// scene.add_sphere({{4, 0, 0}, 1});
/// const Caster caster(std::move(scene));
/// const Hit hit = caster.closest_hit(Ray{.direction = {1, 0, 0}, .t_max = 10});  // hit.t is 3
/// @endcode
struct Ray {
  Vec3 origin{0, 0, 0};                      ///< point at t = 0, in the scene's unit
  Vec3 direction{0, 0, 0};                   ///< of any finite length, which is the unit of t
  float t_min = 0;                           ///< start of the ray, at least 0
  float t_max = infinity;                    ///< end of the ray, at least t_min
  std::uint32_t mask = 0xFFFFFFFFu;          ///< a shape counts if (mask & shape mask) != 0
  TwoIds<std::uint32_t> exclude = {};        ///< ids of shapes to ignore
  TwoIds<std::uint32_t> exclude_group = {};  ///< groups of shapes to ignore
};

/// Bits of Hit::flags.
namespace hit_flags {
inline constexpr std::uint8_t hit = 1;             ///< the ray hits
inline constexpr std::uint8_t started_inside = 2;  ///< the ray starts inside: t_in < t_min
inline constexpr std::uint8_t bad_ray = 4;         ///< the ray is bad, and so misses
inline constexpr std::uint8_t overflow = 8;        ///< the ray has more hits than are kept
inline constexpr std::uint8_t back = 16;           ///< the corners of a triangle run clockwise
}  // namespace hit_flags

/// Answer to one ray: the hit with the least (t, id).
struct Hit {
  float t = infinity;       ///< in lengths of the ray's direction; +inf for a miss
  std::uint32_t id = none;  ///< id of the shape; none for a miss
  std::uint8_t flags = 0;   ///< bits of hit_flags
  Vec3 normal{0, 0, 0};     ///< outward unit normal if requested; 0 for a miss
};

/// Rays [n] as columns: `{origins, directions}`. A column is an array of n elements or one value
/// for all rays. A view without arrays is one ray.
///
/// @code{.cpp}
/// const std::vector<Vec3> origins = {{0, 0, 0}, {0, 1, 0}};
/// const RaysView rays = {.origin = origins, .direction = Vec3{1, 0, 0}, .t_max = 50.0f};
/// // rays.size() is 2
/// @endcode
struct RaysView {
  Vec3Column origin;                                 ///< see Ray::origin
  Vec3Column direction;                              ///< see Ray::direction
  Column<float> t_min = 0.0f;                        ///< see Ray::t_min
  Column<float> t_max = infinity;                    ///< see Ray::t_max
  Column<std::uint32_t> mask = 0xFFFFFFFFu;          ///< see Ray::mask
  TwoIds<Column<std::uint32_t>> exclude = {};        ///< see Ray::exclude
  TwoIds<Column<std::uint32_t>> exclude_group = {};  ///< see Ray::exclude_group
  /// Radii of thick rays, 0 to 2^40: a sphere of this radius moves along the ray. 0 is a plain ray.
  Column<float> radius = 0.0f;
  /// Number of elements. Set by the library; callers leave it as it is.
  std::uint64_t count = Column<float>::not_given;

  /// Returns the view of contiguous rays.
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

  /// Returns the number of rays.
  std::uint64_t size() const {
    return count != Column<float>::not_given ? count : size_of_columns(*this, origin, direction);
  }
  /// Returns ray i, without its radius.
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

  /// Calls f(name, column...) with each column of the views v.
  template <class F, class... V>
  static void columns(F&& f, V&&... v) {
    f("origin", v.origin...), f("direction", v.direction...);
    f("t_min", v.t_min...), f("t_max", v.t_max...), f("radius", v.radius...), f("mask", v.mask...);
    for (int k = 0; k < 2; ++k) {
      f("exclude", v.exclude[k]...), f("exclude_group", v.exclude_group[k]...);
    }
  }
  /// Returns the view of rays [first, first + n).
  RaysView slice(std::uint64_t first, std::uint64_t n) const {
    RaysView v = sliced(*this, first, n);
    v.count = n;
    return v;
  }
};

/// Counts of a call on arrays in device memory.
struct CastCounts {
  std::uint64_t hits = 0;                           ///< number of rays that hit a shape
  std::uint64_t bad_rays = 0;                       ///< number of bad rays, which miss
  std::uint64_t first_bad_ray = ~std::uint64_t{0};  ///< index of the first bad ray; all ones: none
};

/// Pointers to arrays of hits [n], for the arithmetic and kernels; calls of the library take
/// HitArrays. All elements of each array that is not null are written.
struct HitsView {
  float* t = nullptr;             ///< see Hit::t; [n] or null
  std::uint32_t* id = nullptr;    ///< see Hit::id; [n] or null
  std::uint8_t* flags = nullptr;  ///< see Hit::flags; [n] or null
  Vec3* normal = nullptr;         ///< see Hit::normal; [n] or null

  /// Writes hit i.
  SIGHTLINE_HD void store(std::uint64_t i, const Hit& hit) const {
    if (t != nullptr) t[i] = hit.t;
    if (id != nullptr) id[i] = hit.id;
    if (flags != nullptr) flags[i] = hit.flags;
    if (normal != nullptr) normal[i] = hit.normal;
  }

  /// Returns the arrays from element `first` on.
  HitsView from(std::uint64_t first) const {
    return {t == nullptr ? t : t + first, id == nullptr ? id : id + first,
            flags == nullptr ? flags : flags + first, normal == nullptr ? normal : normal + first};
  }
};

}  // namespace sightline
