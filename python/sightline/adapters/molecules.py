"""What the importers of molecules share: elements, bonds, copies, and the scene of them."""

import operator
from array import array

import numpy as np

import sightline

from .bonds import find_bonds
from .texts import Text

# Covalent and van der Waals radii in angstrom; 2.0 where no van der Waals radius is measured.
# Source: covalent radii from Cordero et al., "Covalent radii revisited", 2008 (the low-spin value
# of metals with two); van der Waals radii from Bondi, 1964, and Mantina et al., 2009.
ELEMENTS = {
    "H": (0.31, 1.20), "D": (0.31, 1.20), "LI": (1.28, 1.82), "BE": (0.96, 1.53),
    "B": (0.84, 1.92), "C": (0.76, 1.70), "N": (0.71, 1.55), "O": (0.66, 1.52),
    "F": (0.57, 1.47), "NA": (1.66, 2.27), "MG": (1.41, 1.73), "AL": (1.21, 1.84),
    "SI": (1.11, 2.10), "P": (1.07, 1.80), "S": (1.05, 1.80), "CL": (1.02, 1.75),
    "AR": (1.06, 1.88), "K": (2.03, 2.75), "CA": (1.76, 2.31), "TI": (1.60, 2.00),
    "V": (1.53, 2.00), "CR": (1.39, 2.00), "MN": (1.39, 2.00), "FE": (1.32, 2.00),
    "CO": (1.26, 2.00), "NI": (1.24, 1.63), "CU": (1.32, 1.40), "ZN": (1.22, 1.39),
    "GA": (1.22, 1.87), "AS": (1.19, 1.85), "SE": (1.20, 1.90), "BR": (1.20, 1.83),
    "KR": (1.16, 2.02), "RB": (2.20, 3.03), "SR": (1.95, 2.49), "MO": (1.54, 2.00),
    "AG": (1.45, 1.72), "CD": (1.44, 1.58), "I": (1.39, 1.98), "XE": (1.40, 2.16),
    "CS": (2.44, 3.43), "BA": (2.15, 2.68), "W": (1.62, 2.00), "PT": (1.36, 1.75),
    "AU": (1.36, 1.66), "HG": (1.32, 1.55), "PB": (1.46, 2.02), "U": (1.96, 1.86),
}  # fmt: skip
_RADII = np.array(list(ELEMENTS.values()))
_NUMBERS = {symbol: number for number, symbol in enumerate(ELEMENTS)}

#: The radius of a bond's capsule, and the largest coordinate or move, in angstrom.
BOND_RADIUS = 0.15
FARTHEST = 1e6
# Shapes that are worked on at once.
_AT_ONCE = 1 << 18
# Bytes that are counted for an atom, a motion of a copy, and a part of an assembly.
ATOM_BYTES = 500
MOTION_BYTES = 400
PART_BYTES = 1500


class Atoms:
    """Atoms as an importer finds them."""

    def __init__(self, text: Text):
        self._position, self._element = array("d"), array("B")
        self.serials, self._chain = array("I"), array("I")
        self._text, self._most = text, max(0, text.left) // ATOM_BYTES
        #: Atoms left out: other locations than the residue's first, and behind the first model.
        self.alternates = self.other_models = 0
        self._first_location = {}

    def is_alternate(self, residue, location) -> bool:
        """Whether an atom is of another location than the first that its residue names."""
        if self._first_location.setdefault(residue, location) == location:
            return False
        self.alternates += 1
        return True

    def add(self, serial: int, element: int, position, chain: int) -> None:
        n = len(self.serials) + 1
        if n > self._most:
            self._text.take(n * ATOM_BYTES, f"{n:,} atoms")
        self.serials.append(serial)
        self._element.append(element)
        self._position.extend(position)
        self._chain.append(chain)

    def __len__(self):
        return len(self.serials)

    def columns(self):
        """(positions float64 [n,3], elements uint8 [n], serials uint32 [n], chains uint32 [n])."""
        self._first_location.clear()
        self._text.take(len(self) * ATOM_BYTES, f"{len(self):,} atoms")
        return (
            np.array(self._position, np.float64).reshape(-1, 3),
            np.array(self._element, np.uint8),
            np.array(self.serials, np.uint32),
            np.array(self._chain, np.uint32),
        )


