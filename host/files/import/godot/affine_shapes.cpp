#include "host/files/import/godot/affine_shapes.hpp"

#include "host/files/formats/rotation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sightline::io {
namespace {

constexpr double pi = 3.14159265358979323846;

bool is_regular(const Affine& map) {
  const double volume = map.determinant();
  return std::isfinite(volume) && volume != 0;
}

struct UnitAxes {
  std::array<Double3, 3> axis;
  Double3 length;

  explicit UnitAxes(const Affine& map) {
    for (std::size_t k = 0; k < 3; ++k) {
      length[k] = io::length(map.column[k]);
      axis[k] = times(map.column[k], 1 / length[k]);
    }
  }
  bool are_perpendicular() const {
    return std::abs(dot(axis[0], axis[1])) <= skew_tolerance &&
           std::abs(dot(axis[0], axis[2])) <= skew_tolerance &&
           std::abs(dot(axis[1], axis[2])) <= skew_tolerance;
  }
  bool are_equally_long() const {
    const auto [least, most] = std::minmax_element(length.begin(), length.end());
    return *most - *least <= skew_tolerance * *most;
  }
};

/// Where each axis points, if all are coordinate axes.
std::optional<std::array<std::size_t, 3>> coordinate_axes(const std::array<Double3, 3>& axis) {
  std::array<std::size_t, 3> to{};
  for (std::size_t j = 0; j < 3; ++j) {
    std::size_t others = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::abs(axis[j][k]) <= axis_tolerance) {
        ++others;
      } else {
        to[j] = k;
      }
    }
    if (others != 2) return std::nullopt;
  }
  return to[0] != to[1] && to[0] != to[2] && to[1] != to[2] ? std::optional(to) : std::nullopt;
}

/// Right-handed unit axes: the first as it is, the second in the plane of the first two.
std::array<Double3, 3> orthonormal(const Double3& first, const Double3& second) {
  const Double3 x = times(first, 1 / length(first));
  Double3 z = cross(x, second);
  z = times(z, 1 / length(z));
  return {x, cross(z, x), z};
}

/// The quaternion of right-handed unit axes, from its largest component.
/// Source: Shepperd, "Quaternion from rotation matrix", 1978.
Quat quaternion(const std::array<Double3, 3>& m) {
  const double trace = m[0][0] + m[1][1] + m[2][2];
  const std::array<double, 4> part = {m[0][0], m[1][1], m[2][2], trace};
  const auto largest = std::max_element(part.begin(), part.end()) - part.begin();
  Rotation q{};
  if (largest == 3) {
    q = {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 1 + trace};
  } else {
    const auto i = static_cast<std::size_t>(largest), j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + 2 * m[i][i] - trace;
    q[j] = m[i][j] + m[j][i];
    q[k] = m[i][k] + m[k][i];
    q[3] = m[j][k] - m[k][j];
  }
  return rounded(normalised(q));
}

/// The box along these axes that holds the parallelepiped of these half edges.
Double3 reach(const std::array<Double3, 3>& axes, const std::array<Double3, 3>& edges) {
  Double3 half{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (const Double3& edge : edges) half[k] += std::abs(dot(axes[k], edge));
  }
  return half;
}

double product(const Double3& v) { return v[0] * v[1] * v[2]; }

Aabb aabb_of(const Double3& center, const Double3& half) {
  Double3 low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = center[k] - half[k];
    high[k] = center[k] + half[k];
  }
  return {rounded(low), rounded(high)};
}

PlacedShape sheared_box(const Affine& map, const Double3& half) {
  std::array<Double3, 3> edges{};
  for (std::size_t k = 0; k < 3; ++k) edges[k] = times(map.column[k], half[k]);
  std::array<Double3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Double3 best = reach(axes, edges);
  PlacedShape placed{aabb_of(map.origin, best), "a box is sheared", 0};
  for (std::size_t i = 0; i < 3; ++i) {
    for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) {
      axes = orthonormal(map.column[i], map.column[j]);
      const Double3 size = reach(axes, edges);
      if (!(product(size) < product(best))) continue;
      best = size;
      placed.shape = Obb{rounded(map.origin), rounded(size), quaternion(axes)};
    }
  }
  placed.volume = product(best) / std::abs(product(half) * map.determinant());
  return placed;
}

/// No vector becomes longer by more than this; exact where the axes are perpendicular.
double largest_stretch(const Affine& map) {
  double most = 0;
  for (const Double3& row : map.column) {
    double sum = 0;
    for (const Double3& column : map.column) sum += std::abs(dot(row, column));
    most = std::max(most, sum);
  }
  return std::sqrt(most);
}

/// By how much a map makes all vectors longer, or the longest, where it is not the same for all.
struct Stretch {
  bool exact;
  double by;

