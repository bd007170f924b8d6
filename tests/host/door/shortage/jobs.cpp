#include "tests/host/door/shortage/jobs.hpp"

#include "tests/support/adversarial_pairs.hpp"

#include <sightline/caster.hpp>
#include <sightline/cover.hpp>
#include <sightline/flat.hpp>
#include <sightline/nav.hpp>
#include <sightline/visibility.hpp>

#include <memory>
#include <span>

namespace sightline::testing {
namespace {

constexpr std::uint64_t n = 400, bodies = 100, area_count = 12;

/// FNV over the bytes of arrays.
class Sum {
 public:
  template <class T>
  Sum& add(const std::vector<T>& values) {
    for (const std::byte b : std::as_bytes(std::span(values))) {
      sum_ = (sum_ ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    }
    return *this;
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};
template <class... T>
std::uint64_t sum_of(const std::vector<T>&... values) {
  Sum sum;
  (sum.add(values), ...);
  return sum.value();
}

Scene balls() {
  Random r(3);
  Scene all;
  for (std::uint64_t i = 0; i < bodies; ++i) all.add_sphere({r.vec(-9, 9), 0.4f});
  return all;
}
FlatScene flat_shapes() {
  Random r(4);
  FlatScene all;
  for (int i = 0; i < 60; ++i) all.add_circle({{r.uniform(-9, 9), r.uniform(-9, 9)}, 0.5f});
  all.add_polygon(std::vector<Vec2>{{0, 0}, {1, 0}, {0, 1}}, 3);
  return all;
}
AreaSamples area_samples() {
  Random r(5);
  AreaSamples all;
  for (std::uint64_t a = 0; a < area_count; ++a) {
    for (int k = 0; k < 9; ++k) all.point.push_back(r.vec(-9, 9));
    all.offsets.push_back(all.point.size());
  }
  return all;
}
Areas some_areas() {
  const Vec3 corners[] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  Areas all;
  for (int i = 0; i < 5; ++i) all.add(corners, 1);
  return all;
}
NavOptions nav_options() {
  NavOptions options;
  options.cell = 1;
  options.jumps.distance = 3;
  return options;
}

/// What is asked, of what, and where the answers go.
struct World {
  explicit World(int all_threads)
      : threads(all_threads),
        scene(shortage_scene(300)),
        moved(shortage_scene(300)),
        caster(scene, CpuOptions{.threads = all_threads}) {
    Random r(2);
    for (std::uint64_t i = 0; i < n; ++i) from.push_back(r.vec(-9, 9)), to.push_back(r.vec(-9, 9));
    for (std::uint64_t i = 0; i < 300; ++i) circles.push_back(r.uniform(-9, 9));
    map = bake_nav(caster, nav_options());
  }
  void clear() {
    std::ranges::fill(t, 0.0f), std::ranges::fill(id, 0u), std::ranges::fill(counts, 0u);
    std::ranges::fill(bits, 0u);
  }
  RaysView rays() const { return {from, to}; }
  PointsView points() const { return {from}; }
  std::span<std::uint64_t> words(std::uint64_t count) { return std::span(bits).first(count); }
  std::uint64_t sum() const { return sum_of(t, id, counts, bits); }

  int threads;
  Scene scene, moved, asking = balls();
  FlatScene flat = flat_shapes();
  Caster caster;
  std::vector<Vec3> from, to;
  std::vector<float> circles;
  AreaSamples samples = area_samples();
  Areas areas = some_areas();
  NavMap map;
  std::vector<float> t = std::vector<float>(n * 4);
  std::vector<std::uint32_t> id = std::vector<std::uint32_t>(n * 4);
  std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(n);
  std::vector<std::uint64_t> bits = std::vector<std::uint64_t>(n * 8);
  std::vector<AreaClass> classes = std::vector<AreaClass>(area_count * area_count);
  std::vector<std::uint32_t> area_of = std::vector<std::uint32_t>(n, 3);
  CoverRows cover;
};
using Shared = std::shared_ptr<World>;

void add_queries(std::vector<ShortageJob>& jobs, const Shared& w) {
  const auto add = [&](const char* name, const auto& ask) {
    jobs.push_back({name, [w, ask] {
                      w->clear();
                      ask(*w);
                      return w->sum();
                    }});
  };
  add("closest hit", [](World& v) {
    v.caster.closest_hit(v.rays(), {.t = std::span(v.t).first(n), .id = std::span(v.id).first(n)});
  });
  add("any hit", [](World& v) { v.caster.any_hit(v.rays(), v.words(bit_words(n))); });
  add("one ray", [](World& v) { v.t[0] = v.caster.closest_hit({v.from[0], v.to[0]}).t; });
  add("thick rays", [](World& v) {
    v.caster.closest_hit({.origin = v.from, .direction = v.to, .radius = 0.2f},
                         {.t = std::span(v.t).first(n), .id = std::span(v.id).first(n)});
  });
  add("visibility", [](World& v) {
    v.caster.visibility(v.points(), v.words(n * bit_words(n)));
    v.caster.visibility(v.points(), {v.to}, v.words(n * bit_words(n)));
  });
  add("pairs",
      [](World& v) { v.caster.visibility_pairs(v.points(), {v.to}, v.words(bit_words(n))); });
  add("overlap any", [](World& v) { v.caster.overlap_any(v.asking, v.words(bit_words(bodies))); });
  add("nearest", [](World& v) {
    v.caster.nearest(v.points(),
                     {.distance = std::span(v.t).first(n * 3), .id = std::span(v.id).first(n * 3)},
                     {.k = 3});
  });
  add("clearance", [](World& v) {
    v.caster.clearance(v.points(), {v.to},
                       {.distance = std::span(v.t).first(n), .id = std::span(v.id).first(n)});
  });
  add("sweep", [](World& v) {
    v.caster.sweep(v.asking, std::span<const Vec3>(v.to).first(bodies),
                   {.t = std::span(v.t).first(bodies), .id = std::span(v.id).first(bodies)});
  });
  add("exposure", [](World& v) { exposure(v.caster, v.points(), {}, v.points(), v.counts); });
  add("probes", [](World& v) {
    probe_distances(v.caster, v.points().slice(0, 16), 8, std::span(v.t).first(16 * 64));
  });
  add("area counts", [](World& v) {
    area_counts(v.caster, v.samples, {}, {}, std::span(v.counts).first(area_count * area_count));
  });
  add("description", [](World& v) { v.id[0] = v.caster.description().empty(); });
}

void add_rows(std::vector<ShortageJob>& jobs, const Shared& w) {
  jobs.push_back({"all hits", [w] {
                    const HitRows rows = w->caster.all_hits(w->rays());
                    return sum_of(rows.offsets, rows.id, rows.t);
                  }});
  jobs.push_back({"overlap all", [w] {
                    const OverlapRows rows = w->caster.overlap_all(w->asking);
                    return sum_of(rows.offsets, rows.ids);
                  }});
  jobs.push_back({"flat", [w] {
                    const FlatCaster flat(w->flat, CpuOptions{.threads = w->threads});
                    flat.overlap_count(CirclesView::rows(std::span<const float>(w->circles)),
                                       std::span(w->counts).first(100));
                    return sum_of(w->counts);
                  }});
}

void add_bakes(std::vector<ShortageJob>& jobs, const Shared& w) {
  jobs.push_back({"nav", [w] {
                    const NavMap map = bake_nav(w->caster, nav_options());
                    return sum_of(map.flags, map.top, map.region);
                  }});
  jobs.push_back({"area classes", [w] {
                    area_classes(w->caster, w->samples, {}, {}, w->classes);
                    return sum_of(w->classes);
                  }});
  jobs.push_back({"free samples", [w] {
                    const AreaSamples kept = free_samples(w->caster, w->samples, Inside::solid);
                    return sum_of(kept.offsets, kept.point);
                  }});
  jobs.push_back({"group points", [w] {
                    const AreaSamples all = group_points(w->from, w->area_of, area_count);
                    return sum_of(all.offsets, all.point);
                  }});
  jobs.push_back({"areas", [w] {
                    const AreaSamples samples = sample_areas(w->areas, 7);
                    return sum_of(samples.offsets, samples.point);
                  }});
  jobs.push_back({"cover", [w] {
                    w->cover.resize(n);
                    cover(w->caster, w->points(), w->cover.view(), {});
                    return sum_of(w->cover.distance, w->cover.crouch);
                  }});
  jobs.push_back({"cover places", [w] {
                    const CoverPlaces all = find_cover_places(w->caster, w->map, {});
                    return sum_of(all.span, all.position, spans_along_walls(w->map));
                  }});
  jobs.push_back({"directions", [] {
                    return sum_of(octahedral_directions(8), cover_directions(16, {0, 0, 1}));
                  }});
}

void add_casters(std::vector<ShortageJob>& jobs, const Shared& w) {
  jobs.push_back({"scene", [] { return shortage_scene(50).size(); }});
  jobs.push_back({"copy of a scene", [w] {
                    Scene copy(w->scene), other;
                    other = copy;
                    copy.remove(Kind::sphere, 3);
                    return copy.size() + other.size() + copy.view().size();
                  }});
  jobs.push_back({"copy of a 2D scene", [w] {
                    FlatScene copy(w->flat), other;
                    other = copy;
                    return copy.size() + other.size();
                  }});
  jobs.push_back({"caster", [w] {
                    return Caster(w->scene, CpuOptions{.threads = w->threads}).scene().size();
                  }});
  jobs.push_back({"caster without a tree", [w] {
                    const CpuOptions options{.threads = w->threads, .search = Search::brute_force};
                    return Caster(w->scene, options).scene().size();
                  }});
  jobs.push_back({"refit", [w] {
                    w->caster.update(w->moved, Update::refit);
                    return w->caster.scene().size();
                  }});
  jobs.push_back({"rebuild", [w] {
                    w->caster.update(w->scene, Update::rebuild);
                    return w->caster.scene().size();
                  }});
  jobs.push_back({"devices", [] { return std::uint64_t{cuda_devices().problem.empty()}; }});
}

}  // namespace

Scene shortage_scene(int shapes) {
  Random r(1);
  Scene scene;
  for (int i = 0; i < shapes; ++i) {
    const Vec3 c = r.vec(-9, 9);
    switch (i % 4) {
      case 0:
        scene.add_aabb({c, plus(c, {1, 1, 1})}, {.mask = 5});
        break;
      case 1:
        scene.add_sphere({c, 0.5f});
        break;
      case 2:
        scene.add_capsule({c, plus(c, {1, 0, 0}), 0.3f});
        break;
      default:
        scene.add_obb({c, {0.5f, 0.4f, 0.3f}, {0, 0, 0.6f, 0.8f}});
    }
  }
  return scene;
}

std::vector<ShortageJob> shortage_jobs(int threads) {
  std::vector<ShortageJob> jobs;
  const Shared world = std::make_shared<World>(threads);
  add_casters(jobs, world);
  add_queries(jobs, world);
  add_rows(jobs, world);
  add_bakes(jobs, world);
  return jobs;
}

}  // namespace sightline::testing
