// The bodies of the sight kernels, emulated, against the host's functions: the same bits.
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::CountPointsJob;
using kernels::SelfSightJob;
using kernels::SightJob;
using kernels::SightPairsJob;
using standin::emulate;
using standin::LaneOrder;
using standin::Steps;

constexpr std::uint64_t counts_of_points[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 97, 130};
constexpr std::uint64_t most = 130;

/// Two sets of points over a scene, and who sees whom.
struct Sights {
  std::uint64_t seed;
  TreeScene scene;
  SightOptions options;
  std::vector<SightPoint> from, to;
  std::vector<bool> seen, seen_among;  ///< [from, to] and [from, from]
  std::string what;

  explicit Sights(std::uint64_t s)
      : seed(s),
        scene(make_scene(ray_family(seed), 40 + static_cast<int>(seed), seed)),
        options{seed % 5 == 0 ? 12.0f : infinity, seed % 3 == 0 ? 0.02f : 0.0f,
                every_policy[seed % 3]},
        from(random_points(scene.scene, most, seed + 1)),
        to(random_points(scene.scene, most, seed + 2)),
        what("seed " + std::to_string(seed)) {
    from[17].position.y = to[64].position.x = std::nanf("");
    for (const SightPoint& p : from) {
      for (const SightPoint& q : to) seen.push_back(sees(p, q));
      for (const SightPoint& q : from) seen_among.push_back(sees(p, q));
    }
  }
  bool sees(const SightPoint& p, const SightPoint& q) const {
    return sightline::sees(scene.tree.view(), scene.shapes, p, q, options);
  }
};

std::uint64_t scenes() { return std::max<std::uint64_t>(4, scaled(16)); }

/// Runs test(sights, way, lane order) on every scene; stops at the first failure.
template <class Test>
void for_every_scene(Test&& test) {
  for (std::uint64_t seed = 1; seed <= scenes(); ++seed) {
    const Sights sights(seed);
    for (const Way way : every_way) {
      test(sights, way, every_lane_order[seed % 2]);
      if (::testing::Test::HasFailure()) FAIL() << sights.what << ", " << name_of(way);
    }
  }
}

TEST(SightKernels, SeeWhatTheHostSees) {
  for_every_scene([](const Sights& s, Way way, LaneOrder lanes) {
    Random r(99);
    for (const std::uint64_t v : {0u, 1u, 5u}) {
      for (const std::uint64_t t : counts_of_points) {
        const std::vector<std::uint32_t> order = random_order(t, r);
        const bool ordered = r.one_in(2);
        const std::uint64_t row_words = kernels::bit_words32(t) + (r.one_in(4) ? 2 : 0);
        std::vector<std::uint32_t> expected(v * row_words);
        for (std::uint64_t i = 0; i < v; ++i) {
          for (std::uint64_t j = 0; j < t; ++j) {
            const bool bit = s.seen[i * most + (ordered ? order[j] : j)];
            expected[i * row_words + j / 32] |= std::uint32_t{bit} << (j % 32);
          }
        }
        Guarded<std::uint32_t> bits(v * row_words);
        SightJob job{s.scene.view(way, s.seed), rows_of(s.from).slice(0, v),
                     rows_of(s.to).slice(0, t), ordered ? order.data() : nullptr, s.options};
        job.bits = bits.data();
        job.row_words = row_words;
        emulate(job, {nullptr, lanes});
        EXPECT_TRUE(bits.is(expected)) << v << " x " << t;
      }
    }
  });
}

/// The matrix of the first n points in this order, as self_sight is to write it.
std::vector<std::uint32_t> matrix_among(const Sights& s, std::uint64_t n, std::uint64_t row_words,
                                        const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> m((n + 31) / 32 * 32 * row_words);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t j = 0; j < n; ++j) {
      const bool bit = s.seen_among[order[i] * most + order[j]];
      m[i * row_words + j / 32] |= std::uint32_t{bit} << (j % 32);
    }
  }
  return m;
}

