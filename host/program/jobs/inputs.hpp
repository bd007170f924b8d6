// What the verbs read before they work: scene, device, rays, points.
#pragma once

#include "host/files/formats/points_file.hpp"
#include "host/program/jobs/job.hpp"

#include <sightline/caster.hpp>
#include <sightline/flat.hpp>
#include <sightline/geometry/shapes/up_axis.hpp>
#include <sightline/nav.hpp>

#include <initializer_list>

namespace sightline::cli {

/// A scene, or a set of 2D shapes.
template <class S>
struct Loaded {
  S scene;
  std::string hash;
  io::Metadata metadata;
};
using LoadedScene = Loaded<Scene>;

/// Warns of what was changed as a file was read.
void warn_of(Job& job, const io::Notes& notes);
/// Warns of bad points, or of what is at them, where there are any: "finds nothing" of one, "find
/// nothing" of several.
void warn_of_bad(Job& job, std::uint64_t bad, const std::string& of, const char* one,
                 const char* several);
/// Warns of a file that has none of what it should have: `what` is "rays".
void warn_if_empty(Job& job, const std::string& file, std::uint64_t count, const char* what);

/// What a scene's metadata say of lengths and of up: m and z where they say nothing.
std::string unit_of(const io::Metadata& scene);
/// "m", but "doom map units".
std::string many(const std::string& unit);
UpAxis up_of(const io::Metadata& scene);

/// Reads a scene or a set within the job's memory, says what it is, and reports that under `key`.
template <class S = Scene>
Loaded<S> load_scene(Job& job, const std::string& file, const std::string& key = "/scene");

/// The backend of a device's name, none for `auto`, and its number where it has one; cuda is
/// cuda:0.
std::optional<Backend> backend_of(const std::string& device);
int number_of(const std::string& device);

/// Throws Error{usage} where lanes were asked for and the device cannot be the cpu.
void refuse_lanes_without_cpu(Lanes lanes, const std::string& device);
/// The name of the lanes that the caster runs on, as --lanes has it; "" where it has none.
std::string lanes_of(const Caster& caster);

/// Builds the caster within the job's memory, says and reports the device chosen.
Caster build_caster(Job& job, Scene scene, const std::string& device,
                    Search search = Search::automatic);
inline Caster build_caster(Job& job, Scene scene) {
  return build_caster(job, std::move(scene), job.common().device);
}
FlatCaster build_caster(Job& job, FlatScene scene, const std::string& device);

/// Reads points within the job's memory, and reports them under `key`.
io::Points load_points(Job& job, const std::string& file, const std::string& key);

/// Reads a navigation map within the job's memory.
NavMap load_map(Job& job, const std::string& file, io::Metadata& metadata);

/// A file that a verb writes; no name where it writes none.
struct OutputFile {
  // NOLINTNEXTLINE(google-explicit-constructor): most outputs are names alone.
  OutputFile(std::string name, std::string_view of_kind = "")
      : file(std::move(name)), kind(of_kind) {}

  std::string file;
  std::string kind;  ///< what its container will say that it holds; "" of other formats
  bool can_restart = false, restart = false;  ///< whether there is --restart, and it was given
};
/// Throws Error{usage} where the file is there and is a container of another kind or of none, such
/// as another program writes. A slip of a name would lose what took hours. A file of the same kind
/// may be replaced.
void refuse_other_kind(const OutputFile& output);

/// Before any work: throws Error{usage} when an output, or the job's report, has the name of
/// another of its files or none that a file could have, or would replace what is of another kind,
/// and Error{io} for an output that cannot be written.
void check_files(Job& job, const std::vector<std::string>& inputs,
                 const std::vector<OutputFile>& files);

/// Throws Error{usage} unless the name ends in one of these, which are as ".png".
void require_ending(const std::string& file, std::initializer_list<const char*> endings);

/// How often the rays and answers of a chunk lie in main memory: a CUDA device takes them from
/// pinned copies.
std::uint64_t copies_in_memory(Backend backend);

/// How many shape tests make a chunk between two looks at the interrupt flag.
inline constexpr std::uint64_t tests_per_chunk = std::uint64_t{1} << 26;
/// Elements (rays, pairs) of a chunk: `most`, fewer by brute force over many shapes, and more for a
/// CUDA device, which is faster than its launches at so few.
std::uint64_t chunk_size(Backend backend, std::uint64_t shapes, std::uint64_t most);

}  // namespace sightline::cli
