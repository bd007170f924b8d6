// Visibility of the cuda backend: the reference's bits and reports, in tiles and chunks of any
// size. Runs on whatever device there is.
#include "tests/host/cuda/fixture.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/cuda_matrices.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/scale.hpp"

namespace sightline::testing {
namespace {

class CudaVisibilityTest : public CudaTest {};
using Bits = std::vector<std::uint64_t>;

Bits dirty(std::uint64_t n) { return Bits(n, 0xA5A5A5A5A5A5A5A5u); }

/// The three forms of the question, with equal bits and reports.
template <class Cuda>
void expect_parity(const Caster& truth, const Cuda& cuda, const PointsView& from,
                   const PointsView& to, const VisibilityOptions& options,
                   const std::string& what) {
  Bits a = dirty(from.count * bit_words(to.count)), b = a;
  EXPECT_EQ(truth.visibility(from, to, a, options), cuda.visibility(from, to, b, options))
      << what << ", matrix";
  EXPECT_EQ(a, b) << what << ", matrix";

  a = b = dirty(from.count * bit_words(from.count));
  EXPECT_EQ(truth.visibility(from, a, options), cuda.visibility(from, b, options))
      << what << ", self";
  EXPECT_EQ(a, b) << what << ", self";

  const std::uint64_t pairs = std::min(from.count, to.count);
  const PointsView p = from.slice(0, pairs), q = to.slice(0, pairs);
  a = b = dirty(bit_words(pairs));
  EXPECT_EQ(truth.visibility_pairs(p, q, a, options), cuda.visibility_pairs(p, q, b, options))
      << what << ", pairs";
  EXPECT_EQ(a, b) << what << ", pairs";
}

VisibilityOptions options_of(int k) {
  VisibilityOptions options;
  options.inside = every_policy[k % 3];
  if (k % 2 == 1) options.margin = 0.001f;
  if (k % 4 >= 2) options.range = 30;
  return options;
}

TEST_F(CudaVisibilityTest, GivesTheBitsAndReportsOfTheReference) {
  const std::uint64_t scenes = std::max<std::uint64_t>(4, scaled(24));
  for (std::uint64_t seed = 1; seed <= scenes; ++seed) {
    Random r(seed);
    const SceneFamily family = ray_family(seed);
    const Scene scene = make_scene(family, r.between(1, 120), seed);
    const TroublePoints from(scene, static_cast<std::uint64_t>(r.between(1, 150)), seed + 100);
    const TroublePoints to(scene, static_cast<std::uint64_t>(r.between(1, 200)), seed + 200);
    const Caster truth(scene, ReferenceOptions{});
    const CudaOptions by = {.search = r.one_in(2) ? Search::tree : Search::brute_force};
    const VisibilityOptions options = options_of(static_cast<int>(seed));
    const std::string what = std::string(name_of(family)) + ", seed " + std::to_string(seed);
    expect_parity(truth, Caster(scene, by), from.view(), to.view(), options, what);
    expect_parity(truth, CudaMatrices(scene, by), from.view(), to.view(), options,
                  what + ", without limits");
    if (HasFailure()) return;
  }
}

TEST_F(CudaVisibilityTest, GivesTheSameBitsInTilesAndChunksOfAnySize) {
  const Scene scene = make_scene(SceneFamily::random, 60, 3);
  const TroublePoints from(scene, 131, 4), to(scene, 259, 5);
  const Caster truth(scene, ReferenceOptions{});
  for (const Search search : {Search::brute_force, Search::tree}) {
    for (const std::uint64_t chunk : {1, 31, 64, 65, 128, 200, 1000}) {
      const CudaMatrices cuda(scene, {.search = search, .chunk = chunk});
      expect_parity(truth, cuda, from.view(), to.view(), {},
                    "chunks of " + std::to_string(chunk) + ", " + cuda.description());
      if (HasFailure()) return;
    }
  }
}

TEST_F(CudaVisibilityTest, CountsThePointsOfOneSideWhereTheOtherIsEmpty) {
  const Scene scene = make_scene(SceneFamily::lattice, 40, 7);
  const TroublePoints points(scene, 300, 8);
  const Caster truth(scene, ReferenceOptions{});
  for (const Search search : {Search::brute_force, Search::tree}) {
    const Caster cuda(scene, CudaOptions{.search = search});
    Bits nothing;
    const PointsView empty;
    EXPECT_EQ(truth.visibility(points.view(), empty, nothing),
              cuda.visibility(points.view(), empty, nothing))
        << "no targets";
    EXPECT_EQ(truth.visibility(empty, points.view(), nothing),
              cuda.visibility(empty, points.view(), nothing))
        << "no viewpoints";
    EXPECT_GT(cuda.visibility(empty, points.view(), nothing).bad_targets, 0u);
  }
}

// Points that nothing filters, close to each other: some of their boxes are decided as a whole.
TEST_F(CudaVisibilityTest, DecidesCrowds) {
  Scene scene;
  for (int k = 0; k < 12; ++k) {
    const float x = 10 * static_cast<float>(k);
    scene.add_aabb({{x, -20, -20}, {x + 1, k % 3 == 0 ? 4.0f : 20.0f, 20}});
    scene.add_sphere({{x + 5, 8, 0}, 1});
  }
  Random r(12);
  std::vector<SightPoint> from, to;
  for (std::size_t k = 0; k < 420; ++k) {
    const Vec3 middle = {5 + 10 * static_cast<float>(k / 35), -3, 0};
    to.push_back({plus(middle, r.vec(-2, 2))});
    if (k < 90) from.push_back({plus(middle, r.vec(-3, 3))});
  }
  for (std::uint64_t chunk : {0, 33, 100, 1000}) {
    for (int k = 0; k < 3; ++k) {
      const CudaMatrices cuda(scene, {.search = Search::tree, .chunk = chunk});
      expect_parity(Caster(scene, ReferenceOptions{}), cuda, positions_of(from), positions_of(to),
                    options_of(k), "chunks of " + std::to_string(chunk));
      expect_parity(Caster(scene, ReferenceOptions{}), cuda, positions_of(to), positions_of(from),
                    options_of(k), "turned, chunks of " + std::to_string(chunk));
    }
  }
}

TEST_F(CudaVisibilityTest, TakesPointsThatShareValues) {
  const Scene scene = make_scene(SceneFamily::random, 80, 9);
  PointsView wall;
  wall.count = 70;
  std::vector<float> x(wall.count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 35;
  wall.position = {x, -40.0f, 0.0f};
  wall.mask.common = 0x55;
  const TroublePoints to(scene, 90, 10);
  expect_parity(Caster(scene, ReferenceOptions{}), Caster(scene, CudaOptions{}), wall, to.view(),
                {}, "a wall");
}

}  // namespace
}  // namespace sightline::testing
