// What the verbs read before they work: scene, device, rays, points.
#pragma once

#include "host/cli/job.hpp"
#include "host/io/points_file.hpp"
#include "host/io/rays_file.hpp"

#include <sightline/caster.hpp>

#include <initializer_list>

namespace sightline::cli {

struct LoadedScene {
  Scene scene;
  std::string hash;
  io::Metadata metadata;
};

/// Reads a scene within the job's memory, and says and reports what it is.
LoadedScene load_scene(Job& job, const std::string& file);

/// The backend of a device's name. Throws Error{device} for a device number that is not there.
Backend backend_of(const std::string& device);

/// Builds the caster within the job's memory, says and reports the device chosen.
Caster build_caster(Job& job, Scene scene);
Caster build_caster(Job& job, Scene scene, const std::string& device);

/// The rays that the arguments name. Throws Error{usage} when they name none.
io::RaysSource open_rays(const RaysArguments& input, const io::RayDefaults& defaults);

/// Reads points within the job's memory, and reports them under `key`.
io::Points load_points(Job& job, const std::string& file, const std::string& key);

/// Throws Error{usage} when an output, or the job's report, has the name of another of its files.
void refuse_same_files(Job& job, const std::vector<std::string>& inputs,
                       std::vector<std::string> outputs);

/// How many shape tests make a chunk between two looks at the interrupt flag.
inline constexpr std::uint64_t tests_per_chunk = std::uint64_t{1} << 26;
/// Elements (rays, pairs) of a chunk: at most `most`, fewer by brute force over many shapes.
std::uint64_t chunk_size(const Caster& caster, std::uint64_t most);

}  // namespace sightline::cli
