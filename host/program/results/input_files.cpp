#include "host/program/results/input_files.hpp"

#include "host/files/core/file_format.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/jobs/memory.hpp"

#include <sightline/geometry/shapes/rays_alone.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::cli {
namespace {

/// The hash, or nothing where the file is another kind of file.
std::string hash_or_none(const std::string& file,
                         const std::function<std::string(const std::string&)>& hash_of) {
  try {
    return hash_of(file);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::bad_input) return "";
    throw;
  }
}

/// Moves points to the eyes of an input.
io::Points raised(io::Points points, const Input& input) {
  if (input.at == 0) return points;  // -0 stays as it is
  for (Vec3& p : points.position) (input.y_up ? p.y : p.z) += input.at;
  return points;
}

}  // namespace

InputFiles::InputFiles(Job& job, std::vector<NamedFile> files)
    : job_(job), files_(std::move(files)) {
  std::erase_if(files_, [](const NamedFile& f) { return f.file.empty(); });
  // One that is known by its hash would be none of the inputs, and nobody would say why.
  for (const NamedFile& f : files_) {
    if (f.option.empty() && io::is_unfinished(f.file)) io::File unfinished(f.file);
  }
}

InputFiles::InputFiles(Job& job, std::vector<NamedFile> files, const std::string& result,
                       std::string_view kind, bool drawn)
    : InputFiles(job, std::move(files)) {
  result_ = result;
  kind_ = kind;
  drawn_ = drawn;
}

bool InputFiles::has(const char* option) const {
  return std::any_of(files_.begin(), files_.end(), [&](const NamedFile& f) {
    return f.option == option || (f.option.empty() && !f.used);
  });
}

std::string InputFiles::value(const char* option) {
  for (NamedFile& f : files_) {
    if (f.option != option) continue;
    f.used = true;
    return f.file;
  }
  return "";
}

std::string InputFiles::file_of(const char* option) const {
  for (const NamedFile& f : files_) {
    if (f.option == option) return f.file;
  }
  return "";
}

std::vector<std::string> InputFiles::names() const {
  std::vector<std::string> names;
  const auto is_value = [](const NamedFile& f) {
    const bool numbers = f.option == "--half-angle" || f.option == "--view-range";
    return f.option == "--sector" || (numbers && io::number_from<float>(f.file));
  };
  for (const NamedFile& f : files_) {
    if (!is_value(f)) names.push_back(f.file);
  }
  return names;
}

std::string InputFiles::choose(const Input& input, const HashOf& hash_of) {
  std::string_view what = input.what;  // "a scene" is told as "scene with --scene"
  if (what.starts_with("a ")) what.remove_prefix(2);
  const std::string how = fmt::format("{} with {}", what, input.option);
  known_.push_back(how);
  if (std::string named = value(input.option); !named.empty()) return named;
  std::string others;
  // A file may serve twice, as points do that see each other: after those that served nothing yet.
  for (const bool again : {false, true}) {
    for (NamedFile& f : files_) {
      if (f.used != again || !(again || f.option.empty())) continue;
      const std::string found = hash_or_none(f.file, hash_of);
      if (found.empty()) continue;
      if (found == input.hash) {
        f.used = true;
        std::string file = f.file;
        files_.push_back({input.option, file, true});
        return file;
      }
      if (!again)
        others += fmt::format("{}{} has hash {}", others.empty() ? "" : ", ", f.file, found);
    }
  }
  if (others.empty()) {
    io::fail(ErrorKind::usage, "{}: holds {}: name its {}", result_, kind_, how);
  }
  io::fail(ErrorKind::bad_input, "{}: was computed from {} of hash {}, but {}", result_, input.what,
           input.hash, others);
}

void InputFiles::settle(Input& input, const std::string& file, const std::string& found) const {
  if (verifies()) {
    require(input.what, file, input.hash, found);
  } else {
    input.hash = found;
  }
  if (!drawn_) job_.set(std::string(input.key) + "/hash", found);
}

