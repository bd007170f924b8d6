#include "bench/rivals/device_ray_sort.hpp"

#include "host/cuda/device/check.hpp"
#include "kernels/build/morton.cuh"

#include <cub/device/device_radix_sort.cuh>

namespace sightline::rivals {
namespace {

constexpr int block = 128;
/// Signs and 28 bits of place: half the passes of whole codes.
constexpr int place_bits = 28, code_bits = place_bits + 3;

__device__ Vec3 place_of(const Vec3& o, const Vec3& d, float t_min, float t_max,
                         const Aabb& around) {
  const float t = t_max < infinity ? 0.5f * t_min + 0.5f * t_max : 0;
  const Vec3 p = {o.x + t * d.x, o.y + t * d.y, o.z + t * d.z};
  return {min(max(p.x, around.min.x), around.max.x), min(max(p.y, around.min.y), around.max.y),
          min(max(p.z, around.min.z), around.max.z)};
}

__global__ void __launch_bounds__(block)
    code_kernel(CubqlRays rays, kernels::MortonFrame frame, Aabb around, std::uint32_t* code,
                std::uint32_t* index) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * block + threadIdx.x;
  if (i >= rays.count) return;
  const Vec3 d = rays.direction[i];
  const Vec3 p = place_of(rays.origin[i], d, rays.t_min, rays.t_max, around);
  const std::uint32_t signs = (d.x < 0.0f) << 2 | (d.y < 0.0f) << 1 | (d.z < 0.0f);
  code[i] = signs << place_bits |
            static_cast<std::uint32_t>(frame.code(p) >> (kernels::MortonFrame::bits - place_bits));
  index[i] = static_cast<std::uint32_t>(i);
}

}  // namespace

DeviceRaySort::DeviceRaySort(std::uint32_t most, const Aabb& around)
    : most_(most), around_(around) {
  std::uint32_t* const none_yet = nullptr;
  cuda::check(cub::DeviceRadixSort::SortPairs(nullptr, temporary_bytes_, none_yet, none_yet,
                                              none_yet, none_yet, most, 0, code_bits),
              "cub::DeviceRadixSort::SortPairs");
  cuda::check(cudaMalloc(&memory_, 4 * sizeof(std::uint32_t) * (most + std::size_t{1})),
              "cudaMalloc");
  const cudaError_t error = cudaMalloc(&temporary_, temporary_bytes_);
  if (error != cudaSuccess) cudaFree(memory_);
  cuda::check(error, "cudaMalloc");
}

DeviceRaySort::~DeviceRaySort() {
  cudaFree(memory_);
  cudaFree(temporary_);
}

const std::uint32_t* DeviceRaySort::sort(CUstream_st* stream, const CubqlRays& rays) {
  std::uint32_t *const code = memory_, *const sorted_code = code + most_,
                       *const index = sorted_code + most_, *const order = index + most_;
  if (rays.count == 0) return order;
  const auto blocks = static_cast<unsigned>((rays.count + block - 1) / block);
  code_kernel<<<blocks, block, 0, stream>>>(rays, kernels::MortonFrame(around_), around_, code,
                                            index);
  cuda::check_launch("code_kernel");
  cuda::check(
      cub::DeviceRadixSort::SortPairs(temporary_, temporary_bytes_, code, sorted_code, index, order,
                                      static_cast<std::uint32_t>(rays.count), 0, code_bits, stream),
      "cub::DeviceRadixSort::SortPairs");
  return order;
}

}  // namespace sightline::rivals
