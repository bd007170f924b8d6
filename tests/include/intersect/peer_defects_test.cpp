// Defects that other projects had, one test each, named after the report.
#include <sightline/caster.hpp>
#include <sightline/geometry/queries/traverse.hpp>

#include "tests/support/adversarial_pairs.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::testing {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// The one answer of every backend that is always there.
Hit cast_in(const Scene& scene, const Ray& ray) {
  std::vector<Hit> hits;
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    hits.push_back(Caster(scene, default_options(backend)).closest_hit(ray));
  }
  EXPECT_TRUE(same_bits(hits[0], hits[1])) << text(ray);
  return hits[0];
}

// A ray straight down onto a box, its x exactly that of a face: 0 * inf is NaN in the slab test,
// and the character that walks there falls through.
TEST(PeerDefects, Bepuphysics1Issue6NanInTheSlabTest) {
  Scene scene;
  scene.add_aabb({{-4, -1, -4}, {4, 1, 4}});
  for (const float x : {-4.0f, 0.0f, 4.0f}) {
    for (const float z : {-4.0f, 0.0f, 4.0f}) {
      const Hit h = cast_in(scene, Ray{{x, 10, z}, {0, -1, 0}});
      EXPECT_EQ(h.t, 9) << x << " " << z;
      EXPECT_EQ(h.normal.y, 1) << x << " " << z;
    }
  }
  EXPECT_FALSE(is_hit(cast_in(scene, Ray{{next_up(4), 10, 0}, {0, -1, 0}})));
}

// A box from (32, 32) of size (64, 64), a ray from (16, 32) to (256, 32), along its lower edge.
TEST(PeerDefects, JspatialIssue7RayAlongAnEdge) {
  Scene scene;
  scene.add_aabb({{32, 32, 0}, {96, 96, 64}});
  for (const float z : {0.0f, 32.0f, 64.0f}) {
    for (const float y : {32.0f, 96.0f}) {
      Ray ray{{16, y, z}, {240, 0, 0}};
      ray.t_max = 1;
      EXPECT_EQ(cast_in(scene, ray).t, 16.0f / 240) << y << " " << z;
    }
  }
}

// A ray that starts near a capsule and points away: the infinite line meets the infinite cylinder
// behind the origin, which is no hit.
TEST(PeerDefects, PhysxIssue487CapsuleBehindTheOrigin) {
  const Capsule capsule{{0, -2, 0}, {0, 2, 0}, 1};
  Scene scene;
  scene.add_capsule(capsule);
  for (const float gap : {0x1p-20f, 0.01f, 0.5f}) {
    for (const float y : {-2.5f, -1.0f, 0.0f, 2.0f}) {
      // Inside the capsule's bounds even, beside its rounded end.
      const float x = (y < -2 ? 0.9f : 1.0f) + gap;
      const Ray away{{x, y, 0}, {1, 0.25f, 0.125f}};
      EXPECT_FALSE(is_hit(cast_in(scene, away))) << text(away);
      for (const Inside policy : every_policy) {
        EXPECT_FALSE(is_hit(cast(away, capsule, policy))) << text(away);
      }
      const Ray towards{{x, y, 0}, {-1, 0, 0}};
      EXPECT_TRUE(is_hit(cast_in(scene, towards))) << text(towards);
    }
  }
}

// Rays at every side and both ends of a capsule, from a circle around it: t and normal.
TEST(PeerDefects, CuteHeadersIssue159RaysAroundACapsule) {
  Scene scene;
  scene.add_capsule({{0, 0, 0}, {0, 3, 0}, 0.5f});
  const auto expect = [&](const Ray& ray, float t, const Vec3& n) {
    const Hit h = cast_in(scene, ray);
    EXPECT_EQ(h.t, t) << text(ray);
    EXPECT_LE(max_abs(minus(h.normal, n)), 1e-6f) << text(ray) << text(h.normal);
  };
  expect(Ray{{-4, 1, 0}, {1, 0, 0}}, 3.5f, {-1, 0, 0});
  expect(Ray{{4, 1, 0}, {-1, 0, 0}}, 3.5f, {1, 0, 0});
  expect(Ray{{0, 8, 0}, {0, -1, 0}}, 4.5f, {0, 1, 0});
  expect(Ray{{0, -8, 0}, {0, 1, 0}}, 7.5f, {0, -1, 0});
  expect(Ray{{0.3f, 8, 0}, {0, -1, 0}}, 4.6f, {0.6f, 0.8f, 0});
  expect(Ray{{-0.3f, -8, 0}, {0, 1, 0}}, 7.6f, {-0.6f, -0.8f, 0});
  // Between the end's ball and the cylinder: tangent to the side, over its whole length.
  expect(Ray{{0.5f, -8, 0}, {0, 1, 0}}, 8, {1, 0, 0});
  EXPECT_FALSE(is_hit(cast_in(scene, Ray{{next_up(0.5f), -8, 0}, {0, 1, 0}})));
  EXPECT_FALSE(is_hit(cast_in(scene, Ray{{-4, 3.75f, 0}, {1, 0, 0}})));
}

