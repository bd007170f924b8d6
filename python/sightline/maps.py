"""What ``plot`` draws on maps: the footprints of shapes, dots, and the names of axes."""

import numpy as np

from .adapters.common import rotations

_GREYS = ("0.97", "0.5")  # of the lowest and of the highest shape
#: The colour of outlines.
EDGE = "0.4"


def unit_of(scene):
    unit = scene.metadata.get("unit")
    return f" [{unit}]" if unit else ""


def map_axes(scene):
    """The two axes of the map, and the one that points up."""
    return ([0, 2], 1) if scene.metadata.get("up") == "y" else ([0, 1], 2)


def finish(ax, across, unit):
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.yaxis.set_inverted(across[1] == 2)  # else a map with y up would be mirrored
    ax.set_xlabel("x" + unit)
    ax.set_ylabel("xyz"[across[1]] + unit)
    return ax


def add_dots(ax, scene, points, values, cmap="viridis", **norm):
    across, _ = map_axes(scene)
    size = np.clip(25000 / max(1, len(points)), 1, 30)  # together they cover much the same area
    dots = ax.scatter(
        *points[:, across].T, c=values, s=size, marker="s", cmap=cmap, linewidths=0, zorder=3,
        **norm,
    )  # fmt: skip
    finish(ax, across, unit_of(scene))
    return dots


def add_shapes(ax, scene, z=None, filled=True):
    """Adds a collection of the footprints, the highest last; its array is their tops."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    across, up = map_axes(scene)
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
        edgecolors=EDGE,
        linewidths=0.4,
    )
    if filled:
        drawn.set_array(top)
    else:
        drawn.set_facecolor("none")
    ax.add_collection(drawn, autolim=False)
    if len(top):
        ax.update_datalim([corners.min((0, 1)), corners.max((0, 1))])
    finish(ax, across, unit_of(scene))
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


def _cylinders(shapes, across, up):
    """The hull of two ellipses: half of each, with straight sides between them."""
    a, b, radius = shapes["a"], shapes["b"], shapes["radius"]
    along = b - a
    flat = along[:, across]
    length = np.linalg.norm(along, axis=1)
    turn = np.arctan2(flat[:, 1], flat[:, 0])
    angle = np.linspace(-np.pi / 2, np.pi / 2, 13)
    squeezed = np.abs(along[:, up]) / length  # of the ends, seen from above
    forward = radius[:, None] * squeezed[:, None] * np.cos(angle)
    aside = radius[:, None] * np.sin(angle)
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    cap = np.stack([forward * cos - aside * sin, forward * sin + aside * cos], 2)
    corners = np.concatenate([b[:, None, across] + cap, a[:, None, across] - cap], 1)
    ends = np.stack([a[:, up], b[:, up]])
    reach = radius * np.linalg.norm(flat, axis=1) / length  # of the ends, up and down
    return corners, ends.min(0) - reach, ends.max(0) + reach


def _triangles(shapes, across, up):
    corners = np.stack([shapes["a"], shapes["b"], shapes["c"]], 1)
    return corners[:, :, across], corners[:, :, up].min(1), corners[:, :, up].max(1)


#: Of each kind: the corners [n,k,2] of the shapes' footprints, their bottoms and tops [n].
_footprints = {
    "aabb": _aabbs,
    "obb": _obbs,
    "sphere": _spheres,
    "capsule": _capsules,
    "cylinder": _cylinders,
    "triangle": _triangles,
}
