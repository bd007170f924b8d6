// Triangles and meshes in scenes. Rays are exact on every backend, meshes have no holes, and other
// queries refuse triangles.
#include "tests/oracle/triangle_truth.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/triangle_cases.hpp"

#include <sightline/cover.hpp>
#include <sightline/nav.hpp>

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace sightline::testing {
namespace {

using Face = std::array<std::uint32_t, 3>;

class Triangles : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Triangles, ::testing::ValuesIn(every_backend), name_of_backend);

/// What whole numbers say of a ray and a scene of triangles: the answered t is the least exact t of
/// the triangles met on this side, rounded once, and the answered triangle the first with it.
struct WholeAnswer {
  bool hit = false, back = false;
  std::uint32_t id = none, count = 0;
  oracle::Ratio weight_b, weight_c;
};
WholeAnswer whole_answer(const std::vector<Triangle>& triangles, const Ray& ray, Side side,
                         float t) {
  oracle::Ratio least;
  WholeAnswer r;
  std::vector<std::pair<std::uint32_t, oracle::TriangleTruth>> hits;
  for (std::uint32_t id = 0; id < triangles.size(); ++id) {
    const auto truth = oracle::truth(ray.origin, ray.direction, triangles[id]);
    if (!truth.hit || truth.t_in.n.sign() * truth.t_in.d.sign() < 0) continue;
    if (side != Side::both && truth.facing != (side == Side::back ? 1 : -1)) continue;
    if (hits.empty() || compare(truth.t_in, least) < 0) least = truth.t_in;
    hits.emplace_back(id, truth);
  }
  r.count = static_cast<std::uint32_t>(hits.size());
  r.hit = !hits.empty() && oracle::is_rounded(t, least);
  for (const auto& [id, truth] : hits) {
    if (!oracle::is_rounded(t, truth.t_in)) continue;
    r.id = id, r.back = truth.facing > 0;
    r.weight_b = truth.weight_b, r.weight_c = truth.weight_c;
    break;
  }
  return r;
}

// Of each kind of case 40 triangles and 40 rays, all against all. Two kinds are in
// triangle_test.cpp alone: rays from within a triangle, and numbers beyond the domain of the
// promise.
TEST_P(Triangles, AreAnsweredAsWholeNumbersSay) {
  std::uint64_t asked = 0, hits = 0, backs = 0, filtered = 0;
  for (int kind = 0; kind < triangle_case_kinds; ++kind) {
    if (kind == 7 || kind == 11) continue;
    for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(1, scaled(4)); ++seed) {
      TriangleCases cases(kind, seed);
      std::vector<Triangle> triangles;
      std::vector<Ray> rays;
      while (rays.size() < 40) {
        const TriangleCase c = cases.next();
        triangles.push_back(c.triangle), rays.push_back(c.ray);
      }
      Scene scene;
      scene.add(triangles);
      const Caster backend = caster(scene);
      const Side side = every_side[(static_cast<std::uint64_t>(kind) + seed) % 3];
      const Answers a = answers_of(backend, rows_of(rays), {Inside::ignore, side});
      ASSERT_TRUE(any_is_closest(a));
      const auto counts = backend.count_hits(rows_of(rays), {Inside::ignore, false, side});
      const HitRows all = backend.all_hits(rows_of(rays), {Inside::ignore, false, 1, false, side});
      for (std::size_t i = 0; i < rays.size(); ++i) {
        SCOPED_TRACE(triangle_case_names[kind] + (", seed " + std::to_string(seed)) + ", ray " +
                     std::to_string(i) + ": " + text(rays[i]));
        if (is_bad(rays[i])) continue;
        ++asked;
        const WholeAnswer truth = whole_answer(triangles, rays[i], side, a.t[i]);
        ASSERT_EQ(counts.counts[i], truth.count);
        ASSERT_EQ(all.count[i], truth.count);
        filtered += whole_answer(triangles, rays[i], Side::both, 0).count - truth.count;
        if (a.hit(i)) {
          ASSERT_TRUE(truth.hit) << "t " << a.t[i];
          ASSERT_EQ(a.id[i], truth.id);
          ASSERT_EQ((a.flags[i] & hit_flags::back) != 0, truth.back);
          ASSERT_EQ(all.id[all.offsets[i]], truth.id);
          const auto [b, c] = scene.corner_weights(a.id[i], rays[i]);
          ASSERT_TRUE(oracle::is_rounded(b, truth.weight_b));
          ASSERT_TRUE(oracle::is_rounded(c, truth.weight_c));
          ++hits, backs += truth.back;
        } else {
          ASSERT_EQ(truth.id, none);
        }
      }
    }
  }
  EXPECT_GT(hits, asked / 5);
  EXPECT_GT(backs, hits / 5);
  EXPECT_GT(filtered, hits / 5);
}

