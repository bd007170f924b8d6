#include "bench/gpu_rates.hpp"

#include "bench/device_timing.hpp"
#include "bench/rivals/device_ray_sort.hpp"
#include "host/cuda/device/handles.hpp"

#include <cmath>

namespace sightline::bench {
namespace {

using rivals::CubqlRays;
using rivals::CubqlScene;
using rivals::CubqlTree;
using rivals::CubqlWalk;
using rivals::DeviceRaySort;

/// Rays on the device, cast by sightline and by cuBQL in turn.
class Beside {
 public:
  Beside(Table& table, gen::SceneKind kind, const Scene& scene, const gen::RaySet& incoherent,
         const gen::RaySet& camera, const gen::RaySet& los)
      : table_(table),
        kind_(kind),
        caster_(scene, Backend::cuda, as_they_come()),
        cubql_(scene.view()),
        watch_(stream_.get()),
        closest_{{"", incoherent}, {", coherent", camera}},
        any_(los),
        sort_(static_cast<std::uint32_t>(any_.view.count), box_of(scene.view())) {}

  void run() {
    casts("sightline");
    for (const CubqlTree tree : {CubqlTree::median, CubqlTree::sah}) {
      const std::string name = tree == CubqlTree::sah ? "cuBQL, by area" : "cuBQL";
      table_.add({"build", name + ", alone", scene_name(), caster_.scene().size(), "shapes",
                  static_cast<double>(caster_.scene().size()), sample([&] {
                    cubql_.clear();
                    return host_seconds([&] { cubql_.build(stream_.get(), tree); });
                  })});
      for (const bool sorts : {false, true}) {
        const std::string how = name + (sorts ? ", rays sorted first" : "");
        for (const ClosestRays& rays : closest_) closest(rays, how, sorts);
        any(how + ", the fixed ray's walk", sorts, CubqlWalk::fixed);
        any(how + ", the shrinking ray's walk", sorts, CubqlWalk::shrinking);
      }
    }
  }

 private:
  /// And what sightline answered.
  struct ClosestRays {
    std::string name;
    DeviceRays rays;
    std::vector<float> t;
    std::vector<std::uint32_t> id;
    ClosestRays(std::string n, const gen::RaySet& set) : name(std::move(n)), rays(set) {}
  };
  static CasterOptions as_they_come() {
    CasterOptions options;
    options.search = Search::tree;
    return options;
  }
  static Aabb box_of(const ShapesView& shapes) {
    Aabb all = empty_aabb();
    for (std::uint32_t id = 0; id < shapes.bounded(); ++id) all = unite(all, shapes.bounds[id]);
    return all;
  }
  std::string scene_name() const { return std::string(gen::name_of(kind_)); }
  void add(const char* what, const std::string& how, std::uint64_t rays,
           std::vector<double> seconds) {
    table_.add({what, how + ", device rays", scene_name(), caster_.scene().size(), "rays",
                static_cast<double>(rays), std::move(seconds)});
  }

  void casts(const std::string& how) {
    const std::uint64_t n = any_.view.count, words = bit_words(n);
    const DeviceArray<std::uint8_t> flags(n);
    const DeviceArray<std::uint64_t> blocked(words);
    const HitArrays hits{{t_.data(), n}, {id_.data(), n}, {flags.data(), n}, {}};
    for (ClosestRays& set : closest_) {
      add("closest hit", how + set.name, n, sample([&] {
            return watch_.seconds(
                [&] { caster_.closest_hit_on_device(set.rays.view, hits, stream_.get()); });
          }));
      set.t = t_.values(), set.id = id_.values();
    }
    add("any hit", how, any_.view.count, sample([&] {
          return watch_.seconds([&] {
            caster_.any_hit_on_device(any_.view, {blocked.data(), words}, stream_.get());
          });
        }));
    our_blocked_ = blocked.values();
  }

  /// The work within `cast` of rays as they come or sorted first, which is timed too.
  template <class F>
  double seconds_of(const DeviceRays& set, bool sorts, F&& cast) {
    CubqlRays rays = {set.origin.data(), set.direction.data(),  nullptr,
                      set.view.count,    set.view.t_min.common, set.view.t_max.common};
    return watch_.seconds([&] {
      if (sorts) rays.order = sort_.sort(stream_.get(), rays);
      cast(rays);
    });
  }

  void closest(const ClosestRays& set, const std::string& by, bool sorts) {
    const std::string how = by + set.name;
    add("closest hit", how, set.rays.view.count, sample([&] {
          return seconds_of(set.rays, sorts, [&](const CubqlRays& rays) {
            cubql_.closest_hit(stream_.get(), rays, t_.data(), id_.data());
          });
        }));
    const std::vector<float> t = t_.values();
    const std::vector<std::uint32_t> id = id_.values();
    std::uint64_t hits = 0, shapes = 0, places = 0;
    for (std::uint64_t i = 0; i < t.size(); ++i) {
      const bool ours = set.id[i] != none, its = id[i] != none;
      hits += ours != its;
      shapes += ours && its && set.id[i] != id[i];
      places += ours && its && std::fabs(set.t[i] - t[i]) > 1e-5f * set.t[i];
    }
    table_.note("of " + std::to_string(t.size()) + " rays by " + how + " differ: hit or miss " +
                std::to_string(hits) + ", the shape " + std::to_string(shapes) +
                ", t by more than 1e-5 of it " + std::to_string(places));
  }

  void any(const std::string& how, bool sorts, CubqlWalk walk) {
    add("any hit", how, any_.view.count, sample([&] {
          return seconds_of(any_, sorts, [&](const CubqlRays& rays) {
            cubql_.any_hit(stream_.get(), rays, walk, blocked_.data());
          });
        }));
    const std::vector<std::uint8_t> blocked = blocked_.values();
    std::uint64_t differ = 0;
    for (std::uint64_t i = 0; i < blocked.size(); ++i) {
      differ += (our_blocked_[i / 64] >> i % 64 & 1) != blocked[i];
    }
    table_.note("of " + std::to_string(blocked.size()) + " rays by " + how +
                " differ: " + std::to_string(differ));
  }

  Table& table_;
  gen::SceneKind kind_;
  cuda::OwnStream stream_;
  Caster caster_;
  CubqlScene cubql_;
  Stopwatch watch_;
  ClosestRays closest_[2];  ///< as many rays as any_ has, each
  DeviceRays any_;
  DeviceRaySort sort_;
  DeviceArray<float> t_{any_.view.count};
  DeviceArray<std::uint32_t> id_{any_.view.count};
  DeviceArray<std::uint8_t> blocked_{any_.view.count};
  std::vector<std::uint64_t> our_blocked_;
};

}  // namespace

void measure_rivals(Table& table, gen::SceneKind kind, std::uint64_t shapes, std::uint64_t rays) {
  const Scene scene = gen::make_scene(kind, shapes, 1);
  const Caster caster(scene, Backend::cuda);
  const auto made = [&](gen::RayKind rays_of) {
    return make_many_rays(rays_of, caster, kind, rays, 2);
  };
  Beside(table, kind, scene, made(gen::RayKind::incoherent), made(gen::RayKind::coherent),
         made(gen::RayKind::los))
      .run();
}

}  // namespace sightline::bench
