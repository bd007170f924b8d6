#include "bench/harness/world.hpp"

#include <sightline/error.hpp>
#include <sightline/files.hpp>
#include <sightline/geometry/queries/line_of_sight.hpp>
#include <sightline/geometry/shapes/aabb.hpp>

#include <cmath>
#include <future>

namespace sightline::bench {
namespace {

constexpr std::pair<const char*, Lanes> lanes_by_name[] = {{"avx512", Lanes::avx512},
                                                           {"avx2", Lanes::avx2},
                                                           {"portable", Lanes::portable},
                                                           {"auto", Lanes::automatic}};

bool can_run(Lanes lanes) {
  try {
    const Caster caster(Scene{}, CpuOptions{.lanes = lanes});
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// `count` of them, evenly spread over their order.
std::vector<Vec3> some_of(const std::vector<Vec3>& points, std::uint64_t count) {
  std::vector<Vec3> some(count);
  for (std::uint64_t i = 0; i < count; ++i) some[i] = points[i * points.size() / count];
  return some;
}

}  // namespace

World::World(const std::string& scene, std::uint64_t shapes, const Load& load)
    : name_(scene),
      load_(load),
      kind_(gen::scene_kind(scene)),
      scene_(kind_ ? gen::make_scene(*kind_, shapes, load.seed) : files::read_scene(scene)) {}

World& World::of(const std::string& scene, std::uint64_t shapes, const Load& load) {
  // Never destroyed: at the program's end the device's runtime may be gone.
  static std::optional<World>& world = *new std::optional<World>;
  static std::string key;
  const std::string asked = scene + "/" + std::to_string(shapes);
  if (!world || key != asked) {
    world.reset();
    world.emplace(scene, shapes, load);
    key = asked;
  }
  return *world;
}

const gen::RayRegion& World::region() {
  if (!region_) {
    const Caster& cpu = caster(CpuOptions{});
    if (!kind_ && is_empty(scene_.bounds())) {
      throw Error(ErrorKind::usage, name_ + ": no shape has bounds, so name a file of rays");
    }
    region_ = kind_ ? gen::region_of(*kind_, scene_) : gen::region_of(cpu, load_.seed);
  }
  return *region_;
}

gen::RaySet World::make_rays(gen::RayKind kind, std::uint64_t count) {
  const gen::RayRegion& where = region();
  const Caster& cpu = caster(CpuOptions{});
  const std::uint64_t parts = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<gen::RaySet>> made;
  for (std::uint64_t k = 0; k < parts; ++k) {
    const std::uint64_t first = count * k / parts, end = count * (k + 1) / parts;
    made.push_back(std::async(std::launch::async, [&, first, end] {
      return gen::make_rays_chunk(kind, cpu, where, count, load_.seed, first, end - first);
    }));
  }
  gen::RaySet rays = made[0].get();
  for (std::uint64_t k = 1; k < parts; ++k) {
    const gen::RaySet more = made[k].get();
    rays.origin.insert(rays.origin.end(), more.origin.begin(), more.origin.end());
    rays.direction.insert(rays.direction.end(), more.direction.begin(), more.direction.end());
    rays.candidates += more.candidates;
  }
  return rays;
}

const Points& World::points() {
  if (points_) return *points_;
  const auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(load_.count)));
  std::uint64_t side = std::max<std::uint64_t>(64, root / 64 * 64);
  Points made;
  if (!load_.points.empty()) {
    const std::vector<Vec3> all = files::read_points(load_.points);
    side = std::min<std::uint64_t>(side, all.size() / 64 * 64);
    if (side == 0) {
      throw Error(ErrorKind::usage, load_.points + ": " + std::to_string(all.size()) +
                                        " points, and a matrix needs 64");
    }
    made.from = made.to = some_of(all, side);
  } else {
    const gen::RaySet los = make_rays(gen::RayKind::los, side);
    redrawn_["matrix"] = los.redrawn_share();
    made.from = los.origin;
    for (std::uint64_t i = 0; i < side; ++i) made.to.push_back(los.origin[i] + los.direction[i]);
  }
  return points_.emplace(std::move(made));
}

gen::RaySet World::segments() {
  const PointsView from = points().viewpoints(), to = points().targets();
  gen::RaySet rays;
  rays.t_max = 1;
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    for (std::uint64_t j = 0; j < to.size(); ++j) {
      const Ray ray = sight_ray(from[i], to[j], 0, infinity).ray;
      rays.origin.push_back(ray.origin);
      rays.direction.push_back(ray.direction);
    }
  }
  return rays;
}

const RaysView& World::rays(const std::string& name) {
  if (const auto at = rays_.find(name); at != rays_.end()) return at->second;
  const auto kind = gen::ray_kind(name);
  if (!kind && name != "matrix") {
    const io::RaysSource source(name);
    if (source.columns().radius) {
      throw Error(ErrorKind::usage, name + ": rays with radii are not for benchmarks");
    }
    redrawn_[name] = 0;
    return rays_[name] = source.read(0, source.count(), buffers_[name]);
  }
  const gen::RaySet& set = sets_[name] = kind ? make_rays(*kind, load_.count) : segments();
  redrawn_.try_emplace(name, kind ? set.redrawn_share() : 0);
  return rays_[name] = set.view();
}

const QueryBatch& World::queries(const std::string& kind) {
  const auto at = queries_.find(kind);
  if (at != queries_.end()) return at->second;
  return queries_[kind] = make_queries(kind, region(), scene_.size(),
                                       std::max<std::uint64_t>(64, load_.count / 8), load_.seed);
}

const Caster& World::caster(const CasterOptions& options) {
  if (!caster_ || built_for_ != options) {
    caster_.reset();
    caster_.emplace(scene_, options);
    built_for_ = options;
  }
  return *caster_;
}

const Caster& World::judge() {
  if (!judge_) judge_.emplace(scene_, ReferenceOptions{});
  return *judge_;
}

std::vector<Place> cpu_places(const std::vector<int>& threads, Clock clock) {
  std::vector<Place> places;
  for (const auto& [name, lanes] : lanes_by_name) {
    if (lanes == Lanes::automatic || !can_run(lanes)) continue;
    for (const int n : threads) {
      places.push_back({name + ("/threads:" + std::to_string(n)),
                        CpuOptions{.threads = n, .lanes = lanes},
                        {clock, n}});
    }
  }
  return places;
}

std::string lanes_of(const Caster& caster) {
  constexpr std::string_view before = "lanes of ";
  const std::string words = caster.description();
  const std::size_t at = words.find(before);
  if (at == words.npos) return "";
  return words.substr(at + before.size(), words.find(',', at) - at - before.size());
}

Lanes lanes_named(const std::string& name) {
  for (const auto& [known, value] : lanes_by_name) {
    if (known == name) return value;
  }
  throw Error(ErrorKind::usage, "--lanes: there are avx512, avx2, portable and auto, not " + name);
}

}  // namespace sightline::bench
