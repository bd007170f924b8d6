// Import of PDB and mmCIF molecules: atoms as spheres, bonds as capsules, and the copies that make
// the whole assembly.
#pragma once

#include <sightline/scene.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::io {

/// Radii in angstrom.
struct Element {
  const char* symbol;    ///< upper case
  double covalent;       ///< half the length of a single bond
  double van_der_waals;  ///< 2.0 where none has been measured
};

struct PdbAtom {
  std::array<double, 3> position;  ///< angstrom
  const Element* element;
  std::uint32_t serial;  ///< as the file numbers it
  std::uint32_t chain;   ///< its letter in a PDB file, its number in an mmCIF file
  std::uint64_t line;    ///< of a PDB file, for messages
};

/// A rigid motion, and the chains that it copies: x' = m x + t, rows [m | t].
struct PdbCopy {
  std::array<std::array<double, 4>, 3> rows;
  std::vector<bool> chains;
};

struct PdbFile {
  std::string file;  ///< for messages
  std::vector<PdbAtom> atoms;
  std::vector<PdbCopy> copies;     ///< of the first biomolecule or assembly, in file order
  std::uint64_t alternates = 0;    ///< atoms left out: other locations than the residue's first
  std::uint64_t other_models = 0;  ///< atoms left out: behind the first model
};

/// Reads the text of a file; see docs/imports.md for what is taken.
/// Throws Error{bad_input} naming file, line and reason.
PdbFile read_pdb(const std::string& file, std::string_view text);
/// The same, naming the atom; Error{usage} where this program was built without gemmi.
PdbFile read_mmcif(const std::string& file, std::string_view text);

/// The element of this symbol (in any case), or null. D is hydrogen.
const Element* find_element(std::string_view symbol);
/// Whether it moves less than 1,000,000 angstrom and its rows are those of a rotation, as far as
/// six decimals can tell.
bool is_rigid(const PdbCopy& copy);

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
