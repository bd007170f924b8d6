"""from_pdb: molecules whose shapes are known, the real ones by count, and what is refused."""

import gzip
import itertools

import numpy as np
import pytest
from molecule_texts import SMALL_PDB, atom_line

import sightline as sl


def test_the_small_file_is_the_one_written():
    m = sl.from_pdb(SMALL_PDB)
    assert (m.alternates, m.other_models, m.copies_in_file) == (1, 1, 3)
    assert m.elements.tolist() == ["N", "C", "C", "O", "S"]
    assert m.serials.tolist() == [10, 11, 12, 14, 15]
    assert m.bonds.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert m.copies.shape == (0, 3, 4)
    assert m.scene.metadata == {
        "unit": "angstrom", "up": "z", "pdb.copies": "0", "pdb.ball": "van der Waals",
        "pdb.bond_radius": "0.15",
    }  # fmt: skip
    spheres, capsules = m.scene.shapes("sphere"), m.scene.shapes("capsule")
    np.testing.assert_array_equal(spheres["center"], np.float32(m.positions))
    np.testing.assert_array_equal(spheres["radius"], np.float32([1.55, 1.7, 1.7, 1.52, 1.8]))
    assert spheres["label"].tolist() == [10, 11, 12, 14, 15]
    assert set(spheres["group"].tolist() + capsules["group"].tolist()) == {sl.NONE}
    assert capsules["label"].tolist() == [11 << 32 | 10, 12 << 32 | 11, 14 << 32 | 12]
    np.testing.assert_array_equal(capsules["a"], spheres["center"][[0, 1, 2]])
    np.testing.assert_array_equal(capsules["b"], spheres["center"][[1, 2, 3]])
    assert set(capsules["radius"].tolist()) == {np.float32(0.15)}
    assert "from_pdb" in dir(sl)


def test_balls_have_one_radius():
    m = sl.from_pdb(SMALL_PDB, ball=0.25, copies=1)
    assert set(m.scene.shapes("sphere")["radius"].tolist()) == {0.25}
    assert m.scene.metadata["pdb.ball"] == "0.25"
    assert m.scene.metadata["pdb.copies"] == "1"
    for ball in (-1, 2e6, float("nan")):
        with pytest.raises(sl.UsageError, match="ball is .*, not a number from 0 to 1,000,000"):
            sl.from_pdb(SMALL_PDB, ball=ball)


def test_copies_are_of_their_chains_and_turned():
    m = sl.from_pdb(SMALL_PDB, copies="all")
    spheres = m.scene.shapes("sphere")  # 4 of chain A twice, 1 of B
    assert spheres["group"].tolist() == [0] * 4 + [1] * 4 + [2]
    assert m.scene.shapes("capsule")["group"].tolist() == [0] * 3 + [1] * 3
    # (1.458, 0, 0), a quarter of a turn; the sulphur, lifted.
    np.testing.assert_array_equal(spheres["center"][5], np.float32([5, 7.458, 7]))
    np.testing.assert_array_equal(spheres["center"][8], np.float32([50.123, -40.25, 12.001]))
    assert m.copies.shape == (3, 3, 4)
    assert len(sl.from_pdb(SMALL_PDB, copies=2).scene) == 14
    with pytest.raises(sl.UsageError, match="4 copies are asked for, and it describes 3"):
        sl.from_pdb(SMALL_PDB, copies=4)
    for copies in (-1, "few"):
        with pytest.raises(sl.UsageError, match="copies is .*, not 'all' or a number from 0"):
            sl.from_pdb(SMALL_PDB, copies=copies)


def test_all_of_no_copies_are_the_atoms_as_they_are():
    m = sl.from_pdb(atom_line(1, " C  ", " ", "A", 1, 2, 3), copies="all")
    assert m.copies_in_file == 0
    assert m.scene.shapes("sphere")["group"].tolist() == [sl.NONE]


@pytest.mark.parametrize(
    ("name", "symbol"),
    [(" CA ", "C"), ("CA  ", "CA"), ("HG11", "H"), ("1HB ", "H"), ("ZN  ", "ZN"), (" OXT", "O")],
)
def test_elements_are_read_from_names_where_their_columns_are_empty(name, symbol):
    assert sl.from_pdb(atom_line(1, name, " ", "A", 0, 0, 0)).elements.tolist() == [symbol]


