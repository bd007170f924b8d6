#include "bench/drivers/issue_rate.hpp"

#include <cuda_runtime_api.h>

namespace sightline::bench {
namespace {

/// Chains that do not wait for each other: enough of them for one warp to fill a pipe.
constexpr int chains = 8;

template <Pipe pipe>
__device__ std::uint32_t next(std::uint32_t v) {
  if constexpr (pipe == Pipe::fma) {
    return __float_as_uint(__fmaf_rn(__uint_as_float(v), 0.75f, 0.5f));
  } else {
    return __byte_perm(v, v, 0x2103);
  }
}

template <Pipe pipe>
__global__ void __launch_bounds__(issue_block) issue_kernel(unsigned rounds, std::uint32_t* sink) {
  std::uint32_t v[chains];
  for (int i = 0; i < chains; ++i) v[i] = threadIdx.x * chains + static_cast<unsigned>(i);
  for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll
    for (std::uint64_t k = 0; k < issued_by_warp_a_round / chains; ++k) {
#pragma unroll
      for (int i = 0; i < chains; ++i) {
        v[i] = next<pipe>(v[i]);
        asm volatile("" : "+r"(v[i]));  // no two become one
      }
    }
  }
  std::uint32_t all = 0;
  for (int i = 0; i < chains; ++i) all ^= v[i];
  if (all == 0x5A5A5A5Au) *sink = all;  // so that the work is not in vain
}

}  // namespace

void issue(CUstream_st* stream, Pipe pipe, unsigned blocks, unsigned rounds, std::uint32_t* sink) {
  if (pipe == Pipe::fma) {
    issue_kernel<Pipe::fma><<<blocks, issue_block, 0, stream>>>(rounds, sink);
  } else {
    issue_kernel<Pipe::integer><<<blocks, issue_block, 0, stream>>>(rounds, sink);
  }
}

}  // namespace sightline::bench
