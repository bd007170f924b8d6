// Casts standard rays at a standard scene on the interpreter, in batches as a call of so many rays
// has them, and prints how many steps the emulation of tests/standin counts for the same, and how
// many rays a batch has: see count.py.
//   ptx_count_steps SCENE SHAPES RAYS COUNT WIDTH CALL
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "tests/kernels/kernels_test.hpp"
#include "tests/kernels/shared_memory.hpp"
#include "tests/standin/emulate_cast.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace sightline;
using namespace sightline::testing;

namespace {

gen::SceneKind scene_kind(std::string_view name) {
  for (const auto kind : {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed}) {
    if (gen::name_of(kind) == name) return kind;
  }
  throw std::runtime_error("no such scene");
}

gen::RayKind ray_kind(std::string_view name) {
  for (const auto kind : {gen::RayKind::coherent, gen::RayKind::incoherent, gen::RayKind::los}) {
    if (gen::name_of(kind) == name) return kind;
  }
  throw std::runtime_error("no such rays");
}

template <class T>
void move_to(SharedMemory& memory, Column<T>& column, std::uint64_t count) {
  if (column.data == nullptr) return;
  T* const to = memory.make<T>(count);
  for (std::uint64_t i = 0; i < count; ++i) to[i] = column[i];
  column = Column<T>(to, count, sizeof(T));
}

/// The schedule of a call of so many rays, for fewer of them.
kernels::Schedule schedule_of_call(std::uint64_t rays) {
  kernels::Schedule schedule;
  schedule.batch = kernels::batches_of(rays, schedule).size;
  schedule.enough_batches = 1;
  return schedule;
}

kernels::DeviceScene upload(SharedMemory& memory, const TreeScene& scene, Way way,
                            const kernels::Schedule& schedule) {
  const WideTree& wide = way == Way::wide4 ? scene.wide4 : scene.wide8;
  kernels::DeviceScene device = scene.view(way);
  device.shapes = memory.copy(scene.shapes);
  device.wide = {memory.copy(wide.memory), memory.copy(wide.records), memory.copy(wide.ids)};
  device.schedule = schedule;
  return device;
}

RaysView upload(SharedMemory& memory, RaysView rays) {
  for (auto* vector : {&rays.origin, &rays.direction}) {
    move_to(memory, vector->x, rays.count);
    move_to(memory, vector->y, rays.count);
    move_to(memory, vector->z, rays.count);
  }
  move_to(memory, rays.t_min, rays.count);
  move_to(memory, rays.t_max, rays.count);
  return rays;
}

/// Runs both; the emulation's answers are the reference's.
template <class Job>
standin::Steps run(const Job& job, const Job& emulated) {
  standin::Steps steps;
  standin::emulate(emulated, {&steps});
  if constexpr (std::is_same_v<Job, kernels::AnyHitJob>)
    kernels::any_hit(nullptr, job);
  else
    kernels::closest_hit(nullptr, job);
  if (cudaStreamSynchronize(nullptr) != cudaSuccess) throw std::runtime_error("it failed");
  return steps;
}

void count(const TreeScene& scene, const gen::RaySet& set, bool any, Way way,
           const kernels::Schedule& schedule) {
  SharedMemory memory;
  const kernels::DeviceScene device = upload(memory, scene, way, schedule);
  kernels::DeviceScene host = scene.view(way);
  host.schedule = schedule;
  const RaysView rays = upload(memory, set.view());
  const std::uint64_t words = kernels::bit_words32(rays.count);
  const std::uint64_t n = any ? words : rays.count;
  auto* const answers = memory.make<std::uint32_t>(n);
  std::vector<std::uint32_t> truth(n);
  HitsView hits, true_hits;
  hits.id = answers;
  true_hits.id = truth.data();
  const standin::Steps steps = any ? run(kernels::AnyHitJob{device, rays, answers},
                                         kernels::AnyHitJob{host, rays, truth.data()})
                                   : run(kernels::ClosestHitJob{device, rays, hits},
                                         kernels::ClosestHitJob{host, rays, true_hits});
  if (std::memcmp(answers, truth.data(), n * sizeof(std::uint32_t)) != 0) {
    throw std::runtime_error("the answers differ");
  }
  std::printf("%llu %llu %llu %u\n", static_cast<unsigned long long>(rays.count),
              static_cast<unsigned long long>(steps.nodes),
              static_cast<unsigned long long>(steps.leaves), schedule.batch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "usage: ptx_count_steps SCENE SHAPES RAYS COUNT 4|8 CALL\n");
    return 2;
  }
  try {
    const gen::SceneKind kind = scene_kind(argv[1]);
    const gen::RayKind rays = ray_kind(argv[3]);
    Scene made = gen::make_scene(kind, std::strtoull(argv[2], nullptr, 10), 1);
    detail::Bvh tree = build_tree(made.view()).bvh;
    const TreeScene scene(std::move(made), std::move(tree));
    const gen::RaySet set =
        gen::make_rays(rays, scene.scene, kind, std::strtoull(argv[4], nullptr, 10), 5);
    count(scene, set, rays == gen::RayKind::los, argv[5][0] == '4' ? Way::wide4 : Way::wide8,
          schedule_of_call(std::strtoull(argv[6], nullptr, 10)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ptx_count_steps: %s\n", error.what());
    return 1;
  }
}
