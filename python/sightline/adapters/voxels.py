"""Scenes from voxel maps."""

from array import array

import numpy as np

import sightline

from ..mismatch import answered
from .texts import MAX_MEMORY, Text, quoted, whole

# So that every corner is exact in float32, and a cell's number has fewer than 64 bits.
_LARGEST_SIDE = 1 << 20
# Bytes that are counted for a cell: its number, sorted, its box in arrays and in the scene.
_CELL_BYTES = 200


class VoxelMap:
    """A voxel map as a scene, as ``from_3dmap`` returns it.

    Attributes
    ----------
    scene : Scene
        A box per filled cell, in the order of the file.
    size : (int, int, int), cells
        Width, height and depth.
    repeated : int
        The number of lines that are left out because they name a cell again.

    Examples
    --------
    >>> level = sl.from_3dmap("voxel 4 4 4\\n0 0 0\\n1 0 0\\n")
    >>> level.size
    (4, 4, 4)
    """

    def __init__(self, scene, size, repeated: int):
        self.scene, self.size, self.repeated = scene, size, repeated


@answered
def from_3dmap(source, *, max_memory: int = MAX_MEMORY) -> VoxelMap:
    """A voxel map of Moving AI's benchmarks (.3dmap) as a scene of unit boxes.

    The first line is ``voxel WIDTH HEIGHT DEPTH``, each at most 2^20. Each other line is a filled
    cell ``X Y Z``, counted from 0. It becomes the AABB from (x, y, z) to (x + 1, y + 1, z + 1),
    exactly, with the label (z * height + y) * width + x. Lengths are in voxels, z is up.

    Parameters
    ----------
    source : str, bytes or os.PathLike
        The path of a file, its content as bytes, or as a str of several lines. Gzip is unpacked.
    max_memory : int, bytes, default 2,000,000,000
        The memory that the import may take.

    Returns
    -------
    VoxelMap
        The scene and its size.

    Raises
    ------
    FileError
        If the file cannot be read.
    BadInputError
        If the file is damaged. The message names the line and the reason.
    OutOfMemoryError
        If the import needs more than ``max_memory``.

    Examples
    --------
    >>> level = sl.from_3dmap("voxel 4 4 4\\n0 0 0\\n1 0 0\\n")
    >>> level.scene
    Scene(2 shapes, aabb 2)
    """
    text = Text(source, max_memory)
    lines = text.lines()
    _, first = next(lines, (1, b""))
    words = first.split(None, 5)  # one more than there may be: a line may be long
    if words[:1] != [b"voxel"]:
        text.refuse("line 1: the first word of a voxel map is 'voxel'")
    names, no_limit = ("the width", "the height", "the depth"), [_LARGEST_SIDE + 1] * 3
    width, height, depth = size = _three(text, 1, words[1:], names, no_limit)
    numbers, most = array("Q"), max(0, text.left) // _CELL_BYTES
    for number, line in lines:
        words = line.split(None, 4)
        if not words:
            continue
        x, y, z = _three(text, number, words, "xyz", size)
        n = len(numbers) + 1
        if n > most:
            text.take(n * _CELL_BYTES, f"{n:,} cells")
        numbers.append((z * height + y) * width + x)
    cells = np.array(numbers, np.uint64)
    kept = np.sort(np.unique(cells, return_index=True)[1])
    repeated = len(cells) - len(kept)
    cells = cells[kept]
    scene = sightline.Scene()
    scene.metadata = {"unit": "voxel", "up": "z", "voxels.size": f"{width} {height} {depth}"}
    if len(cells):
        rows, x = np.divmod(cells, np.uint64(width))
        z, y = np.divmod(rows, np.uint64(height))
        low = np.stack([x, y, z], axis=1).astype(np.float32)
        scene.add_aabbs(low, low + 1, label=cells)
    return VoxelMap(scene, size, repeated)


def _three(text, number: int, words, names, sizes):
    """The three numbers of a line, each less than its size."""
    values = []
    for k, (name, size) in enumerate(zip(names, sizes, strict=True)):
        word = words[k] if k < len(words) else b""
        value = whole(word, _LARGEST_SIDE)
        if value is None:
            text.refuse(
                f"line {number}: {name} is {quoted(word)}, not an integer of 0 to {_LARGEST_SIDE}"
            )
        if value >= size:
            text.refuse(f"line {number}: {name} is {value} in a map of {size}")
        values.append(value)
    if len(words) > 3:
        text.refuse(f"line {number}: there is something behind the three numbers")
    return tuple(values)
