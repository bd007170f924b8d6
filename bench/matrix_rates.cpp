#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/scene.hpp"
#include "kernels/launch.hpp"

#include <sightline/caster.hpp>
#include <sightline/queries/line_of_sight.hpp>

#include <algorithm>
#include <cmath>

namespace sightline::bench {
namespace {

/// Matrices are that large that two samples must do.
template <class F>
std::vector<double> twice(F&& work) {
  return {host_seconds(work), host_seconds(work)};
}

Caster caster_of(gen::SceneKind kind, std::uint64_t shapes) {
  CasterOptions options;
  options.search = Search::tree;
  options.sort = SortRays::never;
  return Caster(gen::make_scene(kind, shapes, 1), Backend::cuda, options);
}

PointsView points_at(const std::vector<Vec3>& places) {
  PointsView view;
  view.count = places.size();
  view.position = Vec3Column::rows(places);
  return view;
}

/// In which the device takes targets.
std::vector<std::uint32_t> morton_order(const std::vector<Vec3>& places) {
  const cuda::OwnStream stream;
  const cuda::MemoryPool pool(0);
  cuda::StreamMemory scratch(pool, stream.get());
  const DeviceArray<Vec3> on_device(places);
  const DeviceArray<std::uint32_t> order(places.size()), rank(places.size());
  PointsView view;
  view.count = places.size();
  view.position = std::span<const Vec3>(on_device.data(), places.size());
  const int error =
      kernels::morton_order(stream.get(), view, order.data(), rank.data(), scratch.allocator());
  cuda::check(static_cast<cudaError_t>(error), "morton_order");
  return order.values();
}

std::vector<Vec3> in_morton_order(const std::vector<Vec3>& places) {
  std::vector<Vec3> sorted;
  for (const std::uint32_t k : morton_order(places)) sorted.push_back(places[k]);
  return sorted;
}

/// The rays of the matrix, row by row.
gen::RaySet rays_between(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  gen::RaySet rays;
  rays.t_max = 1;
  for (const Vec3& p : from) {
    for (const Vec3& q : to) {
      const Ray ray = sight_ray({p}, {q}, 0, infinity).ray;
      rays.origin.push_back(ray.origin);
      rays.direction.push_back(ray.direction);
    }
  }
  return rays;
}

}  // namespace

std::uint64_t measure_matrix(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t points) {
  const Caster caster = caster_of(kind, shapes);
  const gen::RaySet rays = make_many_rays(gen::RayKind::los, caster, kind, points, 2);
  const PointsView view = points_at(rays.origin);
  const auto add = [&](const char* how, const char* work, double amount,
                       std::vector<double> seconds) {
    table.add({"visibility", how, std::string(gen::name_of(kind)), caster.scene().size(), work,
               amount, std::move(seconds)});
  };
  const auto pairs = static_cast<double>(points) * static_cast<double>(points);
  std::vector<std::uint64_t> matrix(points * bit_words(points)), self(matrix.size());
  add("large matrix, into host memory", "pairs", pairs,
      twice([&] { caster.visibility(view, view, matrix); }));
  add("large set against itself", "pairs", pairs, twice([&] { caster.visibility(view, self); }));
  return matrix == self ? 0 : 1;
}

std::uint64_t measure_matrix_and_rays(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                                      std::uint64_t rays) {
  const Caster caster = caster_of(kind, shapes);
  const std::uint64_t targets =
      64 * bit_words(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(rays))));
  const std::uint64_t viewpoints = std::max<std::uint64_t>(1, rays / targets);
  const gen::RaySet ends = make_many_rays(gen::RayKind::los, caster, kind, viewpoints + targets, 2);
  const auto middle = ends.origin.begin() + static_cast<std::ptrdiff_t>(viewpoints);
  const std::vector<Vec3> from(ends.origin.begin(), middle),
      to = in_morton_order({middle, ends.origin.end()});
  const auto pairs = static_cast<double>(viewpoints * targets);
  const auto add = [&](const char* what, const char* how, std::vector<double> seconds) {
    table.add(
        {what, how, std::string(gen::name_of(kind)), shapes, "pairs", pairs, std::move(seconds)});
  };
  std::vector<std::uint64_t> seen(viewpoints * targets / 64);
  add("visibility", "matrix and its rays: the matrix", sample([&] {
        return host_seconds([&] { caster.visibility(points_at(from), points_at(to), seen); });
      }));
  const cuda::OwnStream stream;
  Stopwatch watch(stream.get());
  const DeviceRays on_device(rays_between(from, to));
  const DeviceArray<std::uint64_t> blocked(seen.size());
  add("any hit", "matrix and its rays: the rays, on device", sample([&] {
        return watch.seconds([&] {
          caster.any_hit_on_device(on_device.view, {blocked.data(), seen.size()}, stream.get());
        });
      }));
  for (std::uint64_t& word : seen) word = ~word;
  return blocked.values() == seen ? 0 : 1;
}

