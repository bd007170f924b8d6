#include "tests/accuracy/samples.hpp"

#include <cmath>
#include <utility>

namespace sightline::accuracy {
namespace {

struct Point {
  double x, y, z;
};
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator*(Point a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Point unit(Point a) { return a * (1 / std::sqrt(dot(a, a))); }
Point wide(const Vec3& v) { return {v.x, v.y, v.z}; }
Vec3 narrow(Point p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

Point within_cube(Dice& dice, double r) {
  return {dice.uniform(-r, r), dice.uniform(-r, r), dice.uniform(-r, r)};
}
Point random_unit(Dice& dice) {
  for (;;) {
    const Point p = within_cube(dice, 1);
    const double n = dot(p, p);
    if (n <= 1 && n > 0.01) return p * (1 / std::sqrt(n));
  }
}
Point across(Dice& dice, Point d) { return unit(cross(d, random_unit(dice))); }

/// A stored line, and the point that its shape's silhouette comes near to. Every other one has
/// its shape near 0, where floats resolve it well, and the rest have the origin there; narrow
/// spreads need the former.
struct Aim {
  Ray ray;
  Point d;       ///< unit
  Point impact;  ///< on the line
};

Aim aim(Dice& dice, const Cell& cell) {
  Aim a;
  const Point d = random_unit(dice);
  a.ray.direction = narrow(d * dice.uniform(0.5, 2));
  a.d = unit(wide(a.ray.direction));
  const double distance = cell.distance * cell.scale;
  const bool shape_at_zero = cell.spread < 0.1 || dice.chance(0.5);
  const Point zero = within_cube(dice, cell.scale);
  a.ray.origin = narrow(shape_at_zero ? zero - a.d * distance : zero);
  a.impact = wide(a.ray.origin) + a.d * distance;
  return a;
}

double smallest(Dice& dice, const Cell& cell) { return dice.uniform(0.4, 0.6) * cell.scale; }
double offset(Dice& dice, const Cell& cell, double size) {
  return dice.uniform(-cell.spread, cell.spread) * size;
}

/// Half extents: a wall (one small), a post (two small) or a beam between.
void half_extents(Dice& dice, const Cell& cell, double size, double h[3]) {
  const double large = size * cell.aspect;
  const double middle[3] = {size, large, size * std::pow(cell.aspect, dice.uniform())};
  h[0] = size;
  h[1] = middle[dice.below(3)];
  h[2] = large;
  for (std::uint64_t i = 2; i > 0; --i) std::swap(h[i], h[dice.below(i + 1)]);
}

/// The centre of a box, one of whose silhouette edges passes `a.impact` at the drawn offset: an
/// edge is on the silhouette when one of its faces looks forward and one backward.
Point box_center(Dice& dice, const Cell& cell, double size, const Aim& a, const Point axis[3],
                 const double h[3]) {
  const std::uint64_t k = dice.below(3);
  const std::uint64_t i = (k + 1 + dice.below(2)) % 3, j = 3 - k - i;
  const auto ahead = [&](std::uint64_t n) { return dot(a.d, axis[n]) < 0 ? -1.0 : 1.0; };
  const Point side = axis[i] * (-ahead(i) * h[i]) + axis[j] * (ahead(j) * h[j]);
  const Point edge = side + axis[k] * dice.uniform(-h[k], h[k]);
  Point out = unit(cross(axis[k], a.d));
  if (dot(out, side) < 0) out = out * -1;
  return a.impact - edge - out * offset(dice, cell, size);
}

}  // namespace

Quat random_rotation(Dice& dice) {
  for (;;) {
    const double x = dice.uniform(-1, 1), y = dice.uniform(-1, 1), z = dice.uniform(-1, 1),
                 w = dice.uniform(-1, 1), n = x * x + y * y + z * z + w * w;
    if (n > 1 || n < 0.01) continue;
    const double s = 1 / std::sqrt(n);
    return {static_cast<float>(x * s), static_cast<float>(y * s), static_cast<float>(z * s),
            static_cast<float>(w * s)};
  }
}

template <>
Sample<Aabb> draw(Dice& dice, const Cell& cell) {
  const Aim a = aim(dice, cell);
  const double size = smallest(dice, cell);
  double h[3];
  half_extents(dice, cell, size, h);
  const Point axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Point c = box_center(dice, cell, size, a, axis, h), e{h[0], h[1], h[2]};
  return {a.ray, {narrow(c - e), narrow(c + e)}, size};
}

template <>
Sample<ObbFrame> draw(Dice& dice, const Cell& cell) {
  const Aim a = aim(dice, cell);
  const double size = smallest(dice, cell);
  double h[3];
  half_extents(dice, cell, size, h);
  Obb given;
  given.rotation = random_rotation(dice);
  ObbFrame s = frame(given);
  const Point axis[3] = {wide(s.axis[0]), wide(s.axis[1]), wide(s.axis[2])};
  s.half_extents = narrow({h[0], h[1], h[2]});
  s.center = narrow(box_center(dice, cell, size, a, axis, h));
  return {a.ray, s, size};
}

template <>
Sample<Sphere> draw(Dice& dice, const Cell& cell) {
  const Aim a = aim(dice, cell);
  const double size = smallest(dice, cell);
  const Point c = a.impact - across(dice, a.d) * (size + offset(dice, cell, size));
  return {a.ray, {narrow(c), static_cast<float>(size)}, size};
}

template <>
Sample<Capsule> draw(Dice& dice, const Cell& cell) {
  const Aim a = aim(dice, cell);
  const double size = smallest(dice, cell), away = size + offset(dice, cell, size);
  const Point e = random_unit(dice) * (2 * size * cell.aspect);
  Point core, out;  // the silhouette's nearest point of the segment, from a; and outward
  if (dice.chance(0.6)) {
    core = e * dice.uniform();
    out = unit(cross(e, a.d)) * (dice.chance(0.5) ? 1.0 : -1.0);
  } else {
    const bool at_b = dice.chance(0.5);
    core = at_b ? e : e * 0;
    out = across(dice, a.d);
    if ((dot(out, e) > 0) != at_b) out = out * -1;
  }
  const Point end = a.impact - core - out * away;
  return {a.ray, {narrow(end), narrow(end + e), static_cast<float>(size)}, size};
}

/// A post or a disc, passed beside its side or beside a rim.
template <>
Sample<Cylinder> draw(Dice& dice, const Cell& cell) {
  const Aim a = aim(dice, cell);
  const double size = smallest(dice, cell), large = size * cell.aspect;
  const bool is_post = dice.chance(0.5);
  const double radius = is_post ? size : large;
  const Point n = random_unit(dice), e = n * (2 * (is_post ? large : size));
  Point core, out;  // the silhouette's point, from a; and outward
  if (dice.chance(0.5)) {
    out = unit(cross(e, a.d)) * (dice.chance(0.5) ? 1.0 : -1.0);
    core = e * dice.uniform() + out * radius;
  } else {
    out = across(dice, a.d);
    core = unit(out - n * dot(out, n)) * radius + (dot(out, e) > 0 ? e : e * 0);
  }
  const Point end = a.impact - core - out * offset(dice, cell, size);
  return {a.ray, {narrow(end), narrow(end + e), static_cast<float>(radius)}, size};
}

/// A plane has no silhouette: what is decided near its surface is whether the origin lies inside.
/// `distance` is that of the surface from 0, and its offset's size.
template <>
Sample<Plane> draw(Dice& dice, const Cell& cell) {
  Sample<Plane> s;
  s.size = smallest(dice, cell);
  s.shape.normal = narrow(random_unit(dice));
  s.shape.offset = static_cast<float>(cell.distance * cell.scale * dice.uniform(-1, 1));
  const Point n = wide(s.shape.normal);
  const double height =
      dice.chance(0.5) ? offset(dice, cell, s.size) : cell.distance * cell.scale * dice.uniform();
  const Point along = across(dice, n) * (cell.distance * cell.scale * dice.uniform());
  s.ray.origin = narrow(along + n * ((s.shape.offset + height) / dot(n, n)));
  s.ray.direction = narrow(random_unit(dice));
  return s;
}

}  // namespace sightline::accuracy
