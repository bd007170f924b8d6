// Lines near silhouettes over the whole domain, and what makes them worse.
#pragma once

#include "tests/accuracy/samples.hpp"
#include "tests/oracle/oracle.hpp"

#include <cmath>

namespace sightline::accuracy {

/// Any distance, aspect, spread and scale of the domain.
inline Cell some_cell(Dice& dice) {
  Cell cell;
  cell.distance = std::pow(10.0, dice.uniform(0, 6));
  cell.aspect = dice.chance(0.3) ? 1 : std::pow(10.0, dice.uniform(0, 5));
  cell.spread = std::pow(10.0, dice.uniform(-8, 0));
  const double top = 38 - std::log2(std::max(cell.distance, cell.aspect) + 1);
  cell.scale = std::exp2(std::floor(dice.uniform(-59, top)));
  return cell;
}

inline float nudged(Dice& dice, float v, double by) {
  return v + v * static_cast<float>(by * dice.uniform(-1, 1));
}

/// Makes a sample worse: axis-parallel or nearly so, flat, thin, a point.
inline void twist(Dice& dice, Sample<Aabb>& s) {
  if (dice.chance(0.2)) (&s.ray.direction.x)[dice.below(3)] *= dice.chance(0.5) ? 0.0f : 1e-6f;
  if (dice.chance(0.1)) s.shape.max.x = s.shape.min.x;
}
inline void twist(Dice& dice, Sample<ObbFrame>& s) {
  const Vec3& a = s.shape.axis[dice.below(3)];
  if (dice.chance(0.3)) {  // nearly along an axis, so that two faces are grazed
    const double by = std::pow(10.0, dice.uniform(-8, -2));
    s.ray.direction = {nudged(dice, a.x, by), nudged(dice, a.y, by), nudged(dice, a.z, by)};
  }
  if (dice.chance(0.1)) (&s.shape.half_extents.x)[dice.below(3)] = 0;
}
inline void twist(Dice& dice, Sample<Sphere>& s) {
  if (dice.chance(0.05)) s.shape.radius = 0;
  if (dice.chance(0.1)) (&s.ray.direction.x)[dice.below(3)] = 0;
}
inline void twist(Dice& dice, Sample<Capsule>& s) {
  Capsule& c = s.shape;
  if (dice.chance(0.05)) c.radius = 0;
  if (dice.chance(0.05)) c.b = c.a;
  if (dice.chance(0.2)) {  // a segment down to 2^-60 in a large ball
    const float size = std::fabs(dice.wild(-60, 0));
    const auto part = [&] { return size * static_cast<float>(dice.uniform(-1, 1)); };
    c.a = {0, 0, 0};
    c.b = {part(), part(), part()};
    c.radius = std::fabs(dice.wild(-4, 4));
    s.size = static_cast<double>(c.radius);
    s.ray.direction = {part() / size, part() / size, part() / size};
    // A line that touches the side: off the axis by about a radius, at right angles to both.
    const Vec3 d = s.ray.direction;
    const auto aside = oracle::cross(oracle::Wide<long double>(c.b), oracle::Wide<long double>(d));
    const long double length = oracle::root(oracle::dot(aside, aside));
    if (!(length > 0)) return;
    const long double r = static_cast<long double>(c.radius) *
                          (1 + static_cast<long double>(dice.wild(-30, -8))) / length;
    const auto at = aside * r;
    s.ray.origin = {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)};
    if (dice.chance(0.5)) return;
  }
  if (dice.chance(0.3)) {  // nearly along the axis
    const double by = std::pow(10.0, dice.uniform(-8, -2));
    const Vec3 d{c.b.x - c.a.x, c.b.y - c.a.y, c.b.z - c.a.z};
    s.ray.direction = {nudged(dice, d.x, by), nudged(dice, d.y, by), nudged(dice, d.z, by)};
  }
}

inline void twist(Dice& dice, Sample<Cylinder>& s) {
  Cylinder& c = s.shape;
  if (dice.chance(0.05)) c.radius = 0;
  const Vec3 e{c.b.x - c.a.x, c.b.y - c.a.y, c.b.z - c.a.z};
  Vec3& d = s.ray.direction;
  if (dice.chance(0.3)) {  // nearly along the axis, or nearly along the planes of the ends
    const double by = std::pow(10.0, dice.uniform(-8, -2));
    const Vec3 other{e.y - e.z, e.z - e.x, e.x - e.y};
    d = dice.chance(0.5) ? e : other;
    d = {nudged(dice, d.x, by), nudged(dice, d.y, by), nudged(dice, d.z, by)};
  }
  if (dice.chance(0.2)) {  // from the plane of an end, or from the axis, in the axes' directions
    const std::uint64_t k = dice.below(3);
    float& moved = (&c.b.x)[k];
    c.b = c.a;
    moved += (&e.x)[k] == 0 ? static_cast<float>(s.size) : (&e.x)[k];
    if (moved == (&c.a.x)[k]) moved = next_up(moved);
    if (dice.chance(0.5)) {
      (&s.ray.origin.x)[k] = dice.chance(0.5) ? moved : (&c.a.x)[k];
    } else {
      (&s.ray.origin.x)[(k + 1) % 3] = (&c.a.x)[(k + 1) % 3];
    }
    if (dice.chance(0.3)) (&d.x)[dice.below(3)] = 0;
  }
}

}  // namespace sightline::accuracy
