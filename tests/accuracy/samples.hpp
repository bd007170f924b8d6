// Random lines that pass near the silhouette of a random shape, made in double and then rounded.
#pragma once

#include <sightline/geometry/shapes/capsule.hpp>
#include <sightline/geometry/shapes/cylinder.hpp>
#include <sightline/geometry/shapes/obb.hpp>
#include <sightline/geometry/shapes/plane.hpp>
#include <sightline/geometry/shapes/sphere.hpp>
#include <sightline/ray.hpp>

#include "tests/oracle/dice.hpp"

namespace sightline::accuracy {

using oracle::Dice;

/// One column of the table, and how the lines of a sample are drawn.
struct Cell {
  double distance = 10;  ///< from the origin to the shape, in units of twice its smallest size
  double aspect = 1;     ///< longest to smallest size, of boxes, capsules and cylinders
  double scale = 1;      ///< of everything
  double spread = 0.3;   ///< offsets from the silhouette, +- this part of the smallest size
};

template <class Shape>
struct Sample {
  Ray ray;
  Shape shape;
  double size;  ///< the smallest: a radius or half extent, about 0.5 * scale
};

template <class Shape>
Sample<Shape> draw(Dice& dice, const Cell& cell);
template <>
Sample<Aabb> draw(Dice&, const Cell&);
template <>
Sample<ObbFrame> draw(Dice&, const Cell&);
template <>
Sample<Sphere> draw(Dice&, const Cell&);
template <>
Sample<Capsule> draw(Dice&, const Cell&);
template <>
Sample<Cylinder> draw(Dice&, const Cell&);
template <>
Sample<Plane> draw(Dice&, const Cell&);

/// A uniformly random rotation.
Quat random_rotation(Dice& dice);

}  // namespace sightline::accuracy
