#include "host/files/import/molecules/import_pdb.hpp"

#include "host/files/core/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::io {
namespace {

/// One copy's shapes as columns.
struct Shapes {
  std::vector<Vec3> center, a, b;
  std::vector<float> radius;
  std::vector<std::uint64_t> atom_label, bond_label;
};

Shapes shapes_of(const Molecule& molecule, std::optional<float> ball, const PdbCopy& copy) {
  const std::vector<PdbAtom>& atoms = molecule.pdb.atoms;
  Shapes shapes;
  const auto is_copied = [&](const PdbAtom& atom) {
    return copy.chains[static_cast<unsigned char>(atom.chain)];
  };
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
  molecule.pdb = read_pdb(file, text);
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
    throw Error(ErrorKind::usage, fmt::format("{}: {} copies are asked for, and it describes {}",
                                              pdb.file, copies, pdb.copies.size()));
  }
  const std::uint64_t each = pdb.atoms.size() + molecule.bonds.size();
  if (each * std::max<std::uint64_t>(copies, 1) >= none) {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: {} copies of {} shapes are more than a scene holds", pdb.file,
                            copies, each));
  }
  Scene scene;
  if (copies == 0) {
    PdbCopy as_it_is{{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}, {}};
    as_it_is.chains.set();
    add(scene, shapes_of(molecule, ball, as_it_is), none);
  }
  for (std::uint32_t i = 0; i < copies; ++i) {
    add(scene, shapes_of(molecule, ball, pdb.copies[i]), i);
  }
  return scene;
}

}  // namespace sightline::io
