// Which backend answers, where the caller leaves it open.
#pragma once

#include "host/common/checks.hpp"
#include "host/common/workers.hpp"

#include <sightline/caster.hpp>

#include <memory>
#include <string>

namespace sightline::detail {

/// A backend of type T in use.
template <class T>
struct ChosenBackend {
  Backend kind;
  std::unique_ptr<T> backend;
  std::string why_not_cuda;  ///< where AutomaticOptions found no device that it could use
};

template <class T>
std::string described(const ChosenBackend<T>& chosen) {
  const std::string words = chosen.backend->description();
  return chosen.why_not_cuda.empty() ? words : words + " (no CUDA: " + chosen.why_not_cuda + ")";
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

inline void check(const ReferenceOptions&) {}
inline void check(const CpuOptions& options) {
  check_choice(options.search, Search::tree, "search");
  check_choice(options.lanes, Lanes::portable, "kind of lanes");
  thread_count(options.threads);
}
inline void check(const CudaOptions& options) {
  check_choice(options.search, Search::tree, "search");
  check_choice(options.tree, TreeBuild::careful, "way of building trees");
}
inline void check(const AutomaticOptions& options) { check(options.cpu), check(options.cuda); }

inline Backend backend_of(const ReferenceOptions&) { return Backend::reference; }
inline Backend backend_of(const CpuOptions&) { return Backend::cpu; }
inline Backend backend_of(const CudaOptions&) { return Backend::cuda; }

/// make(options) makes the backend that options are of.
template <class T, class Options, class Make>
ChosenBackend<T> choose(const Options& options, const Make& make) {
  return {backend_of(options), make(options), {}};
}
/// The fastest that can be had.
template <class T, class Make>
ChosenBackend<T> choose(const AutomaticOptions& options, const Make& make) {
  const CudaDevices found = cuda_devices();
  CudaOptions cuda = options.cuda;
  const CudaDevice* const device = automatic_device(found, cuda.device);
  std::string why_not = found.problem;
  if (device != nullptr) {
    cuda.device = device->index;
    try {
      return {Backend::cuda, make(cuda), {}};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::out_of_memory) throw;
      why_not = error.what();
    }
  }
  return {Backend::cpu, make(options.cpu), why_not};
}

template <class T, class Make>
ChosenBackend<T> choose_backend(const CasterOptions& options, const Make& make) {
  return std::visit(
      [&](const auto& of_one) {
        check(of_one);
        return choose<T>(of_one, make);
      },
      options);
}

}  // namespace sightline::detail
