// bench: rates of the backends on standard scenes or the user's own, and against rivals.
#include "host/files/core/file.hpp"
#include "host/program/arguments/options.hpp"
#include "host/program/bench/scene_bench.hpp"
#include "host/program/engine/inputs.hpp"
#include "host/program/interrupt.hpp"

#include <sightline/devices.hpp>
#include <sightline/error.hpp>

#include <algorithm>

namespace sightline::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> scenes = {"city", "cloud", "mixed"};     ///< standard kinds, or files
  std::vector<std::uint64_t> shapes = {1'000, 100'000, 1'000'000};  ///< of standard kinds
  std::vector<std::string> rays = {"coherent", "incoherent", "los", "matrix"};  ///< or files
  bool any = false;    ///< what files of rays are for
  std::string points;  ///< of matrices; none: drawn
  std::uint64_t count = 1 << 20;
  std::uint64_t seed = 1;
  std::vector<int> threads;  ///< on the CPU; empty: 1 and all cores
  std::vector<Lanes> lanes = {Lanes::automatic};
  int pairs = 5;
  std::vector<std::string> against;  ///< rivals
  std::string mode;                  ///< of rivals, as a row names it; "": each
  bool wall = false;  ///< rates by the clock on the wall, not by the time of the cores
};

/// Throws where there is none of that name, or it cannot be used here.
const Rival* find_rival(const std::vector<std::unique_ptr<Rival>>& rivals,
                        const std::string& name) {
  for (const auto& rival : rivals) {
    if (rival->name() != name) continue;
    const std::string problem = rival->problem();
    if (problem.empty()) return rival.get();
    io::fail(ErrorKind::usage, "--against {}: {}", name, problem);
  }
  if (rivals.empty()) {
    io::fail(ErrorKind::usage,
             "--against {}: this program was built without rivals; -DSIGHTLINE_BENCH=ON builds "
             "bench/sightline, which has those it finds",
             name);
  }
  std::string known;
  for (const auto& rival : rivals) known += (known.empty() ? "" : ", ") + rival->name();
  io::fail(ErrorKind::usage, "--against {}: this build knows {}", name, known);
}

/// Rivals look at neither, so their answers would be to other questions.
void refuse_masks_and_exclusions(const std::string& file) {
  const io::RaysSource rays(file);
  const io::RayColumns& c = rays.columns();
  if (!c.mask && !c.exclude && !c.exclude_group) return;
  io::fail(ErrorKind::usage, "{}: rays with masks or exclusions are not for --against", file);
}

/// Throws where they are too few.
std::vector<Vec3> points_of_matrix(Job& job, const std::string& file) {
  constexpr std::uint64_t fewest = 64;  // a word of bits
  io::Points points = load_points(job, file, "/points");
  if (points.count() < fewest) {
    io::fail(ErrorKind::usage, "{}: {} points, and a matrix needs {}", file, points.count(),
             fewest);
  }
  return std::move(points.position);
}

std::vector<BenchPlace> places_of(const std::string& device, const BenchArguments& a) {
  const Clock clock = a.wall ? Clock::wall : Clock::cpu;
  std::vector<BenchPlace> places;
  if (device == "auto" || device == "cpu") {
    for (const int n : a.threads.empty() ? default_threads() : a.threads) {
      for (const Lanes lanes : a.lanes) places.push_back({"cpu", n, clock, lanes});
    }
  }
  if (device == "reference") places.push_back({device, 1, clock});
  const bool is_cuda = backend_of(device) == Backend::cuda;
  if (is_cuda || (device == "auto" && cuda_devices().problem.empty())) {
    places.push_back({is_cuda ? device : "cuda", 0, Clock::wall});
  }
  return places;
}

/// Throws where a file or the device is not there.
void require_there(const std::vector<std::string>& files, const std::string& device) {
  for (const std::string& file : files) static_cast<void>(io::File(file));
  if (backend_of(device) != Backend::cuda) return;
  static_cast<void>(Caster(Scene{}, Backend::cuda, {.device = number_of(device)}));
}

