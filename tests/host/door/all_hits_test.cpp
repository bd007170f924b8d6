// All hits, the first of them, and counts on every backend, against every shape alone.
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/hit_rows.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scale.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <array>

namespace sightline::testing {
namespace {

HitRowsOptions rows_options(Inside inside, std::uint32_t first, bool t_out) {
  HitRowsOptions options;
  options.inside = inside;
  options.first = first;
  options.t_out = t_out;
  return options;
}

/// So many shapes in each other, or side by side along x, that rays hit many of them.
Scene crowd(std::uint32_t count, std::uint64_t seed) {
  Random r(seed);
  Scene scene;
  for (std::uint32_t k = 0; k < count; ++k) {
    const Vec3 at = {r.uniform(0, 100), r.uniform(-1, 1), r.uniform(-1, 1)};
    const int kind = r.below(4);
    if (kind == 0) scene.add_aabb(random_shape<Aabb>(r, at, 3));
    if (kind == 1) scene.add_obb({at, times(r.vec(0, 1), 3), {0.5f, 0.5f, 0.5f, 0.5f}});
    if (kind == 2) scene.add_sphere(random_shape<Sphere>(r, at, 3));
    if (kind == 3) scene.add_capsule(random_shape<Capsule>(r, at, 3));
  }
  return scene;
}

/// Along the crowd, from inside and from beyond, in lengths of many sizes.
std::vector<Ray> rays_along(std::uint64_t n, std::uint64_t seed) {
  Random r(seed);
  std::vector<Ray> rays(n);
  for (Ray& ray : rays) {
    ray.origin = {r.uniform(-10, 60), r.uniform(-1, 1), r.uniform(-1, 1)};
    ray.direction = times({1, r.uniform(-0.01f, 0.01f), 0}, r.power_of_two(-130, 100));
    if (r.one_in(3)) ray.t_max = r.uniform(0, 50) / ray.direction.x;
  }
  return rays;
}

class EveryHit : public EveryBackend {};

TEST_P(EveryHit, IsWhatEveryShapeSaysAlone) {
  constexpr std::uint32_t firsts[] = {none, 1, 2, 7};
  std::uint64_t hits = 0, rows = 0;
  for (const SceneFamily family : ray_families) {
    for (std::uint64_t seed = 1; seed <= scaled(12); ++seed) {
      const Scene scene = make_scene(family, seed % 4 == 0 ? 3 : 150, seed);
      const Caster some = caster(scene);
      const std::vector<Ray> rays = trouble(scene, seed % 3 == 0 ? 64 : 333, seed + 5);
      const Inside inside = every_policy[seed % 3];
      const HitRowsOptions options = rows_options(inside, firsts[seed % 4], seed % 2 == 0);
      const AllHits truth = true_rows(scene.view(), rows_of(rays), options);
      expect_same(all_hits_of(some, rows_of(rays), options), truth,
                  name_of(family) + (", seed " + std::to_string(seed)));
      if (HasFatalFailure()) return;
      hits += truth.report.hits;
      rows += truth.report.hitting;
    }
  }
  EXPECT_GT(hits, rows * 3 / 2) << "rows are longer than one";
  EXPECT_GT(rows, scaled(12) * 100);
}

// Rows of up to thousands, which a device fetches in pieces, and so many that every thread gets
// several parts.
TEST_P(EveryHit, OfLongRows) {
  const std::uint32_t shapes = 150 + static_cast<std::uint32_t>(scaled(3000));
  const Scene scene = crowd(shapes, 3);
  const Caster some = caster(scene);
  const std::vector<Ray> rays = rays_along(30 + scaled(170), 4);
  for (const std::uint32_t first : {none, 3u, 100u}) {
    const HitRowsOptions options = rows_options(Inside::solid, first, first != 3);
    const AllHits truth = true_rows(scene.view(), rows_of(rays), options);
    if (first == none) {
      ASSERT_GT(*std::max_element(truth.counts.begin(), truth.counts.end()), shapes / 4);
    }
    expect_same(all_hits_of(some, rows_of(rays), options), truth, std::to_string(first));
  }
}

// The first of a row is the closest hit, and there is one where any hit says so.
TEST_P(EveryHit, BeginsWithTheClosest) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 100, seed);
    const Caster some = caster(scene);
    const std::vector<Ray> rays = trouble(scene, 100 + scaled(3000), seed);
    for (const Inside inside : every_policy) {
      const Answers closest = answers_of(some, rows_of(rays), inside);
      const AllHits all = all_hits_of(some, rows_of(rays), rows_options(inside, none, true));
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const std::uint64_t at = all.rows.offsets[i], n = all.rows.offsets[i + 1] - at;
        ASSERT_EQ(n, all.rows.count[i]);
        ASSERT_EQ(all.rows.flags[i], closest.flags[i]) << text(rays[i]);
        ASSERT_EQ(n > 0, closest.is_blocked(i)) << text(rays[i]);
        if (n == 0) continue;
        ASSERT_EQ(all.rows.id[at], closest.id[i]) << text(rays[i]);
        ASSERT_EQ(bits_of(all.rows.t[at]), bits_of(closest.t[i])) << text(rays[i]);
      }
    }
  }
}

