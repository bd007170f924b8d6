// Covalent bonds from the distances of atoms.
#pragma once

#include "host/files/import/molecules/pdb_file.hpp"

#include <utility>

namespace sightline::io {

/// Atoms nearer than this are the same one, twice; farther by more than the slack than the sum of
/// their covalent radii, they are not bonded. In angstrom.
inline constexpr double least_bond = 0.4;
inline constexpr double bond_slack = 0.4;

/// Pairs of indices of bonded atoms, the smaller first, in ascending order.
/// Throws Error{bad_input} naming file and line where atoms crowd more than matter does.
std::vector<std::pair<std::uint32_t, std::uint32_t>> covalent_bonds(const PdbFile& pdb);

}  // namespace sightline::io
