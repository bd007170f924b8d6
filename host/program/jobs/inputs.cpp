#include "host/program/jobs/inputs.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/pictures/canvas.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/caster.hpp>
#include <sightline/geometry/bvh/bvh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sightline::cli {
namespace {

constexpr std::uint64_t cuda_chunk_factor = 8;

void read_shapes(const std::string& file, Loaded<Scene>& to, io::Notes& notes) {
  to.scene = io::read_scene(file, &to.metadata, &notes);
}
void read_shapes(const std::string& file, Loaded<FlatScene>& to, io::Notes& notes) {
  to.scene = io::read_flat_scene(file, &to.metadata, &notes);
}
std::string hash_of(const Scene& scene) { return io::scene_hash(scene); }
std::string hash_of(const FlatScene& scene) { return io::flat_hash(scene); }

CasterOptions options_of(const Job& job, std::optional<Backend> backend, int device,
                         Search search) {
  const CpuOptions cpu = {job.common().threads, job.common().lanes, search};
  const CudaOptions cuda = {.device = device, .search = search};
  if (!backend) return AutomaticOptions{cpu, cuda};
  if (backend == Backend::reference) return ReferenceOptions{};
  return backend == Backend::cpu ? CasterOptions(cpu) : cuda;
}

/// Builds a caster within the job's memory over so many shapes, and reports the device chosen.
template <class C, class S>
C build(Job& job, S scene, const std::string& device, Search search) {
  refuse_lanes_without_cpu(job.common().lanes, job.common().device);
  const std::optional<Backend> backend = backend_of(device);
  // The tree and what its builder keeps of each shape meanwhile: a box and an id. Without a tree
  // the boxes alone. A CUDA device builds in its own memory.
  const bool on_device = backend == Backend::cuda || (!backend && job.common().max_memory == 0 &&
                                                      cuda_devices().problem.empty());
  const std::uint64_t tree_bytes =
      backend == Backend::reference || on_device ? 0
      : search == Search::brute_force
          ? scene.size() * sizeof(Aabb)
          : scene.size() * (sizeof(BvhNode) + sizeof(Aabb) + sizeof(std::uint32_t));
  require_memory(job.common().max_memory, tree_bytes, "the tree over the scene");
  C caster = job.timed("build", [&] {
    return C(std::move(scene), options_of(job, backend, number_of(device), search));
  });
  const std::string description = caster.description();
  job.set("/device/asked", device);
  job.set("/device/backend", description.substr(0, description.find(':')));
  job.set("/device/description", description);
  job.set("/scene/memory_bytes", caster.memory_bytes());
  job.say("device  {}", description);
  poll_interrupt();
  return caster;
}

/// Whether both name one file, be it there or not.
bool is_same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  const auto place = [&](const std::string& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name, ignored), ignored);
  };
  return a == b || std::filesystem::equivalent(a, b, ignored) || place(a) == place(b);
}

/// Throws Error{usage} where one of the files is what a job keeps of unfinished work on an output.
void refuse_kept_work(Job& job, const std::vector<std::string>& files,
                      const std::vector<std::string>& written) {
  for (const std::string& output : written) {
    for (const std::string& kept : {io::partial_name(output), io::journal_name(output)}) {
      for (const std::string& file : files) {
        if (output.empty() || !is_same_file(kept, file)) continue;
        const std::string& report = job.common().json;
        if (output == report || is_same_file(file, report)) job.drop_report();
        io::fail(ErrorKind::usage, "{}: is where unfinished work on {} is kept", file, output);
      }
    }
  }
}

}  // namespace

std::string unit_of(const io::Metadata& scene) {
  const auto at = scene.find("unit");
  return at == scene.end() ? "m" : at->second;
}

std::string many(const std::string& unit) { return unit.size() > 2 ? unit + "s" : unit; }

UpAxis up_of(const io::Metadata& scene) {
  const auto at = scene.find("up");
  return at != scene.end() && at->second == "y" ? UpAxis::y : UpAxis::z;
}

void warn_of(Job& job, const io::Notes& notes) {
  for (const std::string& note : notes) job.warn(note);
}

void warn_of_bad(Job& job, std::uint64_t bad, const std::string& of, const char* one,
                 const char* several) {
  if (bad == 0) return;
  job.warn("{} of {} {} bad (NaN, infinite or beyond 2^40) and {}", grouped(bad), of,
           agreeing(bad, "is", "are"), agreeing(bad, one, several));
}

void warn_if_empty(Job& job, const std::string& file, std::uint64_t count, const char* what) {
  if (count == 0) job.warn("{}: has no {}", file, what);
}

template <class S>
Loaded<S> load_scene(Job& job, const std::string& file, const std::string& key) {
  job.set(key + "/file", file);
  // A scene in memory is never smaller than its columns in a container; of text this is a guess.
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("the scene {}", file));
  io::Notes notes;
  Loaded<S> loaded;
  job.timed("read_scene", [&] { read_shapes(file, loaded, notes); });
  warn_of(job, notes);
  loaded.hash = hash_of(loaded.scene);
  const std::uint64_t shapes = loaded.scene.size();
  if (shapes == 0) job.warn("{}: the scene has no shapes", file);
  job.set(key + "/shapes", shapes);
  job.set(key + "/hash", loaded.hash);
  job.say("scene   {}: {}, hash {}", file, plural(shapes, "shapes"), loaded.hash);
  poll_interrupt();
  return loaded;
}
template Loaded<Scene> load_scene(Job&, const std::string&, const std::string&);
template Loaded<FlatScene> load_scene(Job&, const std::string&, const std::string&);

