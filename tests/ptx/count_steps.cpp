// Casts standard rays at a standard scene on the interpreter, in batches as a call of so many rays
// has them, and prints how many steps the emulation of tests/standin counts for the same, and how
// many rays a batch has: see count.py.
//   ptx_count_steps SCENE SHAPES RAYS COUNT CALL
// RAYS: a kind of rays, or `matrix`, pairs of the matrix of 10,000 points, or `segments`, these as
// rays. A scene's file and its
// points' may stand for SCENE and SHAPES.
#include "host/cuda/cuda_backend.hpp"
#include "host/gen/rays.hpp"
#include "host/gen/scenes.hpp"
#include "tests/kernels/kernels_test.hpp"
#include "tests/kernels/shared_memory.hpp"
#include "tests/standin/emulate_sight.hpp"

#include <sightline/files.hpp>

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
kernels::Schedule schedule_of_call(std::uint64_t rays, bool matrix = false) {
  kernels::Schedule schedule;
  schedule.batch =
      matrix ? kernels::tile_size(rays, schedule) : kernels::batches_of(rays, schedule).size;
  schedule.tile = schedule.batch;
  schedule.enough_batches = schedule.enough_tiles = 1;
  return schedule;
}

kernels::DeviceScene upload(SharedMemory& memory, const TreeScene& scene,
                            const kernels::Schedule& schedule) {
  const WideTree& wide = scene.wide;
  kernels::DeviceScene device = scene.view(Way::tree);
  device.shapes = memory.copy(scene.shapes);
  device.wide = {memory.copy(wide.nodes), memory.copy(wide.records), memory.copy(wide.ids)};
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

void launch(const kernels::AnyHitJob& job) { kernels::any_hit(nullptr, job); }
void launch(const kernels::ClosestHitJob& job) { kernels::closest_hit(nullptr, job); }
void launch(const kernels::SightJob& job) { kernels::sight(nullptr, job); }

/// Runs both; the emulation's answers are the reference's.
template <class Job>
standin::Steps run(const Job& job, const Job& emulated) {
  standin::Steps steps;
  standin::emulate(emulated, {&steps});
  launch(job);
  if (cudaStreamSynchronize(nullptr) != cudaSuccess) throw std::runtime_error("it failed");
  return steps;
}

void count(const TreeScene& scene, const gen::RaySet& set, bool any,
           const kernels::Schedule& schedule) {
  SharedMemory memory;
  const kernels::DeviceScene device = upload(memory, scene, schedule);
  kernels::DeviceScene host = scene.view(Way::tree);
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

/// Runs of so many neighbours on the Morton curve, evenly spread.
std::vector<SightPoint> runs_of(const std::vector<SightPoint>& points, std::uint64_t runs,
                                std::uint64_t length) {
  CountedScratch scratch;
  const auto order =
      packaged_thrust.morton_order(System::cpp, rows_of(points), scratch.get()).order;
  std::vector<SightPoint> some;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::uint64_t first =
        runs < 2 ? points.size() / 3 : (points.size() - length) * run / (runs - 1);
    for (std::uint64_t k = 0; k < length; ++k) some.push_back(points[order[first + k]]);
  }
  return some;
}

PointsView upload(SharedMemory& memory, const std::vector<SightPoint>& points) {
  const auto columns = [&](float Vec3::*axis) {
    auto* const to = memory.make<float>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) to[i] = points[i].position.*axis;
    return Column<float>(to, points.size(), sizeof(float));
  };
  PointsView view;
  view.count = points.size();
  view.position.x = columns(&Vec3::x), view.position.y = columns(&Vec3::y);
  view.position.z = columns(&Vec3::z);
  return view;
}

