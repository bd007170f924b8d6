// Damaged molecules, voxel maps and Godot scenes: refused or read, never a crash, never more than
// the file holds.
#include "host/files/import/molecules/import_pdb.hpp"
#include "host/files/import/voxels/import_voxels.hpp"
#include "tests/host/files/import/damage.hpp"
#include "tests/host/files/import/godot/small_project.hpp"
#include "tests/host/files/import/molecules/small_molecule.hpp"

namespace sightline::io {
namespace {

TEST(ImportFuzz, DamagedMoleculesAreReadOrRefused) {
  expect_read_or_refused(small_molecule(), 0x9db, million, [](const std::string& text) {
    const Molecule molecule = parse_molecule("damaged", text);
    ASSERT_LE(molecule.pdb.atoms.size() * 54, text.size());
    ASSERT_LE(molecule.pdb.copies.size() * 3 * 20, text.size());
    const Scene scene = molecule_scene(molecule, std::nullopt, molecule.pdb.copies.size());
    ASSERT_LE(scene.count(Kind::sphere),
              molecule.pdb.atoms.size() * std::max<std::size_t>(1, molecule.pdb.copies.size()));
  });
}

TEST(ImportFuzz, DamagedVoxelMapsAreReadOrRefused) {
  // Room for longer numbers, so that some damage leaves a map.
  std::string good = "voxel 99999 99999 99999\n";
  for (int i = 0; i < 10; ++i) good += fmt::format("{} {} {}\n", 7 * i, 100 + i, 1234 * i);
  expect_read_or_refused(good, 0x3d, million, [](const std::string& text) {
    ASSERT_LE(parse_voxels("damaged", text).scene.size() * 6, text.size());
  });
}

/// One of a project's files is damaged.
void expect_projects_read_or_refused(const Project& files, const std::string& damaged,
                                     std::uint64_t stream) {
  expect_read_or_refused(files.at(damaged), stream, million / 4, [&](const std::string& text) {
    const GodotReader read = [&](const std::string& path) {
      const auto at = files.find(path);
      if (path == damaged) return std::optional(text);
      return at == files.end() ? std::optional<std::string>() : std::optional(at->second);
    };
    const GodotImport import = import_godot("damaged", "level.tscn", read, false);
    // No more than the level and two pillars have bytes for.
    ASSERT_LE(import.nodes, text.size());
    ASSERT_LE(import.scene.size(), import.nodes);
  });
}

TEST(ImportFuzz, DamagedGodotScenesAreReadOrRefused) {
  for (const Project& files : {small_project_4(), small_project_3()}) {
    expect_projects_read_or_refused(files, "level.tscn", 0x904);
    expect_projects_read_or_refused(files, "parts/pillar.tscn", 0x903);
  }
}

}  // namespace
}  // namespace sightline::io
