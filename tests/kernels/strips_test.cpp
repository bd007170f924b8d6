// Matrices in strips, emulated, against the host's functions: the same bits, whatever blocked the
// targets before, and fewer steps.
#include "tests/kernels/kernels_test.hpp"
#include "tests/standin/emulate_sight.hpp"
#include "tests/support/adversarial_rays.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {
namespace {

using kernels::SelfSightJob;
using kernels::SightJob;
using standin::emulate;
using standin::Steps;

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

/// Sorted by x: neighbours are near each other. Without masks and exclusions: nothing is filtered.
std::vector<SightPoint> plain(std::vector<SightPoint> points) {
  for (SightPoint& p : points) p = {p.position};
  std::sort(points.begin(), points.end(), [](const SightPoint& a, const SightPoint& b) {
    return lexicographically_less(a.position, b.position);
  });
  return points;
}

// Some rows of more viewpoints, in an order of their own, as the chunks of a sorted set are.
TEST(SightStrips, SeeWhatTheHostSees) {
  constexpr std::uint64_t most = 150;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(4, scaled(16)); ++seed) {
    const TreeScene scene(make_scene(every_family[seed % 4], 40 + static_cast<int>(seed), seed));
    std::vector<SightPoint> from = random_points(scene.scene, most, seed + 1);
    std::vector<SightPoint> to = random_points(scene.scene, most, seed + 2);
    if (seed % 2 == 0) from = plain(from), to = plain(to);
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

// Segments that graze corners, faces and silhouettes. The blocker of one that is blocked is tried
// for others which only its gate keeps out.
TEST(SightStrips, ABlockersGateIsAskedToo) {
  for (std::uint64_t k = 0; k < std::max<std::uint64_t>(4, scaled(40)); ++k) {
    const std::uint64_t seed = 21 + k;
    const TreeScene scene(make_scene(every_family[seed % 4], 60, seed));
    const SightOptions options{infinity, 0, every_policy[seed % 3]};
    std::vector<SightPoint> from, to;
    for (const Ray& ray : adversarial_rays(scene.scene, 4000, seed)) {
      const SightPoint p{ray.origin}, q{plus(ray.origin, ray.direction)};
      const SightQuery s = sight_query(p, q, options);
      if (!s.possible || !sightline::sees(scene.tree.view(), scene.shapes, p, q, options)) continue;
      for (std::uint32_t id = 0; id < scene.shapes.bounded(); ++id) {
        if (from.size() == 128) break;
        const bool hit = scene.shapes.visit(
            id, [&](const auto& shape) { return blocks(s.query, shape, s.query.ray.t_min); });
        if (!hit) continue;
        // Seen, although the shape's line test says otherwise. In the piece before, by itself, a
        // point in the shape, of which it blocks the target.
        const Aabb box = scene.shapes.bounds[id];
        const SightPoint middle{{box.min.x / 2 + box.max.x / 2, box.min.y / 2 + box.max.y / 2,
                                 box.min.z / 2 + box.max.z / 2}};
        from.insert(from.end(), kernels::piece_rows, middle);
        from.insert(from.end(), kernels::piece_rows, p);
        to.push_back(q);
      }
    }
    std::vector<std::uint32_t> order(from.size());
    std::iota(order.begin(), order.end(), 0u);
    SightJob job{{}, rows_of(from), rows_of(to)};
    job.options = options;
    job.row_words = kernels::bit_words32(to.size());
    job.row_order = order.data();
    const std::vector<std::uint32_t> expected = truth_of(scene, job, from.size());
    for (const Way way : {Way::wide4, Way::wide8}) {
      Guarded<std::uint32_t> bits(expected.size());
      job.scene = scene.view(way, k);
      job.bits = bits.data();
      emulate(job);
      EXPECT_TRUE(bits.is(expected)) << "seed " << seed << ", " << name_of(way);
    }
  }
}

// More columns than a strip has: strips that cross the diagonal, lie above it and below it.
TEST(SightStrips, ASetOfSeveralStripsIsTheWholeMatrix) {
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
    job.scene.schedule.enough_batches = 8;  // strips of 40 rows
    emulate(job);
    EXPECT_TRUE(bits.is(expected)) << name_of(way);
  }
}

/// A wall of one box between two crowds, and small boxes around both.
TreeScene walled_scene() {
  Scene scene;
  scene.add(Aabb{{-1, -100, -100}, {1, 100, 100}});
  Random r(5);
  for (int k = 0; k < 400; ++k) {
    const Vec3 p{static_cast<float>(r.between(-40, 40)), static_cast<float>(r.between(-40, 40)),
                 static_cast<float>(r.between(-40, 40))};
    scene.add(Aabb{p, {p.x + 0.125f, p.y + 0.125f, p.z + 0.125f}});
  }
  return TreeScene(std::move(scene));
}

// What a wall blocks for one viewpoint it blocks for the next: one leaf instead of a walk.
TEST(SightStrips, NeedNoTreeForWhatWasBlockedBefore) {
  const TreeScene scene = walled_scene();
  Random r(6);
  std::vector<SightPoint> from, to;
  std::vector<std::uint32_t> order;
  for (std::uint32_t k = 0; k < 128; ++k) {
    const auto place = [&] { return static_cast<float>(r.between(-30, 30)) + 0.3f; };
    from.push_back({{-30, place(), place()}});
    to.push_back({{30, place(), place()}});
    order.push_back(k);
  }
  for (const Way way : {Way::wide4, Way::wide8}) {
    std::vector<std::uint32_t> bits(128 * 4, 1);
    SightJob job{scene.view(way), rows_of(from), rows_of(to)};
    job.scene.schedule = {};
    job.scene.schedule.enough_batches = 1;
    job.bits = bits.data();
    job.row_words = 4;
    Steps words, strips;
    emulate(job, {&words});
    job.row_order = order.data();
    emulate(job, {&strips});
    EXPECT_EQ(std::count(bits.begin(), bits.end(), 0u), 128 * 4) << name_of(way);
    EXPECT_LT(4 * strips.node_lanes, words.node_lanes) << name_of(way);
    EXPECT_LT(strips.leaf_lanes, 2u * 128 * 128) << name_of(way);
  }
}

}  // namespace
}  // namespace sightline::testing
