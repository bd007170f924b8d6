"""Maps from above and pictures of cameras, by matplotlib, which is imported at the first call.

Maps have equal scales and name the scene's unit. ``scene.metadata["up"]`` says which axis points
up: "z", or "y", for which z grows downwards on the map. Planes are left out.

Examples
--------
>>> caster = sl.Caster(sl.standard_scene("city", 100))
>>> ax = sl.plot.scene(caster)
>>> ax.figure.savefig("city.png")
"""

import math

import numpy as np

from ._core import NONE
from .adapters.common import package
from .errors import UsageError
from .maps import EDGE, add_dots, add_shapes, finish, map_axes, unit_of
from .mismatch import answered

__all__ = ["areas", "depth", "exposure", "navigation", "scene", "visibility"]

_GROUND, _UNWALKABLE = "#c3d3e6", "0.6"
_SEEN = (_GROUND, "#f5bd7a", "#d55e00")  # not, partly, fully


@answered
def scene(scene, z=None, *, ax=None):
    """The shapes seen from above.

    Parameters
    ----------
    scene : Scene or Caster
        The shapes, which are darker the higher they reach.
    z : float, scene units, optional
        A height. Only shapes that reach it are drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> ax = sl.plot.scene(sl.standard_scene("city", 100), z=10)
    """
    ax, scene = _start("scene", ax, scene)
    shapes = add_shapes(ax, scene, z=z)
    tops = shapes.get_array()
    if len(tops) and tops.min() < tops.max():
        _bar(ax, shapes, "top of the shape" + unit_of(scene))
    return ax


