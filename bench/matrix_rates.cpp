#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/scene.hpp"
#include "kernels/launch.hpp"

#include <sightline/caster.hpp>
#include <sightline/queries/line_of_sight.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

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

/// As many drawn points as make about so many pairs.
std::vector<Vec3> points_of_pairs(const Caster& caster, gen::SceneKind kind, std::uint64_t pairs) {
  const std::uint64_t points =
      64 * bit_words(static_cast<std::uint64_t>(std::sqrt(static_cast<double>(pairs))));
  return make_many_rays(gen::RayKind::los, caster, kind, points, 2).origin;
}

/// A set of points against itself, all of it on the device.
class PointsOnDevice {
 public:
  PointsOnDevice(Table& table, const std::string& name, const Scene& scene,
                 const std::vector<Vec3>& points)
      : table_(table),
        name_(name),
        shapes_(scene.size()),
        count_(points.size()),
        order_on_host_(morton_order(points)),
        places_(points),
        order_(order_on_host_),
        bits_(count_ * bit_words(count_)),
        device_(scene.view(), {Search::tree}, pool_),
        watch_(stream_.get()) {
    job.scene = device_.view();
    job.viewpoints.count = count_;
    job.viewpoints.position = std::span<const Vec3>(places_.data(), count_);
    job.targets = job.viewpoints;
    job.row_order = job.target_order = order_.data();
    job.bits = reinterpret_cast<std::uint32_t*>(bits_.data());
    job.row_words = 2 * bit_words(count_);
  }

  /// Adds a row of `job`, which the caller may change; returns the matrix.
  std::vector<std::uint64_t> seen(const char* how) {
    table_.add({"visibility", how, name_, shapes_, "pairs",
                static_cast<double>(count_) * static_cast<double>(count_), sample([&] {
                  return watch_.seconds([&] {
                    kernels::sight(stream_.get(), job);
                    cuda::check_launch("sight");
                  });
                })});
    return bits_.values();
  }
  /// Walks begin at the points' own nodes from now on. Returns whether they may.
  bool climb() {
    if (!job.scene.has_tree) return false;
    kernels::lowest_nodes(stream_.get(), {job.scene, job.targets, order_.data(), nodes_.data()});
    cuda::check_launch("lowest_nodes");
    job.target_nodes = job.viewpoint_nodes = nodes_.data();
    return true;
  }
  const std::vector<std::uint32_t>& order() const { return order_on_host_; }

  kernels::SightJob job;  ///< rows in Morton order, no boxes, from the root

 private:
  Table& table_;
  std::string name_;
  std::uint64_t shapes_, count_;
  std::vector<std::uint32_t> order_on_host_;
  DeviceArray<Vec3> places_;
  DeviceArray<std::uint32_t> order_;
  DeviceArray<std::uint32_t> nodes_{count_};
  DeviceArray<std::uint64_t> bits_;
  cuda::MemoryPool pool_{0};
  cuda::ResidentScene device_;
  cuda::OwnStream stream_;
  Stopwatch watch_;
};

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
  return measure_rows_of(table, std::string(gen::name_of(kind)), caster.scene(),
                         points_of_pairs(caster, kind, pairs));
}

std::uint64_t measure_rows_of(Table& table, const std::string& name, const Scene& scene,
                              const std::vector<Vec3>& points) {
  PointsOnDevice set(table, name, scene, points);
  const std::uint32_t* const order = std::exchange(set.job.row_order, nullptr);
  const std::vector<std::uint64_t> by_index = set.seen("on the device, rows as they come");
  set.job.row_order = order;
  const std::vector<std::uint64_t> by_order = set.seen("on the device, rows sorted");
  std::uint64_t differing = 0;
  if (set.climb()) {
    differing += set.seen("on the device, rows sorted, from the targets") != by_order;
  }
  set.job.scene.schedule.blockers_at = 18;
  differing += set.seen("on the device, from the targets, blockers at 18 lanes") != by_order;
  set.job.scene.schedule = {.tile = 1024};
  differing += set.seen("on the device, from the targets, tiles of 1024") != by_order;
  const std::uint64_t words = bit_words(points.size());
  for (std::uint64_t r = 0; r < points.size(); ++r) {
    differing +=
        !std::equal(by_order.begin() + static_cast<std::ptrdiff_t>(r * words),
                    by_order.begin() + static_cast<std::ptrdiff_t>((r + 1) * words),
                    by_index.begin() + static_cast<std::ptrdiff_t>(set.order()[r] * words));
  }
  return differing;
}

std::uint64_t measure_boxes(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                            std::uint64_t pairs) {
  const Caster caster = caster_of(kind, shapes);
  return measure_boxes_of(table, std::string(gen::name_of(kind)), caster.scene(),
                          points_of_pairs(caster, kind, pairs));
}

std::uint64_t measure_boxes_of(Table& table, const std::string& name, const Scene& scene,
                               const std::vector<Vec3>& points) {
  PointsOnDevice set(table, name, scene, points);
  const DeviceArray<std::uint32_t> boxes(kernels::box_words_of(points.size(), set.job.row_words));
  std::vector<std::uint64_t> first;
  std::uint64_t differing = 0;
  const auto add = [&](const char* how, std::uint32_t* box_words) {
    set.job.box_words = box_words;
    const std::vector<std::uint64_t> seen = set.seen(how);
    if (first.empty()) first = seen;
    differing += seen != first;
  };
  if (set.climb()) {
    add("boxes, from the targets", boxes.data());
    add("pair by pair, from the targets", nullptr);
    set.job.target_nodes = set.job.viewpoint_nodes = nullptr;
  }
  add("boxes, from the root", boxes.data());
  add("pair by pair, from the root", nullptr);
  return differing;
}

}  // namespace sightline::bench
