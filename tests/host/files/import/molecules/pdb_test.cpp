// Import of molecules: one whose shapes are known, the real ones by count.
#include "host/files/import/molecules/import_pdb.hpp"
#include "tests/host/files/import/molecules/small_molecule.hpp"
#include "tests/support/places.hpp"
#include "tests/support/refusal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::io {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Molecule molecule_of(const std::string& text) { return parse_molecule("m", text); }

TEST(Molecule, OfTheSmallFileIsTheOneWritten) {
  const Molecule m = molecule_of(small_molecule());
  ASSERT_EQ(m.pdb.atoms.size(), 5u);
  EXPECT_EQ(m.pdb.alternates, 1u);
  EXPECT_EQ(m.pdb.other_models, 1u);
  EXPECT_EQ(m.pdb.copies.size(), 3u);
  EXPECT_EQ(m.bonds, (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  const char* symbols[] = {"N", "C", "C", "O", "S"};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_STREQ(m.pdb.atoms[i].element->symbol, symbols[i]) << i;

  const Scene scene = molecule_scene(m, std::nullopt, 0);
  ASSERT_EQ(scene.count(Kind::sphere), 5u);
  ASSERT_EQ(scene.count(Kind::capsule), 3u);
  EXPECT_EQ(scene.sphere(1).center.x, 1.458f);
  EXPECT_EQ(scene.sphere(1).radius, 1.7f);
  EXPECT_EQ(scene.attributes(4).label, 15u);
  EXPECT_EQ(scene.attributes(5).label, std::uint64_t{11} << 32 | 10);
  EXPECT_EQ(scene.attributes(0).group, none);
  EXPECT_EQ(scene.capsule(0).radius, bond_radius);
  EXPECT_EQ(molecule_scene(m, 0.25f, 0).sphere(3).radius, 0.25f);
}

TEST(Molecule, CopiesAreOfTheirChainsAndRotated) {
  const Molecule m = molecule_of(small_molecule());
  const Scene scene = molecule_scene(m, std::nullopt, 3);
  ASSERT_EQ(scene.count(Kind::sphere), 9u);  // 4 of chain A twice, 1 of B
  ASSERT_EQ(scene.count(Kind::capsule), 6u);
  EXPECT_EQ(scene.sphere(5).center.x, 5);  // (1.458, 0, 0), a quarter of a turn
  EXPECT_EQ(scene.sphere(5).center.y, static_cast<float>(7.458));
  EXPECT_EQ(scene.sphere(5).center.z, 7);
  EXPECT_EQ(scene.sphere(8).center.z, static_cast<float>(12.001));
  EXPECT_EQ(scene.attributes(5).group, 1u);
  EXPECT_EQ(scene.attributes(8).group, 2u);
  EXPECT_THROW(molecule_scene(m, std::nullopt, 4), Error);
}

TEST(Molecule, ElementsAreReadFromNamesWhereTheirColumnsAreEmpty) {
  const std::pair<const char*, const char*> cases[] = {
      {" CA ", "C"}, {"CA  ", "CA"}, {"HG11", "H"}, {"1HB ", "H"}, {"ZN  ", "ZN"}, {" OXT", "O"}};
  for (const auto& [name, symbol] : cases) {
    const Molecule m = molecule_of(atom_line(1, name, ' ', 'A', 0, 0, 0));
    EXPECT_STREQ(m.pdb.atoms[0].element->symbol, symbol) << name;
  }
}

TEST(Molecule, BondsAreThoseOfEveryPairCompared) {
  // Carbons on a grid of 1.7 with every third one moved: bonds across cells of any sign.
  std::string text;
  for (int i = 0; i < 343; ++i) {
    const double shift = i % 3 == 0 ? 0.31 : 0;
    text += atom_line(i, " C  ", ' ', 'A', 1.7 * (i % 7 - 3) + shift, 1.7 * (i / 7 % 7 - 3) - shift,
                      1.7 * (i / 49 - 3), "C");
  }
  const Molecule m = molecule_of(text);
  Pairs expected;
  for (std::uint32_t i = 0; i < 343; ++i) {
    for (std::uint32_t j = i + 1; j < 343; ++j) {
      const auto &a = m.pdb.atoms[i].position, &b = m.pdb.atoms[j].position;
      const double d = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      if (d > 0.4 && d <= 2 * 0.76 + 0.4) expected.emplace_back(i, j);
    }
  }
  EXPECT_GT(expected.size(), 500u);
  EXPECT_EQ(m.bonds, expected);
}

struct Known {
  const char* name;
  std::uint64_t atoms, bonds, copies, spheres, capsules;
};
constexpr Known known[] = {{"1crn.pdb", 327, 337, 1, 327, 337},
                           {"1IHM.pdb", 11284, 11627, 60, 677040, 697620},
                           {"1M4X.pdb", 9693, 9918, 1680, 16284240, 16662240}};

TEST(Molecule, OfRealFilesHasTheirAtomsBondsAndCopies) {
  const auto folder = testing::shared_folder() / "data/molecules";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  for (const Known& k : known) {
    const Molecule m = import_pdb(folder / k.name);
    EXPECT_EQ(m.pdb.atoms.size(), k.atoms) << k.name;
    EXPECT_EQ(m.bonds.size(), k.bonds) << k.name;
    EXPECT_EQ(m.pdb.copies.size(), k.copies) << k.name;
    std::uint64_t spheres = 0, capsules = 0;
    for (const PdbCopy& copy : m.pdb.copies) {
      const auto has = [&](std::uint32_t i) { return copy.chains[m.pdb.atoms[i].chain]; };
      for (std::uint32_t i = 0; i < k.atoms; ++i) spheres += has(i);
      for (const auto& [i, j] : m.bonds) capsules += has(i) && has(j);
    }
    EXPECT_EQ(spheres, k.spheres) << k.name;
    EXPECT_EQ(capsules, k.capsules) << k.name;
  }
}

TEST(Molecule, WholeShellHasBondsBetweenAtomsAndCopiesThatAreRotated) {
  const auto file = testing::shared_folder() / "data/molecules/1IHM.pdb";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const Molecule m = import_pdb(file);
  const Scene scene = molecule_scene(m, std::nullopt, 60);
  ASSERT_EQ(scene.count(Kind::sphere), 677040u);
  ASSERT_EQ(scene.count(Kind::capsule), 697620u);
  for (std::uint32_t i = 0; i < 677040; ++i) {
    const PdbCopy& copy = m.pdb.copies[i / 11284];
    const auto& p = m.pdb.atoms[i % 11284].position;
    const Vec3 center = scene.sphere(i).center;
    const float got[] = {center.x, center.y, center.z};
    for (std::size_t r = 0; r < 3; ++r) {
      long double exact = copy.rows[r][3];
      for (std::size_t c = 0; c < 3; ++c) exact += static_cast<long double>(copy.rows[r][c]) * p[c];
      // Three roundings of sums below 1,000, then one to binary32.
      const auto error = std::abs(static_cast<long double>(got[r]) - exact);
      const float ulp = std::nextafter(std::abs(got[r]), infinity) - std::abs(got[r]);
      ASSERT_LE(error, 0.5L * ulp + 1e-12L) << i << " row " << r;
    }
  }
  for (std::uint32_t i = 0; i < 697620; ++i) {
    const auto& [a, b] = m.bonds[i % 11627];
    const std::uint32_t first = i / 11627 * 11284;
    const Capsule c = scene.capsule(i);
    const Vec3 from = scene.sphere(first + a).center, to = scene.sphere(first + b).center;
    ASSERT_TRUE(c.a.x == from.x && c.a.y == from.y && c.a.z == from.z) << i;
    ASSERT_TRUE(c.b.x == to.x && c.b.y == to.y && c.b.z == to.z) << i;
  }
}

TEST(Molecule, RefusesBadLinesByNumberAndReason) {
  const std::string atom = atom_line(1, " C  ", ' ', 'A', 0, 0, 0, "C");
  const auto changed = [&atom](std::size_t column, const std::string& text) {
    return "REMARK\n" + std::string(atom).replace(column - 1, text.size(), text);
  };
  const std::string chains = "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n";
  const std::string row1 = "REMARK 350   BIOMT1   1  1.0 0.0 0.0 0.0\n";
  const std::string row2 = "REMARK 350   BIOMT2   1  0.0 1.0 0.0 0.0\n";
  std::string crowd;
  for (int i = 0; i < 300; ++i) crowd += atom;
  const std::pair<std::string, const char*> cases[] = {
      {"", "m: no line of it is an atom"},
      {"REMARK\nATOM      1\n", "m: line 2: an atom's line has"},
      {changed(7, "A0000"), "m: line 2: the serial is 'A0000'"},
      {changed(31, "     nan"), "m: line 2: x is 'nan'"},
      {changed(39, "        "), "m: line 2: y is ''"},
      {changed(47, " 1.0 2.0"), "m: line 2: z is '1.0 2.0'"},
      {changed(47, "99999999"), "m: line 2: a coordinate is farther"},
      {changed(77, "Qq"), "m: line 2: columns 77-78"},
      {changed(77, "  ").replace(19, 4, " ?? "), "m: line 2: the atom's name"},
      {crowd, "m: line 257: more than 256 atoms"},
      {chains + row2, "m: line 2: BIOMT1 is expected"},
      {chains + row1 + row1, "m: line 3: BIOMT2 is expected"},
      {chains + row1 + row2 + atom, "m: line 4: the copies end behind row 2"},
      {chains + "REMARK 350   BIOMT1   1  1.0 0.0 0.0\n", "m: line 2: a number of the copy is ''"},
      {chains + row1 + "REMARK 350   BIOMT2   2  0. 1. 0. 0.\n", "m: line 3: the rows of a copy"},
      {row1 + row2 + "REMARK 350   BIOMT3   1  0. 0. 1. 0.\n", "m: line 3: no chains"},
      {chains + row1 + row2 + "REMARK 350   BIOMT3   1  0. 0. 2. 0.\n", "m: line 4: the three"},
      {chains + row1 + row2 + "REMARK 350   BIOMT3   1  0. 0. -1. 0.\n", "m: line 4: the three"}};
  for (const auto& [text, words] : cases) {
    const std::string what = testing::refusal(ErrorKind::bad_input, [&] { molecule_of(text); });
    EXPECT_TRUE(what.starts_with(words)) << what << "\n" << words;
  }
}

}  // namespace
}  // namespace sightline::io
