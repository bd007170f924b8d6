// The launchers of kernels/queries/cast.cu, sight.cu and sweep.cu on the stand-in device.
#include "kernels/queries/sweep.cuh"
#include "tests/standin/emulate_sight.hpp"
#include "tests/standin/standin.hpp"

namespace sightline::standin {

inline void emulate(const kernels::SweepJob& job) {
  kernels::with_mover(job.sweeps, [&](auto mover) {
    for (std::uint64_t i = 0; i < job.sweeps.rays.count; i += HostBlock::size) {
      kernels::sweeps_of<decltype(mover)>(HostBlock(), job, i);
    }
  });
}

/// Where there is anything to do.
template <class Job>
void launch_emulation(cudaStream_t stream, std::uint64_t n, const Job& job) {
  if (n != 0) launch(stream, [job] { emulate(job); });
}

}  // namespace sightline::standin

namespace sightline::kernels {

using standin::launch_emulation;

void closest_hit(Stream stream, const ClosestHitJob& job) {
  launch_emulation(stream, job.rays.count, job);
}
void any_hit(Stream stream, const AnyHitJob& job) { launch_emulation(stream, job.rays.count, job); }
void sweep(Stream stream, const SweepJob& job) {
  launch_emulation(stream, job.sweeps.rays.count, job);
}

void sight(Stream stream, const SightJob& job) {
  launch_emulation(stream, job.viewpoints.count * job.row_words, job);
}
void self_sight(Stream stream, const SelfSightJob& job) {
  launch_emulation(stream, job.points.count, job);
}
void lowest_nodes(Stream stream, const LowestNodesJob& job) {
  launch_emulation(stream, job.points.count, job);
}
void reorder_bits(Stream stream, const ReorderBitsJob& job) {
  launch_emulation(stream, job.rows * job.row_words, job);
}
void fields_of_view(Stream stream, const FieldsJob& job) {
  launch_emulation(stream, job.viewpoints.count * job.row_words, job);
}
void sight_pairs(Stream stream, const SightPairsJob& job) {
  launch_emulation(stream, job.from.count, job);
}
void count_points(Stream stream, const CountPointsJob& job) {
  launch_emulation(stream, job.points.count, job);
}

}  // namespace sightline::kernels
