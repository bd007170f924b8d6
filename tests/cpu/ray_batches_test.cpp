// Chunks of rays through the wide tree by lanes, against brute force: records of every size of
// chunk, in mixed octants, with filters and with shapes that no tree holds.
#include "host/cpu/ray_batches.hpp"
#include "host/cpu/moving_tree.hpp"
#include "tests/cpu/expected_record.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using detail::Ask;
using detail::RayBatches;
using detail::RayRecord;
using detail::Tracer;

/// A scene and its wide tree, which must outlive what is made of it.
struct Built {
  Scene scene;
  detail::MovingTree tree;

  explicit Built(Scene s) : scene(std::move(s)), tree(detail::build_tree(scene.view())) {}
  detail::TraceScene trace_scene() const {
    const auto& nodes = tree.bvh.nodes;
    return {nodes.empty() ? nullptr : nodes.data(), nodes.size(), tree.bvh.depth, scene.view()};
  }
};

/// The answers of brute force to one ray of each question.
Best best_of(const ShapesView& shapes, const Query& q) {
  Best best;
  if (q.ray.bad) return best;
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (counts(q, shapes, id)) best.offer(cast_shape(q, shapes, id), id);
  }
  return best;
}
bool is_blocked(const ShapesView& shapes, const Query& q) {
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    if (counts(q, shapes, id) && blocks(q, shapes, id)) return true;
  }
  return false;
}

/// Records as they come out, each ray's in its place; fails when one comes twice or not at all.
std::vector<RayRecord> traced(RayBatches& batches) {
  const std::size_t n = batches.size();
  std::vector<RayRecord> records(n);
  std::vector<int> seen(n);
  batches.trace([&](std::uint32_t i, const RayRecord& r) {
    records.at(i) = r;
    ++seen[i];
  });
  EXPECT_EQ(batches.size(), 0u);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(seen[i], 1) << "ray " << i << " of " << n;
  return records;
}

/// Empty, or how the record differs from the answer.
std::string difference(const RayRecord& r, const Ray& ray, const Best& best, Ask ask) {
  const ScaledRay s = scale(ray);
  if (is_bad(r) != s.bad) return "bad or not";
  if ((r.best != none) != (best.id != none)) return "hit or not";
  if (ask != Ask::closest || best.id == none) return "";
  if (r.best != best.id) return "id " + std::to_string(r.best);
  if (bits_of(r.reach) != bits_of(best.t)) return "t";
  const bool inside = (r.flags & detail::record_flags::started_inside) != 0;
  if (inside != best.started_inside) return "started inside";
  if (detail::record_flags::exponent_of(r.flags) != s.exponent) return "exponent";
  return "";
}

void expect_answers(const Built& built, const std::vector<Ray>& rays, Inside inside,
                    const std::string& what) {
  std::vector<Best> expected;
  for (const Ray& ray : rays) {
    expected.push_back(best_of(built.scene.view(), make_query(ray, inside)));
  }
  for_each_tracer([&](const Tracer& tracer) {
    for (const Ask ask : {Ask::closest, Ask::any}) {
      RayBatches batches(built.trace_scene(), tracer, ask, inside);
      batches.set_grid(detail::grid_over(rows_of(rays), ask == Ask::any));
      batches.add(rows_of(rays));
      const std::vector<RayRecord> records = traced(batches);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        ASSERT_EQ(difference(records[i], rays[i], expected[i], ask), "")
            << tracer.name << ", " << what << ", ray " << i << " of " << rays.size() << ": "
            << text(rays[i]);
      }
    }
  });
}

TEST(RayBatches, EveryNumberOfRays) {
  for (const SceneFamily family : every_family) {
    const Built built(make_scene(family, 90, 7));
    for (std::size_t n = 0; n <= 200; ++n) {
      const auto rays = trouble(built.scene, n, n + 1);
      expect_answers(built, rays, every_policy[n % 3], name_of(family));
      if (HasFatalFailure()) return;
    }
  }
}

// Around the size of a batch, and with all rays in one octant beyond it.
TEST(RayBatches, AsManyRaysAsABatchHolds) {
  const Built built(make_scene(SceneFamily::random, 60, 9));
  for (const std::size_t n : {4095u, 4096u, 4097u, 8193u}) {
    auto rays = random_rays(built.scene, n, n);
    expect_answers(built, rays, Inside::solid, "mixed octants");
    for (Ray& ray : rays) {
      const Vec3 d = ray.direction;
      ray.direction = {-abs(d.x), abs(d.y), -abs(d.z)};
    }
    expect_answers(built, rays, Inside::surface, "one octant");
    if (HasFatalFailure()) return;
  }
}

