#include "host/cuda/queries/target_set.hpp"

#include "host/cuda/chunks/to_device_and_back.hpp"
#include "host/cuda/device/columns.hpp"

namespace sightline::cuda {
namespace {

TargetSet lay_out_targets(const PointsView& points, const SetRoom& room, BumpLayout& memory) {
  TargetSet set;
  set.points = points;
  for_each_column([&](auto& column) { lay_out(column, points.count, memory); }, set.points);
  set.order = memory.take<std::uint32_t>(points.count);
  set.rank = memory.take<std::uint32_t>(points.count);
  if (room.nodes) set.nodes = memory.take<std::uint32_t>(points.count);
  set.matrix = memory.take<std::uint32_t>(room.matrix_words);
  if (room.box_words > 0) set.boxes = memory.take<std::uint32_t>(room.box_words);
  return set;
}

}  // namespace

kernels::PointCounts scan_points(const Lease& lease, const QueryContext& context,
                                 const PointsView& points, const PointsView* keep) {
  kernels::PointCounts counts;
  run_chunks(lease, points.count, {context.most, 1}, [&](Chunk& chunk) {
    kernels::CountPointsJob job = {context.scene, points, &counts};
    chunk.in(job.points);
    chunk.sum(job.counts);
    chunk.launch([&](cudaStream_t stream) {
      const auto copy = [&]<class T>(const Column<T>& from, const Column<T>& all) {
        if (from.data == nullptr) return;
        check(cudaMemcpyAsync(const_cast<T*>(all.data) + chunk.first(), from.data,
                              chunk.count() * sizeof(T), cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
      };
      if (keep != nullptr) for_each_column(copy, job.points, *keep);
      kernels::count_points(stream, job);
      check_launch("count_points");
    });
  });
  return counts;
}

bool uses_boxes(const QueryContext& context, const PointsView& viewpoints,
                const PointsView& targets, const SightOptions& options) {
  return viewpoints.count * targets.count >= context.limits.pairs_for_boxes &&
         kernels::may_use_boxes(context.scene, viewpoints, targets, options);
}

bool climbs(const QueryContext& context) {
  return context.scene.has_tree && context.scene.shapes.bounded() >= context.limits.shapes_to_climb;
}

std::uint64_t bytes_of_targets(const PointsView& points, const SetRoom& room) {
  BumpLayout size;
  lay_out_targets(points, room, size);
  return size.end();
}

TargetSet upload_points(const Lease& lease, DeviceMemory& memory, const QueryContext& context,
                        const PointsView& points, const SetRoom& room) {
  TargetSet set;
  lay_out_in(memory, [&](BumpLayout& layout) { set = lay_out_targets(points, room, layout); });
  set.counts = scan_points(lease, context, points, &set.points);
  StreamMemory scratch(lease.pool().memory(), lease->stream().get());
  const int error =
      kernels::morton_order(scratch.stream(), set.points, set.order, set.rank, scratch.allocator());
  check(static_cast<cudaError_t>(error), "morton_order");
  if (room.nodes && points.count > 0) {
    kernels::lowest_nodes(scratch.stream(), {context.scene, set.points, set.order, set.nodes});
    check_launch("lowest_nodes");
    lease->stream().synchronize();  // chunks have streams of their own
  }
  return set;
}

}  // namespace sightline::cuda