@answered
def visibility(scene, v, points, viewpoint=None, *, targets=None, ax=None):
    """The share of targets that each viewpoint sees, or the targets of one viewpoint.

    Parameters
    ----------
    scene : Scene or Caster
        The shapes, which are darker the higher they reach.
    v : sightline.Visibility
        Of V viewpoints and T targets.
    points : array_like or Points, float32 [V,3], scene units
        The viewpoints.
    viewpoint : int, optional
        The index of one viewpoint, whose targets are drawn.
    targets : array_like or Points, float32 [T,3], scene units, optional
        The targets; by default the viewpoints. Then the share is that of the other points.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    UsageError
        If the numbers of points and answers differ.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> scene = sl.standard_scene("city", 100)
    >>> points = np.random.default_rng(1).uniform(*scene.bounds, (50, 3))
    >>> seen = sl.Caster(scene).visibility(points)
    >>> ax = sl.plot.visibility(scene, seen, points, 0)
    """
    viewers = len(v.bits)
    points = _positions(points, "points", viewers, "viewpoints")
    seen_by = v.shape[1] if len(v.shape) == 2 else math.prod(v.shape) // max(1, viewers)
    others = targets is None
    targets = _positions(points if others else targets, "targets", seen_by, "targets of v")
    ax, scene = _start("visibility", ax, scene)
    add_shapes(ax, scene)
    if viewpoint is None:
        seen = v.counts().ravel().astype(np.float64)
        if others:
            i = np.arange(len(points))
            seen -= v.bits[i, i // 64] >> (i % 64).astype(np.uint64) & np.uint64(1)
        share = seen / max(1, len(targets) - others)
        dots = add_dots(ax, scene, points, share)
        _bar(ax, dots, f"share of the {'other points' if others else 'targets'} seen")
        return ax
    from matplotlib.colors import ListedColormap

    bits = v.bits[viewpoint][:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    seen = bits.ravel()[: len(targets)].astype(np.uint8)
    dots = add_dots(ax, scene, targets, seen, cmap=ListedColormap(_SEEN[::2]), vmin=0, vmax=1)
    across, _ = map_axes(scene)
    (eye,) = ax.plot(
        *points[viewpoint, across], "*", ms=16, mfc="white", mec="black", ls="", zorder=4
    )
    names = [f"not seen ({len(seen) - seen.sum()})", f"seen ({seen.sum()})"]
    handles = [_swatch(dots.to_rgba(k)) for k in (1, 0)]
    _legend(ax, [eye, *handles], ["viewpoint", *names[::-1]])
    return ax


@answered
def exposure(scene, points, counts, *, ax=None):
    """The number of viewpoints that see each place.

    Parameters
    ----------
    scene : Scene or Caster
        The shapes, which are darker the higher they reach.
    points : array_like or Points, float32 [T,3], scene units
        The places.
    counts : array_like, int [T]
        What ``Caster.exposure`` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    UsageError
        If the numbers of points and answers differ.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> scene = sl.standard_scene("city", 100)
    >>> points = np.random.default_rng(1).uniform(*scene.bounds, (50, 3))
    >>> ax = sl.plot.exposure(scene, points, sl.Caster(scene).exposure(points))
    """
    counts = np.ravel(counts)
    points = _positions(points, "points", len(counts), "counts")
    ax, scene = _start("exposure", ax, scene)
    add_shapes(ax, scene)
    from matplotlib.ticker import MaxNLocator

    dots = add_dots(ax, scene, points, counts)
    _bar(ax, dots, "viewpoints that see the place", ticks=MaxNLocator(integer=True))
    return ax


@answered
def navigation(nav, scene=None, *, ax=None):
    """Where an agent can walk: the highest walkable floor of each column, a colour per region.

    Parameters
    ----------
    nav : NavMap
        The map. Columns without a walkable floor are grey, columns without a floor white. Jumps are
        lines with a dot at the landing.
    scene : Scene or Caster, optional
        The shapes, which are outlined.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    UsageError
        If the map is empty.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_aabbs([0, 0, -1], [6, 6, 0])
    0
    >>> ax = sl.plot.navigation(sl.Caster(scene).bake_navigation(), scene)
    """
    if len(nav) == 0:
        raise UsageError("the map has no spans to draw")
    ax, scene = _start("navigation", ax, scene)
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, to_rgba

    columns, position = nav.columns(), nav.positions()
    width, height = nav.width, nav.depth
    across = [0, 1] if np.array_equal(position[:, 2], columns["top"]) else [0, 2]
    column = np.repeat(np.arange(width * height), np.diff(columns["offsets"]).astype(int))
    region = columns["region"]
    floor, walkable = columns["flags"] & 1 != 0, region != NONE
    shown = np.ma.masked_all(width * height, np.int64)
    shown[column[floor]] = -1
    shown[column[walkable]] = region[walkable]  # spans ascend: the last one is the highest
    sizes = np.bincount(region[walkable], minlength=1)
    rank = np.argsort(np.argsort(-sizes, kind="stable"))
    # The largest is a pale ground for the others, which steps of the golden ratio keep apart.
    colors = colormaps["viridis"](rank * 0.6180339887 % 1)
    colors[rank == 0] = to_rgba(_GROUND)
    colors = ListedColormap(colors)
    low = position[0, across] - (np.array(divmod(column[0], width))[::-1] + 0.5) * nav.cell
    right, far = low + np.array([width, height]) * nav.cell
    ax.imshow(
        shown.reshape(height, width), cmap=colors.with_extremes(under=_UNWALKABLE),
        vmin=-0.5, vmax=len(sizes) - 0.5, extent=(low[0], right, low[1], far),
        origin="lower", interpolation="nearest",
    )  # fmt: skip
    ways = np.stack([columns["jump.from"][:, across], columns["jump.to"][:, across]], 1)
    if len(ways):
        from matplotlib.collections import LineCollection

        ax.add_collection(LineCollection(ways, colors="black", linewidths=0.8, zorder=3))
        ax.plot(*ways[:, 1].T, "k.", ms=3, zorder=3)
    if scene is not None:
        add_shapes(ax, scene, filled=False)
    jumps = f", {len(ways)} jumps and drops" if len(ways) else ""
    title = f"{np.count_nonzero(sizes)} regions{jumps}; grey: no room to walk"
    ax.set_title(title, fontsize="medium")
    return finish(ax, across, "" if scene is None else unit_of(scene))


@answered
def areas(scene, corners, classes, of=0, *, ax=None):
    """The areas that one area sees: hidden, partly or fully.

    Parameters
    ----------
    scene : Scene or Caster
        The shapes, which are darker the higher they reach.
    corners : sequence of array_like, float32 [k,3] each, scene units
        The corners of each area, as ``Areas.add`` takes them.
    classes : array_like, int [A,A]
        What ``Caster.pvs`` returns.
    of : int, default 0
        The index of the area that looks.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    UsageError
        If ``classes`` is not [A,A].
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> rooms = sl.Areas()
    >>> corners = [[[0, 0, 0], [4, 0, 0], [4, 4, 0]], [[6, 0, 0], [9, 0, 0], [9, 4, 0]]]
    >>> for room in corners:
    ...     rooms.add(room, 3)
    >>> scene = sl.Scene()
    >>> ax = sl.plot.areas(scene, corners, sl.Caster(scene).pvs(rooms))
    """
    classes = np.asarray(classes)
    if classes.shape != (len(corners), len(corners)):
        raise UsageError(
            f"classes is {list(classes.shape)}, but corners are of {len(corners)} areas"
        )
    row = classes[of]
    ax, scene = _start("areas", ax, scene)
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import ListedColormap

    across, _ = map_axes(scene)
    polygons = [np.asarray(c, np.float32)[:, across] for c in corners]
    drawn = PolyCollection(
        polygons, cmap=ListedColormap(_SEEN), edgecolors="white", linewidths=0.5
    )
    drawn.set_array(row)
    drawn.set_clim(-0.5, 2.5)
    ax.add_collection(drawn)
    add_shapes(ax, scene, filled=False)
    own = PolyCollection(
        [polygons[of]], facecolors="none", edgecolors="black", linewidths=2.5, zorder=3
    )
    ax.add_collection(own)
    names = ["hidden", "partly seen", "fully seen"]
    handles = [_swatch(drawn.to_rgba(k)) for k in (2, 1, 0)]
    labels = [f"{names[k]} ({np.count_nonzero(row == k)})" for k in (2, 1, 0)]
    _legend(ax, [own, *handles], [f"area {of}, which looks", *labels])
    return finish(ax, across, unit_of(scene))


@answered
def depth(hits, shape=None, *, unit=None, ax=None):
    """What a camera sees: how far the first hit of each ray is. Misses are white.

    Parameters
    ----------
    hits : sightline.Hits
        Hits of rays [h,w,3], or of h * w rays, row by row from the top.
    shape : (int, int), optional
        (h, w), if the hits have another shape.
    unit : str, optional
        The unit of depths, if directions have the length of one. By default depths are in lengths
        of the direction.
    ax : matplotlib.axes.Axes, optional
        Where to draw; by default new Axes.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes.

    Raises
    ------
    UsageError
        If the hits do not fit the shape.
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> caster = sl.Caster(sl.standard_scene("city", 100))
    >>> directions = [[[1, y, z] for y in (-0.1, 0, 0.1)] for z in (0.1, 0)]
    >>> ax = sl.plot.depth(caster.closest_hit([0, 0, 2], directions))
    """
    shape = hits.t.shape if shape is None else shape
    if len(shape) != 2:
        raise UsageError(f"hits have the shape {list(shape)}, not [h,w]: shape=(h, w) says it")
    h, w = shape
    if len(hits) != h * w:
        raise UsageError(f"shape is {h} by {w}, but there are {len(hits)} hits")
    ax, _ = _start("depth", ax)
    from matplotlib import colormaps

    t = hits.t.reshape(h, w)  # +inf for a miss: imshow masks what is not finite
    image = ax.imshow(t, cmap=colormaps["viridis_r"].with_extremes(bad="white"))
    ax.set_xlabel("column of rays")
    ax.set_ylabel("row of rays")
    _bar(ax, image, "depth " + (f"[{unit}]" if unit else "in lengths of the direction"))
    return ax


def _start(function, ax, scene=None):
    """Axes to draw into, and the scene, of a Caster its copy."""
    plt = package(f"plot.{function}", "matplotlib.pyplot", "matplotlib")
    if ax is None:
        ax = plt.subplots(layout="constrained")[1]
    return ax, getattr(scene, "scene", scene)


def _bar(ax, artist, label, **ticks):
    ax.figure.colorbar(artist, cax=ax.inset_axes([1.03, 0, 0.04, 1]), label=label, **ticks)


def _swatch(color):
    from matplotlib.lines import Line2D

    return Line2D([], [], ls="", marker="s", color=color, mec=EDGE, mew=0.5)


def _legend(ax, handles, labels):
    ax.legend(
        handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False,
        ncols=3 if len(labels) == 3 else 2, columnspacing=1, handletextpad=0.4, borderaxespad=0.2,
    )  # fmt: skip


def _positions(points, name, count, what):
    points = np.asarray(getattr(points, "position", points), np.float32).reshape(-1, 3)
    if len(points) != count:
        raise UsageError(f"{name} has {len(points)} rows, but there are {count} {what}")
    return points
