// The launchers alone: scenes, rays and points in memory that the device reaches, in every way that
// the device walks a scene.
#pragma once

#include "host/tree/builder.hpp"
#include "kernels/launch/launch.hpp"
#include "tests/kernels/device_scratch.hpp"
#include "tests/kernels/shared_memory.hpp"
#include "tests/kernels/ways.hpp"
#include "tests/support/answers.hpp"

#include <gtest/gtest.h>

namespace sightline::testing {

/// With scenes, rays and points in memory that the device reaches.
class Launchers : public LauncherTest {
 protected:
  kernels::DeviceScene upload(const Scene& scene, Way way) {
    const detail::Bvh tree = detail::build_bvh(scene.view());
    const BvhView bvh = tree.view();
    kernels::DeviceScene device{memory_.copy(scene.view()), way == Way::tree};
    if (way == Way::tree) widen({memory_.copy(bvh.nodes, bvh.node_count), bvh.node_count}, device);
    return device;
  }
  void widen(const BvhView& bvh, kernels::DeviceScene& device) {
    const std::uint64_t units = kernels::record_units(device.shapes);
    const kernels::WidenJob job{
        device.shapes, bvh,
        memory_.make<QuantisedNode>(kernels::most_wide_nodes(device.shapes.bounded())),
        memory_.make<kernels::RecordUnit>(units), memory_.make<std::uint32_t>(units)};
    std::uint32_t nodes = 0;
    DeviceScratch scratch;
    ASSERT_EQ(kernels::widen_tree(stream_, job, &nodes, scratch.get()), 0);
    ASSERT_EQ(scratch.alive(), 0);
    device.wide = {nodes == 0 ? nullptr : job.nodes, job.records, job.ids};
    device.schedule.enough_batches = device.schedule.enough_tiles = 3;
  }
  RaysView upload(const std::vector<Ray>& rays) {
    RaysView view = RaysView::rows({memory_.copy(rays), rays.size()});
    view.count = rays.size();
    return view;
  }
  PointsView upload(const std::vector<SightPoint>& points) {
    PointsView view = PointsView::rows({memory_.copy(points), points.size()});
    view.count = points.size();
    return view;
  }

  HitsView make_hits(std::uint64_t n) {
    return {memory_.make<float>(n), memory_.make<std::uint32_t>(n), memory_.make<std::uint8_t>(n),
            memory_.make<Vec3>(n)};
  }
  static bool holds_all(const HitsView& hits, const Answers& truth) {
    return holds(hits.t, truth.t) && holds(hits.id, truth.id) && holds(hits.flags, truth.flags) &&
           holds(hits.normal, truth.normal);
  }
  /// Two of nothing.
  CastCounts* make_counts() {
    auto* counts = memory_.make<CastCounts>(2);
    counts[0] = counts[1] = CastCounts{};
    return counts;
  }

  SharedMemory memory_;
};
class EveryWay : public Launchers, public ::testing::WithParamInterface<Way> {};

}  // namespace sightline::testing
