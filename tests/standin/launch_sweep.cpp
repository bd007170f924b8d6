// The launcher of kernels/sweep.cu on the stand-in device.
#include "kernels/sweep.cuh"
#include "tests/standin/host_team.hpp"
#include "tests/standin/standin.hpp"

namespace sightline::kernels {

void sweep(Stream stream, const SweepJob& job) {
  if (job.sweeps.rays.count == 0) return;
  standin::launch(stream, [job] {
    with_mover(job.sweeps, [&](auto mover) {
      for (std::uint64_t i = 0; i < job.sweeps.rays.count; i += standin::HostBlock::size) {
        sweeps_of<decltype(mover)>(standin::HostBlock(), job, i);
      }
    });
  });
}

}  // namespace sightline::kernels
