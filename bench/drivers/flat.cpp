// 2D sets: flat_any/1000/threads:1. Six kinds of shapes mixed, of sizes up to 1, one to every
// 9 units of area; circles of radius 0.3 and segments up to 4 long ask.
#include "bench/harness/benchmarks.hpp"
#include "tests/support/flat_sets.hpp"

#include <cmath>
#include <utility>

namespace sightline::bench {
namespace {

struct FlatWorld {
  std::uint64_t shapes;
  FlatScene scene;
  std::vector<float> circles, segments;  ///< rows [n,3] and [n,4]

  FlatWorld(std::uint64_t size, std::uint64_t count, std::uint64_t seed) : shapes(size) {
    testing::Random r(seed);
    const float half = 1.5f * std::sqrt(static_cast<float>(shapes));
    testing::FlatPlaces at(r, testing::FlatFamily::random);
    at.size = 1, at.spread = half;
    for (std::uint64_t i = 0; i < shapes; ++i) testing::add_any(scene, r, at, 0xFFFFFFFFu);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Vec2 p = testing::vec2(r, half), way = testing::vec2(r, 2.8f);
      circles.insert(circles.end(), {p.x, p.y, 0.3f});
      segments.insert(segments.end(), {p.x, p.y, p.x + way.x, p.y + way.y});
    }
  }
  static const FlatWorld& of(std::uint64_t shapes) {
    static std::optional<FlatWorld> world;
    const Load& load = options().load;
    if (!world || world->shapes != shapes) {
      world.emplace(shapes, std::max<std::uint64_t>(64, load.count / 8), load.seed);
    }
    return *world;
  }
};

void ask(const FlatCaster& caster, const FlatWorld& world, const std::string& what, Answers& a) {
  const CirclesView circles = CirclesView::rows(world.circles);
  if (what == "any") {
    caster.overlap_any(circles, a.bits);
  } else if (what == "count") {
    caster.overlap_count(circles, a.counts);
  } else if (what == "all") {
    OverlapRows found = caster.overlap_all(circles);
    a.offsets = std::move(found.offsets), a.id = std::move(found.ids);
  } else {
    caster.cast(SegmentsView::rows(world.segments), {a.t, a.id, {}, {}});
  }
}

Answers room(std::uint64_t n, const std::string& what) {
  Answers a;
  if (what == "any") a.bits.resize(bit_words(n));
  if (what == "count") a.counts.resize(n);
  if (what == "all") a.offsets.resize(n + 1);
  if (what == "cast") a.t.resize(n), a.id.resize(n);
  return a;
}

void measure_flat(benchmark::State& state, const std::string& key, std::uint64_t shapes,
                  const Place& place, const std::string& what) {
  const FlatWorld& world = FlatWorld::of(shapes);
  const std::uint64_t n = world.circles.size() / 3;
  const FlatCaster caster(world.scene, place.options);
  Answers answers = room(n, what);
  if (!measure(state, [&] {
        answers.poison();
        return place.timing.seconds(taken_by([&] { ask(caster, world, what, answers); }));
      })) {
    return;
  }
  count_rate(state, what == "cast" ? "segments" : "circles", static_cast<double>(n));
  state.counters["found"] = answers.found() / static_cast<double>(n);
  label(state, key, answers.hash());
}

}  // namespace

void add_flat() {
  if (!options().scene.empty()) return;
  for (std::uint64_t shapes = 1000; shapes <= options().largest; shapes *= 10) {
    if (shapes < options().smallest) continue;
    for (const Place& place : places()) {
      const bool on_cpu = place.is<CpuOptions>();
      // They have no lanes.
      if (on_cpu && std::get<CpuOptions>(place.options).lanes !=
                        std::get<CpuOptions>(places().front().options).lanes) {
        continue;
      }
      // Brute force answers all of them, so of few shapes alone.
      if (place.is<ReferenceOptions>() && shapes > 1000) continue;
      const std::string where = on_cpu ? place.name.substr(place.name.find('/') + 1) : place.name;
      for (const char* what : {"any", "count", "all", "cast"}) {
        const std::string key = "flat_" + std::string(what) + "/" + std::to_string(shapes);
        add(key + "/" + where,
            [=](benchmark::State& state) { measure_flat(state, key, shapes, place, what); });
      }
    }
  }
}

}  // namespace sightline::bench
