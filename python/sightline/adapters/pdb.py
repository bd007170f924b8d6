"""Scenes from molecules in PDB files."""

import re
from array import array

import numpy as np

from ..mismatch import answered
from .molecules import FARTHEST, PART_BYTES, Atoms, Molecule, Part, are_rigid, element_number
from .texts import MAX_MEMORY, Text, finite, quoted, whole

_RECORDS = (b"ATOM  ", b"HETATM", b"REMARK", b"ENDMDL")
# In old files columns 73-80 are the entry's name and the line's number, right-justified.
_OLD_END = re.compile(r"[0-9][A-Za-z0-9]{3} *[0-9]+", re.ASCII)


@answered
def from_pdb(
    source, *, copies: int | str = 0, ball: float | None = None, max_memory: int = MAX_MEMORY
) -> Molecule:
    """A molecule of the Protein Data Bank's PDB format as a scene.

    Each atom becomes a sphere, labelled with its serial. Two atoms are bonded if they are more than
    0.4 angstrom apart, and at most the sum of their covalent radii and 0.4. A bond becomes a
    capsule of radius 0.15, labelled with the first atom's serial, and the second's in the upper 32
    bits. Of alternate locations the first of a residue is taken, and of models the first.

    Parameters
    ----------
    source : str, bytes or os.PathLike
        The path of a file, its content as bytes, or as a str of several lines. Gzip is unpacked.
    copies : int or "all", default 0
        The number of copies in the scene, of those that REMARK 350 describes
        for the first biomolecule. A shape's group is the
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
        If the file is damaged. The message names the line and the reason.
    OutOfMemoryError
        If the import needs more than ``max_memory``.
    UsageError
        If more copies are asked for than the file describes, or ``ball`` is out of its range.

    Examples
    --------
    >>> water = '''
    ... ATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O
    ... ATOM      2  H1  HOH A   1       0.757   0.586   0.000  1.00  0.00           H
    ... ATOM      3  H2  HOH A   1      -0.757   0.586   0.000  1.00  0.00           H
    ... '''
    >>> len(sl.from_pdb(water).scene)
    5
    """
    text = Text(source, max_memory)
    if text.first_words()[:5].lower() == b"data_":
        text.refuse("is mmCIF, which sightline.from_mmcif reads")
    reader = _Reader(text)
    for number, line in text.lines():
        if line[:6] in _RECORDS:
            reader.read(number, line)
    return reader.finish(copies, ball)


class _Reader:
    """Atoms and copies of the lines of a PDB file, one after the other."""

    def __init__(self, text: Text):
        self.text, self.line, self.number = text, "", 0
        self.atoms, self.at = Atoms(text), array("Q")
        self.in_first_model = True
        self.copies = _Copies(self)

    def read(self, number: int, line: bytes) -> None:
        record = line[:6]
        self.number, self.line = number, line[:80].decode("latin-1").rstrip("\r\n")
        if _OLD_END.fullmatch(self.line, 72) and len(self.line) == 80:
            self.line = self.line[:72]
        if record == b"ENDMDL":
            self.in_first_model = False
        elif record == b"REMARK":
            if self.line[:10] == "REMARK 350":
                self.copies.read()
        elif self.in_first_model:
            self.read_atom()
        else:
            self.atoms.other_models += 1

    def finish(self, copies, ball) -> Molecule:
        self.copies.finish()
        if not len(self.atoms):
            self.text.refuse("no line of it is an atom")
        return Molecule(
            self.text, self.atoms, self.copies.parts, copies, ball, lambda i: f"line {self.at[i]}"
        )

    def refuse(self, words: str):
        self.text.refuse(f"line {self.number}: {words}")

    def columns(self, first: int, last: int) -> str:
        return self.line[first - 1 : last].strip(" ")

    def number_in(self, word: str, what: str) -> float:
        value = finite(word)
        if value is None:
            self.refuse(f"{what} is {quoted(word)}, not a number")
        return value

    def integer_in(self, word: str, what: str, most: int) -> int:
        value = whole(word, most)
        if value is None:
            self.refuse(f"{what} is {quoted(word)}, not an integer of 0 to {most}")
        return value

    def read_atom(self) -> None:
        if len(self.line) < 54:
            self.refuse("an atom's line has at least 54 columns")
        location = self.line[16]
        # Chain, number and insertion code name a residue.
        if location != " " and self.atoms.is_alternate(self.line[21:27], location):
            return
        serial = self.integer_in(self.columns(7, 11), "the serial", 99999)
        position = [
            self.number_in(self.columns(first, first + 7), axis)
            for first, axis in ((31, "x"), (39, "y"), (47, "z"))
        ]
        if max(map(abs, position)) > FARTHEST:
            self.refuse("a coordinate is farther than 1,000,000 angstrom")
        self.atoms.add(serial, self.element(), position, ord(self.line[21]))
        self.at.append(self.number)

    def element(self) -> int:
        """By columns 77-78, or else by the atom's name, whose element ends in column 14. A name of
        four letters that begins in column 13 is a hydrogen's."""
        stated = self.columns(77, 78)
        if stated:
            element = element_number(stated)
            if element is None:
                self.refuse("columns 77-78 name no element that is known")
            return element
        name, element = self.line[12:16], None
        if not _is_letter(name[0]):
            element = element_number(name[1])
        elif name[3] == " ":
            element = element_number(name[:2].strip(" "))
        if element is None and _is_letter(name[0]):
            element = element_number(name[0])
        if element is None:
            self.refuse("the atom's name begins with no element that is known")
        return element