def test_old_files_end_in_the_entrys_name_and_the_lines_number():
    text = """\
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A                             1ABC  98
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        5.00000    1ABC  99
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000    1ABC 100
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000    1ABC 101
ATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00 10.00      1ABC 102
HETATM    2 CA    CA A   2       4.000   2.000   3.000  1.00 10.00      1ABC1103
END
"""
    m = sl.from_pdb(text, copies="all")
    assert m.elements.tolist() == ["C", "CA"]
    np.testing.assert_array_equal(m.scene.shapes("sphere")["center"], [[6, 2, 3], [9, 2, 3]])
    # Newer files have a segment's name, the element and a charge there.
    newer = "ATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00 10.00      1ABCZN2+\n"
    assert sl.from_pdb(newer).elements.tolist() == ["ZN"]
    with pytest.raises(sl.BadInputError, match="line 1: columns 77-78"):
        sl.from_pdb(newer.replace("1ABCZN2+", "SEGM  12").replace("  12", "12  "))


def test_bonds_are_those_of_every_pair_compared():
    # Carbons on a grid of 1.7 with every third one moved: bonds across cells of any sign.
    text = ""
    for i in range(343):
        shift = 0.31 if i % 3 == 0 else 0
        place = 1.7 * (i % 7 - 3) + shift, 1.7 * (i // 7 % 7 - 3) - shift, 1.7 * (i // 49 - 3)
        text += atom_line(i, " C  ", " ", "A", *place, "C")
    m = sl.from_pdb(text)
    expected = [
        [i, j]
        for i, j in itertools.combinations(range(343), 2)
        if 0.4 < np.linalg.norm(m.positions[i] - m.positions[j]) <= 2 * 0.76 + 0.4
    ]
    assert len(expected) > 500
    assert m.bonds.tolist() == expected


def test_sources(tmp_path):
    hash_ = sl.from_pdb(SMALL_PDB).scene.hash
    path = tmp_path / "small.pdb"
    path.write_text(SMALL_PDB.replace("\n", "\r\n"))
    (tmp_path / "small.ent.gz").write_bytes(gzip.compress(SMALL_PDB.encode()))
    halves = SMALL_PDB.encode()[:700], SMALL_PDB.encode()[700:]
    members = b"".join(gzip.compress(half) for half in halves)
    for source in (path, str(path), tmp_path / "small.ent.gz", SMALL_PDB.encode(), members):
        assert sl.from_pdb(source).scene.hash == hash_
    with pytest.raises(sl.FileError, match="gone.pdb: cannot be read: No such file"):
        sl.from_pdb(tmp_path / "gone.pdb")
    with pytest.raises(sl.FileError, match="cannot be read: Is a directory"):
        sl.from_pdb(tmp_path)
    for damaged in (members[:-9], members[:20] + b"?" * 20 + members[40:]):
        with pytest.raises(sl.BadInputError, match="the text: its gzip data is damaged: "):
            sl.from_pdb(damaged)
    with pytest.raises(sl.BadInputError, match="is mmCIF, which sightline.from_mmcif reads"):
        sl.from_pdb("# by hand\ndata_X\n")


def test_memory_is_counted_before_it_is_taken():
    bomb = gzip.compress(b" " * 40_000_000)
    with pytest.raises(sl.OutOfMemoryError, match="its text has more than 2,500,000 bytes"):
        sl.from_pdb(bomb, max_memory=10_000_000)
    atoms = "".join(atom_line(i, " C  ", " ", "A", i % 1000, i // 1000, 0) for i in range(3000))
    assert len(sl.from_pdb(atoms, max_memory=4_000_000).serials) == 3000
    with pytest.raises(sl.OutOfMemoryError, match="atoms the import takes .*=1,000,000"):
        sl.from_pdb(atoms, max_memory=1_000_000)
    copies = "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n" + 2000 * (
        "REMARK 350   BIOMT1   1  1. 0. 0. 0.\nREMARK 350   BIOMT2   1  0. 1. 0. 0.\n"
        "REMARK 350   BIOMT3   1  0. 0. 1. 0.\n"
    )
    assert sl.from_pdb(copies + atoms, max_memory=10_000_000).copies_in_file == 2000
    with pytest.raises(sl.OutOfMemoryError, match="6,000,000 spheres and 17,986,000 capsules"):
        sl.from_pdb(copies + atoms, copies="all", max_memory=10_000_000)
    # Bonds of atoms that crowd: each has hundreds.
    crowd = "".join(
        atom_line(i, " U  ", " ", "A", 0.45 * (i % 10), 0.45 * (i // 10 % 10), 0.45 * (i // 100))
        for i in range(1000)
    )
    with pytest.raises(sl.BadInputError, match="line 257: more than 256 atoms lie within 4.3"):
        sl.from_pdb(crowd.replace(" 0.450", " 0.401"), max_memory=10_000_000)
    crowd = crowd.replace(" U  ", " C  ")
    with pytest.raises(sl.OutOfMemoryError, match="bonds the import takes about"):
        sl.from_pdb(crowd, max_memory=1_500_000)


ATOM = atom_line(1, " C  ", " ", "A", 0, 0, 0, "C")
CHAINS = "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
ROWS = {1: "1 0 0 0.", 2: "0 1 0 0.", 3: "0 0 1 0."}
ROW = {k: f"REMARK 350   BIOMT{k}   1  {numbers}\n" for k, numbers in ROWS.items()}


def changed(column, text, line=ATOM):
    return "REMARK\n" + line[: column - 1] + text + line[column - 1 + len(text) :]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no line of it is an atom"),
        ("REMARK\nATOM      1\n", "line 2: an atom's line has"),
        (changed(7, "A0000"), "line 2: the serial is 'A0000', not an integer of 0 to 99999"),
        (changed(31, "     nan"), "line 2: x is 'nan', not a number"),
        (changed(31, "     inf"), "line 2: x is 'inf'"),
        (changed(31, "   1_000"), "line 2: x is '1_000'"),
        (changed(31, " 1e99999"), "line 2: x is '1e99999'"),
        (changed(39, "        "), "line 2: y is ''"),
        (changed(47, " 1.0 2.0"), "line 2: z is '1.0 2.0'"),
        (changed(47, "99999999"), "line 2: a coordinate is farther"),
        (changed(77, "Qq"), "line 2: columns 77-78 name no element"),
        (changed(13, " ?? ", atom_line(1, " C  ", " ", "A", 0, 0, 0)), "line 2: the atom's name"),
        (ATOM * 300, "line 257: more than 256 atoms lie within 1.9 angstrom"),
        (CHAINS + ROW[2], "line 2: BIOMT1 is expected"),
        (CHAINS + ROW[1] * 2, "line 3: BIOMT2 is expected"),
        (CHAINS + ROW[1] + ROW[2] + ATOM, "line 4: the copies end behind row 2 of 3"),
        (CHAINS + "REMARK 350   BIOMT1   1  1. 0. 0.\n", "line 2: a number of the copy is ''"),
        (CHAINS + ROW[1][:-1] + " 1.\n", "line 2: a row of a copy has four numbers"),
        (CHAINS + ROW[1] + ROW[2].replace("  1 ", "  2 "), "line 3: the rows of a copy differ"),
        (ROW[1] + ROW[2] + ROW[3], "line 3: no chains are named"),
        (CHAINS + ROW[1] + ROW[2] + ROW[3].replace(" 1 0.", " 2 0."), "line 4: the three rows"),
        (CHAINS + ROW[1] + ROW[2] + ROW[3].replace(" 1 0.", " -1 0."), "line 4: the three rows"),
        (CHAINS + ROW[1] + ROW[2] + ROW[3].replace(" 0.\n", " 1e7\n"), "line 4: the three rows"),
    ],
)
def test_bad_lines_are_refused_by_number_and_reason(text, words):
    with pytest.raises(sl.BadInputError) as caught:
        sl.from_pdb(text)
    assert str(caught.value).startswith(f"the text: {words}")


KNOWN = [
    ("1crn.pdb", 327, 337, 1, 327, 337),
    ("1IHM.pdb", 11284, 11627, 60, 677040, 697620),
    ("1M4X.pdb", 9693, 9918, 1680, 16284240, 16662240),
]


@pytest.mark.parametrize(("name", "atoms", "bonds", "copies", "spheres", "capsules"), KNOWN)
def test_real_files_have_their_atoms_bonds_and_copies(
    data, name, atoms, bonds, copies, spheres, capsules
):
    m = sl.from_pdb(data / "molecules" / name, copies=1)
    assert (len(m.serials), len(m.bonds), m.copies_in_file) == (atoms, bonds, copies)
    # Their copies are of all chains.
    assert m.scene.count("sphere") * copies == spheres
    assert m.scene.count("capsule") * copies == capsules


def test_the_whole_shell_has_bonds_between_atoms_and_copies_that_are_turned(data):
    m = sl.from_pdb(data / "molecules/1IHM.pdb", copies="all")
    spheres, capsules = m.scene.shapes("sphere"), m.scene.shapes("capsule")
    center = spheres["center"].reshape(60, -1, 3)
    rows, places = m.copies.astype(np.longdouble), m.positions.astype(np.longdouble)
    for k in range(60):
        exact = (rows[k, None, :, :3] * places[:, None]).sum(axis=2) + rows[k, :, 3]
        # Three roundings of sums below 1,000, then one to float32.
        error = np.abs(center[k] - exact)
        assert (error <= np.spacing(np.abs(center[k])) * np.longdouble(0.5) + 1e-12).all()
    np.testing.assert_array_equal(spheres["label"].reshape(60, -1), [m.serials] * 60)
    np.testing.assert_array_equal(spheres["group"], np.repeat(np.arange(60), 11284))
    for k, end in enumerate("ab"):
        ends = center[:, m.bonds[:, k]].reshape(-1, 3)
        np.testing.assert_array_equal(capsules[end], ends)
