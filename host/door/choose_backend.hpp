// Which backend answers, where the caller leaves it open.
#pragma once

#include "host/common/checks.hpp"

#include <sightline/caster.hpp>

#include <memory>
#include <string>

namespace sightline::detail {

/// A backend of type T in use.
template <class T>
struct ChosenBackend {
  Backend kind;  ///< never `automatic`
  std::unique_ptr<T> backend;
  std::string why_not_cuda;  ///< where `automatic` found no device that it could use
};

template <class T>
std::string described(const T& backend, const std::string& why_not_cuda) {
  const std::string words = backend.description();
  return why_not_cuda.empty() ? words : words + " (no CUDA: " + why_not_cuda + ")";
}

/// Of the devices that can be used the one asked for, or else the first; none: null.
inline const CudaDevice* automatic_device(const CudaDevices& found, int asked) {
  const CudaDevice* first = nullptr;
  for (const CudaDevice& device : found.devices) {
    if (!device.problem.empty()) continue;
    if (device.index == asked) return &device;
    if (first == nullptr) first = &device;
  }
  return first;
}

inline void check(Backend backend, const CasterOptions& options) {
  check_choice(backend, Backend::cuda, "backend");
  check_choice(options.search, Search::tree, "search");
  check_choice(options.tree, TreeBuild::careful, "way of building trees");
  check_choice(options.lanes, Lanes::portable, "kind of lanes");
  if (options.threads < 0) {
    refuse("the number of threads is " + std::to_string(options.threads) + ", below 0");
  }
}

/// make(kind, options) makes a backend of a kind that is not `automatic`, which is the fastest that
/// can be had.
template <class T, class Make>
ChosenBackend<T> choose_backend(Backend kind, CasterOptions options, const Make& make) {
  check(kind, options);
  if (kind != Backend::automatic) return {kind, make(kind, options), {}};
  const CudaDevices found = cuda_devices();
  const CudaDevice* const device = automatic_device(found, options.device);
  std::string why_not = found.problem;
  if (device != nullptr) {
    options.device = device->index;
    try {
      return {Backend::cuda, make(Backend::cuda, options), {}};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::out_of_memory) throw;
      why_not = error.what();
    }
  }
  return {Backend::cpu, make(Backend::cpu, options), why_not};
}

}  // namespace sightline::detail
