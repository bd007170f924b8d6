#include "host/program/results/input_files.hpp"

#include "host/files/formats/flat_file.hpp"
#include "host/files/formats/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

std::vector<NamedFile> with_fields(const FieldArguments& fields, std::vector<NamedFile> files) {
  files.push_back({"--directions", fields.directions});
  files.push_back({"--half-angle", fields.half_angle});
  files.push_back({"--view-range", fields.range});
  files.push_back({"--sector", fields.sector ? "yes" : ""});
  return files;
}

std::vector<NamedFile> files_of(const VerifyArguments& a) {
  FieldArguments fields = a.fields;
  fields.directions = a.input.directions;
  std::vector<NamedFile> files = with_fields(fields, {{"--scene", a.scene},
                                                      {"--rays", a.input.rays},
                                                      {"--origins", a.input.origins},
                                                      {"--radius", a.radii},
                                                      {"--from", a.from},
                                                      {"--to", a.to},
                                                      {"--points", a.points},
                                                      {"--areas", a.areas},
                                                      {"--with", a.with},
                                                      {"--capsules", a.capsules},
                                                      {"--circles", a.circles},
                                                      {"--segments", a.segments}});
  for (const std::string& file : a.files) files.push_back({"", file});
  return files;
}

InputFiles::InputFiles(Job& job, std::vector<NamedFile> files)
    : job_(job), files_(std::move(files)) {
  std::erase_if(files_, [](const NamedFile& f) { return f.file.empty(); });
}

InputFiles::InputFiles(Job& job, std::vector<NamedFile> files, const std::string& result,
                       std::string_view kind)
    : InputFiles(job, std::move(files)) {
  result_ = result;
  kind_ = kind;
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
  for (const NamedFile& f : files_) names.push_back(f.file);
  return names;
}

// "scene with --scene", of the role "a scene".
std::string InputFiles::named(const Role& role) {
  std::string_view what = role.what;
  if (what.starts_with("a ")) what.remove_prefix(2);
  return fmt::format("{} with {}", what, role.option);
}

std::string InputFiles::choose(const Role& role, const std::string& expected,
                               const HashOf& hash_of) {
  const std::string how = named(role);
  roles_.push_back(how);
  if (std::string named = value(role.option); !named.empty()) return named;
  std::string others;
  for (NamedFile& f : files_) {
    if (!f.option.empty() || f.used) continue;
    const std::string found = hash_or_none(f.file, hash_of);
    if (found == expected) {
      f.option = role.option;
      f.used = true;
      return f.file;
    }
    if (!found.empty())
      others += fmt::format("{}{} has hash {}", others.empty() ? "" : ", ", f.file, found);
  }
  if (others.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: holds {}: name its {}", result_, kind_, how));
  }
  throw Error(ErrorKind::bad_input, fmt::format("{}: was computed from {} of hash {}, but {}",
                                                result_, role.what, expected, others));
}

void InputFiles::settle(const Role& role, const std::string& file, std::string& hash,
                        const std::string& found) const {
  if (verifies()) {
    require(role.what, file, hash, found);
  } else {
    hash = found;
  }
  job_.set(std::string(role.key) + "/hash", found);
}

std::string InputFiles::file(const Role& role, std::string& hash, const HashOf& hash_of) {
  const std::string file = choose(role, hash, hash_of);
  job_.set(std::string(role.key) + "/file", file);
  settle(role, file, hash,
         job_.timed(std::string("hash_") + role.what, [&] { return hash_of(file); }));
  return file;
}

LoadedScene InputFiles::scene(const Role& role, std::string& hash) {
  const std::string file =
      choose(role, hash, [](const std::string& f) { return io::scene_hash(io::read_scene(f)); });
  LoadedScene loaded = load_scene(job_, file, role.key);
  settle(role, file, hash, loaded.hash);
  return loaded;
}

std::string InputFiles::device() const { return verifies() ? "reference" : job_.common().device; }

Caster InputFiles::caster(std::string& hash, io::Metadata& metadata) {
  LoadedScene loaded = scene({"--scene", "/scene", "a scene", "shapes"}, hash);
  metadata = std::move(loaded.metadata);
  return build_caster(job_, std::move(loaded.scene), device());
}

