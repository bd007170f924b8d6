// The standard scenes: exactly as many shapes as asked for, as dense as stated, the same bytes.
#include "host/gen/scenes.hpp"

#include "tests/host/gen/golden.hpp"

#include <sightline/caster.hpp>
#include <sightline/geometry/base/lane.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <map>

namespace sightline::gen {
namespace {

constexpr SceneKind all_kinds[] = {SceneKind::city, SceneKind::cloud, SceneKind::mixed,
                                   SceneKind::lattice, SceneKind::adversarial};

/// Every number of every shape, as given to the scene.
std::string hash_of(const Scene& scene) {
  std::vector<float> numbers;
  for (std::uint32_t i = 0; i < scene.count(Kind::aabb); ++i) {
    put(numbers, scene.aabb(i).min), put(numbers, scene.aabb(i).max);
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::obb); ++i) {
    const Obb s = scene.obb(i);
    put(numbers, s.center), put(numbers, s.half_extents);
    numbers.insert(numbers.end(), {s.rotation.x, s.rotation.y, s.rotation.z, s.rotation.w});
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::sphere); ++i) {
    put(numbers, scene.sphere(i).center), numbers.push_back(scene.sphere(i).radius);
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::capsule); ++i) {
    const Capsule s = scene.capsule(i);
    put(numbers, s.a), put(numbers, s.b), numbers.push_back(s.radius);
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::plane); ++i) {
    put(numbers, scene.plane(i).normal), numbers.push_back(scene.plane(i).offset);
  }
  for (std::uint32_t id = 0; id < scene.size(); ++id) {
    const Attributes a = scene.attributes(id);
    numbers.push_back(static_cast<float>(a.mask & 0xFFFF));
    numbers.push_back(static_cast<float>(a.group & 0xFFFF));
  }
  return hash_numbers(numbers);
}

TEST(Scenes, HoldExactlyAsManyShapes) {
  for (const SceneKind kind : all_kinds) {
    for (const std::uint64_t n : {1u, 2u, 15u, 16u, 17u, 40u, 41u, 42u, 200u, 1601u, 3000u}) {
      EXPECT_EQ(make_scene(kind, n, 3).size(), n) << name_of(kind);
    }
    EXPECT_THROW(make_scene(kind, 0, 3), Error);
    EXPECT_THROW(make_scene(kind, 0xFFFFFFFFu, 3), Error);
    EXPECT_EQ(scene_kind(name_of(kind)), kind);
  }
  EXPECT_EQ(scene_kind("town"), std::nullopt);
}

TEST(Scenes, KeepTheirBytes) {
  const std::map<SceneKind, std::string> golden = {
      {SceneKind::city, "f4195395996293148885a935b83a4089"},
      {SceneKind::cloud, "d12e641063e71d3a3c5a7f9b9c98c4c3"},
      {SceneKind::mixed, "73d4a67570a7b657287c9442633962d3"},
      {SceneKind::lattice, "384b23b48e75d6f2c8679661347e0837"},
      {SceneKind::adversarial, "2916e34430a8e14b25c6027d7de09089"}};
  for (const SceneKind kind : all_kinds) {
    EXPECT_EQ(hash_of(make_scene(kind, 20000, 1)), golden.at(kind)) << name_of(kind);
    EXPECT_NE(hash_of(make_scene(kind, 20000, 2)), golden.at(kind)) << name_of(kind);
  }
}

TEST(Scenes, OfACityAreOneGroundAndBlocksOf40) {
  const Scene scene = make_scene(SceneKind::city, 1 + 40 * 9, 1);
  EXPECT_EQ(city_side(scene.size()), 3u);
  EXPECT_EQ(city_side(scene.size() + 1), 4u);
  EXPECT_EQ(scene.count(Kind::aabb), 1u + 5 * 9);
  EXPECT_EQ(scene.count(Kind::obb), (5u + 1) * 9);
  EXPECT_EQ(scene.count(Kind::sphere), 15u * 9);
  EXPECT_EQ(scene.count(Kind::capsule), 14u * 9);
  EXPECT_EQ(scene.aabb(0).max.z, 0);
  EXPECT_EQ(scene.aabb(0).max.x, 300);
}

