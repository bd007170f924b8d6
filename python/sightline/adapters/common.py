"""What the adapters share: placed solids as shapes of a scene, and the report of what is left out.

An adapter describes its items in columns: a form (a word of ``KIND``, or any other word for what
sightline has no shape for), a size, and a pose. Solids of revolution are about the z axis of their
own frame, rectangles and half-spaces have it as their normal.
"""

import importlib
import warnings
from collections.abc import Sequence

import numpy as np

import sightline

#: The kind of shape that a form becomes. Sizes [3]: half extents of boxes; (radius, 0, 0);
#: (radius, half of the segment, 0) of capsules and cylinders; (half width, half length, 0) of
#: rectangles, which are flat boxes; nothing of half-spaces.
KIND = {
    "box": "obb",
    "rectangle": "obb",
    "sphere": "sphere",
    "capsule": "capsule",
    "cylinder": "cylinder",
    "half-space": "plane",
}
#: Two scales are equal, and two axes perpendicular, when they are so within this.
SLACK = 1e-5


def package(function: str, module: str, pip: str):
    """The module of an optional package, imported now; an ImportError says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"sightline.{function} needs the package {pip} ({error}): pip install {pip}"
        ) from error


class Items(dict):
    """Items by a word for what they are, such as ``{"ellipsoid": array([3, 7, 8, 9])}``: printed
    are how many there are of each and the names of the first ones."""

    def __init__(self, items, names):
        super().__init__(items)
        self._names = names

    def __repr__(self):
        each = []
        for word, items in self.items():
            first = ", ".join(str(self._names[i] or i) for i in items[:3])
            each.append(f"{len(items)} {word} ({first}{', ...' if len(items) > 3 else ''})")
        return f"{{{'; '.join(each)}}}"


class Imported:
    """A scene that was made of another package's items.

    Attributes
    ----------
    scene : Scene
        The shapes. Add shapes if you like, but remove none.
    names : list
        What the items' package calls each of them.
    left_out : dict of ndarray, int64
        The items that are not in the scene, by form, such as "ellipsoid".
    approximated : dict of ndarray, int64
        The items that have a shape around them, by form.

    Examples
    --------
    >>> import trimesh
    >>> world = sl.from_trimesh([trimesh.primitives.Sphere(), trimesh.primitives.Box()])
    >>> world.names, world.ids.tolist()
    (['0', '1'], [1, 0])
    """

    def __init__(self, names: Sequence):
        self.scene = sightline.Scene()
        self.names = names
        self.left_out: dict[str, np.ndarray] = Items({}, names)
        self.approximated: dict[str, np.ndarray] = Items({}, names)
        self._of_kind: dict[str, np.ndarray] = {}  # kind -> items, in the order of its shapes
        self._columns: dict[str, list[np.ndarray]] = {}  # kind -> what the scene holds of it

    @property
    def ids(self) -> np.ndarray:
        """int64 [items]: the id of each item's shape; -1 for an item without a shape."""
        ids = np.full(len(self.names), -1, np.int64)
        for kind, items in self._of_kind.items():
            ids[items] = self.scene.id(kind, 0) + np.arange(len(items))
        return ids

    @property
    def items(self) -> np.ndarray:
        """int64 [shapes]: the item of each shape; -1 for a shape that was added later."""
        ids = self.ids
        items = np.full(len(self.scene), -1, np.int64)
        items[ids[ids >= 0]] = np.flatnonzero(ids >= 0)
        return items

    def _add(
        self, kinds, size, position, rotation, *, mask=0xFFFFFFFF, group=sightline.NONE, label=None
    ) -> None:
        """Adds the items that have a kind; all arguments are columns [items], the label by default
        the item's number."""
        self._size, n = size, len(self.names)
        mask, group = (np.broadcast_to(np.asarray(v, np.uint32), n) for v in (mask, group))
        label = np.arange(n, dtype=np.uint64) if label is None else label
        for kind in dict.fromkeys(kinds.tolist()):
            if not kind:
                continue
            items = np.flatnonzero(kinds == kind)
            columns = _columns(kind, size[items], position[items], rotation[items])
            add = getattr(self.scene, f"add_{kind}s")
            add(*columns, mask=mask[items], group=group[items], label=label[items])
            self._of_kind[kind], self._columns[kind] = items, columns

    def _move(self, caster, position, rotation, how: str) -> int:
        """Moves shapes to their items' poses (columns [items]) and tells the caster.

        Returns how many moved since the last call.
        """
        moved = 0
        for kind, items in self._of_kind.items():
            columns = _columns(kind, self._size[items], position[items], rotation[items])
            pairs = zip(columns, self._columns[kind], strict=True)
            differs = np.any([_rows_differ(new, old) for new, old in pairs], axis=0)
            if not differs.any():
                continue
            at = np.flatnonzero(differs)
            first, end = int(at[0]), int(at[-1]) + 1
            setter = getattr(self.scene, f"set_{kind}s")
            setter(first, *(column[first:end] for column in columns))
            self._columns[kind] = columns
            moved += len(at)
        caster.update(self.scene, how=how)  # another caster may have seen the shapes move
        return moved

    def _report(self, function: str, what: str, strict: bool, kinds, empty: str = "") -> None:
        """Says what is left out, and that nothing is left: a warning, or under ``strict`` a
        BadInputError. empty: what to do where there are no items."""
        taken = np.count_nonzero(kinds != "")
        if not self.left_out and taken:
            return
        if not self.left_out:
            words = f"sightline.{function} found no {what} to take: the scene is empty{empty}"
        else:
            counts = ", ".join(f"{len(items)} {form}" for form, items in self.left_out.items())
            total = sum(len(items) for items in self.left_out.values())
            first = min(int(items[0]) for items in self.left_out.values())
            words = (
                f"sightline.{function} has no shape for {total} of {len(self.names)} {what} "
                f"({counts}; the first is {self.names[first] or first!r})"
            )
        if strict:
            raise sightline.BadInputError(words)
        if self.left_out:
            words += ": left out" + ("" if taken else ", and the scene is empty")
            if not self.approximated:
                words += "; approximate=True puts shapes around those whose extent is known"
        warnings.warn(words, stacklevel=4)


