// Reading of PDB and mmCIF files: atoms, and the copies that make the whole assembly.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
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

}  // namespace sightline::io