std::optional<Backend> backend_of(const std::string& device) {
  if (device == "auto") return std::nullopt;
  if (device == "reference") return Backend::reference;
  if (device == "cpu") return Backend::cpu;
  return Backend::cuda;
}

int number_of(const std::string& device) {
  constexpr std::string_view numbered = "cuda:";
  return device.starts_with(numbered) ? std::stoi(device.substr(numbered.size())) : 0;
}

void refuse_lanes_without_cpu(Lanes lanes, const std::string& device) {
  if (lanes == Lanes::automatic || backend_of(device).value_or(Backend::cpu) == Backend::cpu) {
    return;
  }
  io::fail(ErrorKind::usage, "--lanes is for the cpu, not for {}", device);
}

std::string lanes_of(const Caster& caster) {
  constexpr std::string_view before = "lanes of ";
  const std::string description = caster.description();
  const std::size_t begin = description.find(before);
  if (begin == std::string::npos) return "";
  const std::size_t name = begin + before.size();
  return description.substr(name, description.find(',', name) - name);
}

Caster build_caster(Job& job, Scene scene, const std::string& device, Search search) {
  Caster caster = build<Caster>(job, std::move(scene), device, search);
  if (const std::string lanes = lanes_of(caster); !lanes.empty()) job.set("/device/lanes", lanes);
  return caster;
}

FlatCaster build_caster(Job& job, FlatScene scene, const std::string& device) {
  return build<FlatCaster>(job, std::move(scene), device, Search::automatic);
}

io::Points load_points(Job& job, const std::string& file, const std::string& key) {
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("points {}", file));
  io::Notes notes;
  io::Points points = io::read_points(file, &notes);
  warn_of(job, notes);
  warn_if_empty(job, file, points.count(), "points");
  job.set(key + "/file", file);
  job.set(key + "/count", points.count());
  return points;
}

NavMap load_map(Job& job, const std::string& file, io::Metadata& metadata) {
  require_memory(job.common().max_memory, io::File(file).size(), fmt::format("map {}", file));
  return io::read_nav(file, &metadata);
}

void refuse_other_kind(const OutputFile& output) {
  std::string found;
  try {
    if (!io::exists(output.file) || io::format_of(output.file) != io::FileFormat::container) return;
    found = io::ContainerReader(output.file).metadata(io::kind_key);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::internal || error.kind() == ErrorKind::out_of_memory) throw;
    return;  // a file that nobody can read is no loss
  }
  if (found == output.kind || output.restart) return;
  io::fail(ErrorKind::usage, "{}: holds {}, which {} would replace: name another output, {}",
           output.file, found.empty() ? "tensors of another program" : io::in_quotes(found),
           output.kind.empty() ? "another file" : fmt::format("'{}'", output.kind),
           output.can_restart ? "delete it, or add --restart" : "or delete it first");
}

void check_files(Job& job, const std::vector<std::string>& inputs,
                 const std::vector<OutputFile>& files) {
  std::vector<std::string> outputs;
  for (const OutputFile& one : files) outputs.push_back(one.file);
  for (const std::string& file : outputs) {
    if (!file.starts_with('-')) continue;
    io::fail(ErrorKind::usage, "{}: output names may not start with '-'; ./{} may be meant", file,
             file);
  }
  const std::vector<std::string> written = outputs;
  const std::string report = job.common().json;
  if (report.starts_with('-') && report != "-") {
    job.drop_report();
    io::fail(ErrorKind::usage, "--json {}: names of reports may not start with '-'", report);
  }
  if (report != "-") outputs.push_back(report);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].empty()) continue;
    const auto refuse = [&](const std::string& other) {
      if (is_same_file(outputs[i], other)) {
        if (is_same_file(outputs[i], report)) job.drop_report();
        io::fail(ErrorKind::usage, "{}: named twice, once as output", outputs[i]);
      }
    };
    std::for_each(inputs.begin(), inputs.end(), refuse);
    std::for_each(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), refuse);
    if (io::has_ending(outputs[i], ".png")) io::require_pictures(outputs[i]);
  }
  try {
    if (report != "-") refuse_other_kind(report);
  } catch (const Error&) {
    job.drop_report();  // of this failure too
    throw;
  }
  for (const OutputFile& one : files) refuse_other_kind(one);
  refuse_kept_work(job, inputs, outputs);
  refuse_kept_work(job, outputs, outputs);
  job.check_report();
  for (const std::string& file : written) {
    if (!file.empty() && !job.common().dry_run) io::check_can_write(file);
  }
}

void require_ending(const std::string& file, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (io::has_ending(file, ending)) return;
  }
  io::fail(ErrorKind::usage, "{}: this picture is written as {}", file, fmt::join(endings, ", "));
}

std::uint64_t copies_in_memory(Backend backend) { return backend == Backend::cuda ? 2 : 1; }

std::uint64_t chunk_size(Backend backend, std::uint64_t shapes, std::uint64_t most) {
  if (backend == Backend::cuda) return most * cuda_chunk_factor;
  if (backend != Backend::reference) return most;
  return std::clamp<std::uint64_t>(tests_per_chunk / std::max<std::uint64_t>(1, shapes) / 64 * 64,
                                   64, most);
}

}  // namespace sightline::cli
