// The devices, and the words for the runtime's errors.
#include "tests/standin/machine.hpp"

#include <cstdio>

namespace sightline::standin {

int& current_device() {
  thread_local int device = 0;
  return device;
}

namespace {

struct ErrorWords {
  cudaError_t error;
  const char *name, *text;
};

constexpr ErrorWords all_errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {cudaErrorECCUncorrectable, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {cudaErrorUnsupportedPtxVersion, "cudaErrorUnsupportedPtxVersion",
     "the provided PTX was compiled with an unsupported toolchain."},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHardwareStackError, "cudaErrorHardwareStackError", "hardware stack error"},
    {cudaErrorIllegalInstruction, "cudaErrorIllegalInstruction",
     "an illegal instruction was encountered"},
    {cudaErrorMisalignedAddress, "cudaErrorMisalignedAddress", "misaligned address"},
    {cudaErrorInvalidAddressSpace, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {cudaErrorInvalidPc, "cudaErrorInvalidPc", "invalid program counter"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

}  // namespace
}  // namespace sightline::standin

using namespace sightline::standin;

const char* cudaGetErrorName(cudaError_t error) {
  for (const ErrorWords& words : all_errors) {
    if (words.error == error) return words.name;
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  for (const ErrorWords& words : all_errors) {
    if (words.error == error) return words.text;
  }
  return "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int* count) {
  const Call call;
  *count = 0;
  if (call.error() != cudaSuccess) return call.end(call.error());
  *count = machine().plan.devices;
  return call.end(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaGetDevice(int* device) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  *device = current_device();
  return call.end(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  if (device < 0 || device >= machine().plan.devices) return call.end(cudaErrorInvalidDevice);
  current_device() = device;
  return call.end(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  const Plan& p = machine().plan;
  if (device < 0 || device >= p.devices) return call.end(cudaErrorInvalidDevice);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "stand-in device %d", device);
  properties->totalGlobalMem = p.memory_bytes;
  properties->major = p.major;
  properties->minor = p.minor;
  properties->multiProcessorCount = 4;
  return call.end(cudaSuccess);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const Call call;
  if (call.error() != cudaSuccess) return call.end(call.error());
  const Plan& p = machine().plan;
  if (device < 0 || device >= p.devices) return call.end(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrMaxGridDimX:
      *value = 0x7FFFFFFF;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = 48 * 1024;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 4;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = p.memory_pools;
      break;
    default:
      return call.end(cudaErrorInvalidValue);
  }
  return call.end(cudaSuccess);
}
