"""Results in the shapes of other packages."""

import numpy as np

from .errors import UsageError


def csr(rows, shapes=None):
    """Rows of ids as scipy.sparse.csr_array [n, shapes]: of t, or of ones.

    shapes: how many columns; by default as many as the largest id needs. An element that is stored
    is a hit, also where t is 0. Raises ImportError without SciPy.
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
