// The kernel of kernels/build/tree.cu that builds, as a host loop over the same body.
#pragma once

#include "kernels/build/hploc_tree.cuh"
#include "tests/standin/host_team.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace sightline::standin {

inline void emulate(const kernels::HplocJob& job, const Emulation& emulation = {},
                    const WarpOrder& warps = {}) {
  std::vector<std::uint32_t> order(kernels::pieces(job.count, kernels::warp_size));
  std::iota(order.begin(), order.end(), 0u);
  if (warps.seed != 0) std::shuffle(order.begin(), order.end(), std::mt19937_64(warps.seed));
  const auto run = [&](std::size_t first, std::size_t step) {
    for (std::size_t k = first; k < order.size(); k += step) {
      const HostWarp warp(emulation.steps, emulation.order);
      kernels::HplocMemory<HostWarp> memory;
      kernels::HplocWarp<HostWarp>(warp, job, memory).run(order[k] * kernels::warp_size);
    }
  };
  std::vector<std::thread> others;
  const auto step = static_cast<std::size_t>(warps.threads);
  for (std::size_t k = 1; k < step; ++k) others.emplace_back(run, k, step);
  run(0, step);
  for (std::thread& other : others) other.join();
}

/// What build_tree_on() runs on.
template <class Policy>
class HostDevice {
 public:
  explicit HostDevice(const Policy& policy, const Emulation& emulation = {},
                      const WarpOrder& warps = {})
      : policy_(policy), emulation_(emulation), warps_(warps) {}
  const Policy& policy() const { return policy_; }
  void climb(const kernels::HplocJob& job) const { emulate(job, emulation_, warps_); }
  void fetch(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }

 private:
  const Policy& policy_;
  Emulation emulation_;
  WarpOrder warps_;
};

}  // namespace sightline::standin
