"""from_mmcif: the molecules of PDB files once more, products of operators, and what is refused."""

import gzip
import sys

import numpy as np
import pytest
from molecule_texts import LIFT, ONE, SMALL_ATOMS, SMALL_PDB, TURN, cif_atoms, small_cif
from support import peak_of

import sightline as sl


def test_needs_gemmi(monkeypatch):
    monkeypatch.setitem(sys.modules, "gemmi", None)
    with pytest.raises(ImportError, match="sightline.from_mmcif needs the package gemmi.*pip inst"):
        sl.from_mmcif(small_cif())


pytest.importorskip("gemmi")


def test_is_the_molecule_of_the_pdb_file(tmp_path):
    (tmp_path / "small.cif.gz").write_bytes(gzip.compress(small_cif().encode()))
    quoted = small_cif().replace(" AA ", " 'AA' ").replace(" 1,2 ", "\n;1,\n2\n;\n")
    sources = small_cif(), small_cif().replace("data_", "DATA_"), tmp_path / "small.cif.gz", quoted
    for source in sources:
        for copies in (0, 2, "all"):
            cif, pdb = sl.from_mmcif(source, copies=copies), sl.from_pdb(SMALL_PDB, copies=copies)
            assert cif.scene.hash == pdb.scene.hash
            assert cif.scene.metadata == pdb.scene.metadata
        assert (cif.alternates, cif.other_models, cif.copies_in_file) == (1, 1, 3)
        np.testing.assert_array_equal(cif.bonds, pdb.bonds)
        np.testing.assert_array_equal(cif.copies, pdb.copies)
    assert sl.from_mmcif(small_cif(), ball=0.5).scene.shapes("sphere")["radius"][0] == 0.5


ALONG_X = "1 0 0 0 1 0 0 0 1 9 0 0"


def matrices(*motions):
    """Motions as 4x4 matrices."""
    found = np.tile(np.eye(4), (len(motions), 1, 1))
    for matrix, motion in zip(found, motions, strict=True):
        numbers = np.array(motion.split(), float)
        matrix[:3, :3], matrix[:3, 3] = numbers[:9].reshape(3, 3), numbers[9:]
    return found


@pytest.mark.parametrize(
    ("expression", "products"),
    [
        ("1", [[0]]),
        ("2,1", [[1], [0]]),
        ("1-3", [[0], [1], [2]]),
        ("(2)", [[1]]),
        ("(1,3)", [[0], [2]]),
        ("(1-2)(1-2)", [[0, 0], [0, 1], [1, 0], [1, 1]]),
        ("'(2) (3)'", [[1, 2]]),
        ("(3)(2)", [[2, 1]]),
        ("(1,3)(2)(2-3)", [[0, 1, 1], [0, 1, 2], [2, 1, 1], [2, 1, 2]]),
    ],
)
def test_operators_are_multiplied_and_the_last_is_applied_first(expression, products):
    motions = ONE, TURN, ALONG_X  # the turn is about z, so that the order counts
    every = matrices(*motions)
    expected = np.array([np.linalg.multi_dot([*every[p], np.eye(4)]) for p in products])
    text = small_cif(f"1 {expression} AA,B\n", motions)
    m = sl.from_mmcif(text, copies="all")
    assert m.copies_in_file == len(products)
    np.testing.assert_array_equal(m.copies, expected[:, :3])
    at = np.c_[m.positions, np.ones(5)]
    centers = m.scene.shapes("sphere")["center"].reshape(-1, 5, 3)
    np.testing.assert_array_equal(centers, np.float32(at @ expected[:, :3].swapaxes(1, 2)))
    some = sl.from_mmcif(text, copies=1)
    np.testing.assert_array_equal(some.copies, expected[:1, :3])


STRANGERS_ATOM = "1 N A . 17.047 14.099 3.625 1\n"
HALF_TURN = "-1 0 0 0 -1 0 0 0 1 5 0 0"


def test_products_of_strangers_files():
    atoms = {"atoms": STRANGERS_ATOM, "motions": (ONE, HALF_TURN)}
    m = sl.from_mmcif(small_cif("1 (1-2)(1-2) A\n", **atoms), copies="all")
    x = m.scene.shapes("sphere")["center"][:, 0]
    np.testing.assert_array_equal(x, np.float32([17.047, -12.047, -12.047, 17.047]))
    atoms["motions"] = (ONE, HALF_TURN.replace("5 0 0", "0 0 5"))
    m = sl.from_mmcif(small_cif("1 (1)(2)(2) A\n", **atoms), copies="all")
    np.testing.assert_array_equal(m.copies, [np.c_[np.eye(3), [0, 0, 10]]])
    np.testing.assert_array_equal(
        m.scene.shapes("sphere")["center"], np.float32([[17.047, 14.099, 13.625]])
    )


