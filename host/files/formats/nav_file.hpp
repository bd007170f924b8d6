// Navigation maps in files.
#pragma once

#include "host/files/core/tensor.hpp"

#include <sightline/nav.hpp>

namespace sightline::io {

/// A column of a map, as it lies in memory.
struct NavColumn {
  std::string name;
  Dtype dtype = Dtype::f32;
  Shape shape;
  const void* data = nullptr;
};
/// All of them; valid until the map changes.
std::vector<NavColumn> nav_columns(const NavMap& map);

/// Writes a container whose `sightline.file` is "nav"; `more` is added to its metadata. Throws
/// Error{io}.
void write_nav(const std::string& name, const NavMap& map, const Metadata& more);
/// Reads it back, equal. Throws Error{io}, Error{bad_input}.
NavMap read_nav(const std::string& name, Metadata* metadata = nullptr);

/// Whether the file is a container that says it is a map. Throws Error{io}.
bool is_nav(const std::string& name);

/// Writes every column to `folder`, which is made where it is not there, as NAME.npy. Throws
/// Error{io}.
void write_nav_arrays(const std::string& folder, const NavMap& map);

// A map as JSON, for editors.

/// What writing the file takes in memory, at most.
std::uint64_t nav_json_bytes(const NavMap& map);

/// Regions, walkable floors as runs of cells along x, and jumps; `metadata` may say "unit". Throws
/// Error{io}.
void write_nav_json(const std::string& name, const NavMap& map, const Metadata& metadata);

}  // namespace sightline::io
