// Crowds of targets that a shape hides, or a slot shows, all together or by a hair not all.
#pragma once

#include "tests/support/random_scene.hpp"

#include <sightline/geometry/queries/line_of_sight.hpp>

#include <cmath>
#include <vector>

namespace sightline::testing {

struct Crowd {
  Scene scene;
  SightPoint from;
  std::vector<SightPoint> to;
  SightOptions options;
};

/// Points within a cube of this half side.
inline std::vector<SightPoint> crowd(Random& r, const Vec3& middle, float half_side,
                                     std::size_t n) {
  std::vector<SightPoint> points(n);
  for (SightPoint& p : points) p.position = plus(middle, r.vec(-half_side, half_side));
  return points;
}

/// A corner of the box, or a point on its surface.
inline Vec3 point_of(const Aabb& s, Random& r) {
  const auto along = [&](float low, float high) {
    const float share = r.uniform(-1, 2);
    return share < 0 ? low : share > 1 ? high : low + share * (high - low);
  };
  return {along(s.min.x, s.max.x), along(s.min.y, s.max.y), along(s.min.z, s.max.z)};
}
inline Vec3 point_of(const Obb& s, Random& r) {
  const ObbFrame f = frame(s);
  const Vec3 h = s.half_extents;
  const Vec3 at = point_of(Aabb{{-h.x, -h.y, -h.z}, h}, r);
  const auto sum = [&](float x, float y, float z) { return x * at.x + y * at.y + z * at.z; };
  return plus(s.center, {sum(f.axis[0].x, f.axis[1].x, f.axis[2].x),
                         sum(f.axis[0].y, f.axis[1].y, f.axis[2].y),
                         sum(f.axis[0].z, f.axis[1].z, f.axis[2].z)});
}

/// Behind an edge, a corner or a face of a box, which often has no extent along an axis, as seen
/// from far, near, in or beside it, or nearly along it, at sizes from 2^-20 to 2^30, near the
/// origin or far from it. The crowd is so small that the box hides it or not by a hair; some
/// targets are bad.
inline Crowd crowd_behind_a_box(std::uint64_t seed) {
  Crowd c;
  Random r(seed);
  const float size = r.power_of_two(-20, 30);
  const float away = r.one_in(2) ? 0 : std::min(size * r.power_of_two(0, 22), 0x1p38f);
  const Vec3 middle = r.vec(-away, away);
  const auto extent = [&] { return r.one_in(4) ? 0.0f : size * r.uniform(0.01f, 1); };
  Obb box;
  box.center = middle;
  box.half_extents = {r.one_in(2) ? 0.0f : extent(), extent(), extent()};
  Vec3 edge, normal = {1, 0, 0};
  if (r.one_in(2)) {
    const Vec3 h = box.half_extents;
    const Aabb aabb = {plus(middle, {-h.x, -h.y, -h.z}), plus(middle, h)};
    c.scene.add_aabb(aabb);
    edge = point_of(aabb, r);
  } else {
    const float turn = r.uniform(0, 3), tilt = r.one_in(2) ? 0 : r.uniform(0, 3);
    box.rotation = {std::sin(tilt) * std::sin(turn), std::sin(tilt) * std::cos(turn),
                    std::cos(tilt) * std::sin(turn), std::cos(tilt) * std::cos(turn)};
    c.scene.add_obb(box);
    edge = point_of(box, r);
    normal = frame(box).axis[0];
  }
  const float reach = size * r.power_of_two(-6, 3);
  Vec3 offset = r.vec(-reach, reach);
  if (r.one_in(2)) {  // nearly along the wall
    const float less = dot(offset, normal) * (1 - r.power_of_two(-14, -2));
    offset = minus(offset, times(normal, less));
  }
  c.from = {r.one_in(16) ? edge : plus(edge, offset)};
  const Vec3& p = c.from.position;
  const float beyond = r.power_of_two(-4, 3);
  const Vec3 behind = plus(edge, times(minus(edge, p), beyond));
  const float spread = size * r.power_of_two(-23, 0);
  const float aside = spread * static_cast<float>(r.between(-2, 2));
  c.to = crowd(r, plus(behind, r.vec(-aside, aside)), spread,
               static_cast<std::size_t>(r.between(1, 40)));
  if (r.one_in(8)) {
    const float bad[] = {std::nanf(""), infinity, 0x1p41f};
    c.to[static_cast<std::size_t>(r.below(static_cast<int>(c.to.size())))].position.y =
        bad[r.below(3)];
  }
  if (r.one_in(3)) c.options.margin = r.one_in(2) ? r.uniform(0, 0.49f) : 0x1p-20f;
  if (r.one_in(8)) c.options.range = reach * (1 + beyond);
  return c;
}

/// Seen between shapes of every kind, along any axis and back: a slot between two pairs of them is
/// as wide as the crowd, a little wider or narrower. A plane, which has no bounds, may stand
/// behind.
inline Crowd crowd_behind_a_slot(std::uint64_t seed) {
  Crowd c;
  Random r(seed);
  const float size = r.power_of_two(-10, 20), spread = size * r.power_of_two(-14, -2);
  const int axis = r.below(3);
  const float sign = r.one_in(2) ? -1.0f : 1.0f;
  const auto turned = [&](float ahead, float right, float up) {
    const float at[3] = {sign * ahead, right, up};
    return Vec3{at[(3 - axis) % 3], at[(4 - axis) % 3], at[(5 - axis) % 3]};
  };
  const Vec3 from = r.vec(-size, size);
  c.from.position = from;
  const Vec3 way = turned(size, r.uniform(-spread, spread), r.uniform(-spread, spread));
  const float there = r.uniform(0.2f, 0.8f);
  const Vec3 slot = plus(from, times(way, there));
  const float wider = static_cast<float>(r.between(-2, 3)) * r.power_of_two(-16, -2);
  const float half = there * spread * (1 + wider);
  for (const float side : {-1.0f, 1.0f}) {
    for (const bool is_beside : {true, false}) {
      const float radius = size * r.power_of_two(-16, -4), away = side * (half + radius);
      const Vec3 at = plus(slot, is_beside ? turned(0, away, 0) : turned(0, 0, away));
      const Vec3 along = is_beside ? turned(0, 0, radius) : turned(0, radius, 0);
      const Vec3 cube = {radius, radius, radius};
      switch (r.below(4)) {
        case 0:
          c.scene.add_aabb({minus(at, cube), plus(at, cube)});
          break;
        case 1:
          c.scene.add_sphere({at, radius});
          break;
        case 2:
          c.scene.add_capsule({minus(at, along), plus(at, along), radius});
          break;
        default:
          c.scene.add_obb({at, cube, {0, 0, 0, 1}});
      }
    }
  }
  if (r.one_in(8)) {
    const Vec3 normal = turned(1, 0, 0);
    c.scene.add_plane({normal, dot(normal, plus(from, times(way, 0.9f)))});
  }
  c.to = crowd(r, plus(from, way), spread, static_cast<std::size_t>(r.between(1, 300)));
  c.options = {infinity, 0, every_policy[seed % 3]};
  return c;
}

}  // namespace sightline::testing
