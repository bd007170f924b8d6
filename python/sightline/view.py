"""The interactive view: one HTML page that shows a level and what it sees."""

import html
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np

from ._core import NavMap, Scene
from .bake import _argument, _run, program
from .errors import UsageError
from .mismatch import answered


class Page:
    """An HTML page that needs nothing else; a notebook shows it.

    Attributes
    ----------
    html : str
        The whole page.
    height : int
        Of the frame in a notebook, in pixels.
    """

    def __init__(self, text, height):
        self.html = text
        self.height = height

    def save(self, path):
        """Writes the page to a file, which any browser opens."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self):
        # A frame of its own: the page's script reaches nothing of the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'width="100%" height="{self.height}" style="border:0"></iframe>'
        )

    def __repr__(self):
        return f"<sightline page of {len(self.html):,} characters: save(path) writes it>"


@answered
def view(scene, *results, points=None, title=None, height=600):
    """Makes an HTML page that shows a scene and what was computed from it, in 3D.

    Parameters
    ----------
    scene : Scene or path
        The scene that all results were computed from.
    *results : path, NavMap or Scene
        Files that ``bake`` or the program wrote: results, navigation maps and pvs. Files of areas,
        rays and query shapes that they were computed from are named here as well. Maps and scenes
        of query shapes may be objects.
    points : array [n,3], path, or a list of these
        The points of the results, in scene units.
    title : str
        Of the page; by default the name of the scene's file.
    height : int
        Of the frame in a notebook, in pixels.

    Returns
    -------
    Page
        The last line of a cell shows it; ``save(path)`` writes it, ``html`` is its text.

    Raises
    ------
    BadInputError
        Where files do not belong together, by the hashes that they hold.
    UsageError
        For what is no file, and for files that are larger than a page takes.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> eyes = [[0, 0, 0], [9, 0, 0]]
    >>> report = sl.bake("visibility", scene, "seen.safetensors", from_=eyes)
    >>> sl.view(scene, "seen.safetensors", points=eyes).save("view.html")
    """
    if isinstance(height, bool) or not isinstance(height, (int, np.integer)) or height < 1:
        raise UsageError(f"height is {height!r}, not a number of pixels")
    for k, result in enumerate(results):
        if not isinstance(result, (str, os.PathLike, NavMap, Scene)):
            raise UsageError(
                f"result {k} is of {type(result).__name__}, not the name of a file: sl.bake writes "
                "results to files"
            )
    several = points if isinstance(points, (list, tuple)) and _holds_files(points) else [points]
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        folder = Path(folder)
        files = [_argument(scene, folder / "scene")]
        for k, some in enumerate(several):
            name = "points" if k == 0 else f"points-{k}"
            files += [] if some is None else [_argument(some, folder / name)]
        for k, result in enumerate(results):
            name = folder / f"result-{k}"
            if isinstance(result, NavMap):
                name = name.with_suffix(".nav")
                result.save(name)
                result = name
            files.append(_argument(result, name))
        page = folder / "view.html"
        command = [program(), "view", *files, "-o", str(page), "--quiet"]
        if title is not None:
            command += ["--title", str(title)]
        said = _run(command, str(page), False, folder / "said")
        if said:
            warnings.warn(said.replace("warning: ", ""), stacklevel=3)
        return Page(page.read_text(encoding="utf-8", errors="replace"), int(height))


def _holds_files(points):
    """Whether it is a list of files and arrays of points, not itself numbers."""
    return any(isinstance(p, (str, os.PathLike)) or np.ndim(p) == 2 for p in points)
