"""Maps from above and pictures of cameras, by matplotlib, which is imported at the first call.

Every function draws into ``ax``, by default new Axes, and returns it. Positions are [n,3] in scene
units, or ``Points``. Maps have equal scales and name the scene's unit; which way is up is said by
``scene.metadata["up"]`` ("z", or "y": then z grows downwards on the map). Where a scene is
wanted, a Caster will do as well. Shapes are darker the higher they reach; planes are left out.

Raises ImportError without matplotlib, UsageError where counts of points and answers differ.
"""

import math

import numpy as np

from ._core import NONE
from .adapters.common import package, rotations
from .errors import UsageError
from .mismatch import answered

_GREYS = ("0.97", "0.5")  # of the lowest and of the highest shape
_EDGE = "0.4"
_GROUND, _UNWALKABLE = "#c3d3e6", "0.6"
_SEEN = (_GROUND, "#f5bd7a", "#d55e00")  # not, partly, fully


@answered
def scene(scene, z=None, *, ax=None):
    """The shapes seen from above: a rectangle, hexagon, circle or capsule each.

    z: a height along the up axis, in scene units; only shapes that reach it are drawn.
    """
    ax, scene = _start("scene", ax, scene)
    shapes = _shapes(ax, scene, z=z)
    tops = shapes.get_array()
    if len(tops) and tops.min() < tops.max():
        _bar(ax, shapes, "top of the shape" + _unit(scene))
    return ax