// What is kept of a row is how it begins without a limit; the counts are of all.
TEST_P(EveryHit, KeepsTheFirstOfARow) {
  const Scene scene = crowd(120, 6);
  const Caster some = caster(scene);
  const std::vector<Ray> rays = rays_along(100, 7);
  const AllHits all = all_hits_of(some, rows_of(rays), rows_options(Inside::solid, none, true));
  for (const std::uint32_t first : {1u, 2u, 5u, 64u, 119u, 120u, 121u, none - 1}) {
    const AllHits some_of =
        all_hits_of(some, rows_of(rays), rows_options(Inside::solid, first, true));
    ASSERT_EQ(some_of.rows.count, all.rows.count);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const std::uint64_t from = some_of.rows.offsets[i], to = all.rows.offsets[i];
      const std::uint32_t kept = std::min(all.rows.count[i], first);
      ASSERT_EQ(some_of.rows.offsets[i + 1] - from, kept);
      for (std::uint32_t k = 0; k < kept; ++k) {
        ASSERT_EQ(some_of.rows.id[from + k], all.rows.id[to + k]);
        ASSERT_EQ(bits_of(some_of.rows.t[from + k]), bits_of(all.rows.t[to + k]));
        ASSERT_EQ(bits_of(some_of.rows.t_out[from + k]), bits_of(all.rows.t_out[to + k]));
      }
      ASSERT_EQ((some_of.rows.flags[i] & hit_flags::overflow) != 0, all.rows.count[i] > first);
    }
  }
}

