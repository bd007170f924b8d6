// reference == tree == cpu with 1, 2, 7 threads == cuda in its ways, to the byte; any hit ==
// closest hit.
#include "host/gen/scenes.hpp"
#include "host/tree/builder.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/answers.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/validate_bvh.hpp"

#include <gtest/gtest.h>

#include <sightline/geometry/queries/traverse.hpp>

#include <algorithm>
#include <cmath>
#include <future>
#include <span>
#include <thread>

namespace sightline::testing {
namespace {

/// The plain loop over a tree, as a kernel would run it.
Answers plain_answers(const BvhView& bvh, const ShapesView& shapes, const RaysView& rays,
                      RayPolicy policy) {
  Answers a(rays.count);
  std::fill(a.blocked.begin(), a.blocked.end(), 0);
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    const Ray ray = rays[i];
    const Query q = make_query(ray, policy);
    const Best best = closest_hit(bvh, shapes, q);
    const HitsView all = {a.t.data(), a.id.data(), a.flags.data(), a.normal.data()};
    all.store(i, hit_of(q, shapes, best, ray, true));
    if (any_hit(bvh, shapes, q)) a.blocked[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  return a;
}

/// One scene on every backend.
struct Everyone {
  Caster reference;
  std::vector<Caster> others;
  detail::Bvh bvh;

  Everyone(const Scene& scene, std::initializer_list<int> threads)
      : reference(scene, ReferenceOptions{}) {
    for (const int n : threads) others.emplace_back(scene, CpuOptions{n});
    for (const BackendCase& c : lane_cases()) others.emplace_back(scene, c.options);
    if (cuda_problem().empty()) add_cuda(scene);
    bvh = detail::build_bvh(reference.scene().view());
  }

 private:
  void add_cuda(const Scene& scene) {
    for (const BackendCase& c : cuda_cases()) {
      const bool small = scene.size() <= 1000;
      CudaOptions options = std::get<CudaOptions>(c.options);
      if (!small) options.chunk *= 100;
      if (small || options.search != Search::brute_force) {
        others.emplace_back(scene, options);
      }
    }
  }
};

/// Any hit as closest hit says it: over many shapes the reference is spared its second pass, and
/// asked from all cores at once.
Answers any_from_closest(const Caster& caster, const RaysView& rays, RayPolicy policy) {
  Answers a(rays.count);
  const std::uint64_t slices = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<CastReport>> running;
  for (std::uint64_t k = 0; k < slices; ++k) {
    const std::uint64_t first = rays.count * k / slices, last = rays.count * (k + 1) / slices;
    const auto of = [&](auto& all) { return std::span(all).subspan(first, last - first); };
    const HitArrays part = {of(a.t), of(a.id), of(a.flags), of(a.normal)};
    running.push_back(std::async(std::launch::async, [=, &caster] {
      return caster.closest_hit(rays.slice(first, last - first), part,
                                {policy.inside, false, policy.side});
    }));
  }
  for (auto& slice : running) slice.get();
  std::fill(a.blocked.begin(), a.blocked.end(), 0);
  for (std::uint64_t i = 0; i < rays.count; ++i) {
    a.blocked[i / 64] |= std::uint64_t{a.hit(i)} << (i % 64);
  }
  return a;
}

/// Casts the rays on everyone, in each of the policies, with filters by side in turn.
void expect_parity(const Everyone& all, const std::vector<Ray>& rays, const std::string& what,
                   std::span<const Inside> policies = every_policy) {
  const RaysView view = rows_of(rays);
  std::size_t turn = std::hash<std::string>()(what);
  for (const Inside inside : policies) {
    const RayPolicy policy(inside, every_side[++turn % 3]);
    const std::string where = what + ", policy " + std::to_string(static_cast<int>(inside)) +
                              ", side " + std::to_string(static_cast<int>(policy.side));
    const bool large = all.bvh.nodes.size() > 1000;
    const Answers truth = large ? any_from_closest(all.reference, view, policy)
                                : answers_of(all.reference, view, policy);
    ASSERT_TRUE(any_is_closest(truth)) << where;
    const auto same = [&](const Answers& a, const std::string& who) {
      const std::uint64_t i = first_difference(truth, a);
      ASSERT_EQ(i, rays.size()) << who << ", " << where << ", ray " << i << ": " << text(rays[i])
                                << "; t " << truth.t[i] << " and " << a.t[i] << ", id "
                                << truth.id[i] << " and " << a.id[i];
    };
    same(plain_answers(all.bvh.view(), all.reference.scene().view(), view, policy), "plain loop");
    for (const Caster& caster : all.others) {
      same(answers_of(caster, view, policy), caster.description());
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Cuda, TakesPart) {
  if (const std::string problem = cuda_problem(); !problem.empty()) GTEST_SKIP() << problem;
}

class SmallScenes : public ::testing::TestWithParam<SceneFamily> {};

// 1.25e7 (ray, policy) pairs in all: 5 families x 100 scenes x 8,334 rays x 3 policies.
TEST_P(SmallScenes, AreTheSameBytesEverywhere) {
  const std::uint64_t scenes = std::max<std::uint64_t>(4, scaled(100));
  const std::uint64_t rays = std::max<std::uint64_t>(200, scaled(833400) / scenes);
  for (std::uint64_t k = 0; k < scenes; ++k) {
    const std::uint64_t seed = 1000 * static_cast<std::uint64_t>(GetParam()) + k;
    Random r(seed);
    const int shapes = r.one_in(4) ? r.between(1, 200) : r.between(1, 80);
    const Everyone all(make_scene(GetParam(), shapes, seed), {1, 2, 7});
    ASSERT_EQ(detail::problem_of(all.bvh.view(), all.reference.scene().view()), "");
    const std::string what = std::string(name_of(GetParam())) + " scene, seed " +
                             std::to_string(seed) + ", " + std::to_string(shapes) + " shapes";
    expect_parity(all, random_rays(all.reference.scene(), rays / 2, seed + 1), what);
    expect_parity(all, adversarial_rays(all.reference.scene(), rays - rays / 2, seed + 2),
                  what + ", adversarial rays");
    if (HasFatalFailure()) return;
  }
}

// Few rays go one by one, more in batches.
TEST_P(SmallScenes, AnswerAnyNumberOfRaysAtATime) {
  const std::uint64_t scenes = std::max<std::uint64_t>(4, scaled(40));
  for (std::uint64_t seed = 0; seed < scenes; ++seed) {
    Random r(seed);
    const Scene scene = make_scene(GetParam(), r.between(1, 120), seed);
    const Caster reference(scene, ReferenceOptions{}), cpu(scene, CpuOptions{});
    std::vector<Ray> rays = adversarial_rays(scene, 400, seed);
    const std::vector<Ray> others = random_rays(scene, 400, seed + 1);
    rays.insert(rays.end(), others.begin(), others.end());
    for (const Inside inside : every_policy) {
      for (std::size_t begin = 0; begin < rays.size();) {
        const RayPolicy policy(inside, every_side[r.below(3)]);
        const auto n = std::min(rays.size() - begin, static_cast<std::size_t>(r.between(1, 70)));
        const RaysView some = RaysView::rows(std::span(rays).subspan(begin, n));
        ASSERT_EQ(
            first_difference(answers_of(reference, some, policy), answers_of(cpu, some, policy)), n)
            << "seed " << seed << ", " << n << " rays from " << begin;
        begin += n;
      }
    }
  }
}

// Where scaling rounds, an answer is clamped to the caller's interval: directions of all lengths,
// and intervals that begin or end at a hit.
TEST_P(SmallScenes, ScaleRaysOfAllLengths) {
  for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(2, scaled(12)); ++seed) {
    Random r(seed);
    const Everyone all(make_scene(GetParam(), r.between(1, 120), seed), {1});
    std::vector<Ray> rays = random_rays(all.reference.scene(), 600, seed);
    for (Ray& ray : rays) {
      const Hit hit = all.reference.closest_hit(ray);
      const float length = std::ldexp(1.0f, r.between(-149, 127));
      ray.direction = {ray.direction.x * length, ray.direction.y * length,
                       ray.direction.z * length};
      if (hit.id == none || r.one_in(4)) continue;
      const float t = min(hit.t / length, largest_float);
      (r.one_in(2) ? ray.t_min : ray.t_max) = r.one_in(3) ? t : max(next_down(t), 0.0f);
      if (!(ray.t_min <= ray.t_max)) ray.t_max = ray.t_min;
    }
    expect_parity(all, rays, std::string(name_of(GetParam())) + ", seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, SmallScenes, ::testing::ValuesIn(ray_families),
                         [](const auto& test) { return name_of(test.param); });

/// Incoherent rays and, from the same seed, some that look for trouble.
std::vector<Ray> rays_over(const Scene& scene, std::uint64_t count, std::uint64_t seed) {
  std::vector<Ray> rays = random_rays(scene, count, seed);
  Random r(seed);
  const Aabb b = scene.bounds();
  for (std::size_t i = 0; i < rays.size(); i += 2) {
    Ray ray;
    ray.origin = {r.uniform(b.min.x, b.max.x), r.uniform(b.min.y, b.max.y),
                  r.uniform(b.min.z, b.max.z)};
    ray.direction = r.vec(-1, 1);
    rays[i] = ray;
  }
  return rays;
}

/// `rays` rays in all, a third of them over each scene in a policy of its own.
void expect_parity_over_large(std::uint64_t shapes, std::uint64_t rays) {
  constexpr gen::SceneKind kinds[] = {gen::SceneKind::cloud, gen::SceneKind::city,
                                      gen::SceneKind::mixed};
  for (std::size_t k = 0; k < std::size(kinds); ++k) {
    const Scene scene = gen::make_scene(kinds[k], shapes, 5);
    const Everyone all(scene, {1, 2, 7});
    const std::uint64_t seed = 6 + k;
    expect_parity(all, rays_over(scene, rays / 3 + 1, seed),
                  std::string(gen::name_of(kinds[k])) + " of " + std::to_string(shapes) +
                      ", seeds 5 and " + std::to_string(seed),
                  {&every_policy[k], 1});
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(LargeScenes, AHundredThousandShapes) {
  expect_parity_over_large(scaled(100000), std::max<std::uint64_t>(300, scaled(50000)));
}

TEST(LargeScenes, AMillionShapes) {
  expect_parity_over_large(scaled(1000000), std::max<std::uint64_t>(150, scaled(2000)));
}

}  // namespace
}  // namespace sightline::testing