/// A closed ball of 8 * 4^times triangles around the origin: an octahedron whose faces are cut in
/// four. Its corners are jittered, so that no two faces are in a plane.
struct Ball {
  std::vector<Vec3> vertices = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  std::vector<Face> faces = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                             {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};

  Ball(int times, std::uint64_t seed) {
    for (int k = 0; k < times; ++k) cut();
    Random r(seed);
    for (Vec3& v : vertices) v = sightline::testing::times(v, r.uniform(0.99f, 1.01f));
  }

 private:
  void cut() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(vertices.size()));
      if (is_new) vertices.push_back(unit(plus(vertices[a], vertices[b])));
      return at->second;
    };
    std::vector<Face> all;
    for (const auto& [a, b, c] : faces) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      all.insert(all.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = std::move(all);
  }
};

// Rays from inside at corners, edges and faces, and along edges: none gets out, seen from any place
// that the ball is moved to. It is met from behind.
TEST_P(Triangles, OfAClosedMeshLetNoRayOut) {
  const Ball ball(5, 3);
  for (const float away : {0.0f, 1000.0f, 1e6f}) {
    Random r(17);
    std::vector<Vec3> at;
    for (const Vec3& v : ball.vertices) at.push_back(plus(v, {away, -away, away}));
    Scene scene;
    scene.add_mesh(at, ball.faces);
    const Caster c = caster(scene);
    std::vector<Ray> rays(std::max<std::uint64_t>(3000, scaled(30000)));
    for (Ray& ray : rays) {
      ray.origin = plus(times(r.vec(-1, 1), 0.4f), {away, -away, away});
      const Face& f = ball.faces[r.bits() % ball.faces.size()];
      const Vec3 a = at[f[0]], b = at[f[1]];
      const float u = r.one_in(2) ? 0 : r.uniform(0, 1);
      ray.direction = minus(plus(a, times(minus(b, a), u)), ray.origin);
      if (r.one_in(8)) ray.direction = minus(a, b);
      if (max_abs(ray.direction) == 0) ray.direction = {1, 0, 0};  // rounding has made a and b one
    }
    const Answers a = answers_of(c, rows_of(rays), Inside::solid);
    std::uint64_t leaks = 0, front = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      leaks += !a.hit(i);
      front += (a.flags[i] & hit_flags::back) == 0;
    }
    EXPECT_EQ(leaks, 0u) << "of " << rays.size() << ", " << away << " away";
    // A million away the corners are on a grid as coarse as the faces, some of which are folded.
    if (away < 1e6f) {
      EXPECT_EQ(front, 0u);
    }
  }
}

