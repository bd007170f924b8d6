"""The interactive view: one HTML page that shows a level and what it sees."""

import html
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np

from ._core import NavMap, Points, Scene, Visibility
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
    *results : path, array [n,3], Points, Visibility, NavMap or Scene
        Files that ``bake`` or the program wrote: results, navigation maps and pvs. Files of areas,
        rays and query shapes that they were computed from are named here as well. A visibility
        matrix, points, maps and scenes of query shapes may be objects.
    points : array [n,3], Points, path, or a list of these
        The points of the results, in scene units; of a matrix the viewpoints, then the targets.
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
        For what is no file, for files that are larger than a page takes, and for a matrix without
        its points or in fields of view.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> eyes = [[0, 0, 0], [9, 0, 0]]
    >>> seen = sl.Caster(scene).visibility(eyes)
    >>> sl.view(scene, eyes, seen).save("view.html")
    """
    if isinstance(height, bool) or not isinstance(height, (int, np.integer)) or height < 1:
        raise UsageError(f"height is {height!r}, not a number of pixels")
    several = list(points) if _holds_files(points) else [] if points is None else [points]
    shown = []
    for k, result in enumerate(results):
        if isinstance(result, (np.ndarray, list, tuple, Points)):
            several.append(result)
        elif isinstance(result, (str, os.PathLike, NavMap, Scene, Visibility)):
            shown.append(result)
        else:
            raise UsageError(
                f"result {k} is of {type(result).__name__}, not the name of a file: sl.bake writes "
                "results to files"
            )
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        folder = Path(folder)
        files = [_argument(scene, folder / "scene")]
        for k, some in enumerate(several):
            name = "points" if k == 0 else f"points-{k}"
            files.append(_argument(getattr(some, "position", some), folder / name))
        inputs = list(files)
        files += [_file_of(r, folder / f"result-{k}", *inputs) for k, r in enumerate(shown)]
        page = folder / "view.html"
        command = [program(), "view", *files, "-o", str(page), "--quiet"]
        if title is not None:
            command += ["--title", str(title)]
        said = _run(command, str(page), False, folder / "said")
        if said:
            warnings.warn(said.replace("warning: ", ""), stacklevel=3)
        return Page(page.read_text(encoding="utf-8", errors="replace"), int(height))


def _file_of(result, path, scene, *points):
    """The name of a result's file; an object is written. The others are files already."""
    if isinstance(result, NavMap):
        path = path.with_suffix(".nav")
        result.save(path)
        return str(path)
    if not isinstance(result, Visibility):
        return _argument(result, path)
    if len(points) not in (1, 2):
        raise UsageError(
            f"a Visibility holds no points, and view got {len(points)} sets of them: give the "
            "viewpoints and, if they are others, the targets"
        )
    path = path.with_suffix(".safetensors")
    result._save(str(path), scene, points[0], points[-1])
    return str(path)


def _holds_files(points):
    """Whether it is a list of files and arrays of points, not itself numbers."""
    return isinstance(points, (list, tuple)) and any(
        isinstance(p, (str, os.PathLike, Points)) or np.ndim(p) == 2 for p in points
    )
