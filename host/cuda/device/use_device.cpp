#include "host/cuda/device/use_device.hpp"

namespace sightline::cuda {

CudaDevice usable_device(int index) {
  const CudaDevices found = cuda_devices();
  if (found.devices.empty()) {
    throw Error(ErrorKind::device, "there is no CUDA device to use: " + found.problem);
  }
  const std::string name = "cuda:" + std::to_string(index);
  if (index < 0 || static_cast<std::size_t>(index) >= found.devices.size()) {
    throw Error(ErrorKind::device, name + ": there is no such device; this machine has " +
                                       std::to_string(found.devices.size()));
  }
  const CudaDevice& device = found.devices[static_cast<std::size_t>(index)];
  if (!device.problem.empty()) {
    throw Error(ErrorKind::device, name + ": " + device.name + ": " + device.problem);
  }
  return device;
}

SceneOptions scene_options(const CasterOptions& options) {
  SceneOptions scene;
  scene.search = options.search;
  scene.build = options.tree;
  return scene;
}

}  // namespace sightline::cuda
