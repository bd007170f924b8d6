#include "host/files/import/molecules/pdb_bonds.hpp"

#include <sightline/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

/// More atoms than any matter has in a cell of at most 5.3 angstrom; keeps the search linear.
constexpr std::uint64_t most_in_cell = 256;

struct Cell {
  std::array<std::int64_t, 3> at;
  std::uint32_t atom;
  bool operator<(const Cell& b) const { return at != b.at ? at < b.at : atom < b.atom; }
};

double largest_reach(const PdbFile& pdb) {
  double radius = 0;
  for (const PdbAtom& atom : pdb.atoms) radius = std::max(radius, atom.element->covalent);
  return 2 * radius + bond_slack;
}

/// Atoms sorted by the cell of a grid whose edge is the longest bond.
std::vector<Cell> sorted_cells(const PdbFile& pdb) {
  const double edge = largest_reach(pdb);
  std::vector<Cell> cells(pdb.atoms.size());
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    cells[i].atom = i;
    for (std::size_t k = 0; k < 3; ++k) {
      cells[i].at[k] = static_cast<std::int64_t>(std::floor(pdb.atoms[i].position[k] / edge));
    }
  }
  std::sort(cells.begin(), cells.end());
  for (std::size_t i = most_in_cell; i < cells.size(); ++i) {
    if (cells[i].at != cells[i - most_in_cell].at) continue;
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: line {}: more than {} atoms lie within {:.1f} angstrom", pdb.file,
                            pdb.atoms[cells[i].atom].line, most_in_cell, edge));
  }
  return cells;
}

bool are_bonded(const PdbAtom& a, const PdbAtom& b) {
  const double reach = a.element->covalent + b.element->covalent + bond_slack;
  double squared = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = a.position[k] - b.position[k];
    squared += d * d;
  }
  return squared > least_bond * least_bond && squared <= reach * reach;
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> covalent_bonds(const PdbFile& pdb) {
  const std::vector<Cell> cells = sorted_cells(pdb);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bonds;
  for (const Cell& cell : cells) {
    for (int column = 0; column < 9; ++column) {  // three cells along z lie side by side
      Cell first = cell;
      first.at[0] += column / 3 - 1;
      first.at[1] += column % 3 - 1;
      first.at[2] -= 1;
      first.atom = 0;
      Cell last = first;
      last.at[2] += 2;
      for (auto c = std::lower_bound(cells.begin(), cells.end(), first); c != cells.end(); ++c) {
        if (c->at > last.at) break;
        if (cell.atom < c->atom && are_bonded(pdb.atoms[cell.atom], pdb.atoms[c->atom])) {
          bonds.emplace_back(cell.atom, c->atom);
        }
      }
    }
  }
  std::sort(bonds.begin(), bonds.end());
  return bonds;
}

}  // namespace sightline::io
