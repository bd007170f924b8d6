// The parts of add_device(), a file each.
#pragma once

#include "bench/harness/benchmarks.hpp"
#include "host/cuda/device/scene.hpp"

namespace sightline::bench {

/// What a new process waits for once; calls 1 and 2 of each.
void add_first_calls();
/// Copies on the device and over the bus, and instructions that warps issue.
void add_ceilings();
/// Trees over shapes that are on the device already.
void add_device_builds(const SceneName& scene);
/// Matrices on the device: with boxes of targets and pair by pair, from the targets and the root.
void add_boxes(const SceneName& scene);
/// NVIDIA's cuBQL; nothing where the build has none.
void add_device_rivals(const SceneName& scene);

/// The scene on the device, with its tree; kept until another is asked for.
const cuda::ResidentScene& resident(World& world);

}  // namespace sightline::bench
