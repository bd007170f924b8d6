// Rays from inside a closed mesh: each must hit. On the cpu backend, a line of JSON a kind of ray:
//
//   mesh_leaks [--rays N] [--seed K] [--cells C] [--away R] [--lanes avx512|avx2|portable]
//              [--threads T] [--seconds S] [--save FOLDER]
//
// The mesh is a bumpy ball of 12 C^2 triangles (default: C = 289), R radii (default 0) off the
// origin on each axis. Each kind of mesh_rays.hpp has N rays (default 1e6); after S seconds no more
// rays are cast. With --save, none is cast: FOLDER gets the mesh and the rays as .npy files, for
// other ray casters. Exit code 0 when no ray leaves, 1 when one does, 2 for usage.
#include <sightline/caster.hpp>

#include "host/files/core/npy.hpp"
#include "tests/accuracy/mesh_rays.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace sightline;
using namespace sightline::testing;
using Clock = std::chrono::steady_clock;

struct Options {
  double rays = 1e6, seed = 1, cells = 289, away = 0, threads = 1, seconds = 1e18;
  std::string lanes = "automatic", folder;

  bool read(int argc, char** argv) {
    const std::pair<const char*, double*> numbers[] = {
        {"--rays", &rays}, {"--seed", &seed},       {"--cells", &cells},
        {"--away", &away}, {"--threads", &threads}, {"--seconds", &seconds}};
    const std::pair<const char*, std::string*> words[] = {{"--lanes", &lanes}, {"--save", &folder}};
    for (int i = 1; i < argc; i += 2) {
      if (i + 1 == argc) return false;
      bool known = false;
      for (const auto& [name, word] : words) {
        if (std::strcmp(argv[i], name) == 0) *word = argv[i + 1], known = true;
      }
      for (const auto& [name, number] : numbers) {
        if (std::strcmp(argv[i], name) != 0) continue;
        char* end = nullptr;
        *number = std::strtod(argv[i + 1], &end);
        known = end != argv[i + 1] && *end == 0 && *number >= 0;
      }
      if (!known) return false;
    }
    return cells >= 4 && cells <= 4096 && threads >= 1 && cpu().has_value();
  }
  std::optional<CpuOptions> cpu() const {
    const std::pair<const char*, Lanes> all[] = {{"automatic", Lanes::automatic},
                                                 {"avx512", Lanes::avx512},
                                                 {"avx2", Lanes::avx2},
                                                 {"portable", Lanes::portable}};
    for (const auto& [name, set] : all) {
      if (lanes == name) return CpuOptions{.threads = static_cast<int>(threads), .lanes = set};
    }
    return std::nullopt;
  }
};

struct Counts {
  std::uint64_t rays = 0, leaks = 0, leaks_of_any = 0, bad = 0;
  double seconds = 0;  ///< of all processors, in the casts alone
};

/// Casts some rays twice: for the closest hit, and for any.
class Leaks {
 public:
  Leaks(const Mesh& mesh, const CpuOptions& options) : caster_(scene_of(mesh), options) {}

  void count(const std::vector<Vec3>& origins, const std::vector<Vec3>& directions, Counts& n) {
    t_.resize(origins.size()), bits_.resize(bit_words(origins.size()));
    const RaysView rays{origins, directions};
    const std::clock_t begin = std::clock();
    const CastReport closest = caster_.closest_hit(rays, HitArrays{.t = t_});
    const CastReport any = caster_.any_hit(rays, bits_);
    n.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::uint64_t blocked = 0;
    for (const std::uint64_t word : bits_) blocked += static_cast<unsigned>(std::popcount(word));
    n.rays += origins.size(), n.bad += closest.bad_rays + any.bad_rays;
    n.leaks += static_cast<std::uint64_t>(std::count(t_.begin(), t_.end(), infinity));
    n.leaks_of_any += origins.size() - blocked;
  }

 private:
  static Scene scene_of(const Mesh& mesh) {
    Scene scene;
    scene.add_mesh(mesh.vertices, mesh.faces);
    return scene;
  }

  Caster caster_;
  std::vector<float> t_;
  std::vector<std::uint64_t> bits_;
};