/// Some pairs of the matrix of the points with themselves, from all over it, as a call traces them;
/// or the same pairs as rays, row after row.
void count_matrix(const TreeScene& scene, const std::vector<SightPoint>& points, bool as_rays) {
  kernels::Schedule schedule = schedule_of_call(points.size() * points.size(), !as_rays);
  constexpr std::uint64_t rows = 256, columns = 1024, row_words = columns / 32;
  constexpr std::uint64_t pairs = rows * columns;
  const std::vector<SightPoint> from = runs_of(points, 4, rows / 4);
  const std::vector<SightPoint> to = runs_of(points, 16, columns / 16);
  if (as_rays) {
    gen::RaySet set;
    set.t_max = 1;
    for (const SightPoint& p : from) {
      for (const SightPoint& q : to) {
        set.origin.push_back(p.position);
        set.direction.push_back(minus(q.position, p.position));
      }
    }
    return count(scene, set, true, schedule);
  }
  SharedMemory memory;
  kernels::SightJob job = {upload(memory, scene, schedule), upload(memory, from),
                           upload(memory, to)};
  std::vector<std::uint32_t> truth(rows * row_words);
  job.row_words = row_words;
  // So many batches that those of boxes are as large as in the call, which has fewer of them.
  const std::uint64_t words = kernels::bit_words32(points.size());
  const std::uint64_t boxes_of_call = points.size() * kernels::bit_words32(words) * 32;
  const kernels::Schedule of_call;
  const std::uint32_t batch_of_boxes =
      kernels::batches_for(boxes_of_call, of_call.batch, of_call.enough_batches).size;
  schedule.enough_batches = schedule.enough_tiles = static_cast<std::uint32_t>(
      kernels::pieces(rows * kernels::bit_words32(row_words) * 32, batch_of_boxes));
  job.scene.schedule = schedule;
  kernels::SightJob emulated = job;
  emulated.scene = scene.view(Way::tree);
  emulated.scene.schedule = schedule;
  job.bits = memory.make<std::uint32_t>(truth.size());
  emulated.bits = truth.data();
  std::vector<std::uint32_t> box_words(kernels::box_words_of(rows, row_words));
  if (points.size() * points.size() >= cuda::MatrixLimits{}.pairs_for_boxes) {
    job.box_words = memory.make<std::uint32_t>(box_words.size());
    emulated.box_words = box_words.data();
  }
  std::vector<std::uint32_t> nodes[2];
  if (scene.shapes.bounded() >= cuda::MatrixLimits{}.shapes_to_climb) {
    const auto find = [&](const PointsView& set, std::vector<std::uint32_t>& found) {
      found.resize(set.count);
      standin::emulate(kernels::LowestNodesJob{emulated.scene, set, nullptr, found.data()});
      return memory.copy(found);
    };
    job.viewpoint_nodes = find(job.viewpoints, nodes[0]);
    job.target_nodes = find(job.targets, nodes[1]);
    emulated.viewpoint_nodes = nodes[0].data(), emulated.target_nodes = nodes[1].data();
  }
  standin::Steps steps = run(job, emulated), to_boxes;
  const kernels::SightJob with_boxes = kernels::with_useful_boxes(emulated);
  if (with_boxes.box_words != nullptr) standin::emulate_boxes(with_boxes, {&to_boxes});
  steps.nodes -= to_boxes.nodes, steps.leaves -= to_boxes.leaves;
  if (std::memcmp(job.bits, truth.data(), truth.size() * sizeof(std::uint32_t)) != 0) {
    throw std::runtime_error("the answers differ");
  }
  std::uint64_t seen = 0;
  for (const std::uint32_t word : truth) seen += count_ones(word);
  std::fprintf(stderr, "blocked: %.3f\n",
               1 - static_cast<double>(seen) / static_cast<double>(pairs));
  std::printf("%llu %llu %llu %u\n", static_cast<unsigned long long>(pairs),
              static_cast<unsigned long long>(steps.nodes),
              static_cast<unsigned long long>(steps.leaves), schedule.batch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: ptx_count_steps SCENE SHAPES RAYS COUNT CALL\n");
    return 2;
  }
  try {
    const bool standard = gen::scene_kind(argv[1]).has_value();
    const std::string_view rays = argv[3];
    const bool matrix = rays == "matrix" || rays == "segments";
    const gen::SceneKind kind = standard ? scene_kind(argv[1]) : gen::SceneKind::city;
    const std::uint64_t n = std::strtoull(argv[4], nullptr, 10);
    const std::uint64_t call = std::strtoull(argv[5], nullptr, 10);
    Scene made = standard ? gen::make_scene(kind, std::strtoull(argv[2], nullptr, 10), 1)
                          : files::read_scene(argv[1]);
    detail::Bvh tree = build_tree(made.view()).bvh;
    const TreeScene scene(std::move(made), std::move(tree));
    if (matrix) {
      std::vector<SightPoint> points;
      for (const Vec3& p :
           standard ? gen::make_rays(gen::RayKind::los, scene.scene, kind, 10000, 5).origin
                    : files::read_points(argv[2])) {
        points.push_back({p});
      }
      count_matrix(scene, points, rays == "segments");
    } else {
      const gen::RaySet set = gen::make_rays(ray_kind(rays), scene.scene, kind, n, 5);
      count(scene, set, ray_kind(rays) == gen::RayKind::los, schedule_of_call(call));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ptx_count_steps: %s\n", error.what());
    return 1;
  }
}