class Part:
    """Chains of an assembly and the motions that copy them: x' = m x + t, rows [m | t].

    ``chains`` are numbers, ``count`` is how many motions there are, and ``motions(n)`` gives the
    first n of them, float64 [n,3,4].
    """

    def __init__(self, chains, count: int, motions):
        self.chains, self.count, self.motions = chains, count, motions


class Molecule:
    """A molecule as a scene, as ``from_pdb`` and ``from_mmcif`` return it.

    Attributes
    ----------
    scene : Scene
        A sphere for each atom, then a capsule for each bond, both copy by copy.
    positions : ndarray, float64 [atoms,3], angstrom
        The atoms before they are copied.
    elements : ndarray of str [atoms]
        Their elements, in capitals.
    serials : ndarray, uint32 [atoms]
        Their serial numbers.
    bonds : ndarray, int64 [bonds,2]
        Indices of bonded atoms, the smaller first.
    copies : ndarray, float64 [copies,3,4]
        The motions of the copies in the scene.
    copies_in_file : int
        The number of copies that the file describes.
    alternates : int
        The number of atoms that are left out as other locations of their residue.
    other_models : int
        The number of atoms that are left out as parts of later models.

    Examples
    --------
    >>> water = '''
    ... ATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O
    ... ATOM      2  H1  HOH A   1       0.757   0.586   0.000  1.00  0.00           H
    ... ATOM      3  H2  HOH A   1      -0.757   0.586   0.000  1.00  0.00           H
    ... '''
    >>> molecule = sl.from_pdb(water)
    >>> molecule.elements.tolist(), molecule.bonds.tolist()
    (['O', 'H', 'H'], [[0, 1], [0, 2]])
    """

    def __init__(self, text: Text, atoms: Atoms, parts: list, copies, ball, where):
        """``where(i)`` names an atom in messages."""
        self.copies_in_file = sum(part.count for part in parts)
        wanted = _wanted_copies(text, copies, self.copies_in_file)
        radius = _checked_ball(ball)
        self.alternates, self.other_models = atoms.alternates, atoms.other_models
        self.positions, element, self.serials, chain = atoms.columns()
        self.elements = np.array(list(ELEMENTS))[element]
        self.bonds = find_bonds(text, self.positions, _RADII[element, 0], where)
        chosen = _chosen(text, parts, chain, wanted)
        self.copies = np.concatenate([np.empty((0, 3, 4)), *(rows for _, rows in chosen)])
        self.scene = sightline.Scene()
        self.scene.metadata = {
            "unit": "angstrom",
            "up": "z",
            "pdb.copies": str(wanted),
            "pdb.ball": "van der Waals" if ball is None else _shortest(radius),
            "pdb.bond_radius": _shortest(BOND_RADIUS),
        }
        radii = np.float32(_RADII[element, 1] if ball is None else np.full(len(element), radius))
        self._fill(text, chosen, radii)

    def _fill(self, text, chosen, radii):
        """Adds the shapes of the chosen copies, or of the atoms as they are."""
        one = chosen or [(np.ones(len(radii), bool), np.eye(3, 4)[None])]
        atoms = np.arange(len(radii))[:, None]
        spheres, capsules = (_count(items, one) for items in (atoms, self.bonds))
        # A sphere has 32 bytes in the scene and 32 in arrays before, a capsule 44 and 40.
        words = f"{spheres:,} spheres and {capsules:,} capsules"
        text.take(32 * spheres + max(32 * spheres, 84 * capsules), words)
        if spheres + capsules >= sightline.NONE:
            text.refuse(f"{words} are more than a scene holds")
        labels = self.serials.astype(np.uint64)
        points, items, group = _copied(self.positions, atoms, one, spheres)
        group = group if chosen else sightline.NONE
        self.scene.add_spheres(*points, radii[items], group=group, label=labels[items])
        if not capsules:
            return
        first, second = labels[self.bonds].T
        labels = second << np.uint64(32) | first
        del points, items, group
        points, items, group = _copied(self.positions, self.bonds, one, capsules)
        group = group if chosen else sightline.NONE
        self.scene.add_capsules(*points, BOND_RADIUS, group=group, label=labels[items])


