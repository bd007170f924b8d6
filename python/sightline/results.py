"""Results of distributed calls, and results in the shapes of other packages."""

from dataclasses import dataclass

import numpy as np

from . import _core
from .errors import UsageError


def csr(rows, shapes=None):
    """Rows of ids as a sparse matrix of ``t``, or of ones.

    Parameters
    ----------
    rows : HitRows or OverlapRows
        The rows.
    shapes : int, optional
        The number of columns; by default the largest id and one.

    Returns
    -------
    scipy.sparse.csr_array, [n, shapes]
        An element that is stored is a hit, also if its ``t`` is 0.

    Raises
    ------
    ImportError
        If SciPy is not installed.
    UsageError
        If an id is not below ``shapes``.
    """
    from scipy.sparse import csr_array

    ids = rows.id
    values = getattr(rows, "t", None)
    if values is None:
        values = np.ones(len(ids), np.uint8)
    most = int(ids.max()) + 1 if len(ids) else 0
    if shapes is None:
        shapes = most
    if shapes < most:
        raise UsageError(f"shapes is {shapes}, but there is a hit of id {most - 1}")
    return csr_array((values, ids, rows.offsets.astype(np.int64)), (len(rows.offsets) - 1, shapes))


def unpacked(bits, columns):
    """uint8 [rows, columns] of 0 and 1."""
    octets = np.ascontiguousarray(bits).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=columns, bitorder="little")


@dataclass(repr=False)
class Visibility:
    """Which of V viewpoints see which of T targets, as ``sl.Visibility``.

    Attributes
    ----------
    bits : ndarray, uint64 [V, ceil(T/64)]
        Bit j % 64 of word j // 64 of row i is 1 if i sees j. Unused bits are 0.
    shape : tuple of int
        (V, T).
    visible : int
        The number of pairs that see each other.
    bad_viewpoints : int
        The number of viewpoints that are NaN, infinite or beyond 2^40.
    bad_targets : int
        The same for targets.
    touching_viewpoints : int
        The number of viewpoints that lie in a shape or touch one.
    touching_targets : int
        The same for targets.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> sl.distributed.visibility(client, scene, [0, 0, 0], [[9, 0, 0], [0, 9, 0]])
    Visibility(1 by 2, 1 visible)
    """

    bits: np.ndarray
    shape: tuple
    visible: int = 0
    bad_viewpoints: int = 0
    bad_targets: int = 0
    touching_viewpoints: int = 0
    touching_targets: int = 0

    def __repr__(self):
        return f"Visibility({self.shape[0]} by {self.shape[1]}, {self.visible} visible)"

    def unpack(self):
        """The matrix as bools.

        Returns
        -------
        ndarray, bool [V, T]
            Element [i, j]: viewpoint i sees target j.

        Examples
        --------
        >>> scene = sl.Scene()
        >>> sl.distributed.visibility(client, scene, [0, 0, 0], [9, 0, 0]).unpack().tolist()
        [[True]]
        """
        return unpacked(self.bits, self.shape[1]).view(bool)

    def __array__(self, dtype=None, copy=None):
        """As ``unpack()``; raises ValueError for ``copy=False``, since the bits must be copied."""
        if copy is False:
            raise ValueError("a Visibility holds bits: its matrix of bools is a copy")
        return self.unpack().astype(dtype or bool, copy=False)

    def counts(self):
        """The number of targets that each viewpoint sees.

        Returns
        -------
        ndarray, uint64 [V]
            Sums of the rows.

        Examples
        --------
        >>> scene = sl.Scene()
        >>> sl.distributed.visibility(client, scene, [0, 0, 0], [9, 0, 0]).counts().tolist()
        [1]
        """
        each = (unpacked(row[None], self.shape[1]).sum() for row in self.bits)
        return np.fromiter(each, np.uint64, self.shape[0])


@dataclass(repr=False)
class Hits:
    """The first hits of n rays, as ``sl.Hits``. What ``out`` leaves out is None.

    Attributes
    ----------
    t : ndarray, float32 [n], lengths of the direction
        Where the ray enters; inf for a miss.
    id : ndarray, uint32 [n]
        The shape's id; ``NONE`` for a miss. ``scene.kinds(id)`` has the kinds.
    flags : ndarray, uint8 [n]
        The sum of 1 (hit), 2 (the ray started inside), 4 (bad ray) and 16 (back of a triangle).
    normal : ndarray, float32 [n,3]
        The outward normal of length 1; 0 for a miss.
    hits : int
        The number of rays that hit.
    bad_rays : int
        The number of bad rays.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> sl.distributed.closest_hit(client, scene, [0, 0, 0], [1, 0, 0])
    Hits(1 hit)
    """

    t: np.ndarray = None
    id: np.ndarray = None
    flags: np.ndarray = None
    normal: np.ndarray = None
    hits: int = 0
    bad_rays: int = 0

    def __repr__(self):
        return f"Hits({self.hits} hit{'' if self.hits == 1 else 's'})"

    def __array__(self, dtype=None, copy=None):
        """Refused: take .t, .id, .flags, .normal or .hit."""
        raise UsageError("a Hits is no array: take .t, .id, .flags, .normal or .hit")

    @property
    def hit(self):
        """bool [n]: whether the ray hits."""
        return np.asarray(self.id) != _core.NONE
