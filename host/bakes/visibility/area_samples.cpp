// Sample points in areas.
#include "host/bakes/visibility/at_once.hpp"
#include "host/bakes/visibility/low_discrepancy.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/exact/wide_vec.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/visibility.hpp>

#include <algorithm>
#include <cmath>

namespace sightline {
namespace {

/// The sine of the largest backward turn that rounded corners may have.
constexpr double most_turn_back = 1e-5;

[[noreturn]] void refuse(std::uint64_t area, const std::string& reason) {
  throw Error(ErrorKind::bad_input, "area " + std::to_string(area) + " " + reason);
}

std::span<const Vec3> corners_of(const Areas& areas, std::uint64_t i) {
  return std::span(areas.corner).subspan(areas.offsets[i], areas.offsets[i + 1] - areas.offsets[i]);
}

/// The sum of the triangles' normals, whose lengths are twice their areas.
WideVec3 normal_of(std::span<const Vec3> corners) {
  WideVec3 sum{0, 0, 0};
  for (std::size_t k = 2; k < corners.size(); ++k) {
    sum = sum + cross(wide_diff(corners[k - 1], corners[0]), wide_diff(corners[k], corners[0]));
  }
  return sum;
}

bool is_convex(std::span<const Vec3> corners) {
  const WideVec3 normal = normal_of(corners);
  const auto turns_back = [&](const WideVec3& a, const WideVec3& b) {
    const double limit = most_turn_back * std::sqrt(square(normal) * square(a) * square(b));
    return dot(cross(a, b), normal) < -limit;
  };
  const std::size_t n = corners.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % n], &c = corners[(k + 2) % n];
    if (turns_back(wide_diff(b, a), wide_diff(c, b))) return false;
    // A star turns the right way at each corner too, but more than once around.
    if (k > 0 && k + 1 < n && turns_back(wide_diff(a, corners[0]), wide_diff(b, corners[0]))) {
      return false;
    }
  }
  return true;
}

void check(const Areas& areas, std::uint64_t i, const Vec3& up) {
  const std::span<const Vec3> corners = corners_of(areas, i);
  if (corners.size() < 3) refuse(i, "has fewer than 3 corners");
  const float height = areas.height[i];
  if (!(height >= 0)) refuse(i, "has a height below 0 or NaN");
  for (const Vec3& c : corners) {
    const Vec3 top{c.x + up.x * height, c.y + up.y * height, c.z + up.z * height};
    if (!in_domain(c) || !in_domain(top)) refuse(i, "goes beyond 2^40 or is not finite");
  }
  if (!(square(normal_of(corners)) > 0)) refuse(i, "has no extent");
  if (!is_convex(corners)) refuse(i, "is not convex");
  if (areas.samples[i] > most_area_samples) refuse(i, "asks for more than 65535 samples");
}

/// The triangles (0, k, k + 1) of a polygon, and the cumulative sums of their sizes.
struct Fan {
  explicit Fan(std::span<const Vec3> corners) : corner(corners) {
    double sum = 0;
    for (std::size_t k = 2; k < corners.size(); ++k) {
      const WideVec3 n =
          cross(wide_diff(corners[k - 1], corners[0]), wide_diff(corners[k], corners[0]));
      sum += std::sqrt(square(n));
      total.push_back(sum);
    }
  }
  std::span<const Vec3> corner;
  std::vector<double> total;  ///< [triangles]
};

/// The polygon's point for (u, v): u selects the triangle, and its remainder and v the position
/// there.
WideVec3 point_in(const Fan& fan, double u, double v) {
  const double at = u * fan.total.back();
  const auto above = std::upper_bound(fan.total.begin(), fan.total.end() - 1, at);
  const auto k = static_cast<std::size_t>(above - fan.total.begin());
  const double before = k == 0 ? 0 : fan.total[k - 1], size = fan.total[k] - before;
  double s = size > 0 ? std::min((at - before) / size, 1.0) : 0, t = v;
  if (s + t > 1) s = 1 - s, t = 1 - t;  // folds the parallelogram into the triangle
  const Vec3& a = fan.corner[0];
  return widened(a) + wide_diff(fan.corner[k + 1], a) * s + wide_diff(fan.corner[k + 2], a) * t;
}

