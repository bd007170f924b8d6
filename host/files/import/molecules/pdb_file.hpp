// Reading of PDB files: atoms, and the copies that make the whole assembly.
#pragma once

#include "host/files/import/molecules/elements.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::io {

struct PdbAtom {
  std::array<double, 3> position;  ///< angstrom
  const Element* element;
  std::uint32_t serial;  ///< as the file numbers it
  char chain;
  std::uint64_t line;  ///< for messages
};

/// A rigid motion, and the chains that it copies: x' = m x + t, rows [m | t].
struct PdbCopy {
  std::array<std::array<double, 4>, 3> rows;
  std::bitset<256> chains;
};

struct PdbFile {
  std::string file;  ///< for messages
  std::vector<PdbAtom> atoms;
  std::vector<PdbCopy> copies;     ///< of the first biomolecule, in file order
  std::uint64_t alternates = 0;    ///< atoms left out: other locations than the residue's first
  std::uint64_t other_models = 0;  ///< atoms left out: behind the first model
};

/// Reads the text of a file; see docs/imports.md for what is taken.
/// Throws Error{bad_input} naming file, line and reason.
PdbFile read_pdb(const std::string& file, std::string_view text);

}  // namespace sightline::io