std::string InputFiles::file(Input& input, const HashOf& hash_of) {
  std::string file = choose(input, hash_of);
  job_.set(std::string(input.key) + "/file", file);
  settle(input, file, job_.timed(std::string("hash_") + input.what, [&] { return hash_of(file); }));
  return file;
}

LoadedScene InputFiles::shapes(Input& input) {
  const std::string file =
      choose(input, [](const std::string& f) { return io::scene_hash(io::read_scene(f)); });
  LoadedScene loaded = load_scene(job_, file, input.key);
  settle(input, file, loaded.hash);
  return loaded;
}

LoadedScene InputFiles::scene(std::string& hash) {
  Input scene = {"--scene", "/scene", "a scene", "shapes", hash};
  LoadedScene loaded = shapes(scene);
  hash = scene.hash;
  return loaded;
}

Caster InputFiles::caster(std::string& hash, io::Metadata& metadata) {
  LoadedScene loaded = scene(hash);
  metadata = std::move(loaded.metadata);
  if (!verifies()) return build_caster(job_, std::move(loaded.scene));
  if (asks_reference_) return build_caster(job_, std::move(loaded.scene), "reference");
  return build_caster(job_, std::move(loaded.scene), "cpu", Search::brute_force);
}

void InputFiles::refuse_kinds(const Caster& caster, Refused which, const char* queries) const {
  with_refused(caster.scene(), which, [&](Kind kind, std::uint32_t n) {
    io::fail(ErrorKind::bad_input, "{}: {} take no {}s yet, and the scene has {}: remove them",
             file_of("--scene"), queries, kind_name(kind), n);
  });
}

FlatCaster InputFiles::flat_caster(std::string& hash) {
  Input set = {"--scene", "/scene", "a set", "shapes", hash};
  const std::string file =
      choose(set, [](const std::string& f) { return io::flat_hash(io::read_flat_scene(f)); });
  Loaded<FlatScene> loaded = load_scene<FlatScene>(job_, file);
  settle(set, file, loaded.hash);
  hash = set.hash;
  return build_caster(job_, std::move(loaded.scene),
                      verifies() ? "reference" : job_.common().device);
}

// One file, or two, and perhaps one of radii: whatever together has the hash.
io::RaysSource InputFiles::rays_by_hash(const std::string& hash, const io::RayDefaults& defaults) {
  const auto opened = [&](const NamedFile& a, const NamedFile* b,
                          const NamedFile* radii) -> std::optional<io::RaysSource> {
    try {
      io::RaysSource rays = b == nullptr ? io::RaysSource(a.file, defaults)
                                         : io::RaysSource(a.file, b->file, defaults);
      if (radii != nullptr) rays.add_radii(radii->file);
      if (rays.hash() == hash) return rays;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_input) throw;
    }
    return std::nullopt;
  };
  std::vector<NamedFile*> left;
  for (NamedFile& f : files_) {
    if (f.option.empty() && !f.used) left.push_back(&f);
  }
  std::vector<NamedFile*> or_none = left;
  or_none.push_back(nullptr);
  for (NamedFile* const a : left) {
    for (NamedFile* const b : or_none) {
      for (NamedFile* const radii : or_none) {
        if (b == a || radii == a || (radii != nullptr && radii == b)) continue;
        auto rays = opened(*a, b, radii);
        if (!rays) continue;
        for (NamedFile* const f : {a, b, radii}) {
          if (f != nullptr) f->used = true;
        }
        return std::move(*rays);
      }
    }
  }
  throw Error(left.empty() ? ErrorKind::usage : ErrorKind::bad_input,
              fmt::format("{}: holds {} of rays of hash {}: name its rays with --rays, or "
                          "--origins and --directions, and their --radius",
                          result_, kind_, hash));
}

io::RaysSource InputFiles::open_rays(const io::RayDefaults& defaults) const {
  const std::string rays = file_of("--rays"), origins = file_of("--origins");
  if (!rays.empty()) {
    // Of text all is read, which takes about what the file does.
    const io::FileFormat format = io::format_of(rays);
    if (format == io::FileFormat::csv || format == io::FileFormat::json) {
      require_memory(job_.common().max_memory, io::File(rays).size(), fmt::format("rays {}", rays));
    }
    return io::RaysSource(rays, defaults);
  }
  if (!origins.empty()) return io::RaysSource(origins, file_of("--directions"), defaults);
  throw Error(ErrorKind::usage, "name the rays: --rays RAYS, or --origins and --directions");
}