// A sphere with NaN in it was reported as hit, first of all. Here the scene refuses it, and keeps
// nothing of the call; even unchecked, comparisons with NaN say no.
TEST(PeerDefects, ThreeJsIssue14191NanSphereIsNoHit) {
  Scene scene;
  scene.add_sphere({{0, 0, 0}, 1});
  for (const Sphere& bad :
       {Sphere{{not_a_number, 0, 0}, 1}, Sphere{{0, not_a_number, 0}, 1},
        Sphere{{0, 0, not_a_number}, 1}, Sphere{{0, 0, 0}, not_a_number}, Sphere{{0, 0, 0}, -1}}) {
    expect_error(ErrorKind::bad_input, {}, [&] { scene.add_sphere(bad); });
    if (bad.radius == -1) continue;
    for (const Inside policy : every_policy) {
      EXPECT_FALSE(is_hit(cast(Ray{{0, 0, -5}, {0, 0, 1}}, bad, policy)));
    }
  }
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_EQ(cast_in(scene, Ray{{0, 0, -5}, {0, 0, 1}}).t, 4);
}

// Nothing has empty bounds, not infinite ones: an empty scene, and an empty half of a tree.
TEST(PeerDefects, ManifoldIssue1643EmptyBounds) {
  const Scene nothing;
  const Aabb b = nothing.bounds();
  EXPECT_GT(b.min.x, b.max.x);
  EXPECT_GT(b.min.y, b.max.y);
  EXPECT_GT(b.min.z, b.max.z);
  EXPECT_TRUE(same_bits(cast_in(nothing, Ray{{0, 0, 0}, {1, 0, 0}}), Hit{}));

  Scene floor;
  floor.add_plane({{0, 0, 1}, 0});
  EXPECT_GT(floor.bounds().min.x, floor.bounds().max.x);
  EXPECT_EQ(cast_in(floor, Ray{{0, 0, 2}, {0, 0, -1}}).t, 2);

  const Aabb empty{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (const Vec3 d : {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 1, -1}, Vec3{0, 0, 0}}) {
    const ScaledRay q = scale(Ray{{0, 0, 0}, d});
    EXPECT_TRUE(is_empty(slab(q.line, q.t_min, q.t_max, empty))) << text(d);
  }
}

// Axis-parallel rays whose origin is on a node's face were culled: a grid of touching boxes, and
// every ray along the planes that the nodes share.
TEST(PeerDefects, WarpIssue1530AxisParallelRaysOnNodeFaces) {
  Scene scene;
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      for (int z = 0; z < 4; ++z) {
        const Vec3 lo{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
        scene.add_aabb({lo, plus(lo, Vec3{1, 1, 1})});
      }
    }
  }
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) {
      const float a = static_cast<float>(i), b = static_cast<float>(j);
      EXPECT_EQ(cast_in(scene, Ray{{-2, a, b}, {1, 0, 0}}).t, 2) << i << " " << j;
      EXPECT_EQ(cast_in(scene, Ray{{a, 6, b}, {0, -1, 0}}).t, 2) << i << " " << j;
      EXPECT_EQ(cast_in(scene, Ray{{a, b, -2}, {0, 0, 1}}).t, 2) << i << " " << j;
      // -0 as a component must not turn a slab inside out.
      EXPECT_EQ(cast_in(scene, Ray{{a, b, -2}, {-0.0f, -0.0f, 1}}).t, 2) << i << " " << j;
    }
  }
}

// A zero direction, normalised to NaN, visited the whole tree (reone) or never came back
// (devil_ray). Here it is the question of what contains the point.
TEST(PeerDefects, ReoneIssue341AndDevilRayIssue62ZeroDirection) {
  Scene scene;
  for (int i = 0; i < 1000; ++i) scene.add_sphere({{static_cast<float>(4 * i), 0, 0}, 1});
  EXPECT_EQ(cast_in(scene, Ray{{400, 0.5f, 0}, {0, 0, 0}}).id, 100u);
  EXPECT_EQ(cast_in(scene, Ray{{400, 0.5f, 0}, {0, -0.0f, 0}}).t, 0);
  EXPECT_FALSE(is_hit(cast_in(scene, Ray{{402, 0, 0}, {0, 0, 0}})));

  // And few boxes let it pass: those that contain the point (the traversal skips an entry at +inf).
  const ScaledRay q = scale(Ray{{400, 0.5f, 0}, {0, 0, 0}});
  const ShapesView shapes = scene.view();
  int passed = 0;
  for (std::uint32_t id = 0; id < shapes.size(); ++id) {
    const SlabInterval i = slab(q.line, q.t_min, q.t_max, shapes.bounds[id]);
    passed += !is_empty(i) && !(i.t_near > largest_float);
  }
  EXPECT_EQ(passed, 1);
}

// One box with NaN bounds made its siblings vanish from the tree. Here the call is refused whole,
// by index, and the shapes added before are still hit.
TEST(PeerDefects, IfcLiteIssue3547NanBoxHidesItsSiblings) {
  Scene scene;
  scene.add_aabb({{0, 0, 0}, {1, 1, 1}});
  const std::vector<Vec3> lo = {{2, 0, 0}, {not_a_number, 0, 0}, {4, 0, 0}};
  const std::vector<Vec3> hi = {{3, 1, 1}, {not_a_number, 1, 1}, {5, 1, 1}};
  expect_error(ErrorKind::bad_input, {"aabb 2 "},
               [&] { scene.add_aabbs(3, Vec3Column::rows(lo), Vec3Column::rows(hi)); });
  EXPECT_EQ(scene.size(), 1u);
  EXPECT_EQ(cast_in(scene, Ray{{-1, 0.5f, 0.5f}, {1, 0, 0}}).t, 1);
  EXPECT_FALSE(is_hit(cast_in(scene, Ray{{2.5f, 0.5f, -1}, {0, 0, 1}})));
}

}  // namespace
}  // namespace sightline::testing
