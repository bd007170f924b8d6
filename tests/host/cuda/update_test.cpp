// Scenes whose shapes move: the answers of a new caster, whatever becomes of the tree.
#include "tests/host/cuda/fixture.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/rigid_motion.hpp"

namespace sightline::testing {
namespace {

using CudaUpdateTest = CudaTest;

void expect_answers(const Caster& caster, const Scene& scene, const std::vector<Ray>& rays,
                    const std::string& what) {
  const Answers expected =
      answers_of(Caster(scene, ReferenceOptions{}), rows_of(rays), Inside::surface);
  const Answers seen = answers_of(caster, rows_of(rays), Inside::surface);
  EXPECT_EQ(first_difference(expected, seen), rays.size()) << what;
}

TEST_F(CudaUpdateTest, AnswersAsANewCasterWould) {
  for (const TreeBuild build : {TreeBuild::fast, TreeBuild::careful}) {
    for (const Search search : {Search::tree, Search::brute_force, Search::automatic}) {
      for (const Update how : {Update::automatic, Update::refit, Update::rebuild}) {
        const std::string what = "build " + std::to_string(static_cast<int>(build)) + ", search " +
                                 std::to_string(static_cast<int>(search)) + ", update " +
                                 std::to_string(static_cast<int>(how));
        Scene moved = make_scene(SceneFamily::city, 150, 1);
        Caster cuda(moved, CudaOptions{.search = search, .tree = build});
        for (std::uint64_t seed = 2; seed < 5; ++seed) {
          move_shapes(moved, seed, 20);
          cuda.update(moved, how);
          expect_answers(cuda, moved, trouble(moved, 600, seed), what);
        }
      }
    }
  }
}

TEST_F(CudaUpdateTest, TakesAnotherNumberOfShapes) {
  for (const TreeBuild build : {TreeBuild::fast, TreeBuild::careful}) {
    Caster cuda(make_scene(SceneFamily::random, 150, 1), CudaOptions{.tree = build});
    for (const int shapes : {4, 300, 1}) {
      const Scene scene = make_scene(SceneFamily::random, shapes, 7);
      cuda.update(scene);
      expect_answers(cuda, scene, trouble(scene, 400, 8), std::to_string(shapes));
    }
  }
}

/// n spheres in a row, `distance` apart.
Scene row_of_spheres(int n, float distance) {
  Scene scene;
  for (int i = 0; i < n; ++i) {
    scene.add_sphere({{static_cast<float>(i) * distance, 0, 0}, 0.25f});
  }
  return scene;
}

TEST_F(CudaUpdateTest, RefitsShapesThatHaveMoved) {
  for (const TreeBuild build : {TreeBuild::fast, TreeBuild::careful}) {
    Caster cuda(row_of_spheres(200, 1), CudaOptions{.tree = build});
    for (const float distance : {1.1f, 1.5f, 4.0f, 0.01f}) {
      for (const Update how : {Update::refit, Update::automatic}) {
        const Scene moved = row_of_spheres(200, distance);
        cuda.update(moved, how);
        expect_answers(cuda, moved, trouble(moved, 400, 3), std::to_string(distance));
      }
    }
  }
}

}  // namespace
}  // namespace sightline::testing
