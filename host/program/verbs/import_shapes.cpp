#include "host/program/verbs/import_shapes.hpp"

#include "host/files/core/file.hpp"
#include "host/files/core/file_format.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/import/molecules/import_pdb.hpp"
#include "host/files/import/voxels/import_voxels.hpp"
#include "host/program/engine/bytes.hpp"

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

/// How many copies "N" or "all" asks for; 0 for the atoms as they are.
std::uint64_t copies_of(const std::string& text, std::uint64_t all) {
  if (text.empty()) return 0;
  if (text == "all") return all;
  const auto n = io::number_from<std::uint64_t>(text);
  if (n && *n > 0) return *n;
  io::fail(ErrorKind::usage, "--copies is a number from 1, or all, not '{}'", text);
}

void import_molecule(Job& job, const ImportArguments& a) {
  const io::Molecule molecule = job.timed("import", [&] { return io::import_pdb(a.file); });
  const std::uint64_t copies = copies_of(a.copies, molecule.pdb.copies.size());
  const Scene scene =
      job.timed("copy", [&] { return io::molecule_scene(molecule, a.ball, copies); });
  job.set("/counts/atoms", std::uint64_t{molecule.pdb.atoms.size()});
  job.set("/counts/bonds", std::uint64_t{molecule.bonds.size()});
  job.set("/counts/copies_in_file", std::uint64_t{molecule.pdb.copies.size()});
  job.set("/counts/copies", copies);
  job.set("/counts/alternates", molecule.pdb.alternates);
  job.set("/counts/other_models", molecule.pdb.other_models);
  job.set("/counts/spheres", std::uint64_t{scene.count(Kind::sphere)});
  job.set("/counts/capsules", std::uint64_t{scene.count(Kind::capsule)});
  job.say("atoms   {}, {}; {} in other locations and {} of other models left out",
          grouped(molecule.pdb.atoms.size()), plural(molecule.bonds.size(), "bond"),
          grouped(molecule.pdb.alternates), grouped(molecule.pdb.other_models));
  job.say("copies  {} of {}: {}, {}", copies == 0 ? "none" : grouped(copies),
          grouped(molecule.pdb.copies.size()), plural(scene.count(Kind::sphere), "sphere"),
          plural(scene.count(Kind::capsule), "capsule"));
  write_imported(job, a, scene,
                 {{"unit", "angstrom"},
                  {"up", "z"},
                  {"pdb.copies", std::to_string(copies)},
                  {"pdb.ball", a.ball ? fmt::format("{}", *a.ball) : "van der Waals"},
                  {"pdb.bond_radius", fmt::format("{}", io::bond_radius)}});
}

void import_map(Job& job, const ImportArguments& a) {
  const io::VoxelImport map = job.timed("import", [&] { return io::import_voxels(a.file); });
  const auto& [width, height, depth] = map.size;
  job.set("/counts/voxels", map.scene.size());
  job.set("/counts/repeated", map.repeated);
  job.say("voxels  {} of {} x {} x {}, {} repeated", grouped(map.scene.size()), width, height,
          depth, grouped(map.repeated));
  write_imported(job, a, map.scene,
                 {{"unit", "voxel"},
                  {"up", "z"},
                  {"voxels.size", fmt::format("{} {} {}", width, height, depth)}});
}

/// Shapes of CSV, JSON or an .npy.
void import_table(Job& job, const ImportArguments& a) {
  std::optional<Kind> kind;
  if (!a.kind.empty()) {
    kind = io::kind_named(a.kind);
    if (!kind) {
      io::fail(ErrorKind::usage, "--kind is one of {}, not '{}'", io::all_kinds(), a.kind);
    }
  }
  io::Metadata metadata, said;
  if (!a.unit.empty()) said["unit"] = a.unit;
  if (!a.up.empty()) said["up"] = a.up;
  io::check_units("--unit and --up", said, ErrorKind::usage);
  io::Notes notes;
  const Scene scene =
      job.timed("import", [&] { return io::read_scene(a.file, &metadata, &notes, kind); });
  for (const std::string& note : notes) job.warn(note);
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
    job.say("dry run: nothing is written");
    return;
  }
  io::write_scene(a.output, scene, metadata);
  job.wrote(a.output, fmt::format("{}, hash {}", plural(scene.size(), "shape"), hash));
}

bool import_shapes(Job& job, const ImportArguments& a) {
  std::string extension = std::filesystem::path(a.file).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool molecule =
      extension == ".pdb" || extension == ".ent" || extension == ".cif" || extension == ".mmcif";
  const bool godot = extension == ".tscn" || extension == ".escn";
  if (!godot && (!a.root.empty() || a.strict)) {
    throw Error(ErrorKind::usage, "--root and --strict are for Godot scenes");
  }
  if (!molecule && (a.ball || !a.copies.empty())) {
    throw Error(ErrorKind::usage, "--ball and --copies are for molecules");
  }
  const bool voxels = extension == ".3dmap";
  // Molecules may look like CSV, so that endings come first.
  const io::FileFormat format = molecule || godot || voxels || extension == ".wad"
                                    ? io::FileFormat::other
                                    : io::format_of(a.file);
  const bool table = format != io::FileFormat::other && format != io::FileFormat::container;
  if (!table && !(a.kind.empty() && a.unit.empty() && a.up.empty())) {
    throw Error(ErrorKind::usage, "--kind, --unit and --up are for .csv, .json and .npy");
  }
  if (!molecule && !godot && !voxels && !table) {
    if (extension == ".wad" || is_wad(a.file)) return false;
    if (format == io::FileFormat::container) {
      throw Error(ErrorKind::bad_input,
                  a.file + ": is a container already, which the other verbs read as it is");
    }
    io::fail(ErrorKind::bad_input,
             "{}: is of no known format: .wad (Doom), .tscn and .escn (Godot), .pdb and .cif "
             "(molecules), .3dmap (voxels), .csv, .json and .npy (shapes)",
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
  } else if (molecule) {
    import_molecule(job, a);
  } else if (godot) {
    import_godot_scene(job, a);
  } else {
    import_map(job, a);
  }
  return true;
}

}  // namespace sightline::cli
