// Crowds of targets that a shape hides, or a slot shows, all together or by a hair not all.
#pragma once

#include "tests/support/random_scene.hpp"

#include <sightline/geometry/intersect/triangle_edges.hpp>
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

/// A point of the triangle, often a corner, or on an edge or near one.
inline Vec3 point_of(const Triangle& s, Random& r) {
  float share[3];
  for (float& x : share) x = r.one_in(3) ? r.power_of_two(-20, -1) : r.uniform(0, 1);
  if (r.one_in(3)) share[r.below(3)] = 0;
  if (r.one_in(6)) share[r.below(3)] = 0;
  const float sum = std::max(share[0] + share[1] + share[2], 0x1p-30f);
  const auto mean = [&](float a, float b, float c) {
    return (a * share[0] + b * share[1] + c * share[2]) / sum;
  };
  return {mean(s.a.x, s.b.x, s.c.x), mean(s.a.y, s.b.y, s.c.y), mean(s.a.z, s.b.z, s.c.z)};
}

/// The middle of a shape of a size, near the origin or far from it.
inline Vec3 some_middle(Random& r, float size) {
  const float away = r.one_in(2) ? 0 : std::min(size * r.power_of_two(0, 22), 0x1p38f);
  return r.vec(-away, away);
}
/// Puts the viewpoint before a point of a shape of a size, and the crowd behind it, so small that
/// the shape hides it or not by a hair; some targets are bad. The normal is a flat shape's.
inline void put_crowd_behind(Crowd& c, const Vec3& edge, const Vec3& normal, float size,
                             Random& r) {
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
}

/// Behind an edge, a corner or a face of a box, which often has no extent along an axis, as seen
/// from far, near, in or beside it, or nearly along it, at sizes from 2^-20 to 2^30.
inline Crowd crowd_behind_a_box(std::uint64_t seed) {
  Crowd c;
  Random r(seed);
  const float size = r.power_of_two(-20, 30);
  const Vec3 middle = some_middle(r, size);
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
  put_crowd_behind(c, edge, normal, size, r);
  return c;
}

/// Behind an edge, a corner or the face of a triangle, alone or before a larger one that it has an
/// edge in common with: the halves of a wall.
inline Crowd crowd_behind_a_triangle(std::uint64_t seed) {
  Crowd c;
  Random r(seed);
  const float size = r.power_of_two(-20, 30);
  const Vec3 middle = some_middle(r, size);
  const auto corner = [&] {
    Vec3 v = r.vec(-size, size);
    if (seed % 2 == 0) v.z = 0;  // across an axis
    return plus(middle, v);
  };
  const Triangle s = {corner(), corner(), corner()};
  c.scene.add_triangle(s);
  if (r.one_in(2)) {  // a corner as far behind the opposite edge
    c.scene.add_triangle({s.c, s.b, minus(plus(s.b, s.c), s.a)});
  }
  const Vec3 n = quick_cross(minus(s.b, s.a), minus(s.c, s.a));
  const float length = std::sqrt(dot(n, n));
  put_crowd_behind(c, point_of(s, r), length > 0 ? times(n, 1 / length) : Vec3{0, 0, 1}, size, r);
  c.options.inside = every_policy[r.below(3)];
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
