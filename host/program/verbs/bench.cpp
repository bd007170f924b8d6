// bench: how fast each backend answers the rays of a file over a scene.
#include "host/files/core/hash.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/jobs/interrupt.hpp"

#include <sightline/caster.hpp>
#include <sightline/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>

namespace sightline::cli {
namespace {

struct BenchArguments {
  std::string scene, rays;
  bool any = false;
  std::vector<int> threads;  ///< on the CPU; empty: 1 and all cores
  std::vector<Lanes> lanes = {Lanes::automatic};
  int runs = 5;
  bool wall = false;  ///< rates by the clock on the wall, not by the time of the cores
};

/// Where the rays are answered.
struct BenchPlace {
  CasterOptions options;
  int threads = 1;  ///< of the cpu
};

/// In seconds; of the cpu's time that of all threads over their number.
struct Taken {
  double cpu = 0, wall = 0;
};

struct Answers {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint64_t> bits;

  Answers(std::uint64_t n, bool any) : bits(any ? bit_words(n) : 0) {
    if (!any) t.resize(n), id.resize(n), flags.resize(n);
  }
  template <class Use>
  void visit(Use&& use) {
    use("t", t), use("id", id), use("flags", flags), use("bits", bits);
  }
  /// Bytes that no answer has, so that what is not written is seen.
  void poison() {
    visit([](const char*, auto& v) {
      if (!v.empty()) std::memset(v.data(), 0xA5, v.size() * sizeof(v[0]));
    });
  }
  /// Of the answers to the first n rays.
  std::string hash(std::uint64_t n) {
    std::vector<io::TensorSource> tensors;
    visit([&](const char* name, auto& v) {
      const bool words = std::is_same_v<decltype(v[0]), std::uint64_t&>;
      const std::uint64_t size = words ? bit_words(n) : n;
      if (!v.empty()) tensors.push_back(io::stored(name, {size}, v.data()));
    });
    return io::content_hash(std::move(tensors));
  }
  std::uint64_t hits() const {
    std::uint64_t sum = 0;
    for (const std::uint8_t f : flags) sum += f & hit_flags::hit;
    for (const std::uint64_t w : bits) sum += static_cast<std::uint64_t>(std::popcount(w));
    return sum;
  }
};

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

template <class F>
Taken taken_by(int threads, F&& work) {
  const double cpu = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {(cpu_seconds() - cpu) / threads, wall.count()};
}

double median_of(const std::vector<Taken>& runs, double Taken::*which) {
  std::vector<double> values;
  for (const Taken& run : runs) values.push_back(run.*which);
  std::sort(values.begin(), values.end());
  return (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2;
}

/// The rows of one scene and its rays.
class Bench {
 public:
  Bench(Job& job, const BenchArguments& a, const Scene& scene, const RaysView& rays)
      : job_(job), a_(a), scene_(scene), rays_(rays) {
    print(fmt::format("{:<9} {:<8} {:>7} {:>12} {:>9} {:>7} {:>8} {:>7}", "backend", "lanes",
                      "threads", "rays", "Mrays/s", "GB/s", "build s", "B/shape"));
  }

  void add(const BenchPlace& place) {
    const bool judges = std::holds_alternative<ReferenceOptions>(place.options);
    const std::uint64_t n = judges ? sample() : rays_.size();
    const int threads = place.threads;
    std::optional<Caster> caster;
    Scene copy = scene_;
    const Taken build = taken_by(threads, [&] { caster.emplace(std::move(copy), place.options); });
    Answers answers(n, a_.any);
    std::vector<Taken> runs;
    for (int run = 0; run <= a_.runs; ++run) {  // the first warms up
      poll_interrupt();
      answers.poison();
      runs.push_back(taken_by(threads, [&] { ask(*caster, n, answers); }));
    }
    runs.erase(runs.begin());
    report(place, *caster, n, runs, build, answers);
    check(*caster, n, std::move(answers));
  }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t differing() const { return differing_; }

 private:
  /// Rays that brute force answers in a second or so: whole words of bits.
  std::uint64_t sample() const {
    const std::uint64_t some = tests_per_chunk / std::max<std::uint64_t>(1, scene_.size());
    return std::min(rays_.size(), bit_words(some + 1) * 64);
  }
  void ask(const Caster& caster, std::uint64_t n, Answers& a) const {
    if (a_.any) {
      caster.any_hit(rays_.slice(0, n), a.bits);
    } else {
      caster.closest_hit(rays_.slice(0, n), {a.t, a.id, a.flags, {}});
    }
  }
  void print(const std::string& line) const {
    if (job_.common().json == "-" || job_.common().quiet) return;
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
  }

  void report(const BenchPlace& place, const Caster& caster, std::uint64_t n,
              const std::vector<Taken>& runs, const Taken& build, Answers& answers) {
    const bool on_gpu = caster.backend() == Backend::cuda, wall = a_.wall || on_gpu;
    const auto clock = wall ? &Taken::wall : &Taken::cpu;
    const auto rate = [&](double Taken::*which) {
      const double seconds = median_of(runs, which);
      return seconds > 0 ? static_cast<double>(n) / seconds * 1e-6 : 0;
    };
    const double mrays = rate(clock), shapes = static_cast<double>(scene_.size());
    const double bytes = 2 * sizeof(Vec3) + (a_.any ? 1.0 / 8 : 2 * sizeof(float) + 1);
    const double per_shape = shapes > 0 ? static_cast<double>(caster.memory_bytes()) / shapes : 0;
    const std::string device = caster.description(), lanes = lanes_of(caster);
    const std::string backend = device.substr(0, device.find(':'));
    print(fmt::format("{:<9} {:<8} {:>7} {:>12} {:>9.3f} {:>7.2f} {:>8.4f} {:>7.1f}", backend,
                      lanes.empty() ? "-" : lanes, on_gpu ? "-" : std::to_string(place.threads), n,
                      mrays, mrays * bytes * 1e-3, build.*clock, per_shape));
    const std::string at = fmt::format("/rows/{}/", rows_++);
    const auto set = [&](const char* key, const auto& value) { job_.set(at + key, value); };
    set("backend", backend);
    set("device", device);
    if (!lanes.empty()) set("lanes", lanes);
    set("threads", std::uint64_t{on_gpu ? 0u : static_cast<unsigned>(place.threads)});
    set("query", a_.any ? "any" : "closest");
    set("count", n);
    set("mrays_per_s", mrays);
    set("wall_mrays_per_s", rate(&Taken::wall));
    set("bytes_per_s", mrays * bytes * 1e6);
    set("clock", wall ? "wall" : "cpu");
    set("build_s", build.*clock);
    set("bytes_per_shape", per_shape);
    set("hit_share", n == 0 ? 0 : static_cast<double>(answers.hits()) / static_cast<double>(n));
    set("answers_hash", answers.hash(n));
  }

  /// All answers are those of the first row; brute force has the first n of them.
  void check(const Caster& caster, std::uint64_t n, Answers answers) {
    if (!first_) {
      first_.emplace(std::move(answers));
    } else if (answers.hash(n) != first_->hash(n)) {
      ++differing_;
      job_.warn("{} gives other answers than the first row", caster.description());
    }
  }

  Job& job_;
  const BenchArguments& a_;
  const Scene& scene_;
  const RaysView& rays_;
  std::optional<Answers> first_;
  std::uint64_t rows_ = 0, differing_ = 0;
};

std::vector<BenchPlace> places_of(const std::string& device, const BenchArguments& a) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<int> threads = a.threads.empty() ? std::vector{1, cores} : a.threads;
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  const std::optional<Backend> backend = backend_of(device);
  const bool all = !backend;
  std::vector<BenchPlace> places;
  if (all || backend == Backend::cpu) {
    for (const int n : threads) {
      for (const Lanes lanes : a.lanes) {
        places.push_back({CpuOptions{.threads = n, .lanes = lanes}, std::max(1, n)});
      }
    }
  }
  if (backend == Backend::cuda || (all && cuda_devices().problem.empty())) {
    places.push_back({CudaOptions{.device = number_of(device)}});
  }
  if (all || backend == Backend::reference) {
    places.push_back({ReferenceOptions{}});
  }
  return places;
}

int run_bench(Job& job, const BenchArguments& a) {
  const std::string& device = job.common().device;
  for (const Lanes lanes : a.lanes) refuse_lanes_without_cpu(lanes, device);
  check_files(job, {a.scene, a.rays}, {});
  const io::RaysSource source(a.rays);
  if (source.columns().radius) {
    io::fail(ErrorKind::usage, "{}: rays with radii are not for bench", a.rays);
  }
  if (backend_of(device) == Backend::cuda) {  // whether it is there, before the work
    static_cast<void>(Caster(Scene{}, CudaOptions{.device = number_of(device)}));
  }
  const Scene scene = load_scene(job, a.scene).scene;
  warn_if_empty(job, a.rays, source.count(), "rays");
  job.set("/rays/file", a.rays);
  job.set("/rays/count", source.count());
  io::RayBuffer buffer;
  const RaysView rays = source.read(0, source.count(), buffer);
  Bench bench(job, a, scene, rays);
  for (const BenchPlace& place : places_of(device, a)) bench.add(place);
  job.set("/counts/rows", bench.rows());
  job.set("/counts/differing", bench.differing());
  return bench.differing() == 0 ? 0 : 1;
}

}  // namespace

void add_bench(Verb& v) {
  auto& a = v.runs<BenchArguments>(
      run_bench,
      "sightline bench city.st rays.st\n"
      "sightline bench level.st rays.st --query any --threads 1 --lanes avx2,portable");
  v.positional("SCENE", a.scene, "scene");
  v.positional("RAYS", a.rays, "file of rays");
  v.choice("--query", a.any, {{"closest", false}, {"any", true}}, "QUERY",
           "closest (default) or any");
  v.add("--threads", a.threads, "N,...", "threads on the CPU; default 1 and all cores")
      .with_commas()
      .whole(1, 4096);
  v.count("--runs", a.runs, 1, 1000, "K", "runs that a row is the median of");
  v.choice("--clock", a.wall, {{"cpu", false}, {"wall", true}}, "CLOCK",
           "cpu (time of all threads over their number; default) or wall (for a quiet machine)");
  v.device(
      "auto (cpu, cuda where it can be used, and the reference on some of the rays), "
      "reference, cpu, cuda or cuda:i");
  v.lanes(a.lanes);
  v.report();
}
}  // namespace sightline::cli