FlatCaster InputFiles::flat_caster(std::string& hash) {
  const Role role = {"--scene", "/scene", "a set", "shapes"};
  const std::string file = choose(
      role, hash, [](const std::string& f) { return io::flat_hash(io::read_flat_scene(f)); });
  LoadedFlatScene loaded = load_flat_scene(job_, file);
  settle(role, file, hash, loaded.hash);
  return build_caster(job_, std::move(loaded.scene), device());
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
  throw Error(
      left.empty() ? ErrorKind::usage : ErrorKind::bad_input,
      fmt::format("{}: holds {} of rays of hash {}: name its rays with --rays, or --origins "
                  "and --directions, and their --radius",
                  result_, kind_, hash));
}

io::RaysSource InputFiles::rays(std::string& hash, std::uint64_t& count,
                                const io::RayDefaults& defaults,
                                const std::function<void(const io::RaysSource&)>& check) {
  const Role role = {"--rays", "/rays", "rays", "rays"};
  roles_.push_back("rays with --rays, or --origins and --directions");
  const bool named = !file_of("--rays").empty() || !file_of("--origins").empty();
  const RaysArguments input = {value("--rays"), value("--origins"),
                               named ? value("--directions") : ""};
  const std::string radii = named ? value("--radius") : "";
  io::RaysSource rays =
      named || !verifies() ? open_rays(input, defaults) : rays_by_hash(hash, defaults);
  check(rays);
  if (!radii.empty()) rays.add_radii(radii);
  job_.set("/rays/file", rays.name());
  job_.set("/rays/count", rays.count());
  job_.set("/bytes/rays", rays.count() * rays.bytes_per_ray());
  settle(role, rays.name(), hash, job_.timed("hash_rays", [&] { return rays.hash(); }));
  settle_count(role, rays.name(), count, rays.count());
  return rays;
}

io::Points InputFiles::points(const Role& role, std::string& hash, std::uint64_t& count) {
  io::Points loaded = points(role, hash);
  settle_count(role, file_of(role.option), count, loaded.count());
  return loaded;
}

io::Points InputFiles::points(const Role& role, std::string& hash) {
  const std::string file =
      choose(role, hash, [](const std::string& f) { return io::points_hash(io::read_points(f)); });
  io::Points loaded = load_points(job_, file, role.key);
  settle(role, file, hash, io::points_hash(loaded));
  return loaded;
}

LoadedFields InputFiles::fields(const io::Points& from, const io::Metadata& scene,
                                FieldShape& shape, std::string& hash) {
  FieldArguments named;
  named.directions = value("--directions");
  named.half_angle = value("--half-angle");
  named.range = value("--view-range");
  named.sector = !value("--sector").empty();
  const FieldShape wanted = verifies() ? shape : field_shape(named, scene);
  LoadedFields loaded = load_fields(job_, named, from, file_of("--from"), wanted);
  if (!verifies()) {
    hash = loaded.hash;
    if (!hash.empty()) shape = wanted;
    return loaded;
  }
  if (hash == loaded.hash) return loaded;
  const auto words = [](const std::string& of) {
    return of.empty() ? "none" : "those of hash " + of;
  };
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: was computed with other fields of view: {}, not {}", result_,
                          words(hash), words(loaded.hash)));
}

void InputFiles::require(const char* what, const std::string& file, const std::string& expected,
                         const std::string& found) const {
  if (expected == found) return;
  throw Error(ErrorKind::bad_input,
              fmt::format("{}: was computed from {} of hash {}, but {} has hash {}", result_, what,
                          expected, file, found));
}

void InputFiles::settle_count(const Role& role, const std::string& file, std::uint64_t& count,
                              std::uint64_t found) const {
  if (!verifies()) {
    count = found;
  } else if (count != found) {
    // The elements of a shorter one may all be right, and still not be the answer.
    throw Error(ErrorKind::bad_input, fmt::format("{}: holds answers to {} {}, but {} has {}",
                                                  result_, count, role.unit, file, found));
  }
}

void InputFiles::naming_result(const std::function<void()>& f) const {
  try {
    f();
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_input, fmt::format("{}: {}", result_, error.what()));
  }
}

void InputFiles::refuse_others() const {
  for (const NamedFile& f : files_) {
    if (f.used) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{}: holds {}, which was not computed from {}{}{}: name its {}, and "
                            "nothing else",
                            result_, kind_, f.option, f.option.empty() ? "" : " ", f.file,
                            fmt::join(roles_, ", ")));
  }
}

}  // namespace sightline::cli
