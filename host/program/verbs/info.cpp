// info: about the program and its devices, or about a file.
#include "host/program/verbs/info.hpp"

#include "host/files/core/container.hpp"
#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/file_kind.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/nav_file.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/results/run.hpp"

#include <sightline/caster.hpp>
#include <sightline/geometry/intersect/line.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace sightline::cli {

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
#if defined(SIGHTLINE_BUILT_FOR)
  facts.add("/built_for", "", SIGHTLINE_BUILT_FOR);
#endif
  facts.line("answers", fmt::format("version {}", answers_version));
  facts.add("/cpu", "cpu", cpu_name());
  for (const auto& [name, backend] :
       {std::pair("reference", Backend::reference), std::pair("cpu", Backend::cpu)}) {
    std::string words = Caster(Scene{}, default_options(backend)).description();
    facts.job().append("/devices", words);
    if (words.starts_with(name)) words.erase(0, words.find(' ') + 1);
    facts.line(fmt::format("--device {}", name), words);
  }
  describe_cuda(facts, cuda_devices());
}

/// Calls use(first, n) for consecutive pieces of [0, count).
template <class F>
void for_each_piece_of(std::uint64_t count, F use) {
  constexpr std::uint64_t size = 1 << 18;
  for (std::uint64_t first = 0; first < count; first += size) {
    poll_interrupt();
    use(first, std::min(size, count - first));
  }
}

struct Bounds {
  Vec3 low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  std::uint64_t bad = 0;  ///< NaN, infinite or beyond 2^40, and not within
  void add(const Vec3& p) {
    if (!in_domain(p)) {
      ++bad;
      return;
    }
    low = {min(p.x, low.x), min(p.y, low.y), min(p.z, low.z)};
    high = {max(p.x, high.x), max(p.y, high.y), max(p.z, high.z)};
  }
  void describe(const Facts& facts, std::uint64_t count, const char* bad_ones) const {
    if (bad > 0) facts.add("/counts/bad", bad_ones, bad);
    if (count > bad) facts.add_bounds(low, high);
  }
};

template <class SomeKind, class Shapes>
void describe_shapes(const Facts& facts, const Shapes& shapes, int kinds) {
  facts.add("/scene/shapes", "shapes", shapes.size());
  for (int k = 0; k < kinds; ++k) {
    const auto kind = static_cast<SomeKind>(k);
    const std::string name(io::kind_name(kind));
    facts.job().set("/scene/" + name, std::uint64_t{shapes.count(kind)});
    if (shapes.count(kind) > 0) facts.line("  " + name, grouped(shapes.count(kind)));
  }
}

void describe_scene(const Facts& facts, const std::string& file) {
  io::Metadata metadata;
  io::Notes notes;
  const Scene scene = io::read_scene(file, &metadata, &notes);
  warn_of(facts.job(), notes);
  describe_shapes<Kind>(facts, scene, kind_count);
  const Aabb bounds = scene.bounds();
  if (bounds.min.x <= bounds.max.x) facts.add_bounds(bounds.min, bounds.max);
  facts.add("/scene/unit", "unit", unit_of(metadata));
  facts.add("/scene/up", "up", std::string(up_of(metadata) == UpAxis::y ? "y" : "z"));
  facts.add("/scene/hash", "hash", io::scene_hash(scene));
}

void describe_flat_scene(const Facts& facts, const std::string& file) {
  io::Notes notes;
  const FlatScene set = io::read_flat_scene(file, nullptr, &notes);
  warn_of(facts.job(), notes);
  describe_shapes<FlatKind>(facts, set, flat_kind_count);
  const Aabb2 bounds = set.bounds();
  if (bounds.min.x <= bounds.max.x) {
    facts.line("bounds", fmt::format("({}, {}) to ({}, {})", bounds.min.x, bounds.min.y,
                                     bounds.max.x, bounds.max.y));
  }
  facts.add("/scene/hash", "hash", io::flat_hash(set));
}

void describe_rays(const Facts& facts, const std::string& file) {
  const io::RaysSource rays(file);
  Bounds origins;
  io::RayBuffer buffer;
  for_each_piece_of(rays.count(), [&](std::uint64_t first, std::uint64_t n) {
    const RaysView view = rays.read(first, n, buffer);
    for (std::uint64_t i = 0; i < n; ++i) origins.add(view.origin[i]);
  });
  facts.add("/counts/rays", "rays", rays.count());
  const io::RayColumns& c = rays.columns();
  std::string columns = "origin direction";
  if (c.t_min) columns += " t_min";
  if (c.t_max) columns += " t_max";
  if (c.mask) columns += " mask";
  if (c.exclude) columns += " exclude";
  if (c.exclude_group) columns += " exclude_group";
  if (c.radius) columns += " radius";
  facts.add("/rays/columns", "columns", columns);
  origins.describe(facts, rays.count(), "bad origins");
  warn_of(facts.job(), rays.notes());
  facts.add("/rays/hash", "hash", rays.hash());
}

void describe_points(const Facts& facts, const std::string& file) {
  io::Notes notes;
  const io::Points points = io::read_points(file, &notes);
  warn_of(facts.job(), notes);
  const PointsView view = points.view();
  Bounds bounds;
  for (std::uint64_t i = 0; i < view.size(); ++i) bounds.add(view.position[i]);
  facts.add("/counts/points", "points", points.count());
  bounds.describe(facts, points.count(), "bad points");
  facts.add("/points/hash", "hash", io::points_hash(points));
  if (points.fields.empty()) return;
  facts.add("/fields/hash", "fields of view", io::fields_hash(points.fields, points.count()));
}

