#include "host/gen/random.hpp"

namespace sightline::gen {

// Every draw is a separate statement, since the evaluation order of arguments and of elements of
// braced lists must not matter.

Vec3d Draws::in_cube(double a, double b) {
  const double x = uniform(a, b);
  const double y = uniform(a, b);
  const double z = uniform(a, b);
  return {x, y, z};
}

Vec3d Draws::direction() {
  for (;;) {
    const Vec3d v = in_cube(-1, 1);
    const double s = v.x * v.x + v.y * v.y + v.z * v.z;
    // The lower bound keeps the relative error of the square root's argument small.
    if (s <= 1 && s > 0x1p-20) return (1 / std::sqrt(s)) * v;
  }
}

Vec3d Draws::on_circle() {
  for (;;) {
    const double x = uniform(-1, 1);
    const double y = uniform(-1, 1);
    const double s = x * x + y * y;
    if (s <= 1 && s > 0x1p-20) {
      const double r = std::sqrt(s);
      return {x / r, y / r, 0};
    }
  }
}

Quat Draws::rotation() {
  for (;;) {
    const Vec3d v = in_cube(-1, 1);
    const double w = uniform(-1, 1);
    const double s = v.x * v.x + v.y * v.y + v.z * v.z + w * w;
    if (s <= 1 && s > 0x1p-20) {
      const double r = std::sqrt(s);
      return {static_cast<float>(v.x / r), static_cast<float>(v.y / r), static_cast<float>(v.z / r),
              static_cast<float>(w / r)};
    }
  }
}

Quat small_turn_about_z(double angle) {
  const double x = 0.5 * angle;
  const double s = x * x;
  const double sine = x * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040))));
  const double cosine = 1 - s * (1.0 / 2 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320))));
  return {0, 0, static_cast<float>(sine), static_cast<float>(cosine)};
}

}  // namespace sightline::gen