@pytest.mark.parametrize("copies", [0, "all"])
@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("1-20000000", "'1-20000000' of its first assembly are 20,000,000 or more, and it lists 3"),
        ("(1-20000000)", "'1-20000000' of its first assembly are 20,000,000"),
        ("2147483646-2147483647", "'2147483646-2147483647' of its first assembly have '21474836"),
        ("1-99999999999999999999", "'1-99999999999999999999' of its first assembly are 9"),
        ("1-999999999999999999999", "'1-999999999999999999999' of its first assembly have '1-99"),
        ("3-1", "'3-1' of its first assembly are a range that does not ascend"),
        ("1,2,3,1", "'1,2,3,1' of its first assembly are 4 or more, and it lists 3"),
        ("1-3,1-3,1-3", "'1-3,1-3,1-3' of its first assembly are 6 or more, and it lists 3"),
        ("4", "'4' of its first assembly have '4', which it does not list"),
        ("P", "'P' of its first assembly have 'P', which it does not list"),
        ("2-4", "'2-4' of its first assembly have '4'"),
        ("1,,2", "'1,,2' of its first assembly have '', which"),
        ("(1)(", "'(1)(' of its first assembly are no groups in brackets"),
        ("(1)2", "'(1)2' of its first assembly are no groups in brackets"),
        ("((1))", "'((1))' of its first assembly are no groups"),
        ("()", "'()' of its first assembly have an empty group"),
        ("(1)" * 17, "'(1)(1)(1)(1)(1)(1)(1)(1)...' of its first assembly are more than 16 groups"),
        ("?", "'' of its first assembly have ''"),
    ],
)
def test_operators_beyond_the_list_are_refused_by_name(expression, words, copies):
    with pytest.raises(sl.BadInputError) as caught:
        sl.from_mmcif(small_cif(f"1 {expression} AA\n"), copies=copies, max_memory=10_000_000)
    assert str(caught.value).startswith(f"the text: the operators {words}")


def test_products_are_counted_before_they_are_made():
    text = small_cif(f"1 {'(1-3)' * 16} AA\n")
    m = sl.from_mmcif(text, copies=5)
    assert m.copies_in_file == 3**16
    assert len(m.copies) == 5
    with pytest.raises(sl.OutOfMemoryError, match="43,046,721 copies the import takes about 17,"):
        sl.from_mmcif(text, copies="all")
    far = small_cif("1 (2)(2) AA\n", motions=(ONE, "1 0 0 0 1 0 0 0 1 9e5 0 0"))
    assert sl.from_mmcif(far).copies_in_file == 1
    with pytest.raises(sl.BadInputError, match="a copy of its first assembly moves by 1,000,000"):
        sl.from_mmcif(far, copies=1)


def test_memory_is_counted_before_it_is_taken():
    values = "data_X\nloop_\n_a\n" + "1 " * 200_000
    with pytest.raises(sl.OutOfMemoryError, match="200,003 values the import takes about"):
        sl.from_mmcif(values, max_memory=10_000_000)
    with pytest.raises(sl.BadInputError, match="no table of atoms"):
        sl.from_mmcif(values)
    # Rows of parts that repeat a long range of operators.
    many = small_cif("1 1-2000 AA\n" * 400, motions=[ONE] * 2000)
    with pytest.raises(sl.OutOfMemoryError, match="with the operators '1-2000'"):
        sl.from_mmcif(many, max_memory=12_000_000)
    assert sl.from_mmcif(many).copies_in_file == 800_000


