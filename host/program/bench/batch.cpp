#include "host/program/bench/query.hpp"

#include <sightline/queries/line_of_sight.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

std::uint64_t side_of(std::uint64_t count) {
  std::uint64_t side = 64;
  while ((side + 64) * (side + 64) <= count) side += 64;
  return side;
}

PointsView view_of(const std::vector<Vec3>& points) {
  PointsView v;
  v.count = points.size();
  v.position = Vec3Column::rows(points);
  return v;
}

/// `count` of the points, evenly spread over their order.
std::vector<Vec3> some_of(const std::vector<Vec3>& points, std::uint64_t count) {
  std::vector<Vec3> some(count);
  for (std::uint64_t i = 0; i < count; ++i) some[i] = points[i * points.size() / count];
  return some;
}

/// The ends of `count` los rays as viewpoints and targets.
void draw_points(Batch& batch, const BatchOptions& options, const Caster& caster,
                 const gen::RayRegion& region, std::uint64_t count) {
  const gen::RaySet los =
      gen::make_rays_chunk(gen::RayKind::los, caster, region, count, options.seed, 0, count);
  batch.redrawn_share = los.redrawn_share();
  batch.viewpoints = los.origin;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Vec3 o = los.origin[i], d = los.direction[i];
    batch.targets.push_back({o.x + d.x, o.y + d.y, o.z + d.z});
  }
}

void make_matrix(Batch& batch, const BatchOptions& options, const Caster& caster,
                 const gen::RayRegion& region) {
  std::uint64_t side = side_of(options.count);
  batch.queries = {BenchQuery::any, BenchQuery::visibility};
  if (options.points.empty()) {
    draw_points(batch, options, caster, region, side);
  } else {
    side = std::min<std::uint64_t>(side, options.points.size() / 64 * 64);
    batch.viewpoints = batch.targets = some_of(options.points, side);
  }
  batch.from = view_of(batch.viewpoints);
  batch.to = view_of(batch.targets);
  batch.set.t_max = 1;
  for (std::uint64_t i = 0; i < side; ++i) {
    for (std::uint64_t j = 0; j < side; ++j) {
      const SightRay sight = sight_ray(batch.from[i], batch.to[j], 0, infinity);
      batch.set.origin.push_back(sight.ray.origin);
      batch.set.direction.push_back(sight.ray.direction);
    }
  }
  batch.rays = batch.set.view();
}

}  // namespace

const char* name_of(BenchQuery query) {
  constexpr const char* names[] = {"closest", "any", "visibility"};
  return names[static_cast<int>(query)];
}

RaysView every(RaysView rays, std::uint64_t step, std::uint64_t n) {
  const auto stretch = [&](auto& column) {
    column.stride *= static_cast<std::ptrdiff_t>(step);
    column.count = n;
  };
  rays.count = n;
  RaysView::columns(
      [&](const char*, auto& column) {
        if constexpr (requires { column.x; }) {
          stretch(column.x), stretch(column.y), stretch(column.z);
        } else {
          stretch(column);
        }
      },
      rays);
  return rays;
}

std::deque<Batch> make_batches(const BatchOptions& options, const Caster& caster,
                               const gen::RayRegion& region) {
  std::deque<Batch> batches;
  for (const std::string& name : options.rays) {
    Batch& batch = batches.emplace_back();
    batch.name = name;
    if (name == "matrix") {
      make_matrix(batch, options, caster, region);
    } else if (const auto kind = gen::ray_kind(name)) {
      batch.queries = {*kind == gen::RayKind::los ? BenchQuery::any : BenchQuery::closest};
      batch.set = gen::make_rays_chunk(*kind, caster, region, options.count, options.seed, 0,
                                       options.count);
      batch.redrawn_share = batch.set.redrawn_share();
      batch.rays = batch.set.view();
    } else {
      const io::RaysSource source(name);
      if (source.columns().radius) {
        io::fail(ErrorKind::usage, "{}: rays with radii are not for bench", name);
      }
      batch.queries = options.queries_of_files;
      batch.rays = source.read(0, source.count(), batch.buffer);
    }
  }
  return batches;
}

}  // namespace sightline::cli
