// The bench of overlaps and distances: what it asks, and that the rivals are asked the same.
#include "bench/duel/query_row.hpp"
#include "bench/rivals/float_shapes.hpp"

#include <sightline/geometry/queries/nearest.hpp>
#include <sightline/geometry/queries/overlap_query.hpp>

#include <gtest/gtest.h>

namespace sightline::bench {
namespace {

constexpr std::uint64_t shapes = 600, asked = 2000;

struct World {
  Scene scene;
  gen::RayRegion region;

  explicit World(gen::SceneKind kind)
      : scene(gen::make_scene(kind, shapes, 3)), region(gen::region_of(kind, scene)) {}
  QueryBatch ask(const std::string& name) const {
    return make_queries(name, region, shapes, asked, 5);
  }
};

TEST(QueryBatch, HasOneKindOfTheSizeOfACell) {
  const World world(gen::SceneKind::cloud);
  const double cell = std::cbrt(1e6 / shapes);
  for (const char* name : {"spheres", "capsules", "aabbs", "obbs"}) {
    const QueryBatch batch = world.ask(name);
    EXPECT_EQ(batch.size(), asked);
    const ShapesView view = batch.shapes.view();
    for (std::uint32_t i = 0; i < asked; ++i) {
      EXPECT_EQ(view.kind_of(i), view.kind_of(0));
      const float wide = view.bounds[i].max.x - view.bounds[i].min.x;
      EXPECT_GT(wide, 0.2 * cell) << name;
      EXPECT_LT(wide, 2.7 * cell) << name;
    }
  }
  EXPECT_EQ(world.ask("points").points.size(), asked);
  EXPECT_THROW(world.ask("cones"), Error);
}

// Plain floats err only where shapes just touch.
TEST(FloatShapes, AnswerAsOursDo) {
  const World world(gen::SceneKind::cloud);
  const ShapesView others = world.scene.view();
  for (const char* name : {"spheres", "capsules", "aabbs", "obbs"}) {
    const QueryBatch batch = world.ask(name);
    const ShapesView queries = batch.shapes.view();
    std::uint64_t yes = 0, differing = 0, tests = 0;
    for (std::uint32_t i = 0; i < 200; ++i) {
      const rivals::FloatShape a = rivals::float_shape(queries, i);
      visit_query(queries, i, [&](const auto& q) {
        for (std::uint32_t id = 0; id < others.size(); ++id, ++tests) {
          const bool ours = overlaps_shape(q, others, id);
          const rivals::FloatShape b = rivals::float_shape(others, id);
          const bool theirs = rivals::float_overlaps(a, b);
          EXPECT_EQ(theirs, rivals::float_overlaps(b, a));
          yes += ours;
          differing += ours != theirs;
        }
      });
    }
    EXPECT_GT(yes, 100u) << name;
    EXPECT_LE(differing, tests / 20'000) << name;
  }
}

TEST(FloatShapes, HaveOurDistances) {
  const World world(gen::SceneKind::cloud);
  const ShapesView others = world.scene.view();
  const QueryBatch batch = world.ask("points");
  for (std::uint32_t id = 0; id < others.size(); ++id) {
    const Vec3 p = batch.points[id];
    const float ours =
        others.visit(id, [&](const auto& s) { return distance_to(s, SightPoint{p}); });
    EXPECT_NEAR(rivals::float_distance(rivals::float_shape(others, id), p), ours, 1e-4);
  }
}

/// Arrays for the answers to a question.
auto room_of(const std::string& ask) {
  static const World world(gen::SceneKind::cloud);
  return query_question(world.ask(ask == "nearest" ? "points" : "spheres"), ask).room;
}

Difference difference_on(const rivals::QueryTree& tree, const World& world, const std::string& name,
                         bool sorted) {
  const QueryBatch batch = world.ask(name);
  const Caster caster(world.scene, ReferenceOptions{});
  rivals::QueryRunner runner(2);
  const auto answers = [&](const char* ask) {
    bench::Answers to = room_of(ask)(asked);
    runner.answer(tree, sorted, batch, ask, asked, to);
    return to;
  };
  bench::Answers ours;
  if (name == "points") {
    ours = room_of("nearest")(asked);
    caster.nearest(PointsView(batch.points).slice(0, asked), {ours.t, ours.id});
    return bench::difference(ours, answers("nearest"), asked);
  }
  const bench::Answers rows = answers("all");
  OverlapRows expected = caster.overlap_all(batch.shapes);
  const std::vector<std::uint32_t> counts = answers("count").counts;
  const std::vector<std::uint64_t> bits = answers("any").bits;
  for (std::uint64_t i = 0; i < asked; ++i) {
    EXPECT_EQ(counts[i], rows.offsets[i + 1] - rows.offsets[i]);
    EXPECT_EQ(bits[i / 64] >> i % 64 & 1, counts[i] > 0 ? 1u : 0u);
  }
  ours.offsets = expected.offsets;
  ours.id = expected.ids;
  return bench::difference(ours, rows, asked);
}

TEST(QueryRivals, AnswerTheSameQuestions) {
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::mixed}) {
    const World world(kind);
    for (const rivals::QueryRival& rival : rivals::query_rivals()) {
      const auto tree = rival.build(world.scene.view());
      for (const char* name : {"spheres", "capsules", "aabbs", "obbs", "points"}) {
        if (!tree->signs() && std::string(name) == "points") continue;
        SCOPED_TRACE(rival.name + ", " + name + " in " + std::string(name_of(kind)));
        const bench::Difference d = difference_on(*tree, world, name, std::string(name) != "aabbs");
        EXPECT_GE(d.rays, asked / 2);
        EXPECT_LE(d.hits, asked / 100);
        EXPECT_LE(d.ids, asked / 100);
        EXPECT_LT(d.largest_t, 0.02);
      }
    }
  }
}

TEST(Contest, HasARowForEveryQuestion) {
  const World world(gen::SceneKind::city);
  const Contest contest("city", world.scene);
  for (const char* ask : {"any", "count", "all", "nearest"}) {
    SCOPED_TRACE(ask);
    const bool points = std::string(ask) == "nearest";
    const QueryRow row =
        contest.row(world.ask(points ? "points" : "obbs"), ask, 1, {.pairs = 3, .timing = {}});
    EXPECT_FALSE(row.differs);
    EXPECT_GT(row.loop_seconds, 0);
    EXPECT_GT(row.found, 0.2);
    if (rivals::query_rivals().empty()) continue;
    EXPECT_FALSE(row.rival.empty());
    EXPECT_EQ(row.duel.ratios.size(), 3u);
    EXPECT_GT(row.duel.ratio, 0);
  }
  EXPECT_THROW(contest.row(world.ask("obbs"), "most", 1, {}), Error);
}

// VAMP has a bit for eight spheres.
TEST(Contest, AsksEightSpheresAtOnce) {
  const World world(gen::SceneKind::mixed);
  const Contest contest("mixed", world.scene);
  for (const char* name : {"spheres", "rakes"}) {
    SCOPED_TRACE(name);
    const QueryRow row = contest.row(world.ask(name), "eights", 1, {.pairs = 3, .timing = {}});
    EXPECT_FALSE(row.differs);
    EXPECT_EQ(row.count, asked);
    EXPECT_GT(row.found, 0.2);
    if (vamp_scene_of(world.scene.view()) == nullptr) continue;
    EXPECT_EQ(row.rival, "VAMP, a bit for eight");
    EXPECT_GE(row.duel.difference.rays, asked / 8);
    EXPECT_LE(row.duel.difference.hits, row.duel.difference.rays / 1000);
  }
  EXPECT_THROW(contest.row(world.ask("obbs"), "eights", 1, {}), Error);
  const QueryRow each = Contest("mixed", world.scene, {"VAMP"})
                            .row(world.ask("rakes"), "any", 1, {.pairs = 3, .timing = {}});
  EXPECT_LE(each.duel.difference.hits, each.duel.difference.rays / 1000);
  const bool has_vamp = vamp_scene_of(world.scene.view()) != nullptr;
  EXPECT_EQ(each.rival, has_vamp ? "VAMP, a bit for one in all lanes" : "");
  if (vamp_scene_of(world.scene.view()) == nullptr) GTEST_SKIP() << "VAMP is not here";
}

TEST(QueryBatch, ARakeIsEightSpheresAlongALine) {
  const World world(gen::SceneKind::cloud);
  const QueryBatch batch = world.ask("rakes");
  const ShapesView view = batch.shapes.view();
  const float cell = static_cast<float>(std::cbrt(1e6 / shapes));
  for (std::uint32_t i = 0; i < asked; i += 8) {
    const Sphere first = view.get<Sphere>(i), last = view.get<Sphere>(i + 7);
    const Vec3 way = last.center - first.center;
    EXPECT_NEAR(std::sqrt(way.x * way.x + way.y * way.y + way.z * way.z), cell, 1e-3f * cell);
    for (std::uint32_t k = 1; k < 7; ++k) {
      const Sphere s = view.get<Sphere>(i + k);
      EXPECT_EQ(s.radius, first.radius);
      EXPECT_NEAR(s.center.x, first.center.x + way.x * static_cast<float>(k) / 7, 1e-3f * cell);
    }
  }
}

// Few motions pass between the samples.
TEST(Contest, SweepsMotions) {
  const World world(gen::SceneKind::mixed);
  const Contest contest("mixed", world.scene);
  const QueryBatch motions = world.ask("motions");
  EXPECT_EQ(motions.size(), asked);
  const QueryRow row = contest.row(motions, "blocked", 1, {.pairs = 3, .timing = {}});
  EXPECT_FALSE(row.differs);
  EXPECT_GT(row.found, 0.5);
  EXPECT_EQ(row.rival, "32 samples, ours");
  EXPECT_GT(row.duel.difference.hits, 0u);
  EXPECT_LE(row.duel.difference.hits, row.duel.difference.rays / 50);
}

TEST(Contest, TheLoopAnswersTheFirstOfMany) {
  const World world(gen::SceneKind::city);
  const QueryBatch points = world.ask("points");
  const std::uint64_t many = 3 * 20'000'000 / points.size();
  const Scene scene = gen::make_scene(gen::SceneKind::city, many, 1);  // outlives the contest
  const Contest contest("city", scene);
  EXPECT_FALSE(contest.row(points, "nearest", 1, {.pairs = 3, .timing = {}}).differs);
}

}  // namespace
}  // namespace sightline::bench
