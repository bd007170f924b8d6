"""Covalent bonds of atoms, by their distances."""

import itertools

import numpy as np

# Atoms nearer than this are the same one, twice; farther by more than the slack than the sum of
# their covalent radii, they are not bonded. In angstrom.
_LEAST = 0.4
_SLACK = 0.4
# More atoms than any matter has in a cell of at most 5.3 angstrom; keeps the search linear.
_MOST_IN_CELL = 256
# Candidates that are compared at once, and the bytes that are counted for a bond.
_AT_ONCE = 1 << 18
_BOND_BYTES = 64
# Cells of 1 angstrom or more have numbers within 20 bits and a sign.
_BITS = 21


def find_bonds(text, position, covalent, where):
    """Pairs of indices of bonded atoms, int64 [bonds,2], the smaller first, in ascending order.

    ``position`` float64 [n,3], at most 1,000,000 in size; ``covalent`` radii [n]. Raises
    BadInputError where atoms crowd more than matter does; ``where(i)`` names the atom.
    """
    edge = 2 * covalent.max() + _SLACK
    cell = np.floor(position / edge).astype(np.int64) + (1 << (_BITS - 1))
    key = (cell[:, 0] << 2 * _BITS) + (cell[:, 1] << _BITS) + cell[:, 2]
    order = np.argsort(key, kind="stable")
    key = key[order]
    crowded = np.flatnonzero(key[_MOST_IN_CELL:] == key[:-_MOST_IN_CELL])
    if len(crowded):
        atom = int(order[crowded[0] + _MOST_IN_CELL])
        text.refuse(
            f"{where(atom)}: more than {_MOST_IN_CELL} atoms lie within {edge:.1f} angstrom"
        )
    found, bonds = [], 0
    for a, b in _candidates(key):
        pair = np.sort(np.stack([order[a], order[b]]), axis=0)
        pair = pair[:, _are_bonded(position, covalent, *pair)]
        bonds += pair.shape[1]
        text.take(_BOND_BYTES * pair.shape[1], f"{bonds:,} bonds")
        found.append(pair[0] * len(position) + pair[1])
    number = np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)
    return np.stack(np.divmod(number, len(position)), axis=1)


def _candidates(key):
    """Pairs of places in sorted keys whose cells touch, each once, in arrays of bounded length."""
    for column in range(9):  # three cells along z lie side by side
        middle = key + ((column // 3 - 1) << 2 * _BITS) + ((column % 3 - 1) << _BITS)
        first = np.searchsorted(key, middle - 1, "left")
        first = np.maximum(first, np.arange(1, len(key) + 1))
        end = np.searchsorted(key, middle + 1, "right")
        count = np.maximum(end - first, 0)
        total = np.cumsum(count)
        cuts = np.searchsorted(total, np.arange(0, total[-1], _AT_ONCE), "right")
        for low, high in itertools.pairwise([*cuts, len(key)]):
            n = count[low:high]
            before = np.cumsum(n) - n
            a = np.repeat(np.arange(low, high), n)
            yield a, np.arange(len(a)) + np.repeat(first[low:high] - before, n)


def _are_bonded(position, covalent, a, b):
    d = position[a] - position[b]
    squared = d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1] + d[:, 2] * d[:, 2]
    reach = covalent[a] + covalent[b] + _SLACK
    return (squared > _LEAST * _LEAST) & (squared <= reach * reach)
