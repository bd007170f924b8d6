#include "host/gen/rays.hpp"

#include "host/gen/random.hpp"

#include <algorithm>
#include <numeric>

namespace sightline::gen {
namespace {

constexpr std::uint64_t draws_per_ray = 64;

struct RaySegment {
  Vec3 origin, direction;
};

/// The camera's side: 1024 pixels, or the power of two that holds fewer rays.
std::uint64_t camera_side(std::uint64_t count) {
  std::uint64_t side = 1;
  while (side < 1024 && side * side < count) side *= 2;
  return side;
}

/// Every second bit of a Morton code.
std::uint64_t even_bits(std::uint64_t code) {
  std::uint64_t value = 0;
  for (int b = 0; b < 16; ++b) value |= (code >> (2 * b) & 1) << b;
  return value;
}

Vec3d normalised(const Vec3d& v) { return (1 / std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)) * v; }

std::array<double, 3> unit(const Vec3d& v) {
  const Vec3d u = normalised(v);
  return {u.x, u.y, u.z};
}
Vec3d to_vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

Vec3d in_region(const RayRegion& region, Draws& draws) {
  const double x = draws.uniform(region.low[0], region.high[0]);
  const double y = draws.uniform(region.low[1], region.high[1]);
  const double z = draws.uniform(region.low[2], region.high[2]);
  return {x, y, z};
}

/// Ray i of the camera: frame after frame, each in Morton order, through the pixels' centres.
RaySegment coherent_ray(const RayRegion& region, std::uint64_t side, std::uint64_t i) {
  constexpr double half_width = 0.54630248984379051326;  // tan(0.5)
  const std::uint64_t code = i % (side * side);
  const auto offset = [side](std::uint64_t pixel) {
    return half_width * ((2 * static_cast<double>(pixel) + 1) / static_cast<double>(side) - 1);
  };
  const Vec3d look = to_vec(region.look);
  const Vec3d right = normalised({look.y, -look.x, 0});
  const Vec3d up{right.y * look.z - right.z * look.y, right.z * look.x - right.x * look.z,
                 right.x * look.y - right.y * look.x};
  const Vec3d direction =
      look + offset(even_bits(code)) * right + (-offset(even_bits(code >> 1))) * up;
  return {to_float(to_vec(region.eye)), to_float(normalised(direction))};
}

RaySegment between(const Vec3d& from, const Vec3d& to) {
  const Vec3 p = to_float(from), q = to_float(to);
  return {p, {q.x - p.x, q.y - p.y, q.z - p.z}};
}

RaySegment los_ray(const RayRegion& region, Draws& draws) {
  Vec3d from = in_region(region, draws);
  if (region.at_eye_height) {
    from.z = draws.uniform(1, 2.5);
    const double eye = draws.uniform(1, 2.5);
    const double distance = draws.uniform(region.shortest, region.longest);
    const Vec3d to = from + distance * draws.on_circle();
    return between(from, {to.x, to.y, eye});
  }
  const double length = draws.uniform(region.shortest, region.longest);
  return between(from, from + length * draws.direction());
}

RaySegment candidate(RayKind kind, const RayRegion& region, Draws& draws) {
  if (kind == RayKind::los) return los_ray(region, draws);
  const Vec3d origin = in_region(region, draws);
  return {to_float(origin), to_float(draws.direction())};
}

/// Bit i: point i lies in or touches a shape, as a ray of zero direction tells.
std::vector<std::uint64_t> inside(const Caster& caster, const std::vector<Vec3>& points) {
  return caster.any_hit({points, Vec3{0, 0, 0}}).words;
}

/// The pending rays that begin (los: or end) in a shape.
std::vector<std::uint64_t> still_inside(const Caster& caster, RayKind kind, const RaySet& rays,
                                        const std::vector<std::uint64_t>& pending) {
  std::vector<Vec3> points;
  points.reserve(2 * pending.size());
  for (const std::uint64_t i : pending) {
    const Vec3 o = rays.origin[i], d = rays.direction[i];
    points.push_back(o);
    if (kind == RayKind::los) points.push_back({o.x + d.x, o.y + d.y, o.z + d.z});
  }
  const std::uint64_t ends = kind == RayKind::los ? 2 : 1;
  const std::vector<std::uint64_t> bits = inside(caster, points);
  std::vector<std::uint64_t> again;
  for (std::uint64_t k = 0; k < pending.size(); ++k) {
    const auto is_inside = [&](std::uint64_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; };
    if (is_inside(ends * k) || is_inside(ends * k + ends - 1)) again.push_back(pending[k]);
  }
  return again;
}

}  // namespace