TEST(SightKernels, ASetAgainstItselfIsTheWholeMatrix) {
  for_every_scene([](const Sights& s, Way way, LaneOrder lanes) {
    Random r(98);
    for (const std::uint64_t n : counts_of_points) {
      const bool ordered = r.one_in(2);
      std::vector<std::uint32_t> order = random_order(n, r);
      if (!ordered) std::iota(order.begin(), order.end(), 0u);
      const std::uint64_t row_words = kernels::bit_words32(n) + (r.one_in(4) ? 2 : 0);
      const std::vector<std::uint32_t> expected = matrix_among(s, n, row_words, order);
      Guarded<std::uint32_t> bits(expected.size());
      SelfSightJob job{s.scene.view(way, s.seed), rows_of(s.from).slice(0, n),
                       ordered ? order.data() : nullptr, s.options};
      job.bits = bits.data();
      job.row_words = row_words;
      emulate(job, {nullptr, lanes});
      EXPECT_TRUE(bits.is(expected)) << n << " points";
    }
  });
}

/// What the backend does with a set: its order, the halves, the bits put back.
TEST(SightKernels, HalvesAndReorderingGiveTheCallersMatrix) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Sights s(seed);
    Random r(seed);
    const std::uint64_t n = 1 + static_cast<std::uint64_t>(r.below(static_cast<int>(most)));
    const std::uint64_t row_words = kernels::bit_words32(n);
    const std::vector<std::uint32_t> order = random_order(n, r);
    std::vector<std::uint32_t> rank(n), half((n + 31) / 32 * 32 * row_words);
    for (std::uint32_t k = 0; k < n; ++k) rank[order[k]] = k;
    std::vector<std::uint64_t> bits(n * row_words / 2);
    SelfSightJob job{s.scene.view(Way::brute_force), rows_of(s.from).slice(0, n), order.data(),
                     s.options};
    job.bits = half.data();
    job.row_words = row_words;
    emulate(job);
    std::uint64_t visible = 0;
    emulate(kernels::ReorderBitsJob{half.data(), reinterpret_cast<std::uint32_t*>(bits.data()), n,
                                    n, row_words, 0, rank.data(), rank.data(), &visible});
    const Caster reference(s.scene.scene, ReferenceOptions{});
    std::vector<std::uint64_t> truth(bits.size());
    const VisibilityReport report = reference.visibility(
        rows_of(s.from).slice(0, n), truth, {s.options.range, s.options.margin, s.options.inside});
    EXPECT_EQ(bits, truth) << s.what;
    EXPECT_EQ(visible, report.visible) << s.what;
  }
}

TEST(SightKernels, TraceEachPairOnce) {
  const Sights s(4);
  const kernels::DeviceScene scene = s.scene.view(Way::brute_force);
  for (const std::uint64_t n : counts_of_points) {
    std::uint64_t possible = 0, traced = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      for (std::uint64_t j = i; j < n; ++j) {
        possible += sight_query(s.from[i], s.from[j], s.options).possible;
      }
    }
    const std::uint64_t row_words = kernels::bit_words32(n);
    std::vector<std::uint32_t> bits((n + 31) / 32 * 32 * row_words);
    SelfSightJob job{scene, rows_of(s.from).slice(0, n), nullptr, s.options};
    job.bits = bits.data();
    job.row_words = row_words;
    const kernels::SightJob upper = kernels::upper_half(job);
    for (std::uint64_t k = 0; k < n * row_words; ++k) {
      kernels::sight_word(standin::HostWarp(), CountingSearch{{scene}, &traced}, upper, k);
    }
    EXPECT_EQ(traced, possible) << n << " points";
  }
}

// A word on or above the diagonal costs a step and a ballot, a square that is mirrored 7 steps.
TEST(SightKernels, CostStepsByTheWordAndTheSquare) {
  const Sights s(4);
  std::vector<std::uint32_t> bits(96 * 4);
  SelfSightJob job{s.scene.view(Way::brute_force), rows_of(s.from).slice(0, 65), nullptr,
                   s.options};
  job.bits = bits.data();
  job.row_words = 4;
  Steps steps;
  emulate(job, {&steps});
  // Of columns of words, with two rows of squares that have 32 rows and one that has 1.
  constexpr std::uint64_t squares = 6, words = 32 + 64 + 65 + 65;
  EXPECT_EQ(steps.ballots, words);
  EXPECT_EQ(steps.each, words + squares * (2 + 5));
  EXPECT_EQ(steps.exchanges, 5 * squares);
}

