// What an answer must not depend on: the order of shapes, the tree, the caller's floating-point
// environment, other callers.
#include "host/tree/builder.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/validate_bvh.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/queries/traverse.hpp>

#include <thread>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sightline::testing {
namespace {

std::uint64_t label_of(const Scene& scene, std::uint32_t id) {
  return id == none ? 0 : scene.attributes(id).label;
}

// Ids depend on the order, and so does who wins among equals; t, flags and normals of everything
// else do not. Excluded ids are left out: they name other shapes after shuffling.
TEST(Order, ShuffledShapesGiveTheSameAnswers) {
  std::uint64_t ties = 0, rays_cast = 0;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(60)); ++seed) {
    const SceneFamily family = every_family[seed % 2];  // labelled ones
    const Caster a(make_scene(family, 60, seed), CpuOptions{2});
    const Caster b(shuffled(a.scene(), seed + 1), CpuOptions{2});
    std::vector<Ray> rays = random_rays(a.scene(), 2000, seed + 2);
    for (Ray& r : rays) r.exclude[0] = r.exclude[1] = none;
    for (const Inside inside : every_policy) {
      const Answers of_a = answers_of(a, rows_of(rays), inside);
      const Answers of_b = answers_of(b, rows_of(rays), inside);
      ASSERT_TRUE(same_bytes(of_a.t, of_b.t)) << "seed " << seed;
      ASSERT_TRUE(same_bytes(of_a.blocked, of_b.blocked)) << "seed " << seed;
      for (std::size_t i = 0; i < rays.size(); ++i, ++rays_cast) {
        const std::uint64_t label_a = label_of(a.scene(), of_a.id[i]);
        const std::uint64_t label_b = label_of(b.scene(), of_b.id[i]);
        if (label_a != label_b) {
          // Another shape at the same t: leaving it out must leave the other as it was.
          Ray without = rays[i];
          without.exclude[0] = of_a.id[i];
          const Answers next = answers_of(a, rows_of({without}), inside);
          ASSERT_EQ(bits_of(next.t[0]), bits_of(of_a.t[i])) << "seed " << seed << ", ray " << i;
          ++ties;
          continue;
        }
        ASSERT_EQ(of_a.flags[i], of_b.flags[i]) << "seed " << seed << ", ray " << i;
        ASSERT_EQ(std::memcmp(&of_a.normal[i], &of_b.normal[i], sizeof(Vec3)), 0)
            << "seed " << seed << ", ray " << i << ": " << text(rays[i]);
      }
    }
  }
  EXPECT_LT(ties, rays_cast / 2);
}

/// A correct tree that no builder would make: ranges are cut anywhere, in random order.
class CarelessTree {
 public:
  CarelessTree(const ShapesView& shapes, std::uint64_t seed) : shapes_(shapes), r_(seed) {
    std::vector<std::uint32_t> ids(shapes.bounded());
    for (std::uint32_t i = 0; i < ids.size(); ++i) ids[i] = i;
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[r_.bits() % i]);
    build(ids);
  }
  BvhView view() const { return {nodes_.data(), static_cast<std::uint32_t>(nodes_.size())}; }

 private:
  struct Built {
    BvhChild child;
    Aabb box;
  };
  static Aabb both(const Aabb& a, const Aabb& b) {
    return {{min(a.min.x, b.min.x), min(a.min.y, b.min.y), min(a.min.z, b.min.z)},
            {max(a.max.x, b.max.x), max(a.max.y, b.max.y), max(a.max.z, b.max.z)}};
  }
  Built build(const std::vector<std::uint32_t>& ids) {
    if (ids.size() == 1 && !nodes_.empty()) return {ids[0] | bvh_leaf_bit, shapes_.bounds[ids[0]]};
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({{nothing, nothing}, {0, 0}});
    const bool lone = ids.size() == 1;
    const std::size_t third = ids.size() / 3 + 1;
    const std::size_t cut = lone ? 1 : 1 + r_.bits() % std::min(third, ids.size() - 1);
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(cut);
    const Built a = build({ids.begin(), middle});
    Built b = {0, nothing};
    if (!lone) b = build({middle, ids.end()});
    nodes_[node] = {{a.box, b.box}, {a.child, b.child}};
    return {node, both(a.box, b.box)};
  }

  static constexpr Aabb nothing = {{infinity, infinity, infinity},
                                   {-infinity, -infinity, -infinity}};
  ShapesView shapes_;
  Random r_;
  std::vector<BvhNode> nodes_;
};

TEST(Tree, AnyTreeGivesTheSameAnswers) {
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(40)); ++seed) {
    const Scene scene = make_scene(ray_family(seed), static_cast<int>(2 + seed), seed);
    const ShapesView shapes = scene.view();
    const detail::Bvh careful = detail::build_bvh(shapes);
    const CarelessTree careless(shapes, seed);
    if (detail::problem_of(careless.view(), shapes).find("too deep") != std::string::npos) continue;
    ASSERT_EQ(detail::problem_of(careless.view(), shapes), "") << "seed " << seed;
    const std::vector<Ray> rays = random_rays(scene, 2000, seed + 1);
    for (const Inside inside : every_policy) {
      for (std::size_t i = 0; i < rays.size(); ++i) {
        const Query q = make_query(rays[i], inside);
        const Best a = closest_hit(careful.view(), shapes, q);
        const Best b = closest_hit(careless.view(), shapes, q);
        ASSERT_TRUE(bits_of(a.t) == bits_of(b.t) && a.id == b.id)
            << "seed " << seed << " ray " << i;
        ASSERT_EQ(any_hit(careless.view(), shapes, q), b.id != none) << "seed " << seed;
      }
    }
  }
}

