#include "host/bakes/visibility/at_once.hpp"
#include "host/common/checks.hpp"
#include "host/common/fp_environment.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/exact/octahedral.hpp>
#include <sightline/visibility.hpp>

#include <algorithm>

namespace sightline {
namespace {

SIGHTLINE_NOINLINE void fill(std::uint32_t n, std::vector<Vec3>& directions) {
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) directions.push_back(octahedral_direction(i, j, n));
  }
}

/// Rays [first, first + count) of all points, with the points' masks and exclusions.
struct ProbeRays {
  std::vector<Vec3> origin, direction;
  std::vector<std::uint32_t> mask, exclude, exclude_group;

  void fill(const PointsView& points, const std::vector<Vec3>& directions, std::uint64_t first,
            std::uint64_t count) {
    origin.resize(count), direction.resize(count), mask.resize(count);
    exclude.resize(count), exclude_group.resize(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const SightPoint p = points[(first + k) / directions.size()];
      origin[k] = p.position;
      direction[k] = directions[(first + k) % directions.size()];
      mask[k] = p.mask, exclude[k] = p.exclude, exclude_group[k] = p.exclude_group;
    }
  }
  RaysView view() const {
    RaysView v{origin, direction};
    v.mask = mask;
    v.exclude[0] = exclude, v.exclude_group[0] = exclude_group;
    return v;
  }
};

}  // namespace

std::vector<Vec3> octahedral_directions(std::uint32_t n) {
  return detail::in_words([&] {
    if (n == 0 || n > 4096) throw Error(ErrorKind::usage, "a map of directions is 1 to 4096 wide");
    std::vector<Vec3> directions;
    directions.reserve(std::size_t{n} * n);
    const detail::FpEnvironment environment;
    fill(n, directions);
    return directions;
  });
}

ProbeDistances probe_distances(const Caster& caster, const PointsView& given, std::uint32_t n,
                               const ProbeOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const PointsView points = detail::counted(given);
    const std::uint64_t cells = octahedral_directions(n).size();
    if (points.count > (std::uint64_t{1} << 60) / cells) throw std::bad_alloc();
    ProbeDistances probes{n, std::vector<float>(points.count * cells), {}};
    probes.report = probe_distances(caster, points, n, probes.distance, options);
    return probes;
  });
}

CastReport probe_distances(const Caster& caster, const PointsView& given, std::uint32_t n,
                           std::span<float> distance, const ProbeOptions& options) {
  caster.backend();  // or refuse, before memory is taken
  return detail::in_words([&] {
    const std::vector<Vec3> directions = octahedral_directions(n);
    const PointsView points = detail::counted(given);
    detail::check_array("distance", distance, points.count, directions.size());
    if (!(options.range >= 0)) throw Error(ErrorKind::usage, "the range must be at least 0");
    CastReport total;
    ProbeRays rays;
    for (std::uint64_t first = 0; first < distance.size(); first += detail::rays_at_once) {
      const std::uint64_t count =
          std::min<std::uint64_t>(detail::rays_at_once, distance.size() - first);
      rays.fill(points, directions, first, count);
      RaysView view = rays.view();
      view.t_max = options.range;
      const CastReport part =
          caster.closest_hit(view, {.t = distance.subspan(first, count)}, {options.inside, false});
      if (part.bad_rays > 0 && total.bad_rays == 0) {
        total.first_bad_ray = first + part.first_bad_ray;
      }
      total.rays += part.rays;
      total.hits += part.hits;
      total.bad_rays += part.bad_rays;
    }
    return total;
  });
}

}  // namespace sightline
