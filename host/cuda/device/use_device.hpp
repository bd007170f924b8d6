// How a backend comes to its device, works on it and leaves it.
#pragma once

#include "host/cuda/device/scene.hpp"
#include "host/cuda/device/workspace.hpp"

#include <sightline/devices.hpp>

#include <optional>
#include <type_traits>

namespace sightline::cuda {

/// The device asked for. Throws Error{device} saying why it cannot be used.
CudaDevice usable_device(int index);

SceneOptions scene_options(const CasterOptions& options);

/// What the query answers. Where memory was short, it may have been so for what earlier queries had
/// left in its workspace: that one has ended with the error, and it is asked once more.
template <class Query>
std::invoke_result_t<Query> answer_on(int device, WorkspacePool& pool, Query&& query) {
  const DeviceGuard guard(device);
  try {
    return query();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
  }
  pool.trim();
  return query();
}

/// Calls end(), in which memory and streams end, while their device is current, where it still can
/// be.
template <class End>
void end_on(int device, End&& end) {
  std::optional<DeviceGuard> guard;
  try {
    guard.emplace(device);
  } catch (const Error&) {
  }
  end();
}

}  // namespace sightline::cuda
