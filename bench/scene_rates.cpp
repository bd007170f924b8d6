#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "host/cuda/device/pool.hpp"
#include "host/cuda/device/upload.hpp"
#include "kernels/launch.hpp"
#include "tests/support/answers.hpp"

namespace sightline::bench {
namespace {

constexpr std::uint64_t most_shapes_by_brute_force = 10'000;
/// The careful tree is built on the host: a second or so.
constexpr std::uint64_t most_shapes_of_careful_tree = 1'000'000;

CasterOptions options_of(Search search, TreeBuild tree) {
  CasterOptions options;
  options.search = search;
  options.tree = tree;
  return options;
}

struct HostHits {
  std::vector<float> t;
  std::vector<std::uint32_t> id;
  std::vector<std::uint8_t> flags;
  explicit HostHits(std::uint64_t n) : t(n), id(n), flags(n) {}
  HitArrays view() { return {t, id, flags, {}}; }
  bool operator==(const HostHits& o) const {
    return testing::same_bytes(t, o.t) && id == o.id && flags == o.flags;
  }
};

constexpr double closest_bytes = 2 * sizeof(Vec3) + sizeof(float) + sizeof(std::uint32_t) + 1;
constexpr double any_bytes = 2 * sizeof(Vec3) + 0.125;

class SceneRates {
 public:
  SceneRates(Table& table, const Work& work, gen::SceneKind kind, std::uint64_t shapes)
      : table_(table),
        work_(work),
        kind_(kind),
        scene_(gen::make_scene(kind, shapes, 1)),
        caster_(scene_, Backend::cuda, options_of(Search::tree, TreeBuild::fast)) {
    for (const gen::RayKind rays :
         {gen::RayKind::coherent, gen::RayKind::incoherent, gen::RayKind::los}) {
      rays_.push_back(make_many_rays(rays, caster_, kind, work.rays, 2));
    }
  }

  std::uint64_t run(bool cpu) {
    builds();
    queries(caster_, "tree");
    on_host(caster_, "tree");
    sight(caster_, "tree", work_.points());
    const std::uint64_t shapes = scene_.size();
    if (shapes <= most_shapes_of_careful_tree) {
      queries(Caster(scene_, Backend::cuda, options_of(Search::tree, TreeBuild::careful)),
              "careful tree");
    }
    if (shapes <= most_shapes_by_brute_force) {
      queries(Caster(scene_, Backend::cuda, options_of(Search::brute_force, TreeBuild::fast)),
              "brute force");
      // Where the bus sets the rate; without a size, chunks of 2^24 rays have 2^20.
      for (const std::uint64_t rays : {std::uint64_t{1} << 17, std::uint64_t{1} << 19}) {
        CasterOptions options = options_of(Search::tree, TreeBuild::fast);
        options.chunk = rays;
        on_host(Caster(scene_, Backend::cuda, options), "tree, chunks of " + std::to_string(rays));
      }
    }
    if (cpu && shapes <= most_shapes_of_careful_tree) compare_cpu();
    return differing_;
  }

 private:
  void add(const char* what, const std::string& how, const char* work, std::uint64_t amount,
           std::vector<double> seconds, double bytes_each = 0) {
    const auto n = static_cast<double>(amount);
    table_.add({what, how, std::string(gen::name_of(kind_)), scene_.size(), work, n,
                std::move(seconds), n * bytes_each});
  }
  const gen::RaySet& set(gen::RayKind kind) const { return rays_[static_cast<std::size_t>(kind)]; }
  void same(bool are_same) { differing_ += !are_same; }

  /// The tree alone, its shapes on the device; then all that the constructor and update() do.
  void builds() {
    const std::uint64_t n = scene_.size();
    measure_builds(table_, kind_, scene_);
    constructions(TreeBuild::fast, "upload, tree on the device");
    if (n <= most_shapes_of_careful_tree) {
      constructions(TreeBuild::careful, "careful tree on the host, upload");
    }
    updates(Update::refit, "upload, refit");
    updates(Update::rebuild, "upload, rebuild");
  }

  void constructions(TreeBuild tree, const char* how) {
    add("construct", how, "shapes", scene_.size(), sample([&] {
          Scene copy = scene_;
          return host_seconds([&] {
            const Caster caster(std::move(copy), Backend::cuda, options_of(Search::tree, tree));
          });
        }));
  }

  void updates(Update how, const char* name) {
    Caster caster(scene_, Backend::cuda, options_of(Search::tree, TreeBuild::fast));
    add("update", name, "shapes", scene_.size(), sample([&] {
          Scene copy = scene_;
          return host_seconds([&] { caster.update(std::move(copy), how); });
        }));
  }

