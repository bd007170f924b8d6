#include "host/files/formats/rotation.hpp"

#include <sightline/geometry/base/degrees.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

constexpr double most_skew = 1e-3;

Rotation product(const Rotation& a, const Rotation& b) {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// Half of an angle as cosine and sine.
std::pair<double, double> half_turn(double degrees) {
  using namespace degrees_parts;
  const double h = std::remainder(degrees, 720) / 2, a = std::abs(h);
  const double c = a <= 45    ? cosine(a * radians)
                   : a <= 135 ? sine((90 - a) * radians)
                              : -cosine((180 - a) * radians);
  const double s = a <= 45    ? sine(a * radians)
                   : a <= 135 ? cosine((90 - a) * radians)
                              : sine((180 - a) * radians);
  return {c, std::copysign(s, h)};
}

/// The largest amount by which the columns' products differ from those of unit vectors at right
/// angles.
double skew(const std::array<double, 9>& m) {
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      const double dot = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
      most = std::max(most, std::abs(i == j ? std::sqrt(dot) - 1 : dot));
    }
  }
  return most;
}

}  // namespace

double length_of(const Rotation& q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

Rotation normalised(const Rotation& q) {
  const double length = length_of(q);
  return {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

std::array<double, 3> turned(const std::array<double, 3>& v, const Rotation& q) {
  const double u[] = {q[0], q[1], q[2]}, w = q[3];
  const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  const double uv = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  std::array<double, 3> to;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const double cross = u[j] * v[k] - u[k] * v[j];
    to[i] = ((w * w - uu) * v[i] + 2 * uv * u[i] + 2 * w * cross) / (w * w + uu);
  }
  return to;
}

// Source: K. Shoemake, "Quaternions", 1994: from the largest of the four, so that no small number
// is divided by.
std::optional<std::pair<Rotation, double>> rotation_of_matrix(const std::array<double, 9>& m) {
  const double off = skew(m);
  const double determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) -
                             m[1] * (m[3] * m[8] - m[5] * m[6]) +
                             m[2] * (m[3] * m[7] - m[4] * m[6]);
  if (!(off <= most_skew) || determinant < 0) return std::nullopt;
  const double trace = m[0] + m[4] + m[8];
  Rotation q;
  if (trace > 0) {
    q = {m[7] - m[5], m[2] - m[6], m[3] - m[1], 1 + trace};
  } else {
    const std::size_t i = m[0] >= m[4] && m[0] >= m[8] ? 0 : m[4] >= m[8] ? 1 : 2;
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1 + m[4 * i] - m[4 * j] - m[4 * k];
    q[j] = m[3 * j + i] + m[3 * i + j];
    q[k] = m[3 * k + i] + m[3 * i + k];
    q[3] = m[3 * k + j] - m[3 * j + k];
  }
  return {{normalised(q), off}};
}

Rotation rotation_of_euler(const std::array<double, 3>& degrees, std::string_view axes) {
  Rotation all = {0, 0, 0, 1};
  for (const char axis : axes) {
    const auto k = static_cast<std::size_t>(axis - 'x');
    const auto [c, s] = half_turn(degrees[k]);
    Rotation one = {0, 0, 0, c};
    one[k] = s;
    all = product(all, one);
  }
  return normalised(all);
}

}  // namespace sightline::io