@answered
def visibility(scene, v, points, viewpoint=None, *, targets=None, ax=None):
    """What viewpoints see: the share of the targets each, or which targets one of them sees.

    v: a Visibility of V viewpoints and T targets. points [V,3]: the viewpoints. viewpoint: the
    index of one. targets [T,3]; by default the points themselves, as of ``visibility(points)``:
    then the share is that of the other points.
    """
    viewers = len(v.bits)
    points = _positions(points, "points", viewers, "viewpoints")
    seen_by = v.shape[1] if len(v.shape) == 2 else math.prod(v.shape) // max(1, viewers)
    others = targets is None
    targets = _positions(points if others else targets, "targets", seen_by, "targets of v")
    ax, scene = _start("visibility", ax, scene)
    _shapes(ax, scene)
    if viewpoint is None:
        seen = v.counts().ravel().astype(np.float64)
        if others:
            i = np.arange(len(points))
            seen -= v.bits[i, i // 64] >> (i % 64).astype(np.uint64) & np.uint64(1)
        share = seen / max(1, len(targets) - others)
        dots = _dots(ax, scene, points, share)
        _bar(ax, dots, f"share of the {'other points' if others else 'targets'} seen")
        return ax
    from matplotlib.colors import ListedColormap

    bits = v.bits[viewpoint][:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    seen = bits.ravel()[: len(targets)].astype(np.uint8)
    dots = _dots(ax, scene, targets, seen, cmap=ListedColormap(_SEEN[::2]), vmin=0, vmax=1)
    across, _ = _map_axes(scene)
    (eye,) = ax.plot(
        *points[viewpoint, across], "*", ms=16, mfc="white", mec="black", ls="", zorder=4
    )
    names = [f"not seen ({len(seen) - seen.sum()})", f"seen ({seen.sum()})"]
    handles = [_swatch(dots.to_rgba(k)) for k in (1, 0)]
    _legend(ax, [eye, *handles], ["viewpoint", *names[::-1]])
    return ax


@answered
def exposure(scene, points, counts, *, ax=None):
    """How many viewpoints see each place: points [T,3], counts [T] as of ``Caster.exposure``."""
    counts = np.ravel(counts)
    points = _positions(points, "points", len(counts), "counts")
    ax, scene = _start("exposure", ax, scene)
    _shapes(ax, scene)
    from matplotlib.ticker import MaxNLocator

    dots = _dots(ax, scene, points, counts)
    _bar(ax, dots, "viewpoints that see the place", ticks=MaxNLocator(integer=True))
    return ax


@answered
def navigation(nav, scene=None, *, ax=None):
    """Where an agent can walk: of each column the highest walkable floor, a colour per region.

    nav: a NavMap. Columns with floors but none to walk on are grey, those without stay white.
    Jumps are lines with a dot at the landing. scene: its shapes are outlined.
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
        _shapes(ax, scene, filled=False)
    jumps = f", {len(ways)} jumps and drops" if len(ways) else ""
    title = f"{np.count_nonzero(sizes)} regions{jumps}; grey: no room to walk"
    ax.set_title(title, fontsize="medium")
    return _finish(ax, across, "" if scene is None else _unit(scene))


@answered
def areas(scene, corners, classes, of=0, *, ax=None):
    """Which areas one area sees: hidden, partly or fully.

    corners: of each area [k,3], as given to ``Areas.add``. classes: 0, 1 or 2 for each pair of
    areas, [A,A] as of ``Caster.pvs``. of: the index of the area that looks.
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

    across, _ = _map_axes(scene)
    polygons = [np.asarray(c, np.float32)[:, across] for c in corners]
    drawn = PolyCollection(
        polygons, cmap=ListedColormap(_SEEN), edgecolors="white", linewidths=0.5
    )
    drawn.set_array(row)
    drawn.set_clim(-0.5, 2.5)
    ax.add_collection(drawn)
    _shapes(ax, scene, filled=False)
    own = PolyCollection(
        [polygons[of]], facecolors="none", edgecolors="black", linewidths=2.5, zorder=3
    )
    ax.add_collection(own)
    names = ["hidden", "partly seen", "fully seen"]
    handles = [_swatch(drawn.to_rgba(k)) for k in (2, 1, 0)]
    labels = [f"{names[k]} ({np.count_nonzero(row == k)})" for k in (2, 1, 0)]
    _legend(ax, [own, *handles], [f"area {of}, which looks", *labels])
    return _finish(ax, across, _unit(scene))


@answered
def depth(hits, shape=None, *, unit=None, ax=None):
    """What a camera sees: how far the first hit of each ray is, misses white.

    hits: Hits of rays [h,w,3], or of h * w rays with shape (h, w), row by row from the top. Depths
    are in lengths of the rays' directions; unit: their name, where that length is one of the
    scene's units.
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

    return Line2D([], [], ls="", marker="s", color=color, mec=_EDGE, mew=0.5)


def _legend(ax, handles, labels):
    ax.legend(
        handles, labels, loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False,
        ncols=3 if len(labels) == 3 else 2, columnspacing=1, handletextpad=0.4, borderaxespad=0.2,
    )  # fmt: skip


def _unit(scene):
    unit = scene.metadata.get("unit")
    return f" [{unit}]" if unit else ""


def _map_axes(scene):
    """The two axes of the map, and the one that points up."""
    return ([0, 2], 1) if scene.metadata.get("up") == "y" else ([0, 1], 2)


def _finish(ax, across, unit):
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.yaxis.set_inverted(across[1] == 2)  # else a map with y up would be mirrored
    ax.set_xlabel("x" + unit)
    ax.set_ylabel("xyz"[across[1]] + unit)
    return ax


def _positions(points, name, count, what):
    points = np.asarray(getattr(points, "position", points), np.float32).reshape(-1, 3)
    if len(points) != count:
        raise UsageError(f"{name} has {len(points)} rows, but there are {count} {what}")
    return points


def _dots(ax, scene, points, values, cmap="viridis", **norm):
    across, _ = _map_axes(scene)
    size = np.clip(25000 / max(1, len(points)), 1, 30)  # together they cover much the same area
    dots = ax.scatter(
        *points[:, across].T, c=values, s=size, marker="s", cmap=cmap, linewidths=0, zorder=3,
        **norm,
    )  # fmt: skip
    _finish(ax, across, _unit(scene))
    return dots


def _shapes(ax, scene, z=None, filled=True):
    """Adds a collection of the footprints, the highest last; its array is their tops."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    across, up = _map_axes(scene)
    parts = [of(scene.shapes(kind), across, up) for kind, of in _footprints.items()]
    # As many corners for all, so that the collection takes them as one array: five times faster.
    last = np.arange(max(corners.shape[1] for corners, _, _ in parts))
    corners = np.concatenate([c[:, np.minimum(last, c.shape[1] - 1)] for c, _, _ in parts])
    bottom, top = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    order = np.argsort(top, kind="stable")
    if z is not None:
        order = order[(bottom[order] <= z) & (z <= top[order])]
    corners, top = corners[order], top[order]
    limits = (top.min(), top.max()) if len(top) else (0, 1)
    drawn = PolyCollection(
        corners,
        cmap=LinearSegmentedColormap.from_list("heights", _GREYS),
        norm=PowerNorm(0.5, *limits),  # a few towers leave most of the greys to the rest
        edgecolors=_EDGE,
        linewidths=0.4,
    )
    if filled:
        drawn.set_array(top)
    else:
        drawn.set_facecolor("none")
    ax.add_collection(drawn, autolim=False)
    if len(top):
        ax.update_datalim([corners.min((0, 1)), corners.max((0, 1))])
    _finish(ax, across, _unit(scene))
    return drawn


def _aabbs(shapes, across, up):
    low, high = shapes["min"], shapes["max"]
    x, y = across
    corners = [(low, low), (high, low), (high, high), (low, high)]
    corners = np.stack([np.stack([a[:, x], b[:, y]], 1) for a, b in corners], 1)
    return corners, low[:, up], high[:, up]


def _obbs(shapes, across, up):
    """The shadow of a box is the sum of three segments: a hexagon whose sides are they in the
    order of their angles, there and back."""
    center = shapes["center"]
    axes = rotations(shapes["rotation"]).swapaxes(1, 2)
    sides = axes * shapes["half_extents"][:, :, None]  # [n, side, xyz]
    height = np.abs(sides[:, :, up]).sum(1)
    flat = sides[:, :, across]
    flat = np.where(flat[:, :, 1:] < 0, -flat, flat)
    order = np.argsort(np.arctan2(flat[:, :, 1], flat[:, :, 0]), axis=1)
    flat = np.take_along_axis(flat, order[:, :, None], 1)
    lowest = center[:, across] - flat.sum(1)
    corners = lowest[:, None] + 2 * np.cumsum(np.concatenate([flat, -flat], 1), 1)
    return corners, center[:, up] - height, center[:, up] + height


def _capsules(shapes, across, up):
    a, b, radius = shapes["a"], shapes["b"], shapes["radius"]
    along = (b - a)[:, across]
    turn = np.arctan2(along[:, 1], along[:, 0])
    angle = turn[:, None] + np.linspace(-np.pi / 2, np.pi / 2, 13)
    cap = radius[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], 2)
    corners = np.concatenate([b[:, None, across] + cap, a[:, None, across] - cap], 1)
    ends = np.stack([a[:, up], b[:, up]])
    return corners, ends.min(0) - radius, ends.max(0) + radius


def _spheres(shapes, across, up):
    return _capsules({**shapes, "a": shapes["center"], "b": shapes["center"]}, across, up)


#: Of each kind: the corners [n,k,2] of the shapes' footprints, their bottoms and tops [n].
_footprints = {"aabb": _aabbs, "obb": _obbs, "sphere": _spheres, "capsule": _capsules}
