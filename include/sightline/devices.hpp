// The CUDA devices of this machine, and why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sightline {

/// One device as the driver tells of it.
struct CudaDevice {
  int index = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::string problem;  ///< why it cannot be used, in words; empty: it can
};

struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string problem;  ///< why none can be used: no driver, no device, none usable; else empty
};

/// Asks the driver. Throws nothing but Error{out_of_memory}.
CudaDevices cuda_devices();

}  // namespace sightline