std::uint64_t measure_rows(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                           std::uint64_t pairs) {
  const Caster caster = caster_of(kind, shapes);
  const std::uint64_t points =
      64 * bit_words(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(pairs))));
  return measure_rows_of(table, std::string(gen::name_of(kind)), caster.scene(),
                         make_many_rays(gen::RayKind::los, caster, kind, points, 2).origin);
}

std::uint64_t measure_rows_of(Table& table, const std::string& name, const Scene& scene,
                              const std::vector<Vec3>& points) {
  const std::uint64_t n = points.size(), words = bit_words(n);
  const std::vector<std::uint32_t> sorted = morton_order(points);
  const DeviceArray<Vec3> places(points);
  const DeviceArray<std::uint32_t> order(sorted);
  const DeviceArray<std::uint64_t> bits(n * words);
  const cuda::MemoryPool pool(0);
  const cuda::ResidentScene device(scene.view(), {Search::tree}, pool);
  const cuda::OwnStream stream;
  Stopwatch watch(stream.get());
  kernels::SightJob job;
  job.scene = device.view();
  job.viewpoints.count = n;
  job.viewpoints.position = std::span<const Vec3>(places.data(), n);
  job.targets = job.viewpoints;
  job.target_order = order.data();
  job.bits = reinterpret_cast<std::uint32_t*>(bits.data());
  job.row_words = 2 * words;
  const auto seen = [&](const char* how, const std::uint32_t* row_order) {
    job.row_order = row_order;
    table.add(
        {"visibility", how, name, scene.size(), "pairs", static_cast<double>(n * n), sample([&] {
           return watch.seconds([&] {
             kernels::sight(stream.get(), job);
             cuda::check_launch("sight");
           });
         })});
    return bits.values();
  };
  const std::vector<std::uint64_t> by_index = seen("on the device, rows as they come", nullptr),
                                   by_order = seen("on the device, rows sorted", order.data());
  std::uint64_t differing = 0;
  const DeviceArray<std::uint32_t> nodes(n);
  if (kernels::may_climb(job.scene)) {
    kernels::lowest_nodes(stream.get(), {job.scene, job.targets, order.data(), nodes.data()});
    cuda::check_launch("lowest_nodes");
    job.target_nodes = job.viewpoint_nodes = nodes.data();
    differing += seen("on the device, rows sorted, from the targets", order.data()) != by_order;
  }
  job.scene.schedule.blockers_at = 18;
  differing +=
      seen("on the device, from the targets, blockers at 18 lanes", order.data()) != by_order;
  job.scene.schedule = {.tile = 1024};
  differing += seen("on the device, from the targets, tiles of 1024", order.data()) != by_order;
  for (std::uint64_t r = 0; r < n; ++r) {
    differing += !std::equal(by_order.begin() + static_cast<std::ptrdiff_t>(r * words),
                             by_order.begin() + static_cast<std::ptrdiff_t>((r + 1) * words),
                             by_index.begin() + static_cast<std::ptrdiff_t>(sorted[r] * words));
  }
  return differing;
}

}  // namespace sightline::bench
