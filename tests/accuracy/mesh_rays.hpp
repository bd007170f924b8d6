// A bumpy ball, closed, and seeded rays from inside it that look for holes.
#pragma once

#include "tests/oracle/dice.hpp"
#include "tests/support/cube_grid.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::testing {

inline constexpr const char* mesh_ray_names[] = {
    "corners",     "corners from the middle", "edges",    "midpoints of edges",
    "along edges", "in planes of faces",      "in faces", "along axes",
    "random"};
inline constexpr int mesh_ray_kinds = 9;

/// The mesh and its rays. Radii are 0.88 to 1.12.
class MeshRays {
 public:
  MeshRays(int cells, double away)
      : middle_{static_cast<float>(away), static_cast<float>(-away), static_cast<float>(away)},
        mesh_(cube_grid(cells, [&](double x, double y, double z) {
          const double size = std::sqrt(x * x + y * y + z * z);
          x /= size, y /= size, z /= size;
          const double bumps = 0.1 * std::sin(9 * x) * std::sin(8 * y) * std::sin(7 * z);
          const double r = 1 + bumps + 0.02 * std::sin(40 * x + 30 * y);
          return vec({middle_.x + r * x, middle_.y + r * y, middle_.z + r * z});
        })) {}

  const Mesh& mesh() const { return mesh_; }
  oracle::Dice dice(int kind, std::uint64_t seed) const {
    return oracle::Dice(seed * 1000 + static_cast<std::uint64_t>(kind));
  }

  /// The next ray of a kind, whose dice these are.
  void next(int kind, oracle::Dice& dice, Vec3& o, Vec3& d) const {
    const Triangle t = mesh_[dice.below(mesh_.faces.size())];
    const double u = dice.uniform(), v = dice.uniform() * (1 - u);
    o = inside(dice);
    switch (kind) {
      case 1:
        o = middle_;
        [[fallthrough]];
      case 0:
        d = to(o, {t.a.x, t.a.y, t.a.z});
        break;
      case 2:
        d = to(o, place(t, u, 0));
        break;
      case 3:
        d = to(o, place(t, 0.5, 0));
        break;
      case 4:  // parallel to an edge, or on its line
        if (dice.below(2) == 0 || !found_inside(dice, t, 0, o)) {
          d = to(t.a, {t.b.x, t.b.y, t.b.z});
        } else {
          d = to(o, {t.a.x, t.a.y, t.a.z});
        }
        break;
      case 5:
        found_inside(dice, t, 1, o);
        d = to(o, place(t, u, v));
        break;
      case 6:
        d = to(o, place(t, u, v));
        break;
      case 7:
        along_axis(dice, t.a, o, d);
        break;
      default:
        d = {0, 0, 0};
    }
    while (d.x == 0 && d.y == 0 && d.z == 0) {
      const double x = dice.uniform(-1, 1), y = dice.uniform(-1, 1);
      d = vec({x, y, dice.uniform(-1, 1)});
    }
  }

 private:
  struct Place {
    double x, y, z;
  };

  static Vec3 vec(const Place& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
  }
  static Vec3 to(const Vec3& o, const Place& p) { return vec({p.x - o.x, p.y - o.y, p.z - o.z}); }
  /// a + u (b - a) + v (c - a).
  static Place place(const Triangle& t, double u, double v) {
    const auto one = [&](double a, double b, double c) { return a + u * (b - a) + v * (c - a); };
    return {one(t.a.x, t.b.x, t.c.x), one(t.a.y, t.b.y, t.c.y), one(t.a.z, t.b.z, t.c.z)};
  }
  /// Well inside, even where the corners are rounded to a grid of 1/16.
  bool is_inside(const Vec3& o) const {
    const double x = double{o.x} - middle_.x, y = double{o.y} - middle_.y;
    const double z = double{o.z} - middle_.z;
    return x * x + y * y + z * z < 0.7 * 0.7;
  }
  Vec3 inside(oracle::Dice& dice) const {
    const double x = dice.uniform(-0.3, 0.3), y = dice.uniform(-0.3, 0.3);
    return vec({middle_.x + x, middle_.y + y, middle_.z + dice.uniform(-0.3, 0.3)});
  }
  /// Looks for a place inside on the line of the edge a b, or in the plane of the face as rounded;
  /// most lines and planes have none.
  bool found_inside(oracle::Dice& dice, const Triangle& t, double plane, Vec3& o) const {
    const double edge =
        std::max({std::fabs(double{t.b.x} - t.a.x), std::fabs(double{t.b.y} - t.a.y),
                  std::fabs(double{t.b.z} - t.a.z)});
    if (edge == 0) return false;
    for (int i = 0; i < 8; ++i) {
      const double u = dice.uniform(-1, 1) / edge, v = dice.uniform(-1, 1) / edge * plane;
      const Vec3 at = vec(place(t, u, v));
      if (!is_inside(at)) continue;
      o = at;
      return true;
    }
    return false;
  }
  /// Along an axis, exactly through the corner.
  void along_axis(oracle::Dice& dice, const Vec3& corner, Vec3& o, Vec3& d) const {
    const std::uint64_t axis = dice.below(3);
    const auto of = [&](Vec3& v) -> float& { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; };
    Vec3 at = corner;
    of(at) = of(o);
    d = {0, 0, 0};
    of(d) = dice.below(2) == 0 ? 1.0f : -1.0f;
    if (is_inside(at)) o = at;
  }

  Vec3 middle_;
  Mesh mesh_;
};

}  // namespace sightline::testing