double RaySet::redrawn_share() const {
  if (candidates == 0) return 0;
  return static_cast<double>(candidates - size()) / static_cast<double>(candidates);
}

RaysView RaySet::view() const {
  RaysView v;
  v.count = size();
  v.origin = Vec3Column::rows(origin);
  v.direction = Vec3Column::rows(direction);
  v.t_min.common = t_min;
  v.t_max.common = t_max;
  return v;
}

RayRegion region_of(SceneKind kind, const Scene& scene) {
  constexpr double sin20 = 0.34202014332566873304, cos20 = 0.93969262078590838405;
  switch (kind) {
    case SceneKind::city: {
      const double width = 100 * static_cast<double>(city_side(scene.size()));
      const double street = 100 * static_cast<double>(city_side(scene.size()) / 2);
      return {{0, 0, 0}, {width, width, 60}, {street, street, 130}, {0, cos20, -sin20}, 5, 150,
              true};
    }
    case SceneKind::lattice: {
      const double width = 2 * static_cast<double>(lattice_side(scene.size()));
      const Vec3d eye{-0.6 * width, -0.35 * width, 0.9 * width};
      const Vec3d center{width / 2, width / 2, width / 2};
      return {{-1, -1, -1},
              {width + 1, width + 1, width + 1},
              {eye.x, eye.y, eye.z},
              unit(center + (-1.0) * eye),
              2,
              50};
    }
    case SceneKind::adversarial: {
      const double r = adversarial_reach(scene.size());
      const double w = 1.25 * r;
      return {{-w, -w, -w},           {w, w, w}, {-1.7 * r, -1.3 * r, 0.6 * r},
              unit({1.7, 1.3, -0.6}), 2,         50};
    }
    default:
      return {{0, 0, 0}, {100, 100, 100}, {-60, -35, 90}, unit({110, 85, -40}), 2, 50};
  }
}

RayRegion region_of(const Caster& caster, std::uint64_t seed) {
  const Aabb bounds = caster.scene().bounds();
  const std::array<double, 3> low = {bounds.min.x, bounds.min.y, bounds.min.z};
  const std::array<double, 3> high = {bounds.max.x, bounds.max.y, bounds.max.z};
  const double side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  RayRegion region{low, high, {}, {1, 0, 0}, 0.02 * side, 0.5 * side};
  const Vec3 eye = make_rays_chunk(RayKind::incoherent, caster, region, 1, seed, 0, 1).origin[0];
  region.eye = {eye.x, eye.y, eye.z};
  const Vec3d middle{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
  const Vec3d ahead = middle + (-1.0) * to_vec(region.eye);
  // The camera's up vector needs a view direction that is not vertical.
  if (ahead.x != 0 || ahead.y != 0) region.look = unit(ahead);
  return region;
}

RaySet make_rays_chunk(RayKind kind, const Caster& caster, const RayRegion& region,
                       std::uint64_t count, std::uint64_t seed, std::uint64_t first,
                       std::uint64_t n) {
  RaySet rays;
  rays.origin.resize(n);
  rays.direction.resize(n);
  if (kind == RayKind::los) rays.t_max = 1;
  if (kind == RayKind::coherent) {
    rays.candidates = n;
    for (std::uint64_t i = 0; i < n; ++i) {
      const RaySegment s = coherent_ray(region, camera_side(count), first + i);
      rays.origin[i] = s.origin;
      rays.direction[i] = s.direction;
    }
    return rays;
  }
  std::vector<std::uint64_t> pending(n);
  std::iota(pending.begin(), pending.end(), std::uint64_t{0});
  for (std::uint64_t draw = 0; draw < draws_per_ray && !pending.empty(); ++draw) {
    for (const std::uint64_t i : pending) {
      Draws draws(seed, stream_ray + static_cast<std::uint64_t>(kind) + 8 * draw, first + i);
      const RaySegment s = candidate(kind, region, draws);
      rays.origin[i] = s.origin;
      rays.direction[i] = s.direction;
    }
    rays.candidates += pending.size();
    pending = still_inside(caster, kind, rays, pending);
  }
  rays.kept_inside = pending.size();
  return rays;
}

}  // namespace sightline::gen
