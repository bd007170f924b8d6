// Matrices whose rows have an order of their own, and halves of matrices, emulated, against the
// host's functions: the same bits.
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::SelfSightJob;
using kernels::SightJob;
using standin::emulate;

/// The job's bits, as sightline::sees() has them.
std::vector<std::uint32_t> truth_of(const TreeScene& scene, const SightJob& job,
                                    std::uint64_t rows) {
  std::vector<std::uint32_t> bits(rows * job.row_words);
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < job.targets.count; ++j) {
      const bool bit = sightline::sees(
          scene.tree.view(), scene.shapes, kernels::point_of(job.viewpoints, job.row_order, i),
          kernels::point_of(job.targets, job.target_order, j), job.options);
      bits[i * job.row_words + j / 32] |= std::uint32_t{bit} << (j % 32);
    }
  }
  return bits;
}

// Some rows of more viewpoints, in an order of their own, as the chunks of a sorted set are.
TEST(SightRows, SeeWhatTheHostSees) {
  constexpr std::uint64_t most = 150;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(16)); ++seed) {
    const TreeScene scene(make_scene(every_family[seed % 4], 40 + static_cast<int>(seed), seed));
    std::vector<SightPoint> from = random_points(scene.scene, most, seed + 1);
    std::vector<SightPoint> to = random_points(scene.scene, most, seed + 2);
    if (seed % 2 == 0) {  // nothing is filtered
      for (SightPoint& p : from) p = {p.position};
      for (SightPoint& p : to) p = {p.position};
    }
    from[17].position.y = to[64].position.x = std::nanf("");
    Random r(seed);
    const std::vector<std::uint32_t> row_order = random_order(most, r);
    for (const std::uint64_t v : {1u, 31u, 32u, 33u, 65u, 131u}) {
      for (const std::uint64_t t : {0u, 1u, 33u, 64u, 130u}) {
        const std::vector<std::uint32_t> order = random_order(t, r);
        const std::uint64_t row_words = kernels::bit_words32(t) + (r.one_in(4) ? 2 : 0);
        SightJob job{{}, rows_of(from).slice(0, v), rows_of(to).slice(0, t)};
        job.target_order = r.one_in(2) ? order.data() : nullptr;
        job.options = {seed % 5 == 0 ? 12.0f : infinity, seed % 3 == 0 ? 0.02f : 0.0f,
                       every_policy[seed % 3]};
        job.row_words = row_words;
        job.row_order = row_order.data() + r.below(static_cast<int>(most - v));
        const std::vector<std::uint32_t> expected = truth_of(scene, job, v);
        for (const Way way : every_way) {
          Guarded<std::uint32_t> bits(v * row_words);
          job.scene = scene.view(way, seed + v);
          job.bits = bits.data();
          emulate(job, {nullptr, every_lane_order[seed % 2]});
          ASSERT_TRUE(bits.is(expected))
              << "seed " << seed << ", " << name_of(way) << ", " << v << " x " << t;
        }
      }
    }
  }
}

// More pairs than a batch has: batches that cross the diagonal, lie above it and below it.
TEST(SightRows, TheMirroredUpperHalfIsTheWholeMatrix) {
  const TreeScene scene(make_scene(SceneFamily::random, 60, 3));
  const std::uint64_t n = 301, row_words = kernels::bit_words32(n);
  const std::vector<SightPoint> points = random_points(scene.scene, n, 4);
  SightJob whole{{}, rows_of(points), rows_of(points)};
  whole.row_words = row_words;
  std::vector<std::uint32_t> expected = truth_of(scene, whole, n);
  expected.resize((n + 31) / 32 * 32 * row_words);
  for (const Way way : {Way::wide4, Way::wide8}) {
    Guarded<std::uint32_t> bits(expected.size());
    SelfSightJob job{scene.view(way), rows_of(points), nullptr, {}, bits.data(), row_words};
    job.scene.schedule.enough_batches = 1;
    emulate(job);
    EXPECT_TRUE(bits.is(expected)) << name_of(way);
  }
}

}  // namespace
}  // namespace sightline::testing