def choose(world: Imported, forms, size, scale=None, *, approximate=False, around=None):
    """The kinds [items] and final sizes [items,3] of forms, and the report of those without one.

    ``scale`` [items,3] are the poses' scales along the own axes, 1 when left out; NaN where a pose
    has none (it is sheared or flat). A form of "" is no item of interest. With ``approximate``
    what has no shape becomes a box around it, of the half extents ``around`` [items,3] (before
    scaling, NaN where unknown). A cylinder, which rays alone know, then becomes the capsule around
    it where that has less volume than the box.
    """
    forms, size = np.asarray(forms, object), np.asarray(size, np.float64).reshape(-1, 3)
    scale = np.ones_like(size) if scale is None else scale
    with np.errstate(invalid="ignore"):
        even = np.ptp(scale, axis=1) <= SLACK * scale.max(axis=1, initial=0)
        round_ = np.abs(scale[:, 0] - scale[:, 1]) <= SLACK * scale[:, 0]
    placed = np.isfinite(scale).all(axis=1)
    bounded, drum = np.isin(forms, ("sphere", "capsule")), forms == "cylinder"
    uneven = placed & ((bounded & ~even) | (drum & ~round_))
    flat = drum & placed & ~uneven & ~(size[:, 1] > 0)

    kinds = np.array([KIND.get(form, "") for form in forms], object)
    kinds[~placed | uneven | flat] = ""
    sized = size * np.where(bounded[:, None], scale[:, :1], scale)
    sized[drum, 1] = size[drum, 1] * scale[drum, 2]

    words = forms.copy()
    words[uneven] += " scaled unevenly"
    words[flat] += " without height"
    words[(forms != "") & ~placed] += " sheared or of scale 0"
    if approximate:
        kinds[drum] = ""
    missing = (kinds == "") & (forms != "")
    if approximate:
        half = _half_extents(forms, size, around) * scale
        known = missing & np.isfinite(half).all(axis=1)
        kinds[known], sized[known] = "obb", half[known]
        upright = known & drum & round_
        capsule = _capsule_around(half[:, 0], half[:, 2])
        less = upright & (_capsule_volume(*capsule[:, :2].T) < 8 * half.prod(axis=1))
        kinds[less], sized[less] = "capsule", capsule[less]
        missing &= ~known
        world.approximated = _by_word(words, known, world.names)
    world.left_out = _by_word(words, missing, world.names)
    return kinds, sized


def along_axes(kinds, rotation) -> None:
    """Makes boxes of kind "obb" whose axes are the coordinate axes "aabb", in place.

    Only for items that never turn: a shape keeps its kind.
    """
    flat = np.isin(rotation, (-1, 0, 1)).all(axis=(1, 2))
    kinds[flat & (kinds == "obb")] = "aabb"