  /// Rays and answers on the device; every caster's answers are held to the first's.
  void queries(const Caster& caster, const std::string& how) {
    for (const gen::RayKind kind : {gen::RayKind::coherent, gen::RayKind::incoherent}) {
      closest_on_device(caster, kind, how);
    }
    any_on_device(caster, how);
  }

  void closest_on_device(const Caster& caster, gen::RayKind kind, const std::string& how) {
    const cuda::OwnStream stream;
    Stopwatch watch(stream.get());
    const DeviceRays rays(set(kind));
    const std::uint64_t n = rays.view.count;
    const DeviceArray<float> t(n);
    const DeviceArray<std::uint32_t> id(n);
    const DeviceArray<std::uint8_t> flags(n);
    const HitArrays hits{{t.data(), n}, {id.data(), n}, {flags.data(), n}, {}};
    const std::string name = how + ", device rays, " + std::string(gen::name_of(kind));
    add("closest hit", name, "rays", n, sample([&] {
          return watch.seconds(
              [&] { caster.closest_hit_on_device(rays.view, hits, stream.get()); });
        }),
        closest_bytes);
    HostHits expected(n), answers(n);
    caster_.closest_hit(set(kind).view(), expected.view());
    answers.t = t.values(), answers.id = id.values(), answers.flags = flags.values();
    same(answers == expected);
  }

  void any_on_device(const Caster& caster, const std::string& how) {
    const cuda::OwnStream stream;
    Stopwatch watch(stream.get());
    const DeviceRays rays(set(gen::RayKind::los));
    const std::uint64_t words = bit_words(rays.view.count);
    const DeviceArray<std::uint64_t> blocked(words);
    add("any hit", how + ", device rays, los", "rays", rays.view.count, sample([&] {
          return watch.seconds([&] {
            caster.any_hit_on_device(rays.view, {blocked.data(), words}, stream.get());
          });
        }),
        any_bytes);
    std::vector<std::uint64_t> expected(words);
    caster_.any_hit(set(gen::RayKind::los).view(), expected);
    same(blocked.values() == expected);
  }

  /// Rays and answers in the host's plain memory.
  void on_host(const Caster& caster, const std::string& how) {
    const RaysView incoherent = set(gen::RayKind::incoherent).view();
    const RaysView los = set(gen::RayKind::los).view();
    HostHits hits(incoherent.count);
    std::vector<std::uint64_t> blocked(bit_words(los.count));
    add("closest hit", how + ", host rays, incoherent", "rays", incoherent.count,
        sample([&] { return host_seconds([&] { caster.closest_hit(incoherent, hits.view()); }); }),
        closest_bytes);
    add("any hit", how + ", host rays, los", "rays", los.count,
        sample([&] { return host_seconds([&] { caster.any_hit(los, blocked); }); }), any_bytes);
  }

  /// Points in the open: the ends of the los rays.
  PointsView points(std::uint64_t n) const {
    PointsView v;
    v.count = n;
    v.position = std::span(set(gen::RayKind::los).origin).first(n);
    return v;
  }

  /// The matrix.
  std::vector<std::uint64_t> sight(const Caster& caster, const std::string& how, std::uint64_t n) {
    std::vector<std::uint64_t> matrix(n * bit_words(n)), self(matrix.size());
    const PointsView all = points(n);
    add("visibility", how + ", matrix", "pairs", n * n,
        sample([&] { return host_seconds([&] { caster.visibility(all, all, matrix); }); }));
    add("visibility", how + ", set against itself", "pairs", n * n,
        sample([&] { return host_seconds([&] { caster.visibility(all, self); }); }));
    same(matrix == self);
    return matrix;
  }

  void compare_cpu() {
    const Caster cpu(scene_, Backend::cpu);
    const std::uint64_t cpu_rays = work_.cpu_rays();
    const auto first = [&](const gen::RaySet& rays) { return rays.view().slice(0, cpu_rays); };
    const RaysView incoherent = first(set(gen::RayKind::incoherent));
    const RaysView los = first(set(gen::RayKind::los));
    HostHits hits(cpu_rays), expected(cpu_rays);
    std::vector<std::uint64_t> blocked(bit_words(cpu_rays)), also(blocked.size());
    add("closest hit", cpu.description() + ", incoherent", "rays", cpu_rays,
        sample([&] { return host_seconds([&] { cpu.closest_hit(incoherent, hits.view()); }); }),
        closest_bytes);
    add("any hit", cpu.description() + ", los", "rays", cpu_rays,
        sample([&] { return host_seconds([&] { cpu.any_hit(los, blocked); }); }), any_bytes);
    const std::vector<std::uint64_t> matrix = sight(cpu, cpu.description(), work_.cpu_points());
    std::vector<std::uint64_t> seen(matrix.size());
    caster_.closest_hit(incoherent, expected.view());
    caster_.any_hit(los, also);
    const PointsView all = points(work_.cpu_points());
    caster_.visibility(all, all, seen);
    same(hits == expected && blocked == also && matrix == seen);
  }

