// Scenes whose shapes move under a caster: the answers of a new caster, whatever becomes of its
// tree.
#include "host/tree/builder.hpp"
#include "host/tree/refit.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/rigid_motion.hpp"
#include "tests/support/validate_bvh.hpp"

#include <sightline/error.hpp>
#include <sightline/geometry/shapes/shapes_view.hpp>

namespace sightline::testing {
namespace {

constexpr Update every_update[] = {Update::automatic, Update::refit, Update::rebuild};

/// That the caster answers as a new reference does.
void expect_answers(const Caster& caster, const Scene& scene, std::uint64_t seed,
                    const std::string& what) {
  const std::vector<Ray> rays = trouble(scene, 400, seed);
  const Answers expected =
      answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::surface);
  const Answers seen = answers_of(caster, rows_of(rays), Inside::surface);
  EXPECT_EQ(first_difference(expected, seen), rays.size()) << what << ", seed " << seed;
}

class UpdateTest : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, UpdateTest, ::testing::ValuesIn(every_backend), name_of_backend);

TEST_P(UpdateTest, AnswersAsANewCasterDoes) {
  const std::uint64_t scenes = std::max<std::uint64_t>(4, scaled(20));
  for (std::uint64_t seed = 1; seed <= scenes; ++seed) {
    for (const Update how : every_update) {
      Scene scene = make_scene(ray_family(seed), static_cast<int>(1 + seed * 53 % 300), seed);
      Caster updated = caster(scene);
      // Step by step, a little and a lot: what a refit leaves is what the next one starts from.
      for (const float distance : {0.0f, 0.01f, 1.0f, 50.0f, 1000.0f}) {
        move_shapes(scene, seed, distance);
        updated.update(scene, how);
        expect_answers(updated, scene, seed, "moved by " + std::to_string(distance));
      }
    }
  }
}

TEST_P(UpdateTest, SizesAndRotationsMayChange) {
  Scene scene;
  for (int i = 0; i < 100; ++i) {
    const auto x = static_cast<float>(i);
    scene.add_obb({{x, 0, 0}, {0.1f, 0.2f, 0.3f}, {}});
    scene.add_sphere({{x, 3, 0}, 0.25f});
  }
  Caster updated = caster(scene);
  for (std::uint32_t i = 0; i < 100; ++i) {
    scene.set<Obb>(i, {scene.obb(i).center, {0.5f, 0.1f, 2}, {0, 0, 0.6f, 0.8f}});
    scene.set<Sphere>(i, {scene.sphere(i).center, i % 2 == 0 ? 0.0f : 4.0f});
  }
  updated.update(scene);
  expect_answers(updated, scene, 1, "turned and grown");
}

TEST_P(UpdateTest, AttributesMayChange) {
  const Scene plain = make_scene(SceneFamily::city, 100, 4);
  Scene masked;
  for (std::uint32_t id = 0; id < plain.size(); ++id) {
    plain.view().visit(id, [&, id](const auto& s) {
      if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Aabb>) {
        masked.add_aabb(s, {id % 3, id % 5, id});
      }
    });
  }
  Caster updated = caster(masked);
  Scene other;
  for (std::uint32_t i = 0; i < masked.size(); ++i) other.add_aabb(masked.aabb(i));
  for (const Update how : every_update) {
    updated.update(other, how);
    expect_answers(updated, other, 3, "without attributes");
    updated.update(masked, how);
    expect_answers(updated, masked, 3, "with attributes");
  }
}

TEST_P(UpdateTest, AnotherNumberOfShapesIsAnotherTree) {
  Caster updated = caster(make_scene(SceneFamily::random, 50, 1));
  for (const int shapes : {300, 1, 2, 77}) {
    const Scene scene = make_scene(SceneFamily::random, shapes, 2);
    updated.update(scene);
    expect_answers(updated, scene, 3, std::to_string(shapes) + " shapes");
  }
  updated.update(Scene());
  EXPECT_EQ(updated.scene().size(), 0u);
  const Ray ray{{0, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(answers_of(updated, rows_of({ray}), Inside::solid).hit(0));
}

TEST_P(UpdateTest, ARefusedUpdateLeavesTheOldAnswers) {
  const Scene scene = make_scene(SceneFamily::lattice, 120, 5);
  Caster updated = caster(scene);
  Scene more = scene;
  more.add_sphere({{0, 0, 0}, 100});
  expect_error(ErrorKind::usage, {"as many shapes of every kind"},
               [&] { updated.update(more, Update::refit); });
  EXPECT_EQ(updated.scene().size(), scene.size());
  expect_answers(updated, scene, 6, "after the refusal");
  // As many in all, but not of each kind.
  Scene one_box, one_sphere;
  one_box.add_aabb({{0, 0, 0}, {1, 1, 1}});
  one_sphere.add_sphere({{0, 0, 0}, 1});
  Caster box = caster(one_box);
  EXPECT_THROW(box.update(one_sphere, Update::refit), Error);
  expect_answers(box, one_box, 7, "a box");
  box.update(one_sphere);
  expect_answers(box, one_sphere, 8, "a sphere");
}

bool same_nodes(const detail::Bvh& a, const detail::Bvh& b) { return same_bytes(a.nodes, b.nodes); }

TEST(Refit, MakesExactlyTheBoxesThatFit) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Scene scene = make_scene(ray_family(seed), static_cast<int>(seed * seed * 3), seed);
    const detail::Bvh built = detail::build_bvh(scene.view());
    detail::Bvh tree = built;
    detail::refit_bvh(tree, scene.view());
    EXPECT_TRUE(same_nodes(built, tree)) << "nothing has moved, seed " << seed;

    const Scene before = scene;
    move_shapes(scene, seed, 30);
    detail::refit_bvh(tree, scene.view());
    EXPECT_EQ(detail::problem_of(tree.view(), scene.view()), "") << "seed " << seed;
    // No box is larger than it must be: back again, the tree is as it was.
    detail::refit_bvh(tree, before.view());
    EXPECT_TRUE(same_nodes(built, tree)) << "moved back, seed " << seed;
  }
}

TEST(Refit, OfNoShapesAndOfOne) {
  Scene scene;
  detail::Bvh none = detail::build_bvh(scene.view());
  detail::refit_bvh(none, scene.view());
  EXPECT_EQ(detail::bvh_area(none), 0);
  scene.add_aabb({{0, 0, 0}, {1, 2, 3}});
  detail::Bvh one = detail::build_bvh(scene.view());
  EXPECT_EQ(detail::bvh_area(one), 11);
  scene.set<Aabb>(0, {{5, 5, 5}, {6, 6, 6}});
  detail::refit_bvh(one, scene.view());
  EXPECT_EQ(detail::problem_of(one.view(), scene.view()), "");
  EXPECT_EQ(detail::bvh_area(one), 3);
}

}  // namespace
}  // namespace sightline::testing
