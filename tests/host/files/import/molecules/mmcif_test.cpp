// mmCIF files: the small molecule once more, and damaged ones.
#include "host/files/import/molecules/import_pdb.hpp"
#include "tests/host/files/import/damage.hpp"
#include "tests/host/files/import/molecules/small_molecule.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

namespace sightline::io {
namespace {

struct CifAtom {
  int serial;
  std::string element, chain, location;
  double x, y, z;
  int model = 1;
};

std::string cif_atoms(const std::vector<CifAtom>& atoms) {
  std::string text = "loop_\n";
  for (const char* name : {"group_PDB", "id", "type_symbol", "label_alt_id", "label_asym_id",
                           "auth_seq_id", "Cartn_x", "Cartn_y", "Cartn_z", "pdbx_PDB_model_num"}) {
    text += fmt::format("_atom_site.{}\n", name);
  }
  for (const CifAtom& a : atoms) {
    text += fmt::format("ATOM {} {} {} {} 1 {:.3f} {:.3f} {:.3f} {}\n", a.serial, a.element,
                        a.location, a.chain, a.x, a.y, a.z, a.model);
  }
  return text;
}

/// What small_molecule() says.
std::string small_cif(
    const std::string& turn = "0.0 -1.0 0.0 1.0 0.0 0.0 0.0 0.0 1.0 5.0 6.0 7.0") {
  std::string text =
      "# by hand\n\ndata_SMALL\nloop_\n_pdbx_struct_assembly.id\n_pdbx_struct_assembly.details\n"
      "_pdbx_struct_assembly.method_details\n_pdbx_struct_assembly.oligomeric_details\n"
      "_pdbx_struct_assembly.oligomeric_count\n1 author_defined_assembly ? trimeric 3\n"
      "2 author_defined_assembly ? monomeric 1\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n"
      "_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n"
      "1 1,2 AA\n1 3 B,C\n2 1 AA\nloop_\n_pdbx_struct_oper_list.id\n_pdbx_struct_oper_list.type\n";
  for (int i = 1; i < 4; ++i) {
    for (int k = 1; k < 4; ++k) {
      text += fmt::format("_pdbx_struct_oper_list.matrix[{}][{}]\n", i, k);
    }
  }
  for (int i = 1; i < 4; ++i) text += fmt::format("_pdbx_struct_oper_list.vector[{}]\n", i);
  return text + "1 ? 1 0 0 0 1 0 0 0 1 0 0 0\n2 ? " + turn + "\n3 ? 1 0 0 0 1 0 0 0 1 0 0 9.0\n" +
         cif_atoms({{10, "N", "AA", ".", 0, 0, 0},
                    {11, "C", "AA", ".", 1.458, 0, 0},
                    {12, "C", "AA", "B", 2.009, 1.42, 0},
                    {13, "C", "AA", "A", 2.1, 1.5, 0},
                    {14, "O", "AA", ".", 1.251, 2.39, 0},
                    {15, "S", "B", ".", 50.123, -40.25, 3.001},
                    {16, "S", "B", ".", 0, 0, 0, 2}});
}

void expect_same_scene(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.count(Kind::sphere), b.count(Kind::sphere));
  ASSERT_EQ(a.count(Kind::capsule), b.count(Kind::capsule));
  const std::uint32_t spheres = static_cast<std::uint32_t>(a.count(Kind::sphere));
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.attributes(i).label, b.attributes(i).label) << i;
    EXPECT_EQ(a.attributes(i).group, b.attributes(i).group) << i;
    if (i >= spheres) continue;
    const Sphere s = a.sphere(i), t = b.sphere(i);
    EXPECT_TRUE(s.center.x == t.center.x && s.center.y == t.center.y && s.center.z == t.center.z &&
                s.radius == t.radius)
        << i;
  }
}

TEST(Mmcif, IsTheMoleculeOfThePdbFile) {
  const Molecule cif = parse_molecule("m", small_cif());
  const Molecule pdb = parse_molecule("m", small_molecule());
  std::string capitals = small_cif();
  capitals.replace(capitals.find("data_"), 5, "DATA_");
  EXPECT_EQ(parse_molecule("m", capitals).bonds, pdb.bonds);
  EXPECT_EQ(cif.pdb.alternates, 1u);
  EXPECT_EQ(cif.pdb.other_models, 1u);
  ASSERT_EQ(cif.pdb.copies.size(), 3u);
  EXPECT_EQ(cif.bonds, pdb.bonds);
  for (const std::uint64_t copies : {0u, 3u}) {
    expect_same_scene(molecule_scene(cif, std::nullopt, copies),
                      molecule_scene(pdb, std::nullopt, copies));
  }
}

TEST(Mmcif, RefusesByAtomAndReason) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = small_cif();
    return text.replace(text.find(from), from.size(), to);
  };
  const std::pair<std::string, const char*> cases[] = {
      {"data_EMPTY\n", "m: it has no table of atoms"},
      {"data_X\n" + cif_atoms({}), "m: its table of atoms is empty"},
      {changed("data_SMALL\nloop_", "data_SMALL\nloop_ loop_"), "m: "},
      {changed("1.458", "1.4O8"), "m: atom '11': Cartn_x is '1.4O8'"},
      {changed("1.458", "nan"), "m: atom '11': Cartn_x is 'nan'"},
      {changed("50.123", "5e7"), "m: atom '15': Cartn_x is '5e7'"},
      {changed("ATOM 14 O", "ATOM 14 Qq"), "m: atom '14': 'Qq' is no element"},
      {changed("ATOM 14 O", "ATOM -1 O"), "m: atom '-1': its id"},
      {changed("ATOM 14 O", "ATOM 1.5 O"), "m: atom '1.5': its id is no whole number"},
      {small_cif("1 0 0 0 1 0 0 0 2 0 0 0"), "m: operator '2' of its first assembly"},
      {small_cif("1 0 0 0 1 0 0 0 ? 0 0 0"), "m: operator '2' of its first assembly"}};
  for (const auto& [text, words] : cases) {
    const std::string what =
        testing::refusal(ErrorKind::bad_input, [&, &file = text] { parse_molecule("m", file); });
    EXPECT_TRUE(what.starts_with(words)) << what << "\n" << words;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

TEST(ImportFuzz, DamagedMmcifFilesAreReadOrRefused) {
  expect_read_or_refused(small_cif(), 0xc1f, million / 10, [](const std::string& text) {
    Molecule molecule;
    molecule.pdb = read_mmcif("damaged", text);
    ASSERT_LE(molecule.pdb.atoms.size() * 10, text.size());
    molecule_scene(molecule, std::nullopt, molecule.pdb.copies.size());
  });
}

}  // namespace
}  // namespace sightline::io