int run_bench(Job& job, const BenchArguments& a) {
  for (const Lanes lanes : a.lanes) refuse_lanes_without_cpu(lanes, job.common().device);
  std::vector<std::string> inputs;
  for (const std::string& scene : a.scenes) {
    if (!gen::scene_kind(scene)) inputs.push_back(scene);
  }
  std::vector<std::string> ray_files;
  for (const std::string& rays : a.rays) {
    if (rays != "matrix" && !gen::ray_kind(rays)) ray_files.push_back(rays);
  }
  inputs.insert(inputs.end(), ray_files.begin(), ray_files.end());
  if (!a.points.empty()) inputs.push_back(a.points);
  check_files(job, inputs, {});
  require_there(inputs, job.common().device);
  const std::vector<std::unique_ptr<Rival>> rivals = make_rivals();
  Opponents against{.rivals = {}, .mode = a.mode};
  for (const std::string& name : a.against) {
    against.rivals.push_back(find_rival(rivals, name));
    std::for_each(ray_files.begin(), ray_files.end(), refuse_masks_and_exclusions);
    job.say("rival   {}", against.rivals.back()->description());
  }
  const std::vector<BenchPlace> places = places_of(job.common().device, a);
  BatchOptions rays;
  rays.rays = a.rays;
  rays.count = a.count;
  rays.seed = a.seed;
  rays.queries_of_files = {a.any ? BenchQuery::any : BenchQuery::closest};
  if (!a.points.empty()) rays.points = points_of_matrix(job, a.points);
  BenchSink sink{job};
  print_head(job, !against.rivals.empty());
  for (const std::string& name : a.scenes) {
    const auto kind = gen::scene_kind(name);
    if (!kind) {
      bench_scene(sink, name, load_scene(job, name).scene, kind, rays, places, a.pairs, against);
      continue;
    }
    for (const std::uint64_t shapes : a.shapes) {
      poll_interrupt();
      const Scene scene = gen::make_scene(*kind, {shapes, a.seed, poll_interrupt});
      bench_scene(sink, name, scene, kind, rays, places, a.pairs, against);
    }
  }
  job.set("/counts/rows", sink.rows);
  job.set("/counts/differing", sink.differing);
  return sink.differing == 0 ? 0 : 1;
}

void add_bench(Verbs& verbs) {
  auto [v, a] =
      verbs.add<BenchArguments>("bench", "rates on standard scenes, or on your own", run_bench,
                                "sightline bench --scene city --shapes 1e5 --count 1e5\n"
                                "sightline bench --scene level.st --rays rays.st --threads 1");
  v.list("--scene", a.scenes, "SCENE,...",
         "city, cloud, mixed, lattice, adversarial, or files; default city,cloud,mixed")
      .check(not_empty());
  v.list("--shapes", a.shapes, "N,...", "of standard scenes; default 1000,100000,1000000")
      .whole(1, gen::most_generated);
  v.list("--rays", a.rays, "RAYS,...",
         "coherent, incoherent, los, matrix, or files; default the first four")
      .check(not_empty());
  v.text("--points", a.points, "POINTS",
         "matrices are of these points against themselves; default the ends of los");
  v.choice("--query", a.any, {{"closest", false}, {"any", true}}, "QUERY",
           "of files of rays: closest (default) or any");
  v.count("--count", a.count, 4096, std::uint64_t{1} << 32, "M",
          "rays of each kind, and at most so many pairs");
  v.count("--seed", a.seed, 0, unlimited, "S", "of scenes and rays");
  v.list("--threads", a.threads, "N,...", "threads on the CPU; default 1 and all cores")
      .whole(1, 4096);
  v.count("--pairs", a.pairs, 1, 1000, "K", "runs that a row is the median of");
  v.choice("--clock", a.wall, {{"cpu", false}, {"wall", true}}, "CLOCK",
           "cpu (time of all threads over their number; default) or wall (for a quiet machine)");
  v.list("--against", a.against, "RIVAL,...",
         "rivals to run in turn with ours: embree, embree4, tinybvh")
      .check(not_empty());
  v.text("--mode", a.mode, "MODE", "of rivals, as a row names it: one mode, not the best of all");
  v.device("auto (cpu, and cuda where it can be used), reference, cpu, cuda or cuda:i");
  v.lanes(a.lanes);
  v.report();
}

const VerbEntry bench_verb{41, add_bench};

}  // namespace
}  // namespace sightline::cli
