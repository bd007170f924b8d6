"""Scenes from molecules in mmCIF files, by gemmi."""

import itertools
import math
import re
from array import array

import numpy as np

import sightline

from ..mismatch import answered
from .common import package
from .molecules import FARTHEST, PART_BYTES, Atoms, Molecule, Part, are_rigid, element_number
from .texts import MAX_MEMORY, Text, finite, quoted, whole

_ATOM_COLUMNS = ["id", "type_symbol", "label_asym_id", "Cartn_x", "Cartn_y", "Cartn_z"]
_ATOM_OPTIONS = ["label_alt_id", "pdbx_PDB_model_num", "auth_seq_id", "pdbx_PDB_ins_code"]
_MOTION_COLUMNS = [
    f"{name}[{row}]{column}"
    for row in (1, 2, 3)
    for name, column in (*(("matrix", f"[{k}]") for k in (1, 2, 3)), ("vector", ""))
]
_MOST_GROUPS = 16
# Bytes that gemmi takes for a value, and beside it for a name, of which each has an underscore.
_VALUE_BYTES, _NAME_BYTES = 64, 300
_OPERATOR_BYTES, _PLACE_BYTES = 400, 16
_BLANKS = {ord(c): None for c in " \t\r\n"}


@answered
def from_mmcif(
    source, *, copies: int | str = 0, ball: float | None = None, max_memory: int = MAX_MEMORY
) -> Molecule:
    """A molecule in an mmCIF file as a scene.

    Atoms and bonds become what they become in ``from_pdb``. The first block is read: its table
    ``_atom_site``, whose ``id`` is the serial, and its first assembly. If the assembly's operators
    are a product, such as (1-60)(61-88), each of the first group is combined with each of the last,
    and the last is applied first.

    Parameters
    ----------
    source : str, bytes or os.PathLike
        The path of a file, its content as bytes, or as a str of several lines. Gzip is unpacked.
    copies : int or "all", default 0
        The number of copies in the scene, of those that the file describes. A shape's group is the
        number of its copy. With 0, or if none is described, the atoms are
        where the file has them, without a group.
    ball : float, 0 to 1,000,000 angstrom, optional
        The radius of every atom; by default the element's van der Waals radius.
    max_memory : int, bytes, default 2,000,000,000
        The memory that the import may take.

    Returns
    -------
    Molecule
        The scene, and the atoms and bonds.

    Raises
    ------
    FileError
        If the file cannot be read.
    BadInputError
        If the file is damaged. The message names the atom or operator and the reason.
    OutOfMemoryError
        If the import needs more than ``max_memory``.
    UsageError
        If more copies are asked for than the file describes, or ``ball`` is out of its range.
    ImportError
        If the package gemmi is not installed.

    Examples
    --------
    >>> text = '''data_water
    ... loop_
    ... _atom_site.id
    ... _atom_site.type_symbol
    ... _atom_site.label_asym_id
    ... _atom_site.Cartn_x
    ... _atom_site.Cartn_y
    ... _atom_site.Cartn_z
    ... 1 O A 0.000 0.000 0.000
    ... 2 H A 0.757 0.586 0.000
    ... '''
    >>> sl.from_mmcif(text).bonds.tolist()
    [[0, 1]]
    """
    package("from_mmcif", "gemmi", "gemmi")
    from gemmi import cif

    text = Text(source, max_memory)
    if text.first_words()[:5].lower() != b"data_":
        text.refuse("does not begin with data_, as mmCIF does; sightline.from_pdb reads PDB files")
    values = _values_in(text.data)
    names = text.data.count(b"_")
    text.take(_VALUE_BYTES * values + _NAME_BYTES * names, f"{values:,} values")
    try:
        # Without gemmi's check of names, whose time grows with the square of the blocks' number.
        document = cif.read_string(text.data, check_level=0)
    except (ValueError, RuntimeError) as error:
        text.refuse(_reason(error))
    except MemoryError as error:
        raise sightline.OutOfMemoryError(f"{text.name}: no memory to read it") from error
    block = document[0]
    _check_names(text, block)
    atoms, chains = _read_atoms(text, block)
    parts = _read_parts(text, block, chains)
    return Molecule(text, atoms, parts, copies, ball, lambda i: f"atom {atoms.serials[i]}")