#if defined(__x86_64__)
// The caller rounds upward, flushes subnormal results and reads subnormal operands as zero.
constexpr unsigned upward_ftz_daz = 0x1f80u | 0x4000u | 0x8000u | 0x0040u;

class WithEnvironment {
 public:
  explicit WithEnvironment(unsigned mxcsr) : saved_(_mm_getcsr()) { _mm_setcsr(mxcsr); }
  ~WithEnvironment() { _mm_setcsr(saved_); }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  unsigned saved_;
};

PointsView points_of(const std::vector<Ray>& rays) {
  PointsView p;
  p.count = rays.size();
  p.position = rows_of(rays).origin;
  return p;
}

class Environment : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Environment, ::testing::ValuesIn(every_backend),
                         name_of_backend);

// Everything happens in the foreign environment: filling the scene, building, casting.
TEST_P(Environment, OfTheCallerDoesNotMatterAndIsRestored) {
  const std::uint64_t seed = 11;
  for (const SceneFamily family : ray_families) {
    const Scene scene = make_scene(family, 60, seed);
    const std::vector<Ray> rays = random_rays(scene, std::max<std::uint64_t>(500, scaled(5000)), 3);
    const std::vector<Ray> some(rays.begin(), rays.begin() + 200);
    const Caster plain = caster(scene);
    const Answers truth = answers_of(plain, rows_of(rays), Inside::surface);
    std::vector<std::uint64_t> bits(200 * 4), bits_then(200 * 4, 1);
    plain.visibility(points_of(some), bits, {infinity, 0.01f, Inside::solid});

    Answers then(rays.size());
    {
      const WithEnvironment foreign(upward_ftz_daz);
      const Caster other = caster(scene);
      then = answers_of(other, rows_of(rays), Inside::surface);
      other.visibility(points_of(some), bits_then, {infinity, 0.01f, Inside::solid});
      EXPECT_EQ(_mm_getcsr() & 0xFFC0u, upward_ftz_daz & 0xFFC0u);
      EXPECT_THROW(other.visibility(points_of(some), bits_then, {-1.0f, 0, Inside::solid}), Error);
      EXPECT_EQ(_mm_getcsr() & 0xFFC0u, upward_ftz_daz & 0xFFC0u);
    }
    EXPECT_EQ(first_difference(truth, then), rays.size()) << name_of(family);
    EXPECT_EQ(bits, bits_then) << name_of(family);
  }
}

// The derived columns too: frames and bounds made in a foreign environment.
TEST(OtherEnvironment, ScenesFilledInAnotherAreTheSame) {
  const Scene plain = shuffled(make_scene(SceneFamily::random, 100, 5), 9);
  Scene foreign;
  {
    const Scene original = make_scene(SceneFamily::random, 100, 5);
    const WithEnvironment environment(upward_ftz_daz);
    foreign = shuffled(original, 9);
    foreign.view();
  }
  const ShapesView a = plain.view(), b = foreign.view();
  ASSERT_EQ(a.bounded(), b.bounded());
  EXPECT_EQ(std::memcmp(a.bounds, b.bounds, a.bounded() * sizeof(Aabb)), 0);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(std::memcmp(a.of<ObbFrame>().axis[k], b.of<ObbFrame>().axis[k],
                          plain.count(Kind::obb) * sizeof(Vec3)),
              0);
  }
}

// Read as zero, a negative subnormal radius would be legal, and a subnormal box not inverted.
TEST(OtherEnvironment, ShapesThatAreRefusedAreRefusedInAnother) {
  const WithEnvironment foreign(upward_ftz_daz);
  Scene scene;
  EXPECT_THROW(scene.add_sphere({{0, 0, 0}, -1e-40f}), Error);
  EXPECT_THROW(scene.add_aabb({{2e-40f, 0, 0}, {1e-40f, 1, 1}}), Error);
  EXPECT_EQ(scene.size(), 0u);
  EXPECT_EQ(_mm_getcsr() & 0xFFC0u, upward_ftz_daz & 0xFFC0u);
}
#endif

class Callers : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, Callers, ::testing::ValuesIn(every_backend), name_of_backend);

TEST_P(Callers, ManyThreadsMayAskOneCaster) {
  const Caster c = caster(make_scene(SceneFamily::random, 80, 21));
  const std::vector<Ray> rays =
      random_rays(c.scene(), std::max<std::uint64_t>(500, scaled(20000)), 22);
  const Answers truth = answers_of(c, rows_of(rays), Inside::solid);
  std::vector<std::uint64_t> differing(6, 0);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < differing.size(); ++k) {
    threads.emplace_back([&, k] {
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Answers mine = answers_of(c, rows_of(rays), Inside::solid);
        if (first_difference(truth, mine) != rays.size()) ++differing[k];
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(differing, std::vector<std::uint64_t>(6, 0));
}

}  // namespace
}  // namespace sightline::testing