  Table& table_;
  Work work_;
  gen::SceneKind kind_;
  Scene scene_;
  Caster caster_;
  std::vector<gen::RaySet> rays_;
  std::uint64_t differing_ = 0;
};

}  // namespace

void measure_builds(Table& table, gen::SceneKind kind, const Scene& scene) {
  const cuda::OwnStream stream;
  const ShapesView host = scene.view();
  const cuda::DeviceShapes shapes = cuda::upload(stream, host);
  const cuda::MemoryPool pool(0);
  cuda::StreamMemory scratch(pool, stream.get());
  const std::uint32_t n = host.bounded();
  const DeviceArray<BvhNode> nodes(kernels::tree_nodes(n));
  const DeviceArray<QuantisedNode> wide(kernels::most_wide_nodes(n));
  const std::uint64_t units = kernels::record_units(host);
  const DeviceArray<kernels::RecordUnit> records(units);
  const DeviceArray<std::uint32_t> ids(units);
  kernels::TreeRounds rounds;
  const auto build = [&] {
    bool too_deep = false;
    const int error = kernels::build_tree(stream.get(), shapes.view, nodes.data(), &rounds,
                                          &too_deep, scratch.allocator());
    cuda::check(static_cast<cudaError_t>(error), "build_tree");
    if (too_deep) throw Error(ErrorKind::internal, "the tree of a standard scene is too deep");
  };
  const auto widen = [&] {
    std::uint32_t count = 0;
    const int error = kernels::widen_tree(stream.get(),
                                          {shapes.view,
                                           {nodes.data(), kernels::tree_nodes(n)},
                                           wide.data(),
                                           records.data(),
                                           ids.data()},
                                          &count, scratch.allocator());
    cuda::check(static_cast<cudaError_t>(error), "widen_tree");
  };
  const auto add = [&](const char* what, const char* how, auto&& work) {
    table.add({what, how, std::string(gen::name_of(kind)), scene.size(), "shapes",
               static_cast<double>(scene.size()),
               sample([&] { return host_seconds([&] { work(), stream.synchronize(); }); })});
  };
  add("build", "bounds, H-PLOC, nodes of 4: whole", [&] { build(), widen(); });
  add("build", "tree by H-PLOC, alone", [&] { build(); });
  add("build", "nodes of 4, alone", [&] { widen(); });
  add("refit", "tree on the device, alone", [&] {
    kernels::refit_tree(stream.get(), shapes.view, nodes.data(), rounds);
    cuda::check_launch("refit_tree");
  });
}

std::uint64_t measure_scene(Table& table, const Work& work, gen::SceneKind kind,
                            std::uint64_t shapes, bool cpu) {
  return SceneRates(table, work, kind, shapes).run(cpu);
}

std::uint64_t measure_chunks(Table& table, gen::SceneKind kind, std::uint64_t shapes,
                             std::uint64_t rays) {
  CasterOptions options = options_of(Search::tree, TreeBuild::fast);
  Caster caster(gen::make_scene(kind, shapes, 1), Backend::cuda, options);
  const gen::RaySet set = make_many_rays(gen::RayKind::incoherent, caster, kind, rays, 2);
  const auto n = static_cast<double>(set.size());
  HostHits first(set.size()), hits(set.size());
  caster.closest_hit(set.view(), first.view());
  std::uint64_t differing = 0;
  for (const std::uint64_t megabytes : {4, 16, 64, 128, 256}) {
    options.chunk =
        static_cast<std::uint64_t>(static_cast<double>(megabytes << 20) / closest_bytes);
    caster = Caster(caster.scene(), Backend::cuda, options);
    table.add({"closest hit", "host rays, chunks of " + std::to_string(megabytes) + " MB",
               std::string(gen::name_of(kind)), shapes, "rays", n, sample([&] {
                 return host_seconds([&] { caster.closest_hit(set.view(), hits.view()); });
               }),
               n * closest_bytes});
    differing += !(hits == first);
  }
  return differing;
}

}  // namespace sightline::bench
