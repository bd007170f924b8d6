// The standard rays over the standard scenes: docs/reference/scenes.md says how each kind is drawn.
#pragma once

#include "host/gen/scenes.hpp"

#include <sightline/caster.hpp>

namespace sightline::gen {

enum class RayKind { coherent, incoherent, los };

inline constexpr std::array<std::string_view, 3> ray_kind_names = {"coherent", "incoherent", "los"};

/// The kind of this name, if there is one.
inline std::optional<RayKind> ray_kind(std::string_view name) {
  return kind_in<RayKind>(ray_kind_names, name);
}
inline std::string_view name_of(RayKind kind) {
  return ray_kind_names[static_cast<std::size_t>(kind)];
}

/// Rays [n] as rows, with a common interval: [0, +inf], and [0, 1] for los, which are meant for
/// any-hit. Directions of coherent and incoherent rays are unit vectors rounded to float.
struct RaySet {
  std::vector<Vec3> origin, direction;
  float t_min = 0;
  float t_max = infinity;
  std::uint64_t candidates = 0;   ///< how many were drawn to keep origin.size()
  std::uint64_t kept_inside = 0;  ///< still inside a shape after the last of 64 draws

  std::uint64_t size() const { return origin.size(); }
  /// The share of candidates that were redrawn because they began (los: or ended) in a shape.
  double redrawn_share() const;
  RaysView view() const;
};

/// The region of rays' origins, and the length of segments.
struct RayRegion {
  std::array<double, 3> low, high;  ///< origins of incoherent and los rays
  std::array<double, 3> eye, look;  ///< of the camera; `look` has unit length
  double shortest, longest;         ///< los
  bool at_eye_height = false;       ///< los between points 1 to 2.5 above 0, lengths horizontal
};

RayRegion region_of(SceneKind kind, const Scene& scene);
/// For any scene with bounds: origins in its box, segments of 0.02 to 0.5 of its largest side, the
/// camera at the origin of the seed's first incoherent ray, looking at the centre.
RayRegion region_of(const Caster& caster, std::uint64_t seed);

/// Rays [first, first + n) of the `count` that make_rays makes, for streaming; `caster` holds the
/// scene and answers which points lie inside a shape. The same bits from every backend.
RaySet make_rays_chunk(RayKind kind, const Caster& caster, const RayRegion& region,
                       std::uint64_t count, std::uint64_t seed, std::uint64_t first,
                       std::uint64_t n);
inline RaySet make_rays_chunk(RayKind kind, const Caster& caster, SceneKind scene_kind,
                              std::uint64_t count, std::uint64_t seed, std::uint64_t first,
                              std::uint64_t n) {
  const RayRegion region = region_of(scene_kind, caster.scene());
  return make_rays_chunk(kind, caster, region, count, seed, first, n);
}

/// `count` rays over a scene of make_scene (which need not have been made with the same seed).
/// Uses all cores; builds a tree over the scene.
inline RaySet make_rays(RayKind kind, const Scene& scene, SceneKind scene_kind, std::uint64_t count,
                        std::uint64_t seed) {
  return make_rays_chunk(kind, Caster(scene, CpuOptions{}), scene_kind, count, seed, 0, count);
}

}  // namespace sightline::gen
