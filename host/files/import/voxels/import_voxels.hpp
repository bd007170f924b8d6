// Import of 3dmap voxel maps: every filled cell a unit box.
#pragma once

#include <sightline/scene.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace sightline::io {

/// A map of cells; cell (x, y, z) is the box from it to (x + 1, y + 1, z + 1), labelled with
/// (z * height + y) * width + x. See docs/imports.md.
struct VoxelImport {
  std::array<std::uint64_t, 3> size{};  ///< width, height, depth in cells, each at most 2^20
  Scene scene;                          ///< boxes in file order
  std::uint64_t repeated = 0;           ///< lines left out: the cell was named before
};

/// Reads the text of a map; `file` names it in errors.
/// Throws Error{bad_input} naming file, line and reason.
VoxelImport parse_voxels(const std::string& file, std::string_view text);

/// Reads a file. Throws Error{io} as well.
VoxelImport import_voxels(const std::filesystem::path& path);

}  // namespace sightline::io
