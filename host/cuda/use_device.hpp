// How a backend chooses its device, works on it and leaves it.
#pragma once

#include "host/cuda/chunks/workspace.hpp"
#include "host/cuda/device/scene.hpp"

#include <sightline/caster.hpp>

#include <optional>
#include <type_traits>

namespace sightline::cuda {

/// The device of this index. Throws Error{device} saying why it cannot be used.
CudaDevice usable_device(int index);

/// Asks anew what the devices are: for tests, whose devices change.
void forget_devices();

SceneOptions scene_options(const CudaOptions& options);

/// Runs the query. Where memory is short, earlier queries' workspaces may hold it: they are
/// released, and the query runs once more.
template <class Query>
std::invoke_result_t<Query> answer_on(int device, WorkspacePool& pool, Query&& query) {
  const DeviceGuard guard(device);
  return with_room(pool, query);
}

/// Calls end(), which releases memory and streams, with their device current if that is still
/// possible.
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