void describe_array(const Facts& facts, const std::string& file) {
  const io::NpyReader array(file);
  facts.add("/array/dtype", "dtype",
            std::string(io::dtype_name(array.dtype_in_file())) +
                (array.rounded() ? ", read as F32" : ""));
  facts.add("/array/shape", "shape", io::to_string(array.shape()));
  if (array.dtype() == io::Dtype::f32 && io::matches(array.shape(), {io::any_size, 3})) {
    facts.add("/file/kind", "holds", std::string("points (or origins, or directions)"));
    describe_points(facts, file);
  } else {
    facts.add("/file/kind", "holds", std::string("an array"));
  }
}

void describe_nav_map(const Facts& facts, const std::string& file) {
  const NavMap map = io::read_nav(file);
  std::uint64_t walkable = 0;
  for (const std::uint8_t flags : map.flags) walkable += (flags & nav_flags::walkable) != 0;
  facts.add("/counts/columns", "columns", map.grid.columns());
  facts.add("/counts/spans", "spans", map.spans());
  facts.add("/counts/walkable", "walkable", walkable);
  facts.add("/counts/regions", "regions", std::uint64_t{map.regions.size()});
}

void describe_result(const Facts& facts, const std::string& name) {
  const ResultFile file(name);
  Result& r = file.result();
  io::JobCounts counts;
  file.for_each_buffer([&](ColumnBuffer& buffer) { r.tally(buffer, counts); });
  Parameters reported(facts.job());
  r.visit(reported);
  facts.add("/counts/" + std::string(r.names().counts), std::string(r.names().unit),
            r.grid().cells());
  for (const Counted& c : r.counted(counts)) {
    if (c.shown == Shown::by_runs || c.shown == Shown::in_reports) continue;
    facts.job().set(c.place(), c.value);
    facts.line(c.words, c.of == 0 ? grouped(c.value)
                                  : fmt::format("{} of {} ({:.2f}%)", grouped(c.value),
                                                grouped(c.of), percent(c.value, c.of)));
  }
}

void describe_areas(const Facts& facts, const std::string& file) {
  const Areas areas = io::read_areas(file, "");
  facts.add("/counts/areas", "areas", areas.size());
  facts.add("/counts/corners", "corners", std::uint64_t{areas.corner.size()});
}

void describe_nothing(const Facts&, const std::string&) {}

/// What a file holds, and what there is to say of that.
void describe_content(const Facts& facts, const std::string& file) {
  const io::FileFormat format = io::format_of(file);
  if (format == io::FileFormat::npy) return describe_array(facts, file);
  const std::string kind = io::kind_of_file(file);
  using Describe = void (*)(const Facts&, const std::string&);
  static const std::map<std::string, Describe> known = {
      {"scene", describe_scene},    {"flat scene", describe_flat_scene}, {"rays", describe_rays},
      {"points", describe_points},  {"areas", describe_areas},           {"nav", describe_nav_map},
      {"recast", describe_nothing}, {shard_kind, describe_nothing}};
  facts.add("/file/kind", "holds", kind);
  const bool text = format == io::FileFormat::json || format == io::FileFormat::csv;
  if (!text) facts.add("/file/bytes", "bytes", io::File(file).size());
  const auto at = known.find(kind);
  (at == known.end() ? describe_result : at->second)(facts, file);
  if (text) return;
  const io::ContainerReader reader(file);
  if (!reader.metadata().empty()) facts.job().set("/metadata", reader.metadata());
  for (const auto& [key, value] : reader.metadata()) {
    const bool names = key == io::names_key;
    facts.line("metadata", names ? fmt::format("{}: {}", key, io::lines_of(value).size())
                                 : fmt::format("{} = {}", key, value));
  }
}

void describe_file(const Facts& facts, const std::string& file) {
  facts.add("/file/name", "file", file);
  const std::string output = io::output_of_partial(file), partial = io::partial_name(file);
  if (io::is_unfinished(file) || (!output.empty() && io::is_being_written(output))) {
    return describe_unfinished(facts, file);
  }
  const bool is_whole = io::exists(file), is_begun = io::exists(partial);
  if (is_begun) {
    describe_unfinished(facts, partial);
    if (is_whole) facts.add("/older_result", "older result", io::File(file).size());
  }
  const bool has_shards = describe_shards(facts, file);
  if (!is_whole && !is_begun && has_shards) {
    facts.add("/file/state", "state", std::string("in shards"));
  } else if (is_whole || !is_begun) {
    describe_content(facts, file);  // says what is wrong where there is no file
    if (!is_begun) facts.job().set("/file/state", "complete");
  }
}

/// About the program where there is no file.
int run_info(Job& job, const std::string& file) {
  std::vector<std::string> inputs = {file};
  if (!file.empty()) inputs.insert(inputs.end(), {io::partial_name(file), io::journal_name(file)});
  check_files(job, inputs, {});
  const Facts facts(job);
  file.empty() ? describe_program(facts) : describe_file(facts, file);
  if (std::fflush(stdout) != 0) throw Error(ErrorKind::io, "stdout cannot be written");
  return 0;
}

}  // namespace

void add_info(Verb& v) {
  auto& file = v.runs<std::string>(run_info,
                                   "sightline info\n"
                                   "sightline info hits.st --json -");
  v.positional("FILE", file, "scene, rays, points, or result, finished or not").required(false);
  v.report();
}
}  // namespace sightline::cli