TEST_P(Triangles, AreListedOnBothSidesOfAnEdge) {
  Scene scene;
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  scene.add_mesh(corners, std::vector<Face>{{0, 1, 2}, {0, 3, 2}});
  const std::vector<Ray> rays = {{{2, 2, 3}, {0, 0, -1}}, {{3, 1, -5}, {0, 0, 1}}};
  const HitRows rows = caster(scene).all_hits(rows_of(rays));
  EXPECT_EQ(rows.offsets, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(rows.id, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(rows.t, (std::vector<float>{3, 3, 5}));
  // Counter-clockwise from above is the front.
  EXPECT_EQ(rows.flags,
            (std::vector<std::uint8_t>{hit_flags::hit, hit_flags::hit | hit_flags::back}));
  const auto counts_on = [&](Side side) {
    return caster(scene).count_hits(rows_of(rays), {Inside::solid, false, side}).counts;
  };
  EXPECT_EQ(counts_on(Side::both), (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(counts_on(Side::front), (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(counts_on(Side::back), (std::vector<std::uint32_t>{1, 1}));
  const Hit below = caster(scene).closest_hit(rays[1]);
  EXPECT_EQ(below.normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(below.flags, hit_flags::hit | hit_flags::back);
}

// A closed box of twelve triangles, which is a surface: what is inside it touches nothing.
TEST_P(Triangles, AreOverlapped) {
  Scene scene;
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) {
    const auto at = [&](int axis) { return (k >> axis & 1) != 0 ? 4.0f : -4.0f; };
    corners.push_back({at(0), at(1), at(2)});
  }
  scene.add_mesh(corners, std::vector<Face>{{0, 2, 1},
                                            {1, 2, 3},
                                            {4, 5, 6},
                                            {5, 7, 6},
                                            {0, 1, 4},
                                            {1, 5, 4},
                                            {2, 6, 3},
                                            {3, 6, 7},
                                            {0, 4, 2},
                                            {2, 4, 6},
                                            {1, 3, 5},
                                            {3, 7, 5}});
  Scene queries;
  queries.add_aabb({{-3, -3, -3}, {3, 3, 3}});            // inside
  queries.add_aabb({{-3, -3, -3}, {4, 3, 3}});            // touches the two faces at x = 4
  queries.add_obb({{0, 0, 6}, {1, 1, 2}, {0, 0, 0, 1}});  // stands on both faces at z = 4
  queries.add_sphere({{4, 4, 4}, 0});                     // a corner, of three faces
  queries.add_sphere({{0, 0, 5}, 0.999f});
  queries.add_capsule({{0, -9, 0}, {0, 9, 0}, 0});  // through the diagonals of two sides
  queries.add_triangle({{1, 1, 1}, {2, 1, 1}, {1, 2, 1}});
  queries.add_triangle({{1, 1, -9}, {2, 1, 9}, {1, 2, 9}});
  queries.add_triangle({{4, 4, 4}, {5, 4, 4}, {4, 5, 4}});
  const OverlapRows rows = caster(scene).overlap_all(queries);
  EXPECT_EQ(rows.offsets, (std::vector<std::uint64_t>{0, 0, 2, 4, 7, 7, 11, 11, 13, 16}));
  EXPECT_EQ(rows.ids,
            (std::vector<std::uint32_t>{10, 11, 2, 3, 3, 7, 11, 4, 5, 6, 7, 1, 3, 3, 7, 11}));
  EXPECT_EQ(caster(scene).overlap_any(queries).report.overlapping, 6u);
  EXPECT_EQ(caster(scene).overlap_count(queries).report.pairs, 16u);
}

TEST_P(Triangles, HaveDistancesAndAreTouched) {
  Scene scene, moving;
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  scene.add_mesh(corners, std::vector<Face>{{0, 1, 2}, {0, 2, 3}});
  const Caster c = caster(scene);
  const std::vector<Vec3> points = {{3, 1, 2}, {1, 3, -2}, {1, 2, 0}, {7, -4, 0}};
  const NearestRows near = c.nearest(PointsView{points});
  EXPECT_EQ(near.distance, (std::vector<float>{2, 2, 0, 5}));
  EXPECT_EQ(near.id, (std::vector<std::uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(near.point[1], (Vec3{1, 3, 0}));
  EXPECT_EQ(near.direction[1], (Vec3{0, 0, -1}));
  EXPECT_EQ(near.direction[2], (Vec3{0, 0, 1}));
  const std::vector<Vec3> ends = {{3, 1, -2}, {1, 3, -4}, {1, 2, 1}, {7, -4, 9}};
  const ClearanceRows clear = c.clearance(PointsView{points}, PointsView{ends});
  EXPECT_EQ(clear.distance, (std::vector<float>{0, 2, 0, 5}));
  EXPECT_EQ(clear.t, (std::vector<float>{0.5f, 0, 0, 0}));

  const std::vector<Vec3> from = {{3, 1, 9}, {3, 1, -9}, {-1, 2, 9}, {-2, 2, 9}};
  const std::vector<Vec3> along = {{0, 0, -1}, {0, 0, 1}, {0, 0, -1}, {0, 0, -1}};
  RaysView thick = {.origin = from, .direction = along, .radius = 1.0f};
  const Hits hits = c.closest_hit(thick, {.normals = true});
  EXPECT_EQ(hits.t, (std::vector<float>{8, 8, 9, infinity}));
  EXPECT_EQ(hits.normal[1], (Vec3{0, 0, -1}));
  EXPECT_EQ(hits.normal[2], (Vec3{-1, 0, 0}));
  EXPECT_EQ(hits.flags[1], hit_flags::hit) << "no side of what has a radius";
  EXPECT_EQ(c.any_hit(thick).words[0], 7u);
  const std::vector<float> radii = {0, 0, 1, 1};
  thick.radius = std::span(radii);
  EXPECT_EQ(c.closest_hit(thick).flags[1], hit_flags::hit | hit_flags::back);

  moving.add_sphere({{3, 1, 9}, 1});
  moving.add_capsule({{3, 1, 9}, {3, 1, 5}, 1});
  const std::vector<Vec3> down(2, Vec3{0, 0, -1});
  EXPECT_EQ(c.sweep(moving, down).t, (std::vector<float>{8, 4}));
}

TEST_P(Triangles, HaveNoSidesForRaysWithRadii) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  const std::vector<Vec3> from = {{0, 0, 9}}, along = {{0, 0, -1}};
  const RaysView thick = {.origin = from, .direction = along, .radius = 0.5f};
  EXPECT_EQ(caster(scene).any_hit(thick, {Inside::solid, false, Side::front}).words[0], 1u);
  scene.add_triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const char* words = "rays with radii take no side filter, and the scene has triangles";
  const Caster c = caster(scene);
  expect_error(ErrorKind::usage, {words}, [&] {
    c.any_hit(thick, {Inside::solid, false, Side::front});
  });
  expect_error(ErrorKind::usage, {words}, [&] { c.closest_hit(thick, {.side = Side::back}); });
}

// Each kind of query that knows no triangles says so, whatever else the scene has.
TEST_P(Triangles, AreRefusedByName) {
  Scene scene, queries;
  scene.add_sphere({{0, 0, 0}, 1});
  scene.add_triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  queries.add_sphere({{0, 0, 0}, 1});
  const Caster c = caster(scene);
  const auto expect = [](const char* query, const auto& ask) {
    expect_error(ErrorKind::usage,
                 {query, " take no triangles yet, and the scene has 1: remove them"}, ask);
  };
  const std::vector<Vec3> one(1);
  expect("bakes of cover", [&] { cover(c, PointsView{one}); });
  expect("navigation maps", [&] { bake_nav(c); });
  const CastOptions no_side{Inside::solid, false, static_cast<Side>(3)};
  expect_error(ErrorKind::usage, {"side filter"}, [&] { c.any_hit(Ray{}, no_side); });
  // Also where an update brings them.
  Caster updated = caster(queries);
  bake_nav(updated);
  updated.update(scene);
  expect("navigation maps", [&] { bake_nav(updated); });
  EXPECT_TRUE(updated.any_hit({{0.25f, 0.25f, 3}, {0, 0, -1}}));
}

TEST(Meshes, KnowTheirFaces) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
  const std::vector<Face> faces = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
  Scene scene;
  scene.add_triangle({{9, 9, 9}, {8, 9, 9}, {9, 8, 9}});
  EXPECT_EQ(scene.add_mesh(corners, {}), 1u);  // of no faces: it has a number
  EXPECT_EQ(scene.add_mesh(corners, faces, {.mask = 6u}), 1u);
  scene.add_triangle({{9, 9, 9}, {8, 9, 9}, {9, 8, 9}});
  EXPECT_EQ(scene.add_mesh(corners, faces), 5u);
  scene.add_sphere({{0, 0, 0}, 1});
  const auto numbers = [&] {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t i = 0; i < scene.count(Kind::triangle); ++i) {
      const std::uint32_t id = scene.id(Kind::triangle, i);
      all.emplace_back(scene.mesh_of(id), scene.face_of(id));
    }
    return all;
  };
  using Numbers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(numbers(),
            (Numbers{{none, none}, {1, 0}, {1, 1}, {1, 2}, {none, none}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(scene.mesh_of(0), none) << "a sphere is of no mesh";
  EXPECT_EQ(scene.attributes(scene.id(Kind::triangle, 2)).mask, 6u);
  EXPECT_EQ(scene.triangle(3).c, corners[3]);
  scene.remove(Kind::triangle, std::vector<std::uint32_t>{1, 4});
  EXPECT_EQ(numbers(), (Numbers{{none, none}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}}));
  const std::vector<Vec3> raised = {{0, 0, 1}, {4, 0, 1}, {4, 4, 1}, {0, 4, 1}};
  scene.set_mesh(3, raised, faces);
  EXPECT_EQ(scene.triangle(4).b, raised[2]);
  EXPECT_EQ(scene.triangle(2).b, corners[1]) << "of the mesh before";
  expect_error(ErrorKind::usage, {"no shape"}, [&] { scene.mesh_of(100); });
  EXPECT_EQ(Scene(scene).mesh_of(scene.id(Kind::triangle, 5)), 2u) << "of a copy";
}

TEST(Meshes, AreRefusedWhole) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {std::nanf(""), 4, 0}};
  Scene scene;
  scene.add_mesh(corners, std::vector<Face>{{0, 1, 1}});
  expect_error(ErrorKind::bad_input, {"face 1 names vertex 3 of 3, which count from 0"}, [&] {
    scene.add_mesh(corners, std::vector<Face>{{0, 1, 1}, {0, 1, 3}});
  });
  expect_error(ErrorKind::bad_input, {"triangle 2 is refused: a value is NaN or infinite"}, [&] {
    scene.add_mesh(corners, std::vector<Face>{{0, 1, 1}, {0, 1, 2}});
  });
  const std::vector<std::uint64_t> labels(2);
  expect_error(ErrorKind::usage, {"label has 2 elements, not 1"}, [&] {
    scene.add_mesh(corners, std::vector<Face>{{0, 1, 1}}, {.label = labels});
  });
  expect_error(ErrorKind::usage, {"there is no triangle"}, [&] {
    scene.set_mesh(1, corners, std::vector<Face>{{0, 1, 1}});
  });
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_EQ(scene.mesh_of(0), 0u);
  EXPECT_EQ(scene.add_mesh(corners, std::vector<Face>{{0, 0, 0}}), 1u);
  EXPECT_EQ(scene.mesh_of(1), 1u) << "a refused mesh has no number";
}

}  // namespace
}  // namespace sightline::testing
