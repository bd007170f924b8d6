#include <sightline/caster.hpp>

#include "host/common/checks.hpp"
#include "host/cuda/device/check.hpp"
#include "host/cuda/use_device.hpp"
#include "kernels/launch/launch.hpp"

#include <map>
#include <mutex>

namespace sightline {
namespace {

std::string reason_for(cudaError_t error) {
  switch (error) {
    case cudaErrorInsufficientDriver:
      return "the NVIDIA driver is missing or older than this program's CUDA";
    case cudaErrorNoDevice:
      return "this machine has no CUDA device";
    case cudaErrorDevicesUnavailable:
      return "the device is busy or its use is prohibited";
    default:
      return std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
  }
}

bool too_old(const CudaDevice& device) {
  return device.major < kernels::oldest_major ||
         (device.major == kernels::oldest_major && device.minor < kernels::oldest_minor);
}

/// What the devices are, which does not change while the process runs: the runtime takes
/// milliseconds to tell, and a caster asks twice.
struct KnownDevices {
  std::mutex mutex;
  std::map<int, CudaDevice> by_index;
};
KnownDevices& known_devices() {
  static KnownDevices known;
  return known;
}

/// Describes a device without a context: listing devices takes none of their memory.
CudaDevice describe(int index) {
  KnownDevices& known = known_devices();
  const std::lock_guard lock(known.mutex);
  if (const auto at = known.by_index.find(index); at != known.by_index.end()) return at->second;
  CudaDevice device;
  device.index = index;
  cudaDeviceProp properties = {};
  const cudaError_t error = cudaGetDeviceProperties(&properties, index);
  if (error != cudaSuccess) {
    cuda::ignore(error);
    device.name = "unknown";
    device.problem = reason_for(error);
    return device;
  }
  device.name = properties.name;
  device.major = properties.major;
  device.minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.memory_bytes = properties.totalGlobalMem;
  if (too_old(device)) {
    device.problem = "its compute capability " + std::to_string(device.major) + "." +
                     std::to_string(device.minor) + " is older than " +
                     std::to_string(kernels::oldest_major) + "." +
                     std::to_string(kernels::oldest_minor);
  }
  return known.by_index[index] = device;
}

}  // namespace

CudaDevices cuda_devices() {
  return detail::in_words([&] {
    CudaDevices found;
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
      cuda::ignore(error);
      found.problem = reason_for(error);
      return found;
    }
    bool usable = false;
    for (int i = 0; i < count; ++i) {
      found.devices.push_back(describe(i));
      const CudaDevice& device = found.devices.back();
      if (device.problem.empty()) {
        usable = true;
      } else {
        found.problem += (found.problem.empty() ? "" : "; ") + device.name + ": " + device.problem;
      }
    }
    if (usable) found.problem.clear();
    if (count == 0) found.problem = reason_for(cudaErrorNoDevice);
    return found;
  });
}

namespace cuda {

void forget_devices() {
  const std::lock_guard lock(known_devices().mutex);
  known_devices().by_index.clear();
}

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

SceneOptions scene_options(const CudaOptions& options) {
  SceneOptions scene;
  scene.search = options.search;
  scene.build = options.tree;
  return scene;
}

}  // namespace cuda
}  // namespace sightline