def _values_in(data: bytes) -> int:
    """At least how many values a text has: its words."""
    words, before = 0, True
    for at in range(0, len(data), 1 << 20):
        blank = np.frombuffer(data, np.uint8, min(1 << 20, len(data) - at), at) <= ord(" ")
        words += int((blank[:-1] & ~blank[1:]).sum()) + int(before and not blank[0])
        before = bool(blank[-1])
    return words


def _reason(error) -> str:
    """gemmi's message, of which "data:7:3(41): " is the place, as one line."""
    words = str(error).partition("\n")[0]
    place = re.match(r"(?:string|data):(\d+)\S* (?:in )?", words)
    if place:
        words = f"line {place[1]}: {words[place.end() :]}"
    return "".join(c if " " <= c <= "~" else "?" for c in words[:200])


def _check_names(text, block) -> None:
    names = set()
    for item in block:
        for name in item.loop.tags if item.loop else item.pair[:1] if item.pair else ():
            if name.lower() in names:
                text.refuse(f"has the name {quoted(name, 60)} twice")
            names.add(name.lower())


def _rows(block, table: str, columns, options=()):
    """The rows of a table as tuples: texts without quotes, "" where a value is not given. Nothing
    where the table lacks one of the columns."""
    from gemmi import cif

    found = block.find(table, [*columns, *(f"?{name}" for name in options)])
    if not found:
        return
    every = [
        found.column(k) if found.has_column(k) else itertools.repeat("?")
        for k in range(found.width())
    ]
    for row in zip(*every, strict=False):
        yield tuple(
            "" if value in ("?", ".") else cif.as_string(value) if value[0] in "'\";" else value
            for value in row
        )


def _read_atoms(text, block):
    """The atoms of the first model, and the number of each chain by its name."""
    atoms, chains, first_model = Atoms(text), {}, None
    for row in _rows(block, "_atom_site.", _ATOM_COLUMNS, _ATOM_OPTIONS):
        chain, (location, model, *residue) = row[2], row[6:]
        first_model = model if first_model is None else first_model
        if model != first_model:
            atoms.other_models += 1
        elif not location or not atoms.is_alternate((chain, *residue), location):
            serial, element, position = _read_atom(text, *row[:6])
            atoms.add(serial, element, position, chains.setdefault(chain, len(chains)))
    if not len(atoms):
        text.refuse("it has no table of atoms with places and elements, or an empty one")
    return atoms, chains


def _read_atom(text, serial, element, _, *places):
    def refuse(words: str):
        text.refuse(f"atom {quoted(serial)}: {words}")

    number = whole(serial, 2**32 - 1)
    if number is None:
        refuse("its id is no whole number below 2^32")
    position = [finite(place) for place in places]
    for value, place, name in zip(position, places, _ATOM_COLUMNS[3:], strict=True):
        if value is None or abs(value) > FARTHEST:
            refuse(f"{name} is {quoted(place)}, not a number up to 1,000,000")
    kind = element_number(element)
    if kind is None:
        refuse(f"{quoted(element)} is no element that is known")
    return number, kind, position


def _read_parts(text, block, chains) -> list:
    """The parts of the first assembly."""
    first = next(_rows(block, "_pdbx_struct_assembly.", ["id"]), None)
    if first is None:
        return []
    operators, parts = _Operators(text, block), []
    columns = ["assembly_id", "oper_expression", "asym_id_list"]
    for assembly, expression, names in _rows(block, "_pdbx_struct_assembly_gen.", columns):
        if assembly != first[0]:
            continue
        text.take(PART_BYTES, f"{len(parts) + 1:,} parts of its assembly")
        named = (name[0].strip() for name in re.finditer("[^,]+", names))
        taken = {chains[name] for name in named if name in chains}
        parts.append(operators.part(taken, expression.translate(_BLANKS)))
    return parts


