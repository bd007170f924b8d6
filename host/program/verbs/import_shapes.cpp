#include "host/program/verbs/import_shapes.hpp"

#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

namespace sightline::cli {
namespace {

bool is_wad(const std::string& name) {
  const io::File file(name);
  char magic[4] = {};
  if (file.size() >= sizeof magic) file.read(0, magic, sizeof magic);
  return std::string_view(magic + 1, 3) == "WAD";
}

/// The extension in small letters.
std::string extension_of(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

/// Shapes of CSV, JSON or an .npy.
void import_table(Job& job, const ImportArguments& a) {
  std::optional<Kind> kind;
  if (!a.kind.empty()) {
    kind = io::kind_named(a.kind);
    if (!kind) {
      io::fail(ErrorKind::usage, "--kind is one of {}, not {}", io::all_kinds(),
               io::in_quotes(a.kind));
    }
  }
  io::Metadata metadata, said;
  if (!a.unit.empty()) said["unit"] = a.unit;
  if (!a.up.empty()) said["up"] = a.up;
  io::check_units("--unit and --up", said, ErrorKind::usage);
  io::Notes notes;
  const auto up = said.contains("up") ? std::optional(said["up"][0]) : std::nullopt;
  const Scene scene =
      job.timed("import", [&] { return io::read_scene(a.file, &metadata, &notes, kind, up); });
  warn_of(job, notes);
  said.merge(metadata);
  for (int k = 0; k < kind_count; ++k) {
    job.set(fmt::format("/counts/{}", kind_name(static_cast<Kind>(k))),
            std::uint64_t{scene.count(static_cast<Kind>(k))});
  }
  write_imported(job, a, scene, said);
}

}  // namespace

void write_imported(Job& job, const ImportArguments& a, const Scene& scene,
                    const io::Metadata& metadata) {
  const std::string hash = io::scene_hash(scene);
  if (scene.size() == 0) job.warn("{}: no shapes were found", a.file);
  job.set("/scene/file", a.output);
  job.set("/scene/shapes", scene.size());
  job.set("/scene/hash", hash);
  if (job.common().dry_run) {
    const std::uint64_t bytes = io::bytes_of_scene(scene, metadata);
    job.set("/bytes/scene", bytes);
    job.say("would write {}, {}", plural(scene.size(), "shapes"), format_bytes(bytes));
    return;
  }
  io::write_scene(a.output, scene, metadata);
  job.wrote(a.output, fmt::format("{}, hash {}", plural(scene.size(), "shapes"), hash));
}

bool import_shapes(Job& job, const ImportArguments& a) {
  const std::string extension = extension_of(a.file);
  const bool godot = extension == ".tscn" || extension == ".escn";
  if (!godot && (!a.root.empty() || a.strict)) {
    throw Error(ErrorKind::usage, "--root and --strict are for Godot scenes");
  }
  const io::FileFormat format =
      godot || extension == ".wad" ? io::FileFormat::other : io::format_of(a.file);
  const bool table = format != io::FileFormat::other && format != io::FileFormat::container;
  if (!table && !(a.kind.empty() && a.unit.empty() && a.up.empty())) {
    throw Error(ErrorKind::usage, "--kind, --unit and --up are for .csv, .json and .npy");
  }
  if (!godot && !table) {
    if (extension == ".wad" || is_wad(a.file)) return false;
    if (format == io::FileFormat::container) {
      throw Error(ErrorKind::bad_input,
                  a.file + ": is a container already, which the other verbs read as it is");
    }
    const std::string output = a.output.empty() ? "scene.safetensors" : a.output;
    if (const std::string words = io::who_reads(a.file, output); !words.empty()) {
      io::fail(ErrorKind::bad_input, "{}: {}", a.file, words);
    }
    io::fail(
        ErrorKind::bad_input,
        "{}: is of no known format: .wad (Doom), .tscn and .escn (Godot), .csv, .json and .npy "
        "(shapes)",
        a.file);
  }
  if (!a.map.empty() || a.grid || a.floors || a.drawn_walls || !a.points_output.empty()) {
    throw Error(ErrorKind::usage,
                "--map, --grid, --floors, --drawn-walls and --points-out are for WAD files");
  }
  if (a.output.empty()) throw Error(ErrorKind::usage, "--output is required");
  job.set("/input/file", a.file);
  if (table) {
    import_table(job, a);
  } else {
    import_godot_scene(job, a);
  }
  return true;
}

}  // namespace sightline::cli
