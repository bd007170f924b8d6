// Rays that are on a GPU already: no copy, no wait, in a stream of one's own. Needs an NVIDIA GPU
// and a sightline with the CUDA backend.
#include <sightline/sightline.hpp>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  using namespace sightline;
  const CudaDevices found = cuda_devices();
  if (!found.problem.empty()) {
    std::printf("no device: %s\n", found.problem.c_str());
    return 0;
  }
  Scene scene;
  scene.add_aabb({{4, -100, -100}, {5, 100, 100}});
  const Caster caster(std::move(scene), CudaOptions{.device = 0});

  constexpr std::size_t n = 1 << 20;
  std::vector<Vec3> directions;
  for (std::size_t i = 0; i < n; ++i) directions.push_back({1, static_cast<float>(i) / n, 0});

  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  Vec3* direction = nullptr;  // in memory of the device, as a simulation leaves them
  float* t = nullptr;
  cudaMalloc(&direction, n * sizeof(Vec3));
  cudaMalloc(&t, n * sizeof(float));
  cudaMemcpyAsync(direction, directions.data(), n * sizeof(Vec3), cudaMemcpyHostToDevice, stream);

  const RaysView rays{Vec3{0, 0, 0}, std::span<const Vec3>(direction, n)};
  caster.closest_hit_on_device(rays, {.t = {t, n}}, stream);

  float last = 0;  // what follows in the stream finds the answers
  cudaMemcpyAsync(&last, t + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::printf("%s: the last ray hits at t = %g\n", caster.description().c_str(), last);
  cudaFree(direction), cudaFree(t), cudaStreamDestroy(stream);
  return last == 4 ? 0 : 1;
}