def element_number(symbol: str) -> int | None:
    """The number of an element among ``ELEMENTS``, by its symbol in any case, or None."""
    return _NUMBERS.get(symbol.upper()) if symbol.isascii() else None


def are_rigid(rows):
    """Whether motions [n,3,4] move less than 1,000,000 angstrom and turn, as far as six decimals
    can tell: bool [n]."""
    m = rows[:, :, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        gram = m @ m.transpose(0, 2, 1) - np.eye(3)
        near = (np.abs(rows[:, :, 3]) < FARTHEST).all(axis=1)
        return near & (np.abs(gram) < 1e-3).all(axis=(1, 2)) & (np.linalg.det(m) > 0)


def _wanted_copies(text, copies, described: int) -> int:
    if isinstance(copies, str):
        if copies != "all":
            raise sightline.UsageError(f"copies is {copies!r}, not 'all' or a number from 0")
        return described
    wanted = operator.index(copies)
    if wanted < 0:
        raise sightline.UsageError(f"copies is {wanted}, not 'all' or a number from 0")
    if wanted > described:
        raise sightline.UsageError(
            f"{text.name}: {wanted:,} copies are asked for, and it describes {described:,}"
        )
    return wanted


def _checked_ball(ball) -> float:
    if ball is None:
        return 0.0
    if not 0 <= float(ball) <= FARTHEST:
        raise sightline.UsageError(f"ball is {float(ball)}, not a number from 0 to 1,000,000")
    return float(ball)


def _chosen(text, parts, chain, wanted: int):
    """The atoms bool [atoms] and the motions float64 [n,3,4] of each part of the copies wanted."""
    text.take(MOTION_BYTES * wanted, f"{wanted:,} copies")
    chosen = []
    for part in parts:
        n = min(part.count, wanted)
        if n == 0:
            continue
        text.take(len(chain), f"{len(chosen) + 1:,} parts of its assembly")
        chosen.append((np.isin(chain, list(part.chains)), part.motions(n)))
        wanted -= n
    return chosen


def _count(items, chosen) -> int:
    return sum(int(mask[items].all(axis=1).sum()) * len(rows) for mask, rows in chosen)


def _copied(positions, items, chosen, total: int):
    """Copies of items, which are atoms [n,1] or pairs of them [n,2].

    Returns the places of their atoms (float32 [total,3], one array or two), the item and the copy
    of each (uint32 [total]).
    """
    points = [np.empty((total, 3), np.float32) for _ in range(items.shape[1])]
    item, copy = np.empty(total, np.uint32), np.empty(total, np.uint32)
    at = first_copy = 0
    for mask, rows in chosen:
        taken = np.flatnonzero(mask[items].all(axis=1))
        step = max(1, _AT_ONCE // max(1, len(taken)))
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            end = at + len(some) * len(taken)
            for k, places in enumerate(points):
                places[at:end] = _moved(some, positions[items[taken, k]])
            item[at:end] = np.tile(taken, len(some))
            copy[at:end] = first_copy + np.repeat(np.arange(len(some)), len(taken))
            at, first_copy = end, first_copy + len(some)
    return points, item, copy


def _moved(rows, points):
    """Where motions [c,3,4] put points [n,3]: [c*n,3], worked out in float64 from the left."""
    x, y, z = points.T
    moved = np.empty((len(rows), len(points), 3))
    for k in range(3):
        m = rows[:, k, :, None]
        moved[:, :, k] = m[:, 0] * x + m[:, 1] * y + m[:, 2] * z + m[:, 3]
    return moved.reshape(-1, 3)


def _shortest(value: float) -> str:
    return np.format_float_positional(np.float32(value), trim="-")