TEST(SightKernels, PairsAreTheWholeMatrixsDiagonal) {
  for_every_scene([](const Sights& s, Way way, LaneOrder lanes) {
    for (const std::uint64_t n : counts_of_points) {
      std::vector<std::uint32_t> expected(kernels::bit_words32(n));
      std::uint64_t ones = 5;
      for (std::uint64_t i = 0; i < n; ++i) {
        const bool bit = s.seen[i * most + i];
        expected[i / 32] |= std::uint32_t{bit} << (i % 32);
        ones += bit;
      }
      Guarded<std::uint32_t> bits(expected.size());
      std::uint64_t visible = 5;
      SightPairsJob job{s.scene.view(way, s.seed), rows_of(s.from).slice(0, n),
                        rows_of(s.to).slice(0, n), s.options, bits.data()};
      job.visible = &visible;
      emulate(job, {nullptr, lanes});
      EXPECT_TRUE(bits.is(expected)) << n << " pairs";
      EXPECT_EQ(visible, ones) << n << " pairs";
      job.visible = nullptr;
      emulate(job, {nullptr, lanes});
      EXPECT_TRUE(bits.is(expected)) << n << " pairs";
    }
  });
}

// Segments that graze corners, faces and silhouettes: brute force needs the gate as the tree does.
TEST(SightKernels, GrazingPairsAreTheHosts) {
  // One scene in twenty has a segment that only the gate keeps out; seed 21 is the first.
  for (std::uint64_t k = 0; k < std::max<std::uint64_t>(4, scaled(40)); ++k) {
    const std::uint64_t seed = 21 + k;
    const TreeScene scene(make_scene(ray_family(seed), 60, seed));
    const SightOptions options{infinity, 0, every_policy[seed % 3]};
    std::vector<SightPoint> from, to;
    for (const Ray& ray : adversarial_rays(scene.scene, 4000, seed)) {
      from.push_back({ray.origin, ray.mask, ray.exclude[0], ray.exclude_group[0]});
      to.push_back({plus(ray.origin, ray.direction), 0xFFFFFFFFu, ray.exclude[1]});
    }
    std::vector<std::uint32_t> expected(kernels::bit_words32(from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
      const bool bit = sightline::sees(scene.tree.view(), scene.shapes, from[i], to[i], options);
      expected[i / 32] |= std::uint32_t{bit} << (i % 32);
    }
    for (const Way way : every_way) {
      Guarded<std::uint32_t> bits(expected.size());
      emulate(SightPairsJob{scene.view(way), rows_of(from), rows_of(to), options, bits.data()});
      EXPECT_TRUE(bits.is(expected)) << "seed " << seed << ", " << name_of(way);
    }
  }
}

TEST(SightKernels, CountBadPointsAndThoseThatTouch) {
  std::uint64_t touching = 0, bad = 0;
  for_every_scene([&](const Sights& s, Way way, LaneOrder lanes) {
    for (const std::uint64_t n : counts_of_points) {
      kernels::PointCounts counts{3, 4}, expected{3, 4};
      for (std::uint64_t i = 0; i < n; ++i) {
        const bool is_good = !is_bad(s.from[i]);
        expected.bad += !is_good;
        expected.touching +=
            is_good && any_hit(s.scene.tree.view(), s.scene.shapes, touch_query(s.from[i]));
      }
      emulate(CountPointsJob{s.scene.view(way, s.seed), rows_of(s.from).slice(0, n), &counts},
              {nullptr, lanes});
      EXPECT_EQ(counts.bad, expected.bad) << n << " points";
      EXPECT_EQ(counts.touching, expected.touching) << n << " points";
      bad += expected.bad - 3;
      touching += expected.touching - 4;
    }
  });
  EXPECT_GT(bad, 0u);
  EXPECT_GT(touching, 0u);
}

}  // namespace
}  // namespace sightline::testing
