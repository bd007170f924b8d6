// Import of PDB molecules: atoms as spheres, bonds as capsules.
#pragma once

#include "host/files/import/molecules/pdb_file.hpp"

#include <sightline/scene.hpp>

#include <filesystem>
#include <optional>
#include <utility>

namespace sightline::io {

/// The radius of a bond's capsule, in angstrom.
inline constexpr float bond_radius = 0.15f;

struct Molecule {
  PdbFile pdb;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;  ///< indices of atoms
};

/// Reads a molecule and finds its bonds. Throws Error{io, bad_input} naming file, line and reason.
Molecule import_pdb(const std::filesystem::path& path);
Molecule parse_molecule(const std::string& file, std::string_view text);

/// Where a copy puts a point: computed in binary64, rounded once.
Vec3 moved(const PdbCopy& copy, const std::array<double, 3>& point);

/// Spheres with their van der Waals radii, or `ball`, labelled with the atom's serial; capsules
/// labelled with both, the second atom's in the upper 32 bits. `copies` of 0 is the file's atoms as
/// they are; else the first so many copies, grouped by their number from 0.
/// Throws Error{usage} for more copies than there are, Error{bad_input} for 2^32 - 1 shapes or
/// more.
Scene molecule_scene(const Molecule& molecule, std::optional<float> ball, std::uint64_t copies);

}  // namespace sightline::io
