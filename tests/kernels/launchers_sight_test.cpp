// The launchers of visibility, on whatever device there is: the same bits as the reference.
#include "kernels/launch/grid.hpp"
#include "kernels/queries/box_sight.cuh"
#include "tests/kernels/launchers.hpp"
#include "tests/support/random_points.hpp"

#include <numeric>

namespace sightline::testing {
namespace {

class EveryWayOfSight : public EveryWay {
 protected:
  /// Null where walks begin at the root.
  const std::uint32_t* nodes_around(const kernels::DeviceScene& scene, const PointsView& points,
                                    const std::uint32_t* order) {
    if (!scene.has_tree) return nullptr;
    auto* const nodes = memory_.make<std::uint32_t>(points.count);
    kernels::lowest_nodes(stream_, {scene, points, order, nodes});
    return nodes;
  }
};
INSTANTIATE_TEST_SUITE_P(Launchers, EveryWayOfSight, ::testing::ValuesIn(every_way),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(EveryWayOfSight, Visibility) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Scene scene = make_scene(ray_family(seed), 80, seed);
    const Caster reference(scene, ReferenceOptions{});
    const SightOptions options{infinity, 0.01f, every_policy[seed % 3]};
    const VisibilityOptions asked{options.range, options.margin, options.inside};
    const std::vector<SightPoint> from = random_points(scene, 150 + seed, seed + 1);
    const std::vector<SightPoint> to = random_points(scene, from.size(), seed + 2);
    const std::uint64_t n = from.size(), row_words = kernels::bit_words32(n);
    std::vector<std::uint64_t> whole(n * row_words / 2), own(whole.size()), pairs(row_words / 2);
    reference.visibility(rows_of(from), rows_of(to), whole, asked);
    const VisibilityReport report = reference.visibility(rows_of(from), own, asked);
    reference.visibility_pairs(rows_of(from), rows_of(to), pairs, asked);

    const kernels::DeviceScene device = upload(scene, GetParam());
    const PointsView points = upload(from), targets = upload(to);
    std::vector<std::uint32_t> order(n), rank(n);
    std::iota(order.begin(), order.end(), 0u);
    Random r(seed);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[r.bits() % i]);
    for (std::uint32_t k = 0; k < n; ++k) rank[order[k]] = k;
    const std::uint32_t *device_order = memory_.copy(order), *device_rank = memory_.copy(rank);
    auto* bits = memory_.make<std::uint32_t>(n * row_words);
    auto* straight = memory_.make<std::uint32_t>(n * row_words);
    auto* turned = memory_.make<std::uint32_t>(n * row_words);
    auto* back = memory_.make<std::uint32_t>(n * row_words);
    auto* half = memory_.make<std::uint32_t>((n + 31) / 32 * 32 * row_words);
    auto* mirrored = memory_.make<std::uint32_t>(n * row_words);
    auto* pair_bits = memory_.make<std::uint32_t>(row_words);
    auto* visible = memory_.make<std::uint64_t>(2);
    auto* counts = memory_.make<kernels::PointCounts>(1);
    visible[0] = visible[1] = 0;
    *counts = {};
    const std::uint32_t* const nodes = nodes_around(device, targets, device_order);
    const std::uint32_t* const own_nodes = nodes_around(device, points, device_order);
    kernels::sight(stream_, {device, points, targets, device_order, options, bits, row_words});
    kernels::reorder_bits(stream_, {bits, straight, n, n, row_words, 0, nullptr, device_rank});
    // Rows in the order of the targets' numbers.
    kernels::SightJob ordered = {device, points, targets, device_order, options, turned, row_words};
    ordered.row_order = device_order;
    ordered.target_nodes = nodes;
    ordered.viewpoint_nodes = own_nodes;
    kernels::sight(stream_, ordered);
    kernels::reorder_bits(stream_,
                          {turned, back, n, n, row_words, 0, device_rank, device_rank, nullptr});
    kernels::self_sight(
        stream_, {device, points, device_order, options, half, row_words, nullptr, own_nodes});
    kernels::reorder_bits(stream_,
                          {half, mirrored, n, n, row_words, 0, device_rank, device_rank, visible});
    kernels::sight_pairs(stream_, {device, points, targets, options, pair_bits, visible + 1});
    kernels::count_points(stream_, {device, points, counts});
    finish();
    EXPECT_EQ(std::memcmp(straight, whole.data(), whole.size() * 8), 0) << "seed " << seed;
    EXPECT_EQ(std::memcmp(back, whole.data(), whole.size() * 8), 0) << "seed " << seed;
    EXPECT_EQ(std::memcmp(mirrored, own.data(), own.size() * 8), 0) << "seed " << seed;
    EXPECT_EQ(std::memcmp(pair_bits, pairs.data(), pairs.size() * 8), 0) << "seed " << seed;
    EXPECT_EQ(visible[0], report.visible) << "seed " << seed;
    EXPECT_EQ(counts->bad, report.bad_viewpoints) << "seed " << seed;
    EXPECT_EQ(counts->touching, report.touching_viewpoints) << "seed " << seed;
  }
}

// Crowds behind a wall, before it and across its edge: in trees some are decided as a whole.
TEST_P(EveryWayOfSight, VisibilityOfCrowds) {
  Scene scene;
  scene.add_aabb({{-1, -50, -50}, {1, 50, 50}});
  for (int k = 0; k < 40; ++k) scene.add_sphere({{60, static_cast<float>(k), 0}, 0.4f});
  std::vector<SightPoint> all;
  for (const Vec3& middle : {Vec3{-30, 0, 0}, Vec3{20, 0, 0}, Vec3{-20, 30, 0}, Vec3{20, 51, 0}}) {
    for (int k = 0; k < 32; ++k) {
      const auto along = static_cast<float>(k);
      all.push_back({plus(middle, {0.05f * along, 0.1f * along, 0})});
    }
  }
  const std::uint64_t n = all.size(), row_words = kernels::bit_words32(n);
  std::vector<std::uint64_t> truth(n * row_words / 2);
  Caster(scene, ReferenceOptions{}).visibility(positions_of(all), truth);
  PointsView points = upload(all).position;
  points.count = n;
  const kernels::DeviceScene device = upload(scene, GetParam());
  kernels::SightJob job = {device, points, points};
  job.bits = memory_.make<std::uint32_t>(n * row_words);
  job.row_words = row_words;
  job.box_words = memory_.make<std::uint32_t>(kernels::box_words_of(n, row_words));
  job.target_nodes = job.viewpoint_nodes = nodes_around(device, points, nullptr);
  auto* own = memory_.make<std::uint32_t>(n * row_words);
  auto* own_boxes = memory_.make<std::uint32_t>(kernels::box_words_of(n, row_words));
  kernels::sight(stream_, job);
  kernels::self_sight(stream_,
                      {device, points, nullptr, {}, own, row_words, own_boxes, job.target_nodes});
  finish();
  EXPECT_EQ(std::memcmp(job.bits, truth.data(), truth.size() * 8), 0);
  EXPECT_EQ(std::memcmp(own, truth.data(), truth.size() * 8), 0);
  if (!device.has_tree) return;
  const kernels::BoxWords boxes(job);
  std::uint64_t hidden = 0, seen = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint64_t b = 0; b < n / 32; ++b) {
      hidden += boxes.is_hidden(i, b);
      seen += !boxes.is_hidden(i, b) && boxes.is_seen(i, b);
    }
  }
  EXPECT_GT(hidden, n / 2);
  EXPECT_GT(seen, n / 2);
}

}  // namespace
}  // namespace sightline::testing
