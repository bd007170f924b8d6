#include "host/files/import/molecules/import_pdb.hpp"

#include "host/files/core/text_file.hpp"

#include <algorithm>
#include <cmath>

namespace sightline::io {
namespace {

/// Atoms nearer than this are the same one, twice; farther by more than the slack than the sum of
/// their covalent radii, they are not bonded. In angstrom.
constexpr double least_bond = 0.4;
constexpr double bond_slack = 0.4;
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
    const PdbAtom& crowded = pdb.atoms[cells[i].atom];
    refuse(pdb.file, "{} {}: more than {} atoms lie within {:.1f} angstrom",
           crowded.line > 0 ? "line" : "atom", crowded.line > 0 ? crowded.line : crowded.serial,
           most_in_cell, edge);
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

/// Pairs of indices of bonded atoms, the smaller first, in ascending order.
/// Throws Error{bad_input} naming file and line where atoms crowd more than matter does.
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

/// One copy's shapes as columns.
struct Shapes {
  std::vector<Vec3> center, a, b;
  std::vector<float> radius;
  std::vector<std::uint64_t> atom_label, bond_label;
};

Shapes shapes_of(const Molecule& molecule, std::optional<float> ball, const PdbCopy& copy) {
  const std::vector<PdbAtom>& atoms = molecule.pdb.atoms;
  Shapes shapes;
  const auto is_copied = [&](const PdbAtom& atom) { return copy.chains[atom.chain]; };
  for (const PdbAtom& atom : atoms) {
    if (!is_copied(atom)) continue;
    shapes.center.push_back(moved(copy, atom.position));
    shapes.radius.push_back(ball.value_or(static_cast<float>(atom.element->van_der_waals)));
    shapes.atom_label.push_back(atom.serial);
  }
  for (const auto& [i, j] : molecule.bonds) {
    if (!is_copied(atoms[i]) || !is_copied(atoms[j])) continue;
    shapes.a.push_back(moved(copy, atoms[i].position));
    shapes.b.push_back(moved(copy, atoms[j].position));
    shapes.bond_label.push_back(std::uint64_t{atoms[j].serial} << 32 | atoms[i].serial);
  }
  return shapes;
}

void add(Scene& scene, const Shapes& shapes, std::uint32_t group) {
  AttributesView attributes;
  attributes.group.common = group;
  if (!shapes.center.empty()) {
    attributes.label = shapes.atom_label;
    scene.add_spheres(shapes.center.size(), shapes.center, shapes.radius, attributes);
  }
  if (shapes.a.empty()) return;
  attributes.label = shapes.bond_label;
  scene.add_capsules(shapes.a.size(), shapes.a, shapes.b, bond_radius, attributes);
}

}  // namespace

Molecule parse_molecule(const std::string& file, std::string_view text) {
  Molecule molecule;
  TextLines lines(file, text);
  while (lines.next() && (lines.line().empty() || lines.line().starts_with('#'))) continue;
  std::string begin(lines.line().substr(0, 5));  // CIF's words are of any case
  for (char& c : begin) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  molecule.pdb = begin == "data_" ? read_mmcif(file, text) : read_pdb(file, text);
  molecule.bonds = covalent_bonds(molecule.pdb);
  return molecule;
}

Molecule import_pdb(const std::filesystem::path& path) {
  return parse_molecule(path.string(), read_text(path));
}

Vec3 moved(const PdbCopy& copy, const std::array<double, 3>& p) {
  const auto row = [&p](const std::array<double, 4>& m) {
    return static_cast<float>(m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]);
  };
  return {row(copy.rows[0]), row(copy.rows[1]), row(copy.rows[2])};
}

Scene molecule_scene(const Molecule& molecule, std::optional<float> ball, std::uint64_t copies) {
  const PdbFile& pdb = molecule.pdb;
  if (copies > pdb.copies.size()) {
    fail(ErrorKind::usage, "{}: {} copies are asked for, and it describes {}", pdb.file, copies,
         pdb.copies.size());
  }
  const std::uint64_t each = pdb.atoms.size() + molecule.bonds.size();
  if (each * std::max<std::uint64_t>(copies, 1) >= none) {
    refuse(pdb.file, "{} copies of {} shapes are more than a scene holds", copies, each);
  }
  Scene scene;
  if (copies == 0) {
    PdbCopy as_it_is{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, {}};
    for (const PdbAtom& atom : pdb.atoms) {
      as_it_is.chains.resize(std::max<std::size_t>(as_it_is.chains.size(), atom.chain + 1), true);
    }
    add(scene, shapes_of(molecule, ball, as_it_is), none);
  }
  for (std::uint32_t i = 0; i < copies; ++i) {
    add(scene, shapes_of(molecule, ball, pdb.copies[i]), i);
  }
  return scene;
}

}  // namespace sightline::io
