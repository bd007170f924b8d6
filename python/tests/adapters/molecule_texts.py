"""Molecules written by hand, for the tests of importers."""


def atom_line(serial, name, location, chain, x, y, z, element=""):
    """One atom's line of a PDB file; the element's columns are left out when it is empty."""
    line = f"ATOM  {serial:5} {name:4}{location}GLY {chain}   1    {x:8.3f}{y:8.3f}{z:8.3f}"
    return line + (f"{'':22}{element:>2}" if element else "") + "\n"


def _copy(number, *rows):
    return "".join(
        f"REMARK 350   BIOMT{i + 1} {number:3} {row}\n" for i, row in enumerate(rows)
    )


#: Chain A: N-C-C=O with a second place of its end; chain B: one sulphur. Two copies of A (as it is,
#: and a quarter of a turn about z), one of B.
SMALL_PDB = (
    "HEADER    BY HAND\nREMARK 350 BIOMOLECULE: 1\n"
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A\n"
    + _copy(1, "1.0 0.0 0.0 0", "0.0 1.0 0.0 0", "0.0 0.0 1.0 0")
    + _copy(2, "0.0 -1.0 0. 5", "1.0 0.0 0.0 6", "0.0 0.0 1.0 7")
    + "REMARK 350 APPLY THE FOLLOWING TO CHAINS:\nREMARK 350   AND CHAINS: B\n"
    + _copy(3, "1.0 0.0 0.0 0", "0.0 1.0 0.0 0", "0.0 0.0 1.0 9")
    + "REMARK 350 BIOMOLECULE: 2\n"
    + _copy(1, "junk of no n", "umber of this", "one is of use")
    + atom_line(10, " N  ", " ", "A", 0, 0, 0)
    + atom_line(11, " CA ", " ", "A", 1.458, 0, 0, "C")
    + atom_line(12, " C  ", "B", "A", 2.009, 1.42, 0, "C")
    + atom_line(13, " C  ", "A", "A", 2.1, 1.5, 0, "C")
    + atom_line(14, " O  ", " ", "A", 1.251, 2.39, 0, "O")
    + atom_line(15, "SE  ", " ", "B", 50.123, -40.25, 3.001, "S")
    + "ENDMDL\nMODEL 2\nATOM   of another model\nEND\n"
)

SMALL_ATOMS = """10 N AA . 0 0 0 1
11 C AA . 1.458 0 0 1
12 C AA B 2.009 1.42 0 1
13 C AA A 2.1 1.5 0 1
14 O AA . 1.251 2.39 0 1
15 S B . 50.123 -40.25 3.001 1
16 S B . 0 0 0 2
"""


def cif_atoms(rows=SMALL_ATOMS):
    """The table of atoms: id, element, chain, location, x, y, z, model."""
    names = (
        "id type_symbol label_asym_id label_alt_id Cartn_x Cartn_y Cartn_z pdbx_PDB_model_num"
    )
    return "loop_\n" + "".join(f"_atom_site.{name}\n" for name in names.split()) + rows


TURN = "0 -1 0 1 0 0 0 0 1 5 6 7"
LIFT = "1 0 0 0 1 0 0 0 1 0 0 9"
ONE = "1 0 0 0 1 0 0 0 1 0 0 0"


def small_cif(parts="1 1,2 AA\n1 3 B,C\n2 1 AA\n", motions=(ONE, TURN, LIFT), atoms=SMALL_ATOMS):
    """What SMALL_PDB says, or with other parts (assembly, operators, chains) and motions."""
    text = (
        "# by hand\n\ndata_SMALL\nloop_\n_pdbx_struct_assembly.id\n"
        "_pdbx_struct_assembly.details\n1 ?\n2 ?\nloop_\n_pdbx_struct_assembly_gen.assembly_id\n"
        "_pdbx_struct_assembly_gen.oper_expression\n_pdbx_struct_assembly_gen.asym_id_list\n"
        f"{parts}loop_\n_pdbx_struct_oper_list.id\n"
    )
    for i in (1, 2, 3):
        text += "".join(f"_pdbx_struct_oper_list.matrix[{i}][{k}]\n" for k in (1, 2, 3))
    text += "".join(f"_pdbx_struct_oper_list.vector[{i}]\n" for i in (1, 2, 3))
    text += "".join(f"{i} {motion}\n" for i, motion in enumerate(motions, 1))
    return text + cif_atoms(atoms)