  explicit Stretch(const Affine& map) {
    const UnitAxes axes(map);
    exact = axes.are_perpendicular() && axes.are_equally_long();
    by = exact ? axes.length[0] : largest_stretch(map);
  }
};

double capsule_volume(double half_segment, double radius) {
  return pi * radius * radius * (2 * half_segment + 4.0 / 3 * radius);
}

/// How much shorter than the cylinder, at each end, the segment of the smallest capsule around it
/// is. The volume falls and then rises with it.
double shortening(double half_height, double radius) {
  const auto volume = [&](double by) {
    return capsule_volume(half_height - by, std::sqrt(radius * radius + by * by));
  };
  double low = 0, high = half_height;
  for (int step = 0; step < 60; ++step) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (volume(a) < volume(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return low;
}

}  // namespace

std::optional<PlacedShape> placed_box(const Affine& map, const Double3& half_extents) {
  if (!is_regular(map)) return std::nullopt;
  const UnitAxes axes(map);
  if (!axes.are_perpendicular()) return sheared_box(map, half_extents);
  Double3 half{};
  if (const auto to = coordinate_axes(axes.axis)) {
    for (std::size_t j = 0; j < 3; ++j) half[(*to)[j]] = axes.length[j] * half_extents[j];
    return PlacedShape{aabb_of(map.origin, half), nullptr, 1};
  }
  for (std::size_t j = 0; j < 3; ++j) half[j] = axes.length[j] * half_extents[j];
  const Quat rotation = quaternion(orthonormal(axes.axis[0], axes.axis[1]));
  return PlacedShape{Obb{rounded(map.origin), rounded(half), rotation}, nullptr, 1};
}

std::optional<PlacedShape> placed_sphere(const Affine& map, double radius) {
  if (!is_regular(map)) return std::nullopt;
  const auto [exact, by] = Stretch(map);
  const Sphere sphere = {rounded(map.origin), static_cast<float>(radius * by)};
  if (exact) return PlacedShape{sphere, nullptr, 1};
  return PlacedShape{sphere, "a sphere is scaled unequally",
                     by * by * by / std::abs(map.determinant())};
}

std::optional<PlacedShape> placed_capsule(const Affine& map, const Double3& axis, double radius) {
  if (!is_regular(map)) return std::nullopt;
  const auto [exact, by] = Stretch(map);
  const Capsule capsule = {rounded(map.move(times(axis, -1))), rounded(map.move(axis)),
                           static_cast<float>(radius * by)};
  if (exact) return PlacedShape{capsule, nullptr, 1};
  const double own = capsule_volume(length(axis), radius) * std::abs(map.determinant());
  return PlacedShape{capsule, "a capsule is scaled unequally",
                     capsule_volume(length(map.turn(axis)), radius * by) / own};
}

std::optional<PlacedShape> placed_cylinder(const Affine& map, double half_height, double radius) {
  std::optional<PlacedShape> box = placed_box(map, {radius, half_height, radius});
  const double by = shortening(half_height, radius);
  std::optional<PlacedShape> capsule =
      placed_capsule(map, {0, half_height - by, 0}, std::hypot(radius, by));
  if (!box || !capsule) return std::nullopt;
  // Of cylinders, not of what was placed.
  box->volume *= 4 / pi;
  capsule->volume *= capsule_volume(half_height - by, std::hypot(radius, by)) /
                     (2 * pi * radius * radius * half_height);
  PlacedShape placed = capsule->volume < box->volume ? *capsule : *box;
  placed.approximation = std::holds_alternative<Capsule>(placed.shape)
                             ? "a cylinder becomes the capsule around it"
                             : "a cylinder becomes the box around it";
  return placed;
}

std::optional<PlacedShape> placed_plane(const Affine& map, const Double3& normal, double offset) {
  if (!is_regular(map)) return std::nullopt;
  // Normals go by the cofactors, of which the inverse transpose is a multiple.
  const double sign = map.determinant() > 0 ? 1 : -1;
  Double3 turned{};
  for (std::size_t j = 0; j < 3; ++j) {
    const Double3 cofactor = cross(map.column[(j + 1) % 3], map.column[(j + 2) % 3]);
    for (std::size_t k = 0; k < 3; ++k) turned[k] += sign * cofactor[k] * normal[j];
  }
  const double size = length(turned);
  if (!(size > 0) || !std::isfinite(size)) return std::nullopt;
  turned = times(turned, 1 / size);
  const Double3 point = map.move(times(normal, offset / dot(normal, normal)));
  return PlacedShape{Plane{rounded(turned), static_cast<float>(dot(turned, point))}, nullptr, 1};
}

Kind add_placed(Scene& scene, const PlacedShape& placed, const Attributes& attributes) {
  return std::visit(
      [&]<class Shape>(const Shape& shape) {
        scene.add(shape, attributes);
        return kind_for<Shape>;
      },
      placed.shape);
}

}  // namespace sightline::io