void print(const char* kind, const Options& o, std::size_t triangles, const Counts& n) {
  const auto number = [](std::uint64_t x) -> unsigned long long { return x; };
  std::printf(
      "{\"kind\": \"%s\", \"seed\": %.0f, \"triangles\": %llu, \"away\": %g, \"lanes\": \"%s\", "
      "\"threads\": %.0f, \"rays\": %llu, \"leaks\": %llu, \"leaks_of_any_hit\": %llu, "
      "\"bad_rays\": %llu, \"cpu_seconds\": %.2f}\n",
      kind, o.seed, number(triangles), o.away, o.lanes.c_str(), o.threads, number(n.rays),
      number(n.leaks), number(n.leaks_of_any), number(n.bad), n.seconds);
}

void write(const std::filesystem::path& name, io::Dtype type, std::uint64_t rows,
           const void* from) {
  io::NpyWriter file(name.string(), type, {rows, 3});
  file.write(0, 3 * rows, from);
  file.commit();
}
void save(const Options& o, const MeshRays& draw) {
  const std::filesystem::path folder = o.folder;
  std::filesystem::create_directories(folder);
  const Mesh& mesh = draw.mesh();
  write(folder / "vertices.npy", io::Dtype::f32, mesh.vertices.size(), mesh.vertices.data());
  write(folder / "faces.npy", io::Dtype::u32, mesh.faces.size(), mesh.faces.data());
  for (int kind = 0; kind < mesh_ray_kinds; ++kind) {
    std::vector<Vec3> origins(static_cast<std::size_t>(o.rays)), directions(origins.size());
    oracle::Dice dice = draw.dice(kind, static_cast<std::uint64_t>(o.seed));
    for (std::size_t i = 0; i < origins.size(); ++i)
      draw.next(kind, dice, origins[i], directions[i]);
    const std::string name = mesh_ray_names[kind];
    write(folder / (name + " origins.npy"), io::Dtype::f32, origins.size(), origins.data());
    write(folder / (name + " directions.npy"), io::Dtype::f32, origins.size(), directions.data());
  }
}

bool cast(const Options& o, const MeshRays& draw) {
  constexpr std::uint64_t batch = 1 << 14;
  const auto start = Clock::now();
  Leaks leaks(draw.mesh(), *o.cpu());
  std::vector<oracle::Dice> dice;
  for (int kind = 0; kind < mesh_ray_kinds; ++kind) {
    dice.push_back(draw.dice(kind, static_cast<std::uint64_t>(o.seed)));
  }
  std::vector<Counts> counts(mesh_ray_kinds);
  std::vector<Vec3> origins, directions;
  // Batch by batch all kinds, so that an early end cuts all of them.
  for (std::uint64_t first = 0; first < static_cast<std::uint64_t>(o.rays); first += batch) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > o.seconds) break;
    const std::uint64_t n = std::min(batch, static_cast<std::uint64_t>(o.rays) - first);
    origins.resize(n), directions.resize(n);
    for (int kind = 0; kind < mesh_ray_kinds; ++kind) {
      const auto k = static_cast<std::size_t>(kind);
      for (std::size_t i = 0; i < n; ++i) draw.next(kind, dice[k], origins[i], directions[i]);
      leaks.count(origins, directions, counts[k]);
    }
  }
  bool tight = true;
  for (int kind = 0; kind < mesh_ray_kinds; ++kind) {
    const Counts& n = counts[static_cast<std::size_t>(kind)];
    print(mesh_ray_names[kind], o, draw.mesh().faces.size(), n);
    tight = tight && n.leaks + n.leaks_of_any + n.bad == 0;
  }
  return tight;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!options.read(argc, argv)) {
    std::fprintf(stderr,
                 "usage: mesh_leaks [--rays N] [--seed K] [--cells C] [--away R] "
                 "[--lanes avx512|avx2|portable] [--threads T] [--seconds S] [--save FOLDER]\n");
    return 2;
  }
  try {
    const MeshRays draw(static_cast<int>(options.cells), options.away);
    if (!options.folder.empty()) return save(options, draw), 0;
    return cast(options, draw) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mesh_leaks: %s\n", error.what());
    return 2;
  }
}
