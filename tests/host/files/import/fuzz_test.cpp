// Damaged Godot scenes: refused or read, never a crash, never more than the file holds.
#include "tests/host/files/import/damage.hpp"
#include "tests/host/files/import/godot/small_project.hpp"

namespace sightline::io {
namespace {

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