def decompose(matrix):
    """Affine maps [n,4,4] as positions [n,3], rotations [n,3,3] and scales [n,3].

    The scales of a map that shears, or is flat, are NaN. A mirror image is one axis reversed, which
    no solid here tells from its original.
    """
    matrix = np.asarray(matrix, np.float64).reshape(-1, 4, 4)
    linear = matrix[:, :3, :3]
    scale = np.linalg.norm(linear, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        rotation = linear / scale[:, None, :]
        gram = np.swapaxes(rotation, 1, 2) @ rotation
        bad = ~(np.abs(gram - np.eye(3)) <= SLACK).all(axis=(1, 2))
    rotation[bad], scale[bad] = np.eye(3), np.nan
    rotation[np.linalg.det(rotation) < 0, :, 0] *= -1
    return matrix[:, :3, 3], rotation, scale


def quaternions(rotation):
    """Rotation matrices [n,3,3] as unit quaternions [n,4] in the order x, y, z, w, in float64.

    Source: 4 q q^T is linear in the matrix; its row of the largest diagonal element is q, scaled.
    """
    m = np.asarray(rotation, np.float64).reshape(-1, 3, 3)
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    xy, xz, yz = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    xw, yw, zw = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    rows = np.empty((len(m), 4, 4))
    rows[:, 0] = np.stack([1 + xx - yy - zz, xy, xz, xw], axis=1)
    rows[:, 1] = np.stack([xy, 1 - xx + yy - zz, yz, yw], axis=1)
    rows[:, 2] = np.stack([xz, yz, 1 - xx - yy + zz, zw], axis=1)
    rows[:, 3] = np.stack([xw, yw, zw, 1 + xx + yy + zz], axis=1)
    best = np.argmax(np.einsum("nii->ni", rows), axis=1)
    q = rows[np.arange(len(m)), best]
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def turn(x, y, z, w):
    """The rows of a quaternion's matrix, times its squared length; and that. Of integers exact."""
    n = x * x + y * y + z * z + w * w
    return [
        [n - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), n - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), n - 2 * (x * x + y * y)],
    ], n


def rotations(quaternion):
    """Quaternions [n,4] of any nonzero length, in the order x, y, z, w, as matrices [n,3,3]."""
    rows, n = turn(*np.asarray(quaternion, np.float64).reshape(-1, 4).T)
    return np.moveaxis(np.array(rows), -1, 0) / n[:, None, None]


def quaternions_to(direction):
    """Rotations [n,4] that turn the z axis into directions [n,3]; none for length 0."""
    d = np.asarray(direction, np.float64)
    length = np.linalg.norm(d, axis=1, keepdims=True)
    d = np.divide(d, length, out=np.tile([0.0, 0.0, 1.0], (len(d), 1)), where=length > 0)
    # The half-way quaternion; where z points straight down it vanishes, and a half turn does.
    q = np.column_stack([-d[:, 1], d[:, 0], np.zeros(len(d)), 1 + d[:, 2]])
    q[np.linalg.norm(q, axis=1) < 1e-7] = [1, 0, 0, 0]
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def placed(kind, columns, middle=0.0):
    """Shapes of a kind as solids, in float64: centers [n,3], rotations [n,3,3], sizes [n,3]. A
    plane's center is its point nearest to the middle."""
    of = {name: np.asarray(values, np.float64) for name, values in columns.items()}
    if kind == "aabb":
        center, size = (of["min"] + of["max"]) / 2, (of["max"] - of["min"]) / 2
        return center, np.tile(np.eye(3), (len(center), 1, 1)), size
    if kind == "obb":
        return of["center"], rotations(of["rotation"]), of["half_extents"]
    if kind == "sphere":
        n = len(of["center"])
        return of["center"], np.tile(np.eye(3), (n, 1, 1)), of["radius"][:, None] * (1, 0, 0)
    if kind in ("capsule", "cylinder"):
        along = of["b"] - of["a"]
        half = np.linalg.norm(along, axis=1) / 2
        size = np.stack([of["radius"], half, 0 * half], axis=1)
        return (of["a"] + of["b"]) / 2, rotations(quaternions_to(along)), size
    length = np.linalg.norm(of["normal"], axis=1, keepdims=True)
    above = of["normal"] @ np.broadcast_to(middle, 3) - of["offset"]
    center = middle - above[:, None] * of["normal"] / length**2
    return center, rotations(quaternions_to(of["normal"])), np.zeros_like(center)


def solids(scene, plane_size, function: str):
    """Per kind: center [n,3], rotation [n,3,3], size [n,3], and the attributes; of triangles
    corners [n,3,3] and the attributes."""
    for kind in sightline.KINDS:
        n = scene.count(kind)
        if n == 0:
            continue
        if kind == "plane" and plane_size is None:
            planes = "1 plane is" if n == 1 else f"{n} planes are"
            words = f"sightline.{function}: {planes} left out (plane_size draws planes)"
            warnings.warn(words, stacklevel=4)
            continue
        shapes, bounds = scene.shapes(kind), scene.bounds
        solid = {name: shapes.pop(name) for name in ("mask", "group", "label")}
        if kind == "triangle":
            yield kind, {**solid, "corners": np.stack([shapes[k] for k in "abc"], axis=1)}
            continue
        middle = np.zeros(3) if bounds is None else np.mean(np.float64(bounds), axis=0)
        solid["center"], solid["rotation"], size = placed(kind, shapes, middle)
        if kind == "plane":
            size[:, :2] = plane_size / 2
        yield kind, {**solid, "size": size}