// So large a tree that rays are ordered by place, and that lists grow short on the way down.
TEST(RayBatches, OverALargeTree) {
  const Built built(make_scene(SceneFamily::city, 9000, 3));
  ASSERT_GT(built.tree.bvh.nodes.size(), 1024u);
  expect_answers(built, trouble(built.scene, std::max<std::uint64_t>(600, scaled(6000)), 11),
                 Inside::solid, "city");
}

// Equal shapes: the answer is the least id, whichever is met first.
TEST(RayBatches, AmongEqualsTheLowestId) {
  Scene scene;
  for (int k = 0; k < 100; ++k) {
    scene.add_sphere({{0, 0, 0}, 1});
    scene.add_aabb({{-1, -1, -1}, {1, 1, 1}});
    scene.add_plane({{0, 0, 1}, -1});
  }
  const Built built(std::move(scene));
  expect_answers(built, random_rays(built.scene, 500, 2), Inside::solid, "equal shapes");
}

TEST(RayBatches, NothingAndUnboundedShapesAlone) {
  const Built empty{Scene()};
  Scene planes;
  planes.add_plane({{0, 0, 1}, 0});
  planes.add_plane({{1, 0, 0}, -3});
  const Built unbounded(std::move(planes));
  const Scene other = make_scene(SceneFamily::random, 20, 4);
  for (const Inside inside : every_policy) {
    expect_answers(empty, random_rays(other, 100, 5), inside, "no shapes");
    expect_answers(unbounded, random_rays(other, 100, 5), inside, "planes");
  }
}

/// Rays as often filtered as not, added part by part.
TEST(RayBatches, PartsWithFiltersAndWithout) {
  const Built built(make_scene(SceneFamily::lattice, 120, 6));
  for_each_tracer([&](const Tracer& tracer) {
    RayBatches batches(built.trace_scene(), tracer, Ask::closest, Inside::solid);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random r(seed);
      std::vector<Ray> all;
      const int parts = r.between(1, 5);
      std::vector<std::vector<Ray>> kept;
      for (int part = 0; part < parts; ++part) {
        auto& rays = kept.emplace_back(
            random_rays(built.scene, static_cast<std::uint64_t>(r.between(1, 90)), r.bits()));
        const bool filtered = r.one_in(2);
        RaysView view = rows_of(rays);
        if (!filtered) {
          for (Ray& ray : rays) {
            ray.mask = ~0u;
            for (int k = 0; k < 2; ++k) ray.exclude[k] = ray.exclude_group[k] = none;
          }
          const RaysView all_pass;
          view.mask = all_pass.mask;
          for (int k = 0; k < 2; ++k) {
            view.exclude[k] = all_pass.exclude[k];
            view.exclude_group[k] = all_pass.exclude_group[k];
          }
        }
        batches.add(view);
        all.insert(all.end(), rays.begin(), rays.end());
      }
      const std::vector<RayRecord> records = traced(batches);
      ASSERT_EQ(records.size(), all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Best best = best_of(built.scene.view(), make_query(all[i], Inside::solid));
        ASSERT_EQ(difference(records[i], all[i], best, Ask::closest), "")
            << tracer.name << ", seed " << seed << ", ray " << i << ": " << text(all[i]);
      }
    }
  });
}

TEST(RayBatches, SightsAreWhatTheSegmentsSay) {
  const auto check = [](const Tracer& tracer, SceneFamily family, std::uint64_t seed) {
    const Built built(make_scene(family, 60, seed));
    Random r(seed);
    const auto n = static_cast<std::uint64_t>(r.between(1, 300));
    const auto from = random_points(built.scene, n, seed + 1);
    const auto to = random_points(built.scene, n, seed + 2);
    SightOptions options;
    options.inside = every_policy[seed % 3];
    if (r.one_in(2)) options.margin = r.uniform(0, 0.4f);
    if (r.one_in(2)) options.range = r.uniform(0, 50);
    RayBatches batches(built.trace_scene(), tracer, Ask::sight, options.inside);
    batches.add_sights(rows_of(from), rows_of(to), options);
    const std::vector<RayRecord> records = traced(batches);
    for (std::uint64_t i = 0; i < n; ++i) {
      const SightQuery s = sight_query(from[i], to[i], options);
      const std::string which = std::string(tracer.name) + ", " + name_of(family) + ", seed " +
                                std::to_string(seed) + ", pair " + std::to_string(i);
      ASSERT_EQ(is_bad(records[i]), !s.possible) << which;
      if (!s.possible) continue;
      ASSERT_EQ(records[i].best != none, is_blocked(built.scene.view(), s.query)) << which;
    }
  };
  for_each_tracer([&](const Tracer& tracer) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      check(tracer, every_family[seed % 4], seed);
      if (HasFatalFailure()) return;
    }
  });
}

}  // namespace
}  // namespace sightline::testing