// Integers alone: boxes and planes along the axes, and rays along axes and diagonals.
TEST_P(EveryHit, OnTheLatticeIsExact) {
  struct Slab {
    int low[3], high[3];  // a million: there is no face
    std::uint32_t id;
  };
  constexpr int far = 1'000'000;
  std::uint64_t hits = 0, ties = 0;
  for (std::uint64_t seed = 1; seed <= scaled(60); ++seed) {
    Random r(seed);
    Scene scene;
    std::vector<Slab> slabs;
    for (std::uint32_t k = 0; k < 60; ++k) {
      Slab s = {{}, {}, k};
      for (int axis = 0; axis < 3; ++axis) {
        s.low[axis] = r.between(-12, 12);
        s.high[axis] = s.low[axis] + r.between(0, 6);
      }
      const auto v = [](const int(&c)[3]) {
        return Vec3{static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
      };
      scene.add_aabb({v(s.low), v(s.high)});
      slabs.push_back(s);
    }
    for (std::uint32_t k = 60; k < 63; ++k) {
      Slab s = {{-far, -far, -far}, {far, far, far}, k};
      s.high[k - 60] = r.between(-9, 9);
      const Vec3 normal = {k == 60 ? 1.0f : 0, k == 61 ? 1.0f : 0, k == 62 ? 1.0f : 0};
      scene.add_plane({normal, static_cast<float>(s.high[k - 60])});
      slabs.push_back(s);
    }
    std::vector<Ray> rays(200);
    AllHits truth;
    truth.rows.offsets = {0};
    for (Ray& ray : rays) {
      const int o[3] = {r.between(-20, 20), r.between(-20, 20), r.between(-20, 20)};
      int d[3];
      do {
        for (int& c : d) c = r.between(-1, 1);
      } while (d[0] == 0 && d[1] == 0 && d[2] == 0);
      const int t_min = r.one_in(3) ? r.between(0, 20) : 0, t_max = t_min + r.between(0, 40);
      const float length = r.power_of_two(-20, 20);
      const auto v = [](const int(&c)[3]) {
        return Vec3{static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
      };
      ray.origin = v(o);
      ray.direction = times(v(d), length);
      ray.t_min = static_cast<float>(t_min) / length;
      ray.t_max = static_cast<float>(t_max) / length;
      std::vector<std::array<int, 3>> row;  // t, id, t_out
      for (const Slab& s : slabs) {
        int in = -far, out = far;
        for (int axis = 0; axis < 3; ++axis) {
          if (d[axis] == 0 && (o[axis] < s.low[axis] || o[axis] > s.high[axis])) out = -far - 1;
          if (d[axis] == 0) continue;
          const int a = (s.low[axis] - o[axis]) * d[axis], b = (s.high[axis] - o[axis]) * d[axis];
          in = std::max(in, std::min(a, b));
          out = std::min(out, std::max(a, b));
        }
        if (in > out || out < t_min || in > t_max) continue;
        row.push_back({std::max(in, t_min), static_cast<int>(s.id), std::min(out, t_max)});
      }
      std::sort(row.begin(), row.end());
      for (std::size_t k = 0; k < row.size(); ++k) {
        truth.rows.t.push_back(static_cast<float>(row[k][0]) / length);
        truth.rows.id.push_back(static_cast<std::uint32_t>(row[k][1]));
        truth.rows.t_out.push_back(static_cast<float>(row[k][2]) / length);
        ties += k > 0 && row[k][0] == row[k - 1][0];
      }
      truth.rows.offsets.push_back(truth.rows.t.size());
      hits += row.size();
    }
    const AllHits found =
        all_hits_of(caster(scene), rows_of(rays), rows_options(Inside::solid, none, true));
    ASSERT_EQ(found.rows.offsets, truth.rows.offsets) << "seed " << seed;
    ASSERT_EQ(found.rows.id, truth.rows.id) << "seed " << seed;
    ASSERT_TRUE(same_bytes(found.rows.t, truth.rows.t)) << "seed " << seed;
    ASSERT_TRUE(same_bytes(found.rows.t_out, truth.rows.t_out)) << "seed " << seed;
  }
  EXPECT_GT(hits, scaled(60) * 300);
  EXPECT_GT(ties, scaled(60) * 50);
}

// Where a shape is left is where a ray from inside it finds its way out.
TEST_P(EveryHit, IsLeftWhereItsSurfaceIsMetFromInside) {
  Scene scene;
  scene.add_aabb({{10, -2, -3}, {17, 2, 3}});
  scene.add_obb({{5, 0.5f, 0}, {2, 1, 1.5f}, {0.6f, 0, 0, 0.8f}});
  scene.add_sphere({{25, 0.25f, 0.125f}, 3});
  scene.add_capsule({{31, -1, 0}, {38, 1, 0.5f}, 1.25f});
  scene.add_plane({{1, 0, 0}, 50});
  const Caster some = caster(scene);
  Ray ray;
  ray.origin = {-8, 0.25f, 0.25f}, ray.direction = {0.75f, 0.01f, -0.005f};
  const std::vector<Ray> rays = {ray};
  const AllHits all = all_hits_of(some, rows_of(rays), rows_options(Inside::solid, none, true));
  ASSERT_EQ(all.rows.id.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    const std::uint32_t id = all.rows.id[k];
    Ray inside = ray;
    inside.t_min = next_up(sightline::max(all.rows.t[k], 1));
    const Hit left =
        scene.view().visit(id, [&](const auto& s) { return cast(inside, s, Inside::surface); });
    ASSERT_TRUE(started_inside(left)) << id;
    EXPECT_EQ(bits_of(all.rows.t_out[k]), bits_of(left.t)) << id;
  }
}

// A plane that is never left, by a ray that never ends.
TEST_P(EveryHit, IsLeftNeverOrAtTheEnd) {
  Scene scene;
  scene.add_plane({{0, 0, 1}, 0});
  scene.add_sphere({{0, 0, -5}, 1});
  const Caster some = caster(scene);
  std::vector<Ray> rays(5);
  for (Ray& ray : rays) ray.origin = {0, 0, 8}, ray.direction = {0, 0, -1};
  rays[1].t_max = 12.5f;
  rays[2].origin = {0, 0, -5}, rays[2].direction = {0, 0, 0}, rays[2].t_max = 3;  // a point
  rays[3].direction = {0, 0, -0x1p-140f};  // left beyond any float
  rays[4].direction = {0, 0, -0x1p120f};
  const AllHits all = all_hits_of(some, rows_of(rays), rows_options(Inside::solid, none, true));
  ASSERT_EQ(all.rows.offsets, (std::vector<std::uint64_t>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(all.rows.id, (std::vector<std::uint32_t>{1, 0, 1, 0, 0, 1, 1, 0, 1, 0}));
  const std::vector<float> t_out = {infinity, 14,       12.5f,         12.5f,    3,
                                    3,        infinity, largest_float, infinity, 0x1.cp-117f};
  EXPECT_EQ(all.rows.t_out, t_out);
}

TEST_P(EveryHit, OfNothingAndInNothing) {
  const Caster over_none = caster(Scene()), over_some = caster(crowd(5, 1));
  const HitRowsOptions options = rows_options(Inside::solid, 2, true);
  AllHits truth;
  truth.rows.offsets = {0};
  expect_same(all_hits_of(over_some, RaysView{}, options), truth, "no rays");
  const std::vector<Ray> rays = rays_along(70, 1);
  truth.rows.offsets.assign(71, 0);
  truth.rows.count = truth.counts = std::vector<std::uint32_t>(70, 0);
  truth.rows.flags.assign(70, 0);
  truth.report.rays = truth.count_report.rays = 70;
  expect_same(all_hits_of(over_none, rows_of(rays), options), truth, "an empty scene");
}

TEST_P(EveryHit, TellsOfBadRays) {
  const Scene scene = crowd(20, 1);
  const Caster some = caster(scene);
  std::vector<Ray> rays = rays_along(300, 2);
  rays[77].origin.y = infinity;
  rays[150].t_min = 2, rays[150].t_max = 1;
  HitRowsOptions options;
  const AllHits truth = true_rows(scene.view(), rows_of(rays), options);
  ASSERT_EQ(truth.report.bad_rays, 2u);
  ASSERT_EQ(truth.report.first_bad_ray, 77u);
  expect_same(all_hits_of(some, rows_of(rays), options), truth, "bad rays");
  options.strict = true;
  std::vector<std::uint32_t> counts(300);
  const std::string why = "ray 77 is bad";
  expect_error(ErrorKind::bad_input, {why}, [&] {
    some.count_hits(rows_of(rays), counts, {Inside::solid, true});
  });
  expect_error(ErrorKind::bad_input, {why}, [&] { some.all_hits(rows_of(rays), options); });
}

TEST_P(EveryHit, RefusesToKeepNoneAndWrongSizes) {
  const Caster some = caster(crowd(5, 1));
  const std::vector<Ray> rays = rays_along(3, 1);
  std::vector<std::uint32_t> two(2);
  expect_error(ErrorKind::usage, {}, [&] { some.count_hits(rows_of(rays), two); });
  expect_error(ErrorKind::usage, {},
               [&] { some.all_hits(rows_of(rays), rows_options(Inside::solid, 0, false)); });
}

TEST_P(EveryHit, RefusesRadii) {
  const Caster some = caster(crowd(5, 1));
  const std::vector<Ray> rays = rays_along(3, 1);
  RaysView thick = rows_of(rays);
  const std::vector<float> none_at_all(3);
  thick.radius = none_at_all;
  EXPECT_EQ(some.all_hits(thick).size(), 3u);
  thick.radius = 0.5f;
  const std::string why = "rays with radii have closest hits and any hits alone";
  expect_error(ErrorKind::usage, {why}, [&] { some.all_hits(thick); });
  expect_error(ErrorKind::usage, {why}, [&] { some.count_hits(thick); });
}

TEST_P(EveryHit, FollowsShapesThatMove) {
  Scene scene;
  for (int k = 0; k < 30; ++k) scene.add_sphere({{static_cast<float>(k), 0, 0}, 1.5f});
  Caster moving = caster(scene);
  for (std::uint32_t k = 0; k < 30; ++k) {
    scene.set<Sphere>(k, {{static_cast<float>(29 - k), 0, 0}, 1.5f});
  }
  moving.update(scene);
  const std::vector<Ray> rays = rays_along(50, 4);
  const AllHits truth = true_rows(scene.view(), rows_of(rays), {});
  ASSERT_GT(truth.report.hits, 200u);
  expect_same(all_hits_of(moving, rows_of(rays), {}), truth, "moved");
}

INSTANTIATE_TEST_SUITE_P(Everywhere, EveryHit, ::testing::ValuesIn(every_backend), name_of_backend);

// Ids depend on the order of the shapes, and so does the order of equals; nothing else does.
TEST(EveryHitShuffled, IsTheSameShapeAtTheSameT) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(40)); ++seed) {
    const Caster a(make_scene(every_family[seed % 2], 60, seed), CpuOptions{2});
    const Caster b(shuffled(a.scene(), seed + 1), CpuOptions{2});
    std::vector<Ray> rays = random_rays(a.scene(), 1000, seed + 2);
    for (Ray& r : rays) r.exclude[0] = r.exclude[1] = none;
    const HitRowsOptions options = rows_options(every_policy[seed % 3], none, true);
    const AllHits of_a = all_hits_of(a, rows_of(rays), options);
    const AllHits of_b = all_hits_of(b, rows_of(rays), options);
    ASSERT_EQ(of_a.rows.offsets, of_b.rows.offsets) << "seed " << seed;
    ASSERT_TRUE(same_bytes(of_a.rows.t, of_b.rows.t)) << "seed " << seed;
    const auto labelled = [](const Caster& caster, const HitRows& rows, std::size_t i) {
      std::vector<std::array<std::uint64_t, 3>> row;
      for (std::uint64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        row.push_back({bits_of(rows.t[k]), caster.scene().attributes(rows.id[k]).label,
                       bits_of(rows.t_out[k])});
      }
      std::sort(row.begin(), row.end());
      return row;
    };
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_EQ(labelled(a, of_a.rows, i), labelled(b, of_b.rows, i)) << "seed " << seed;
    }
  }
}