io::RaysSource InputFiles::rays(Input& input, const io::RayDefaults& defaults,
                                const std::function<void(const io::RaysSource&)>& check) {
  known_.push_back("rays with --rays, or --origins and --directions");
  const bool named = !file_of("--rays").empty() || !file_of("--origins").empty();
  io::RaysSource rays =
      named || !verifies() ? open_rays(defaults) : rays_by_hash(input.hash, defaults);
  check(rays);
  if (named) {
    for (const char* option : {"--rays", "--origins", "--directions"}) value(option);
    if (const std::string radii = value("--radius"); !radii.empty()) rays.add_radii(radii);
  }
  warn_of(job_, rays.notes());
  warn_if_empty(job_, rays.name(), rays.count(), "rays");
  job_.set("/rays/file", rays.name());
  job_.set("/rays/count", rays.count());
  job_.set("/bytes/rays", rays.count() * rays.bytes_per_ray());
  settle(input, rays.name(), job_.timed("hash_rays", [&] { return rays.hash(); }));
  settle_count(input, rays.name(), rays.count());
  return rays;
}

io::Points InputFiles::points(Input& input, bool counted) {
  const std::string file = choose(input, [&](const std::string& f) {
    return io::points_hash(raised(io::read_points(f), input));
  });
  io::Points loaded = raised(load_points(job_, file, input.key), input);
  settle(input, file, io::points_hash(loaded));
  if (counted) settle_count(input, file, loaded.count());
  return loaded;
}

void InputFiles::raise_to_eyes(io::Points& points, Input& input, std::optional<float> asked,
                               const io::Metadata& scene) const {
  if (verifies()) return;
  const std::string file = file_of(input.option);
  const auto said = points.metadata.find(io::eyes_key);
  if (!asked && said != points.metadata.end()) {
    asked = io::number_from<float>(said->second);
    if (!asked || !(std::abs(*asked) <= domain_limit)) {
      io::fail(ErrorKind::bad_input, "{}: bad metadata: '{}' is {}", file, io::eyes_key,
               io::in_quotes(said->second));
    }
  }
  if (asked.value_or(0) == 0) return;
  input.at = *asked;
  input.y_up = up_of(points.metadata.contains("up") ? points.metadata : scene) == UpAxis::y;
  points = raised(std::move(points), input);
  settle(input, file, io::points_hash(points));
  job_.set(std::string(input.key) + "/at", double{input.at});
  job_.say("eyes    {} above {}", input.at, file);
}

void InputFiles::require(const char* what, const std::string& file, const std::string& expected,
                         const std::string& found) const {
  if (expected == found) return;
  io::fail(ErrorKind::bad_input, "{}: was computed from {} of hash {}, but {} has hash {}", result_,
           what, expected, file, found);
}

void InputFiles::settle_count(Input& input, const std::string& file, std::uint64_t found) const {
  if (!verifies()) input.count = found;
  if (input.count == found) return;
  // The elements of a shorter one may all be right, and still not be the answer.
  io::fail(ErrorKind::bad_input, "{}: holds answers to {} {}, but {} has {}", result_, input.count,
           input.unit, file, found);
}

void InputFiles::naming_result(const std::function<void()>& f) const {
  try {
    f();
  } catch (const Error& error) {
    io::fail(ErrorKind::bad_input, "{}: {}", result_, error.what());
  }
}

void InputFiles::refuse_others() const {
  for (const NamedFile& f : files_) {
    if (f.used) continue;
    io::fail(ErrorKind::usage,
             "{}: holds {}, which was not computed from {}{}{}: name its {}, and nothing else",
             result_, kind_, f.option, f.option.empty() ? "" : " ", f.file,
             fmt::join(known_, ", "));
  }
}

}  // namespace sightline::cli