SIGHTLINE_NOINLINE AreaSamples sample(const Areas& areas, std::uint32_t samples, const Vec3& up) {
  const auto samples_of = [&](std::uint64_t i) -> std::uint32_t {
    return areas.samples[i] == 0 ? samples : areas.samples[i];
  };
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < areas.size(); ++i) {
    check(areas, i, up);
    total += samples_of(i);
  }
  AreaSamples all;
  all.point.reserve(total);
  for (std::uint64_t i = 0; i < areas.size(); ++i) {
    const Fan fan(corners_of(areas, i));
    const std::uint32_t n = samples_of(i);
    for (std::uint32_t k = 0; k < n; ++k) {
      const UnitPoint p = unit_point(k);
      all.point.push_back(
          narrowed(point_in(fan, p.u, p.v) + widened(up) * (p.w * areas.height[i])));
    }
    all.offsets.push_back(all.point.size());
  }
  return all;
}

}  // namespace

void Areas::add(std::span<const Vec3> corners, float how_high, std::uint32_t how_many_samples) {
  return detail::in_words([&] {
    // Room comes first, so that an area is added as a whole or not at all.
    const auto one_more = [](auto& column) {
      if (column.size() == column.capacity()) column.reserve(2 * column.size() + 1);
    };
    one_more(offsets), one_more(height), one_more(samples);
    corner.insert(corner.end(), corners.begin(), corners.end());
    offsets.push_back(corner.size());
    height.push_back(how_high);
    samples.push_back(how_many_samples);
  });
}

AreaSamples sample_areas(const Areas& areas, std::uint32_t samples, const Vec3& up) {
  return detail::in_words([&] {
    if (samples == 0 || samples > most_area_samples) {
      throw Error(ErrorKind::usage,
                  "an area has 1 to 65535 samples, not " + std::to_string(samples));
    }
    const std::uint64_t n = areas.size();
    detail::check_offsets("areas", areas.offsets, n, areas.corner.size());
    detail::check_size("samples", areas.samples.size(), n, 1);
    const detail::FpEnvironment environment;
    return sample(areas, samples, up);
  });
}

AreaSamples group_points(std::span<const Vec3> points, std::span<const std::uint32_t> area,
                         std::uint64_t areas) {
  return detail::in_words([&] {
    if (points.size() != area.size()) {
      throw Error(ErrorKind::usage, "points and their areas differ in number");
    }
    if (areas > none) throw Error(ErrorKind::usage, "there are at most 2^32 - 1 areas");
    AreaSamples grouped;
    grouped.offsets.assign(areas + 1, 0);
    for (std::size_t i = 0; i < area.size(); ++i) {
      if (area[i] >= areas) {
        throw Error(ErrorKind::bad_input, "point " + std::to_string(i) + " is of area " +
                                              std::to_string(area[i]) + ", but there are " +
                                              std::to_string(areas));
      }
      ++grouped.offsets[area[i] + 1];
    }
    for (std::uint64_t a = 0; a < areas; ++a) {
      if (grouped.offsets[a + 1] > most_area_samples) refuse(a, "has more than 65535 points");
      grouped.offsets[a + 1] += grouped.offsets[a];
    }
    std::vector<std::uint64_t> next(grouped.offsets.begin(), grouped.offsets.end() - 1);
    grouped.point.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) grouped.point[next[area[i]]++] = points[i];
    return grouped;
  });
}

AreaSamples free_samples(const Caster& caster, const AreaSamples& samples, Inside inside) {
  return detail::in_words([&] {
    detail::check_offsets("samples", samples.offsets, samples.size(), samples.point.size());
    AreaSamples kept;
    kept.point.reserve(samples.point.size());
    std::vector<std::uint64_t> bits;
    std::uint64_t area = 0;
    for (std::uint64_t first = 0; first < samples.point.size(); first += detail::rays_at_once) {
      const std::uint64_t n =
          std::min<std::uint64_t>(detail::rays_at_once, samples.point.size() - first);
      const PointsView points = samples.view().slice(first, n);
      bits.assign(bit_words(n), 0);
      caster.visibility_pairs(points, points, bits, {infinity, 0, inside});
      for (std::uint64_t i = 0; i < n; ++i) {
        for (; samples.offsets[area + 1] <= first + i; ++area) {
          kept.offsets.push_back(kept.point.size());
        }
        if ((bits[i / 64] >> (i % 64) & 1) != 0) kept.point.push_back(samples.point[first + i]);
      }
    }
    for (; area < samples.size(); ++area) kept.offsets.push_back(kept.point.size());
    return kept;
  });
}

}  // namespace sightline
