#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"

#include <sightline/caster.hpp>

namespace sightline::bench {
namespace {

/// Matrices are that large that two samples must do.
template <class F>
std::vector<double> twice(F&& work) {
  return {host_seconds(work), host_seconds(work)};
}

}  // namespace

std::uint64_t measure_matrix(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t points) {
  CasterOptions options;
  options.search = Search::tree;
  const Caster caster(gen::make_scene(kind, shapes, 1), Backend::cuda, options);
  const gen::RaySet rays = make_many_rays(gen::RayKind::los, caster, kind, points, 2);
  PointsView view;
  view.count = points;
  view.position = Vec3Column::rows(rays.origin);
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

  const cuda::OwnStream stream;
  Stopwatch watch(stream.get());
  const DeviceRays on_device(rays);
  const std::uint64_t words = bit_words(points);
  const DeviceArray<std::uint64_t> blocked(words);
  add("any hit of its rays, on the device", "rays", static_cast<double>(points), sample([&] {
        return watch.seconds([&] {
          caster.any_hit_on_device(on_device.view, {blocked.data(), words}, stream.get());
        });
      }));
  return matrix == self ? 0 : 1;
}

}  // namespace sightline::bench