// A million rays: the tree against brute force, by any number of threads; on a device in each way.
TEST(EveryHitOfAMillion, IsTheReferences) {
  std::uint64_t rays_cast = 0, hits = 0;
  for (std::uint64_t seed = 1; rays_cast < scaled(1'000'000); ++seed) {
    const Scene scene = make_scene(ray_family(seed), 24, seed);
    const Caster reference(scene, ReferenceOptions{});
    const Caster cpu(scene, CpuOptions{static_cast<int>(1 + seed % 5)});
    const std::vector<Ray> rays = trouble(scene, 20'000, seed);
    const HitRowsOptions options = rows_options(every_policy[seed % 3], seed % 2 ? none : 2, true);
    const AllHits truth = all_hits_of(reference, rows_of(rays), options);
    expect_same(all_hits_of(cpu, rows_of(rays), options), truth, "seed " + std::to_string(seed));
    if (cuda_problem().empty()) {
      const BackendCase& way = cuda_cases()[seed % cuda_cases().size()];
      const Caster cuda(scene, way.options);
      expect_same(all_hits_of(cuda, rows_of(rays), options), truth,
                  way.name + (", seed " + std::to_string(seed)));
    }
    if (HasFatalFailure()) return;
    rays_cast += rays.size();
    hits += truth.report.hits;
  }
  EXPECT_GT(hits, rays_cast);
}

}  // namespace
}  // namespace sightline::testing
