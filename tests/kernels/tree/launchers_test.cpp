// The launchers of the tree, on whatever device there is: the bytes that Thrust's sequential system
// makes on the host.
#include "host/gen/scenes.hpp"
#include "host/tree/refit.hpp"
#include "tests/kernels/device_scratch.hpp"
#include "tests/kernels/shared_memory.hpp"
#include "tests/kernels/tree/awkward.hpp"
#include "tests/kernels/tree/systems.hpp"
#include "tests/support/random_points.hpp"
#include "tests/support/rigid_motion.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/validate_bvh.hpp"

#include <sightline/geometry/shapes/shapes_view.hpp>

#include <atomic>
#include <thread>

namespace sightline::testing {
namespace {

class TreeLaunchers : public LauncherTest {
 protected:
  /// Without bounds, which no launcher of the tree may read.
  ShapesView upload(const Scene& scene, SharedMemory& memory) {
    ShapesView shapes = memory.copy(scene.view());
    shapes.bounds = nullptr;
    return shapes;
  }
  void expect_the_hosts_tree(const Scene& scene, const std::string& name) {
    SharedMemory memory;
    const ShapesView shapes = upload(scene, memory);
    const Tree expected = build_tree(scene.view());
    const std::size_t n = expected.bvh.nodes.size();
    auto* nodes = memory.make<BvhNode>(n);
    kernels::TreeRounds rounds;
    bool too_deep = true;
    DeviceScratch scratch;
    ASSERT_EQ(kernels::build_tree(stream_, shapes, nodes, &rounds, &too_deep, scratch.get()), 0)
        << name;
    EXPECT_EQ(scratch.alive(), 0) << name;
    EXPECT_EQ(too_deep, expected.was_too_deep) << name;
    if (n == 0 || too_deep) return;
    EXPECT_EQ(std::memcmp(nodes, expected.bvh.nodes.data(), n * sizeof(BvhNode)), 0) << name;
    EXPECT_EQ(std::memcmp(&rounds, &expected.rounds, sizeof rounds), 0) << name;
  }
};

TEST_F(TreeLaunchers, BuildTheHostsTrees) {
  for (int n = 0; n < 4; ++n) {
    expect_the_hosts_tree(make_scene(every_awkward()[0], static_cast<std::uint32_t>(n)),
                          std::to_string(n) + " shapes");
  }
  for (const Awkward& awkward : every_awkward()) {
    expect_the_hosts_tree(make_scene(awkward, 6000), awkward.name);  // one of them is too deep
  }
  for (const gen::SceneKind kind : {gen::SceneKind::city, gen::SceneKind::mixed}) {
    expect_the_hosts_tree(gen::make_scene(kind, std::max<std::uint64_t>(3000, scaled(300000)), 1),
                          std::string(gen::name_of(kind)));
  }
}

/// Builds the tree of this scene again and again in a stream of its own, in the device's memory.
/// Calls of several threads share the count of those left; adds up those that differ.
void build_by_hploc(const ShapesView& shapes, std::span<const BvhNode> expected,
                    std::atomic<int>& left, std::atomic<int>& differing) {
  const std::size_t bytes = expected.size_bytes();
  cudaStream_t stream = nullptr;
  BvhNode* nodes = nullptr;
  std::vector<BvhNode> copy(expected.size());
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&nodes), bytes), cudaSuccess);
  while (left-- > 0) {
    kernels::TreeRounds rounds;
    bool too_deep = true;
    DeviceScratch scratch;
    EXPECT_EQ(cudaMemsetAsync(nodes, 0xA5, bytes, stream), cudaSuccess);
    EXPECT_EQ(kernels::build_tree(stream, shapes, nodes, &rounds, &too_deep, scratch.get()), 0);
    EXPECT_EQ(cudaMemcpyAsync(copy.data(), nodes, bytes, cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    differing += std::memcmp(copy.data(), expected.data(), bytes) != 0;
  }
  EXPECT_EQ(cudaFree(nodes), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// Chance decides which warp does what: 200 builds of a million shapes, two at a time.
TEST_F(TreeLaunchers, HplocMakesTheHostsBytesEveryTime) {
  const auto shapes = std::max<std::uint64_t>(2000, scaled(1'000'000));
  for (const gen::SceneKind kind :
       {gen::SceneKind::city, gen::SceneKind::cloud, gen::SceneKind::mixed}) {
    const Scene scene = gen::make_scene(kind, shapes, 1);
    const Tree expected = build_tree(scene.view());
    SharedMemory memory;
    const ShapesView on_device = upload(scene, memory);
    std::atomic<int> left = static_cast<int>(1 + scaled(200) / 3), differing = 0;
    const auto build = [&] { build_by_hploc(on_device, expected.bvh.nodes, left, differing); };
    std::thread other(build);
    build();
    other.join();
    EXPECT_EQ(differing, 0) << gen::name_of(kind);
  }
}

/// The wide tree of a binary one: the bytes that Thrust's sequential system makes on the host.
TEST_F(TreeLaunchers, WidenAsTheHostDoes) {
  for (const int n : {0, 1, 2, 9, 3000}) {
    const Scene scene = make_scene(SceneFamily::random, n, 3);
    const Tree tree = build_tree(scene.view());
    const WideTree expected = widen(scene.view(), tree.bvh.view());
    SharedMemory memory;
    const ShapesView shapes = upload(scene, memory);
    const BvhView bvh = tree.bvh.view();
    const kernels::WidenJob job{shapes,
                                {memory.copy(bvh.nodes, bvh.node_count), bvh.node_count},
                                memory.make<QuantisedNode>(expected.nodes.size()),
                                memory.make<kernels::RecordUnit>(expected.records.size()),
                                memory.make<std::uint32_t>(expected.ids.size())};
    std::uint32_t nodes = 7;
    DeviceScratch scratch;
    ASSERT_EQ(kernels::widen_tree(stream_, job, &nodes, scratch.get()), 0) << n;
    EXPECT_EQ(scratch.alive(), 0) << n;
    EXPECT_EQ(nodes, expected.node_count) << n;
    EXPECT_TRUE(holds(job.nodes, expected.nodes)) << n;
    EXPECT_TRUE(holds(job.records, expected.records)) << n;
    EXPECT_TRUE(holds(job.ids, expected.ids)) << n;
  }
}

TEST_F(TreeLaunchers, RefitToTheBoxesOfMovedShapes) {
  for (std::uint64_t seed = 0; seed <= 8; ++seed) {
    Scene scene = make_scene(ray_family(seed), static_cast<int>(1 + seed * 211), seed);
    if (seed == 0) {  // whose only node lacks a child
      scene = Scene();
      scene.add_capsule({{0, 1, 2}, {3, 4, 5}, 1});
    }
    SharedMemory memory;
    Tree tree = build_tree(scene.view());
    const auto n = static_cast<std::uint32_t>(tree.bvh.nodes.size());
    auto* nodes = memory.make<BvhNode>(n);
    std::memcpy(static_cast<void*>(nodes), tree.bvh.nodes.data(), n * sizeof(BvhNode));

    kernels::refit_tree(stream_, upload(scene, memory), nodes, tree.rounds);
    finish();
    EXPECT_EQ(std::memcmp(nodes, tree.bvh.nodes.data(), n * sizeof(BvhNode)), 0)
        << "nothing has moved, seed " << seed;

    move_shapes(scene, seed + 100, 20);
    kernels::refit_tree(stream_, upload(scene, memory), nodes, tree.rounds);
    finish();
    EXPECT_EQ(detail::problem_of({nodes, n}, scene.view()), "") << "seed " << seed;
    detail::refit_bvh(tree.bvh, scene.view());
    EXPECT_EQ(std::memcmp(nodes, tree.bvh.nodes.data(), n * sizeof(BvhNode)), 0)
        << "the host's refit differs, seed " << seed;

    double area = 0;
    DeviceScratch scratch;
    ASSERT_EQ(kernels::tree_area(stream_, nodes, n, &area, scratch.get()), 0);
    const double expected = detail::bvh_area(tree.bvh);
    EXPECT_NEAR(area, expected, 1e-12 * expected) << "seed " << seed;
    EXPECT_EQ(scratch.alive(), 0);
  }
}

TEST_F(TreeLaunchers, OrderPointsAsTheHostDoes) {
  const Scene scene = make_scene(SceneFamily::random, 100, 1);
  for (const std::uint64_t n : {0u, 1u, 2u, 1000u, 70000u}) {
    const std::vector<SightPoint> points = random_points(scene, n, 3);
    SharedMemory memory;
    const SightPoint* copy = memory.copy(points);
    PointsView view = rows_of(points);
    if (n > 0) view.position = {std::span(copy, n), &SightPoint::position};
    auto* order = memory.make<std::uint32_t>(n);
    auto* rank = memory.make<std::uint32_t>(n);
    DeviceScratch scratch;
    ASSERT_EQ(kernels::morton_order(stream_, view, order, rank, scratch.get()), 0);
    EXPECT_EQ(scratch.alive(), 0);
    CountedScratch on_host;
    const Order expected =
        packaged_thrust.morton_order(System::cpp, rows_of(points), on_host.get());
    for (std::uint64_t k = 0; k < n; ++k) {
      ASSERT_EQ(order[k], expected.order[k]) << k << " of " << n;
      ASSERT_EQ(rank[k], expected.rank[k]) << k << " of " << n;
    }
  }
}

TEST_F(TreeLaunchers, AFailingAllocationComesThroughAndTheDeviceStaysUsable) {
  const Scene scene = make_scene(SceneFamily::city, 2000, 2);
  SharedMemory memory;
  const ShapesView shapes = upload(scene, memory);
  auto* nodes = memory.make<BvhNode>(shapes.bounded());
  kernels::TreeRounds rounds;
  bool too_deep = true;
  const auto build = [&](DeviceScratch& scratch) {
    return kernels::build_tree(stream_, shapes, nodes, &rounds, &too_deep, scratch.get());
  };
  DeviceScratch all;
  ASSERT_EQ(build(all), 0);
  ASSERT_GT(all.calls(), 5);
  for (int n = 1; n <= all.calls(); ++n) {
    DeviceScratch scratch(n);
    EXPECT_THROW(build(scratch), Error) << n;
    EXPECT_EQ(scratch.alive(), 0) << n;
    finish();
  }
  expect_the_hosts_tree(scene, "after the failures");
}

}  // namespace
}  // namespace sightline::testing