# The faces of a box whose corner k is at sign (k & 1, k & 2, k & 4), seen from outside.
BOX = np.array([[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]])
CORNERS = np.array([[(k >> axis & 1) * 2.0 - 1 for axis in range(3)] for k in range(8)])


def surfaces(kind, center, rotation, size, sections):
    """Corners [n,m,3] of solids, and the quads between those of each; of round ones ``sections``
    around, and of balls and capsules half as many rings."""
    is_round = kind in ("sphere", "capsule")
    if kind == "cylinder":
        (points, faces), size = _drum(sections), size[:, [0, 0, 1]]
    else:
        points, faces = _ball(sections) if is_round else (CORNERS, BOX)
    local = points * (size[:, None, :1] if is_round else size[:, None, :])
    if kind == "capsule":  # the upper half moves up, the lower half down
        upper = np.arange(len(points)) < len(points) // 2
        local[:, :, 2] += np.where(upper, 1, -1) * size[:, 1:2]
    return np.einsum("nij,nkj->nki", rotation, local) + center[:, None, :], faces


def _ball(sections):
    """Corners [m,3] of a unit ball, its upper half first, and quads; the poles' are triangles.

    Both halves have the equator, so that a capsule's can part.
    """
    rings = max(2, sections // 4) + 1
    up = np.linspace(np.pi / 2, 0, rings)
    up = np.concatenate([up, -up[::-1]])
    return _turned(np.cos(up), np.sin(up), sections)


def _drum(sections):
    """The same of a cylinder of radius and half height 1: the ends' quads are triangles."""
    return _turned(np.array([0.0, 1, 1, 0]), np.array([1.0, 1, -1, -1]), sections)


def _turned(radius, height, sections):
    """Corners and quads of an outline that turns around z, from top to bottom."""
    around = np.arange(sections) * 2 * np.pi / sections
    r, z = radius[:, None], height[:, None]
    points = np.stack([r * np.cos(around), r * np.sin(around), z + 0 * around], axis=2)
    ring = np.arange(sections) + sections * np.arange(len(radius) - 1)[:, None]
    after = np.roll(ring, -1, axis=1)
    quads = np.stack([ring, ring + sections, after + sections, after], axis=2)
    return points.reshape(-1, 3), quads.reshape(-1, 4)


def _columns(kind, size, position, rotation) -> list[np.ndarray]:
    """The arguments of ``add_KINDs`` and ``set_KINDs``: worked out in float64, rounded once."""
    z = rotation[:, :, 2]
    if kind == "aabb":
        half = np.einsum("nij,nj->ni", np.abs(rotation), size)
        columns = [position - half, position + half]
    elif kind == "obb":
        columns = [position, size, quaternions(rotation)]
    elif kind == "sphere":
        columns = [position, size[:, 0]]
    elif kind in ("capsule", "cylinder"):
        columns = [position - z * size[:, 1:2], position + z * size[:, 1:2], size[:, 0]]
    else:
        # The offset goes with the normal as it is stored, so that the plane contains the position.
        normal = z.astype(np.float32)
        columns = [normal, np.einsum("ni,ni->n", normal.astype(np.float64), position)]
    return [np.ascontiguousarray(column, np.float32) for column in columns]


def _rows_differ(a, b):
    return (a != b).reshape(len(a), -1).any(axis=1)


def _by_word(words, where, names) -> Items:
    each = dict.fromkeys(words[where])
    return Items({word: np.flatnonzero(where & (words == word)) for word in each}, names)


def _half_extents(forms, size, around):
    """Half extents [n,3] of the boxes around solids in their own frames; NaN where unknown."""
    half = np.full_like(size, np.nan) if around is None else np.array(around, np.float64)
    for form in ("sphere", "capsule", "cylinder"):
        of = forms == form
        radius, segment = size[of, 0], size[of, 1]
        height = segment + radius if form == "capsule" else radius if form == "sphere" else segment
        half[of] = np.stack([radius, radius, height], axis=1)
    return half


def _capsule_around(radius, half_height):
    """(radius, half of the segment, 0) [n,3] of a capsule around cylinders.

    Shortening the segment by d at each end takes a radius of sqrt(r^2 + d^2). The volume's least d
    is r^2 / 2h for slender cylinders; any d up to h contains the cylinder.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        d = np.minimum(radius * radius / (2 * half_height), half_height)
    return np.stack([np.hypot(radius, d), half_height - d, 0 * d], axis=1)


def _capsule_volume(radius, half_segment):
    return np.pi * radius * radius * (2 * half_segment + 4 / 3 * radius)