TEST(Scenes, OfALatticeLieOnIntegers) {
  const Scene scene = make_scene(SceneKind::lattice, 5000, 1);
  const auto is_integer = [](const Vec3& v) {
    return v.x == static_cast<float>(static_cast<int>(v.x)) &&
           v.y == static_cast<float>(static_cast<int>(v.y)) &&
           v.z == static_cast<float>(static_cast<int>(v.z));
  };
  const ShapesView shapes = scene.view();
  for (std::uint32_t i = 0; i < scene.count(Kind::aabb); ++i) {
    EXPECT_TRUE(is_integer(shapes.get<Aabb>(i).min) && is_integer(shapes.get<Aabb>(i).max)) << i;
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::obb); ++i) {
    const ObbFrame s = shapes.get<ObbFrame>(i);
    for (const Vec3& axis : s.axis) EXPECT_TRUE(is_integer(axis)) << i;
    EXPECT_TRUE(is_integer(s.center) && is_integer(s.half_extents)) << i;
  }
  EXPECT_GT(scene.count(Kind::sphere), 1000u);
  EXPECT_GT(scene.count(Kind::capsule), 1000u);
}

TEST(Scenes, OfAMixedKindSpanSizesOver100To1WithClustersAndBeams) {
  const Scene scene = make_scene(SceneKind::mixed, 30000, 1);
  float least = infinity, most = 0;
  for (std::uint32_t i = 0; i < scene.count(Kind::sphere); ++i) {
    least = min(scene.sphere(i).radius, least);
    most = max(scene.sphere(i).radius, most);
  }
  EXPECT_GT(most / least, 100);
  int beams = 0;
  for (std::uint32_t i = 0; i < scene.count(Kind::obb); ++i)
    beams += scene.obb(i).half_extents.x == 50;
  EXPECT_EQ(beams, 10);
}

TEST(Scenes, AdversarialHoldEveryTrap) {
  const Scene scene = make_scene(SceneKind::adversarial, 1600, 1);
  int flat = 0, twins = 0, shared_faces = 0, ulp_gaps = 0, points = 0, zero_length = 0;
  for (std::uint32_t i = 0; i + 1 < scene.count(Kind::aabb); ++i) {
    const Aabb a = scene.aabb(i), b = scene.aabb(i + 1);
    flat += a.min.x == a.max.x || a.min.y == a.max.y || a.min.z == a.max.z;
    shared_faces += b.min.x == a.max.x && b.min.y == a.min.y;
    if (i + 3 < scene.count(Kind::aabb)) {
      const Aabb c = scene.aabb(i + 2), d = scene.aabb(i + 3);
      ulp_gaps += c.min.x == next_up(a.max.x);
      twins += d.min.x == a.min.x && d.min.y == a.min.y && d.max.z == a.max.z;
    }
  }
  for (std::uint32_t i = 0; i < scene.count(Kind::sphere); ++i)
    points += scene.sphere(i).radius == 0;
  for (std::uint32_t i = 0; i < scene.count(Kind::capsule); ++i) {
    const Capsule s = scene.capsule(i);
    zero_length += s.a.x == s.b.x && s.a.y == s.b.y && s.a.z == s.b.z;
  }
  for (const int n : {flat, twins, shared_faces, ulp_gaps, zero_length}) EXPECT_GE(n, 90);
  EXPECT_GE(points, 30);
  EXPECT_EQ(scene.count(Kind::plane), 16u);  // and never more
  EXPECT_GT(scene.bounds().max.x, 1e9);
  EXPECT_TRUE(scene.has_masks(Kind::aabb) && scene.has_groups(Kind::aabb));
}

}  // namespace
}  // namespace sightline::gen