def changed(old, new):
    assert old in small_cif()
    return small_cif().replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("data_EMPTY\n", "it has no table of atoms with places and elements, or an empty one"),
        ("data_X\n" + cif_atoms(""), "it has no table of atoms"),
        (changed("Cartn_z", "Cartn_w"), "it has no table of atoms"),
        (changed("data_SMALL\nloop_", "data_SMALL\nloop_ loop_"), "line 4: "),
        (changed("16 S B . 0 0 0 2\n", "16 S B . 0 0 0\n"), "line 33: Wrong number of values"),
        (changed("AA . 1.458", "AA '. 1.458"), "line 43: unterminated 'string'"),
        (changed("label_alt_id", "label_asym_id"), "has the name '_atom_site.label_asym_id' twice"),
        (changed("1.458", "1.4O8"), "atom '11': Cartn_x is '1.4O8', not a number up to 1,000,000"),
        (changed("1.458", "nan"), "atom '11': Cartn_x is 'nan'"),
        (changed("1.458", "?"), "atom '11': Cartn_x is ''"),
        (changed("50.123", "5e7"), "atom '15': Cartn_x is '5e7'"),
        (changed("14 O", "14 Qq"), "atom '14': 'Qq' is no element"),
        (changed("14 O", "-1 O"), "atom '-1': its id is no whole number below 2^32"),
        (changed("14 O", "1.5 O"), "atom '1.5': its id is no whole number"),
        (changed(TURN, "1 0 0 0 1 0 0 0 2 0 0 0"), "operator '2' of its first assembly is no rot"),
        (changed(TURN, "1 0 0 0 1 0 0 0 ? 0 0 0"), "operator '2' of its first assembly is no rot"),
        (changed("3 " + LIFT, "2 " + LIFT), "its list has operator '2' twice"),
        (small_cif(atoms="1 C A . 0 0 0 1\n" * 257), "atom 1: more than 256 atoms lie within 1.9"),
        (changed("14 O", "14 \u00d8"), "line 33: Wrong number of values"),
        (SMALL_PDB, "does not begin with data_, as mmCIF does; sightline.from_pdb reads PDB files"),
    ],
)
def test_refusals_name_atom_and_reason(text, words):
    with pytest.raises(sl.BadInputError) as caught:
        sl.from_mmcif(text)
    assert str(caught.value).startswith(f"the text: {words}")
    assert "\n" not in str(caught.value)


def test_only_the_first_assembly_and_block_count():
    text = small_cif("2 7-9 AA\n1 1 AA\n") + "data_OTHER\n" + cif_atoms("x x x x x x x x\n")
    assert sl.from_mmcif(text, copies="all").copies_in_file == 1
    assert sl.from_mmcif("data_X\n" + cif_atoms(SMALL_ATOMS), copies="all").copies_in_file == 0


def test_many_blocks_take_no_quadratic_time():
    # A check of each block's name against all others took minutes.
    text = "data_X\n" + cif_atoms() + "".join(f"data_{i}\n" for i in range(200_000))
    assert len(sl.from_mmcif(text).serials) == 5


def test_a_capsid_of_products_is_that_of_the_pdb_file(data):
    """1M4X's 1,680 motions are 60 times 28: the first of each 28, by the first 28."""
    source = (data / "molecules/1M4X.pdb").read_text().splitlines(keepends=True)
    copies = [line for line in source if line.startswith("REMARK 350")]
    atoms = [line for line in source if line.startswith("ATOM")][::400]
    pdb = sl.from_pdb("".join(copies + atoms), copies="all")
    assert pdb.copies_in_file == 1680
    rows = "".join(
        f"{line[6:11]} {line[76:78]} {line[21]} . {line[30:38]} {line[38:46]} {line[46:54]} 1\n"
        for line in atoms
    )
    motions = [
        " ".join(map(repr, [*m[:, :3].ravel().tolist(), *m[:, 3].tolist()]))
        for m in (*pdb.copies[::28], *pdb.copies[:28])
    ]
    text = small_cif("1 (1-60)(61-88) A,B,C\n", motions=motions, atoms=rows)
    cif = sl.from_mmcif(text, copies="all")
    assert cif.copies_in_file == 1680
    # The file has six decimals of turns and five of moves, which are up to 1,300 angstrom.
    np.testing.assert_allclose(cif.copies[:, :, :3], pdb.copies[:, :, :3], atol=3e-6, rtol=0)
    np.testing.assert_allclose(cif.copies[:, :, 3], pdb.copies[:, :, 3], atol=2e-3, rtol=0)
    ours, theirs = cif.scene.shapes("sphere"), pdb.scene.shapes("sphere")
    assert len(cif.scene) == len(pdb.scene) == 1680 * len(atoms)
    np.testing.assert_allclose(ours["center"], theirs["center"], atol=3e-3, rtol=0)
    for name in ("radius", "group", "label"):
        np.testing.assert_array_equal(ours[name], theirs[name])


def test_a_long_expression_takes_no_memory_for_each_group():
    text = small_cif(f"1 {'(1)' * 1_000_000} AA\n")
    assert peak_of(sl.BadInputError, sl.from_mmcif, text) < 10 * len(text)
