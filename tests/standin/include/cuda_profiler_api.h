// The runtime's header of this name, for the stand-in, of which there is nothing to profile.
#pragma once

#include <cuda_runtime_api.h>

extern "C" {

cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

}  // extern "C"
