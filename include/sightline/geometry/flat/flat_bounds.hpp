// Float boxes that contain the shapes of 2D: for culling, and the gate of every answer over a set.
//
// The shapes are sound (geometry/flat/sound.hpp) and in the domain. Boxes of circles, capsules,
// sectors and turned boxes reach at least one float further than the shape, others are exact.
#pragma once

#include <sightline/geometry/flat/circle_box.hpp>
#include <sightline/geometry/flat/wedge.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

namespace sightline {

/// Floats certainly below and above a value that was rounded to x once.
SIGHTLINE_HD float float_below(double x) { return next_down(narrowed(x)); }
SIGHTLINE_HD float float_above(double x) { return next_up(narrowed(x)); }

/// The box from center + low to center + high, padded to cover about ten roundings of these
/// numbers.
SIGHTLINE_HD Aabb2 padded_box(const WideVec2& center, const WideVec2& low, const WideVec2& high) {
  const auto size = [](double x) { return x < 0 ? -x : x; };
  const double pad_x = (size(center.x) + size(low.x) + size(high.x)) * 0x1p-45;
  const double pad_y = (size(center.y) + size(low.y) + size(high.y)) * 0x1p-45;
  return {{float_below(center.x + low.x - pad_x), float_below(center.y + low.y - pad_y)},
          {float_above(center.x + high.x + pad_x), float_above(center.y + high.y + pad_y)}};
}

SIGHTLINE_HD Aabb2 bounds(const Aabb2& s) { return s; }

SIGHTLINE_HD Aabb2 bounds(const Capsule2& s) {
  const double r = s.radius;
  const Vec2 low = {min(s.a.x, s.b.x), min(s.a.y, s.b.y)};
  const Vec2 high = {max(s.a.x, s.b.x), max(s.a.y, s.b.y)};
  return {{float_below(low.x - r), float_below(low.y - r)},
          {float_above(high.x + r), float_above(high.y + r)}};
}

SIGHTLINE_HD Aabb2 bounds(const Circle& s) {
  return bounds(Capsule2{s.center, s.center, s.radius});
}

SIGHTLINE_HD Aabb2 bounds(const Obb2& s) {
  const auto size = [](double x) { return x < 0 ? -x : x; };
  const TurnedAxes axes = axes_of(s);
  const WideVec2 reach = {
      (size(axes.x.x) * s.half_extents.x + size(axes.y.x) * s.half_extents.y) / axes.length,
      (size(axes.x.y) * s.half_extents.x + size(axes.y.y) * s.half_extents.y) / axes.length};
  return padded_box(widened(s.center), -reach, reach);
}

/// The center, the ends of both edges, and those of the circle's four extreme points that are in
/// the wedge, which is decided exactly.
SIGHTLINE_HD Aabb2 bounds(const Sector& s) {
  const double r = s.radius;
  WideVec2 low = {0, 0}, high = {0, 0};
  const auto add = [&](const WideVec2& p) {
    low = {p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y};
    high = {p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y};
  };
  const SectorEdges edges = edges_of(s);
  add(edges.left * (r / wide_sqrt(square(edges.left))));
  add(edges.right * (r / wide_sqrt(square(edges.right))));
  const WideVec2 outermost[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (const WideVec2& p : outermost) {
    if (in_wedge(s, p)) add(p * r);
  }
  return padded_box(widened(s.center), low, high);
}

SIGHTLINE_HD Aabb2 bounds(const ConvexPolygon& s) {
  Aabb2 box = {s.corners[0], s.corners[0]};
  for (int i = 1; i < s.count; ++i) {
    const Vec2 p = s.corners[i];
    box = {{min(p.x, box.min.x), min(p.y, box.min.y)}, {max(p.x, box.max.x), max(p.y, box.max.y)}};
  }
  return box;
}

/// As a box of 3D, for the trees.
SIGHTLINE_HD Aabb lifted(const Aabb2& box, float height = 0) {
  return {{box.min.x, box.min.y, 0}, {box.max.x, box.max.y, height}};
}

}  // namespace sightline