class _Copies:
    """REMARK 350, line by line: a list of chains, then three rows for each copy of them."""

    def __init__(self, lines: _Reader):
        self.lines, self.parts = lines, []
        self._biomolecules = self._serial = 0
        self._chains, self._rows = frozenset(), []
        self._of_part = None

    def read(self) -> None:
        words = self.lines.columns(11, 80)
        if words.startswith("BIOMOLECULE:"):
            self._biomolecules += 1
        if self._biomolecules > 1:
            return
        if words.startswith("APPLY THE FOLLOWING TO CHAINS:"):
            self._chains = _chains_in(words)
        elif words.startswith("AND CHAINS:"):
            self._chains = self._chains | _chains_in(words)
        elif words.startswith("BIOMT"):
            self._read_row(words.split())

    def finish(self) -> None:
        if self._rows:
            self.lines.refuse(f"the copies end behind row {len(self._rows)} of 3")

    def _read_row(self, words) -> None:
        lines, row = self.lines, len(self._rows)
        if words[0] != f"BIOMT{row + 1}":
            lines.refuse(f"BIOMT{row + 1} is expected here")
        words += [""] * (6 - len(words))
        serial = lines.integer_in(words[1], "the number of the copy", 999999)
        if row and serial != self._serial:
            lines.refuse("the rows of a copy differ in its number")
        self._serial = serial
        self._rows.append([lines.number_in(w, "a number of the copy") for w in words[2:6]])
        if len(words) > 6:
            lines.refuse("a row of a copy has four numbers")
        if len(self._rows) == 3:
            self._add_copy()

    def _add_copy(self) -> None:
        if not self._chains:
            self.lines.refuse("no chains are named that this copy is of")
        rows, self._rows = self._rows, []
        if not are_rigid(np.array([rows]))[0]:
            self.lines.refuse(
                "the three rows of this copy are no rotation, or move it by 1,000,000 angstrom"
            )
        if self._chains is not self._of_part:
            self.lines.text.take(PART_BYTES, f"{len(self.parts) + 1:,} parts of its assembly")
            self.parts.append(_Part(self._chains))
            self._of_part = self._chains
        self.parts[-1].add(rows)


class _Part(Part):
    """Copies as they are read."""

    def __init__(self, chains):
        self._numbers = array("d")
        super().__init__(chains, 0, self._first)

    def add(self, rows) -> None:
        for row in rows:
            self._numbers.extend(row)
        self.count += 1

    def _first(self, n: int):
        return np.array(self._numbers[: 12 * n]).reshape(-1, 3, 4)


def _chains_in(words: str) -> frozenset:
    return frozenset(ord(c) for c in words[words.index(":") + 1 :] if c not in ", ")


def _is_letter(c: str) -> bool:
    return c.isascii() and c.isalpha()
