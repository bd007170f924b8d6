// Damaged molecules, voxel maps and Godot scenes: refused or read, never a crash, never more than
// the file holds.
#include "host/files/import/molecules/import_pdb.hpp"
#include "host/files/import/voxels/import_voxels.hpp"
#include "host/gen/random.hpp"
#include "tests/host/files/import/godot/small_project.hpp"
#include "tests/host/files/import/molecules/small_molecule.hpp"
#include "tests/support/scale.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

/// Writes bytes that mean something or nothing, takes some out, cuts the end off.
void damage(std::string& text, gen::Draws& draws) {
  constexpr std::string_view meaning =
      " \n\r\t-.0123456789012345678901234567890123456789eEnafiX*AB[](){}=;,\"\\/";
  for (std::uint64_t n = 1 + draws.below(2); n > 0 && !text.empty(); --n) {
    const std::uint64_t at = draws.below(text.size()), how = draws.below(16);
    if (how < 9) {
      text[at] = meaning[draws.below(meaning.size())];
    } else if (how < 12) {
      text[at] = static_cast<char>(draws.bits());
    } else if (how < 14) {
      text.erase(at, 1 + draws.below(3));
    } else if (how < 15) {
      text.insert(at, text.substr(draws.below(text.size()), draws.below(90)));
    } else {
      text.resize(at);
    }
  }
}

constexpr std::uint64_t million = 1'000'000;

template <class Read>
void expect_read_or_refused(const std::string& good, std::uint64_t stream, std::uint64_t n,
                            Read read) {
  const std::uint64_t cases = scaled(n);
  std::uint64_t taken = 0, refused = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    gen::Draws draws(1, stream, i);
    std::string text = good;
    damage(text, draws);
    try {
      read(text);
      ++taken;
    } catch (const Error& e) {
      ASSERT_EQ(e.kind(), ErrorKind::bad_input) << e.what();
      // Begins with the file that is meant.
      ASSERT_TRUE(std::string(e.what()).starts_with("damaged: ") ||
                  std::string(e.what()).starts_with("res://"))
          << e.what();
      ++refused;
    }
    if (::testing::Test::HasFatalFailure()) return;
  }
  // Both must happen, or the damage is too heavy or too light to mean anything.
  EXPECT_GT(taken, cases / 10);
  EXPECT_GT(refused, cases / 10);
}

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