class _Operators:
    """The motions that a file lists, and the expressions that combine them."""

    def __init__(self, text, block):
        self.text, self._at, self._names, numbers = text, {}, [], array("d")
        for name, *row in _rows(block, "_pdbx_struct_oper_list.", ["id", *_MOTION_COLUMNS]):
            text.take(_OPERATOR_BYTES, f"{len(self._names) + 1:,} operators")
            if name in self._at:
                text.refuse(f"its list has operator {quoted(name)} twice")
            self._at[name] = len(self._names)
            self._names.append(name)
            values = map(finite, row)
            numbers.extend(math.nan if value is None else value for value in values)
        self._motions = np.array(numbers).reshape(-1, 3, 4)

    def part(self, chains, expression: str) -> Part:
        """The part of an expression: a list of operators, or groups of them in brackets."""
        if "(" not in expression and ")" not in expression:
            groups = [self._listed(expression)]
        elif expression.count("(") > _MOST_GROUPS:  # first: a match takes memory for each group
            self._refuse(expression, f"are more than {_MOST_GROUPS} groups")
        elif not re.fullmatch(r"(?:\([^()]*\))+", expression):
            self._refuse(expression, "are no groups in brackets")
        else:
            groups = [self._listed(group[0]) for group in re.finditer(r"[^()]+", expression)]
            if len(groups) != expression.count("("):
                self._refuse(expression, "have an empty group")
        count = math.prod(map(len, groups))
        return Part(chains, count, lambda n: self._products(groups, n))

    def _listed(self, group: str):
        """The places of a group's operators in the list: of each range the ends are looked at
        before it is written out."""
        found, most = [], len(self._at)
        for word in re.finditer(r"(?:^|,)([^,]*)", group):
            name = word[1]
            span = re.fullmatch(r"([0-9]{1,20})-([0-9]{1,20})", name)
            low, end = (int(span[1]), int(span[2]) + 1) if span else (0, 1)
            if name in self._at or not span:
                names, n = [name], 1
            else:
                names, n = map(str, range(low, end)), end - low
            if n < 1:
                self._refuse(name, "are a range that does not ascend")
            if len(found) + n > most:
                self._refuse(group, f"are {len(found) + n:,} or more, and it lists {most:,}")
            self.text.take(_PLACE_BYTES * n, f"the operators {quoted(group)}")
            for one in names:
                if one not in self._at:
                    self._refuse(group, f"have {quoted(one)}, which it does not list")
                found.append(self._at[one])
        wrong = np.flatnonzero(~are_rigid(self._motions[found]))
        if len(wrong):
            self.text.refuse(
                f"operator {quoted(self._names[found[wrong[0]]])} of its first assembly is no "
                "rotation, or moves by 1,000,000 angstrom"
            )
        return np.array(found)

    def _products(self, groups, n: int):
        """The first n products; the last group is applied first and changes fastest."""
        rest, rows = np.arange(n), None
        for group in reversed(groups):
            rest, at = np.divmod(rest, len(group))
            own = self._motions[group[at]]
            rows = own if rows is None else _product(own, rows)
        if not are_rigid(rows).all():
            self.text.refuse("a copy of its first assembly moves by 1,000,000 angstrom or more")
        return rows

    def _refuse(self, words: str, reason: str):
        self.text.refuse(f"the operators {quoted(words)} of its first assembly {reason}")


def _product(a, b):
    """The motions that apply b, then a: [n,3,4], each sum from the left."""
    rows = a[:, :, :1] * b[:, :1] + a[:, :, 1:2] * b[:, 1:2] + a[:, :, 2:3] * b[:, 2:]
    rows[:, :, 3] += a[:, :, 3]
    return rows
