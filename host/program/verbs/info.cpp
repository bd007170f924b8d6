// info: about the program and its devices, or about a file.
#include "host/program/checks/info.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/arguments/options.hpp"
#include "host/program/engine/bytes.hpp"
#include "host/program/engine/inputs.hpp"

#include <sightline/caster.hpp>
#include <sightline/devices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace sightline::cli {
namespace {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

/// All devices, the useless ones with their reason; none of them is put to work for it.
void describe_cuda(const Facts& facts, const CudaDevices& found) {
  if (!found.problem.empty()) {
    facts.job().set("/cuda/problem", found.problem);
    facts.line("--device cuda", "cannot be used: " + found.problem);
  }
  for (const CudaDevice& device : found.devices) {
    const std::string name = fmt::format("cuda:{}", device.index);
    const std::string capability = fmt::format("{}.{}", device.major, device.minor);
    std::string words =
        fmt::format("{} (sm_{}{}), {} multiprocessors, {}", device.name, device.major, device.minor,
                    device.multiprocessors, format_bytes(device.memory_bytes));
    const std::string key = fmt::format("/cuda/devices/{}", device.index);
    facts.job().set(key + "/name", device.name);
    facts.job().set(key + "/capability", capability);
    facts.job().set(key + "/memory_bytes", device.memory_bytes);
    if (device.problem.empty()) {
      facts.job().append("/devices", fmt::format("{}: {}", name, words));
    } else {
      facts.job().set(key + "/problem", device.problem);
      words += "; cannot be used: " + device.problem;
    }
    facts.line(fmt::format("--device {}", name), words);
  }
}

void describe_program(const Facts& facts) {
  facts.line("sightline", SIGHTLINE_VERSION);
  facts.line("answers", fmt::format("version {}", answers_version));
  facts.add("/cpu", "cpu", cpu_name());
  for (const auto& [name, backend] :
       {std::pair("reference", Backend::reference), std::pair("cpu", Backend::cpu)}) {
    std::string words = Caster(Scene{}, backend).description();
    facts.job().append("/devices", words);
    if (words.starts_with(name)) words.erase(0, words.find(' ') + 1);
    facts.line(fmt::format("--device {}", name), words);
  }
  describe_cuda(facts, cuda_devices());
}

/// What a container holds, by its metadata or, where others wrote it, by its tensors.
std::string kind_of(const io::ContainerReader& file) {
  std::string kind = file.metadata(io::kind_key);
  if (!kind.empty()) return kind;
  if (file.find("origin") != nullptr) return "rays";
  if (file.find("point.position") != nullptr) return "points";
  if (file.find("area.height") != nullptr) return "areas";
  for (const char* tensor : {"circle.center", "sector.center", "polygon.corner", "obb.turn"}) {
    if (file.find(tensor) != nullptr) return "flat scene";
  }
  return "scene";
}

void describe_container(const Facts& facts, const std::string& file) {
  const io::ContainerReader reader(file);
  const std::string kind = kind_of(reader);
  facts.add("/file/kind", "holds", kind);
  facts.add("/file/bytes", "bytes", reader.file_bytes());
  if (kind == "scene") {
    describe_scene(facts, file);
  } else if (kind == "flat scene") {
    describe_flat_scene(facts, file);
  } else if (kind == "rays") {
    describe_rays(facts, file);
  } else if (kind == "points") {
    describe_points(facts, file);
  } else if (kind == "areas") {
    describe_areas(facts, file);
  } else if (kind == "nav") {
    describe_nav_map(facts, file);
  } else if (kind != "recast") {
    describe_result(facts, file);
  }
  if (!reader.metadata().empty()) facts.job().set("/metadata", reader.metadata());
  for (const auto& [key, value] : reader.metadata()) {
    const bool names = key == io::names_key;
    facts.line("metadata",
               names ? fmt::format("{}: {}", key, std::count(value.begin(), value.end(), '\n'))
                     : fmt::format("{} = {}", key, value));
  }
}

void describe_text(const Facts& facts, const std::string& file, io::FileFormat format) {
  const bool json = format == io::FileFormat::json;
  if (json && io::is_areas_json(file)) {
    facts.add("/file/kind", "holds", std::string("areas"));
    return describe_areas(facts, file);
  }
  const bool flat = json && io::is_flat_json(file);
  const bool points = !json && !io::is_scene_csv(file);
  facts.add("/file/kind", "holds", std::string(flat ? "flat scene" : points ? "points" : "scene"));
  flat     ? describe_flat_scene(facts, file)
  : points ? describe_points(facts, file)
           : describe_scene(facts, file);
}

}  // namespace

void Facts::add(const std::string& key, const std::string& name, const std::string& value) const {
  job_.set(key, value);
  line(name, value);
}

void Facts::add(const std::string& key, const std::string& name, std::uint64_t value) const {
  job_.set(key, value);
  line(name, grouped(value));
}

void Facts::add_bounds(const Vec3& low, const Vec3& high) const {
  const float* values[] = {&low.x, &low.y, &low.z, &high.x, &high.y, &high.z};
  for (std::size_t k = 0; k < 6; ++k) {
    job_.set(fmt::format("/bounds/{}/{}", k < 3 ? "min" : "max", "xyz"[k % 3]),
             static_cast<double>(*values[k]));
  }
  line("bounds",
       fmt::format("({}, {}, {}) to ({}, {}, {})", low.x, low.y, low.z, high.x, high.y, high.z));
}

void Facts::line(const std::string& name, const std::string& value) const {
  if (job_.common().json == "-" || job_.common().quiet) return;
  // Files' own words go to a terminal, which might obey some.
  std::string text = fmt::format("{:<18} {}", name, value);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 127; },
      '?');
  std::fputs((text + "\n").c_str(), stdout);
}

namespace {

/// About the program where there is no file.
int run_info(Job& job, const std::string& file) {
  check_files(job, {file}, {});
  const Facts facts(job);
  if (file.empty()) {
    describe_program(facts);
  } else {
    facts.add("/file/name", "file", file);
    const io::FileFormat format = io::format_of(file);
    if (format == io::FileFormat::npy) {
      describe_array(facts, file);
    } else if (format == io::FileFormat::json || format == io::FileFormat::csv) {
      describe_text(facts, file, format);
    } else {
      describe_container(facts, file);
    }
  }
  if (std::fflush(stdout) != 0) throw Error(ErrorKind::io, "stdout cannot be written");
  return 0;
}

void add_info(Verbs& verbs) {
  auto [v, file] =
      verbs.add<std::string>("info", "about the program and its devices, or about a file", run_info,
                             "sightline info\n"
                             "sightline info hits.st --json -");
  v.positional("FILE", file, "scene, rays, points or result").required(false);
  v.report();
}

const VerbEntry info_verb{10, add_info};

}  // namespace
}  // namespace sightline::cli
