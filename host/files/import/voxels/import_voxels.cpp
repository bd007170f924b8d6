#include "host/files/import/voxels/import_voxels.hpp"

#include "host/files/core/text_file.hpp"

#include <unordered_set>

namespace sightline::io {
namespace {

/// So that every corner is exact in binary32, and a cell's number has fewer than 64 bits.
constexpr std::uint64_t largest_side = std::uint64_t{1} << 20;

void expect_end(const TextLines& lines, std::size_t at) {
  if (!lines.word(at).empty()) lines.refuse("there is something behind the three numbers");
}

std::array<std::uint64_t, 3> read_voxels_header(const std::string& file, TextLines& lines) {
  std::size_t at = 0;
  if (!lines.next() || lines.word(at) != "voxel") {
    refuse_line(file, 1, "the first word of a voxel map is 'voxel'");
  }
  std::array<std::uint64_t, 3> size{};
  constexpr const char* names[] = {"the width", "the height", "the depth"};
  for (std::size_t k = 0; k < 3; ++k) {
    size[k] = lines.integer_in(lines.word(at), names[k], largest_side);
  }
  expect_end(lines, at);
  return size;
}

}  // namespace

VoxelImport parse_voxels(const std::string& file, std::string_view text) {
  TextLines lines(file, text);
  VoxelImport result;
  result.size = read_voxels_header(file, lines);
  std::unordered_set<std::uint64_t> seen;
  while (lines.next()) {
    std::size_t at = 0;
    if (lines.word(at).empty()) continue;
    at = 0;
    std::array<std::uint64_t, 3> cell{};
    constexpr const char* names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k) {
      cell[k] = lines.integer_in(lines.word(at), names[k], largest_side);
      if (cell[k] >= result.size[k]) {
        lines.refuse("{} is {} in a map of {}", names[k], cell[k], result.size[k]);
      }
    }
    expect_end(lines, at);
    const std::uint64_t number = (cell[2] * result.size[1] + cell[1]) * result.size[0] + cell[0];
    if (!seen.insert(number).second) {
      ++result.repeated;
      continue;
    }
    const Vec3 min{static_cast<float>(cell[0]), static_cast<float>(cell[1]),
                   static_cast<float>(cell[2])};
    Attributes attributes;
    attributes.label = number;
    result.scene.add_aabb({min, {min.x + 1, min.y + 1, min.z + 1}}, attributes);
  }
  return result;
}

VoxelImport import_voxels(const std::filesystem::path& path) {
  return parse_voxels(path.string(), read_text(path));
}

}  // namespace sightline::io
