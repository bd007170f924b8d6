"""The Caster's answers from many machines: bands of a call, mapped over the workers of a Dask
cluster.

    from dask.distributed import Client
    client = Client("tcp://scheduler:8786")            # or of a LocalCluster, of dask_jobqueue, ...
    seen = sl.distributed.visibility(client, scene, eyes)

Each call takes what the Caster's method of its name takes, but for ``strict``, arrays on a device
and batches of more sides than [n,3], and gives the same bytes. All of them have, beside:

client: a ``distributed.Client`` that is not asynchronous. Workers need this package.
scene: a Scene, or the path of its file. Its bytes and those of what all bands need (the targets) go
    to each worker once. A worker checks the scene's hash, and keeps two casters from call to call.
rows: how many rows one task answers; by default what a core does in seconds.
out: arrays of the answer's shape and type, which are written as bands arrive, in any order:
    anything with ``shape``, ``dtype`` and slices to assign to, such as ``numpy.memmap``.
progress: a callable (done, total), in pairs or rays, told as bands arrive.
device, threads: of the workers' Casters. threads counts for one task, and Dask runs as many tasks
    at a time as a worker has threads. Two tasks for each of those are under way and no more, which
    bounds what client, scheduler and workers hold.

A band whose worker died is answered again by another worker. Ctrl-C, or an exception in
``progress``, cancels what has not begun. Raises the errors of the Caster, and DeviceError for a
band that ended every worker that tried it.
"""

import hashlib
import importlib
import itertools
import os
import tempfile
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import _core
from .adapters.common import package
from .errors import BadInputError, DeviceError, UsageError
from .mismatch import answered

_pairs_at_a_time = 1 << 25  # seconds of one core, and 4 MB of bits
_rays_at_a_time = 1 << 18  # 6 MB there, 5 MB back
_side = 4096  # of a tile of a set against itself, at most


@dataclass(repr=False)
class Visibility:
    """Which of V viewpoints see which of T targets, as ``sl.Visibility``."""

    bits: np.ndarray  #: uint64 [V, ceil(T/64)]: bit j % 64 of word j // 64 of row i: i sees j
    shape: tuple  #: (V, T)
    visible: int = 0  #: how many pairs see
    bad_viewpoints: int = 0  #: NaN, infinite or beyond 2^40
    bad_targets: int = 0
    touching_viewpoints: int = 0  #: in or at a shape
    touching_targets: int = 0

    def __repr__(self):
        return f"Visibility({self.shape[0]} by {self.shape[1]}, {self.visible} visible)"

    def unpack(self):
        """bool [V, T]."""
        return _unpacked(self.bits, self.shape[1]).view(bool)

    def __array__(self, dtype=None, copy=None):
        """As ``unpack()``; ValueError for copy=False, since the bits must be copied."""
        if copy is False:
            raise ValueError("a Visibility holds bits: its matrix of bools is a copy")
        return self.unpack().astype(dtype or bool, copy=False)

    def counts(self):
        """uint64 [V]: how many targets each viewpoint sees."""
        each = (_unpacked(row[None], self.shape[1]).sum() for row in self.bits)
        return np.fromiter(each, np.uint64, self.shape[0])


@dataclass(repr=False)
class Hits:
    """The first hits of n rays, as ``sl.Hits``; what ``out`` leaves out is None."""

    t: np.ndarray = None  #: float32 [n]: in lengths of the direction, +inf for a miss
    id: np.ndarray = None  #: uint32 [n]: ``NONE`` for a miss; ``scene.kinds(id)`` has the kinds
    flags: np.ndarray = None  #: uint8 [n]: 1 hit, 2 the ray started inside, 4 bad ray
    normal: np.ndarray = None  #: float32 [n,3]
    hits: int = 0  #: how many rays hit
    bad_rays: int = 0

    def __repr__(self):
        return f"Hits({self.hits} hits)"

    def __array__(self, dtype=None, copy=None):
        """Refused: take .t, .id, .flags, .normal or .hit."""
        raise UsageError("a Hits is no array: take .t, .id, .flags, .normal or .hit")

    @property
    def hit(self):
        """bool [n]."""
        return np.asarray(self.id) != _core.NONE


@answered
def visibility(client, scene, viewpoints, targets=None, *, fields=None, range=np.inf, margin=0.0,
               inside="solid", rows=None, out=None, progress=None, device="auto",
               threads=1):  # fmt: skip
    """Which viewpoints see which targets, as ``Caster.visibility``: a Visibility.

    out: uint64 [V, ceil(T/64)]. A set against itself is cut into square tiles, of which those below
    the diagonal are mirrored, unless there are fields: ``rows`` is their side, rounded up to 64.
    """
    options = {"range": range, "margin": margin, "inside": inside}
    views, looks = _Rows("viewpoints", viewpoints), _Rows("fields", fields)
    ends = views if targets is None else _Rows("targets", targets)
    n = _count(views, looks)
    m = n if targets is None else _count(ends)
    bits = _room(out, "out", (n, (m + 63) // 64), np.uint64)
    if targets is None and fields is None:
        side = max(512, min(_side, n // 16))
        bands = _bands(n, -(-(rows or side) // 64) * 64)

        def part(a, b):
            return {"a": a, "b": b, "options": options}

        one = part((0, 1), (0, 1))
        parts = (
            ((1 if a == b else 2) * (a[1] - a[0]) * (b[1] - b[0]), part(a, b))
            for a, b in itertools.combinations_with_replacement(bands, 2)
        )
    else:

        def part(a, b):
            return {"band": (a, b), "viewpoints": views.cut(a, b), "fields": looks.cut(a, b),
                    "options": options}  # fmt: skip

        one = part(0, 1)
        bands = _bands(n, rows or _even(n, _pairs_at_a_time // max(m, 1)))
        parts = (((b - a) * m, part(a, b)) for a, b in bands)
    ask, common = (_see_tile, views) if "a" in one else (_see, ends)
    work = _Work(ask, common, one, parts, n * m)
    sums = _map(client, scene, work, {"bits": bits}, progress, device, threads)
    return Visibility(bits, (n, m), **sums)


@answered
def exposure(client, scene, viewpoints, targets=None, *, fields=None, range=np.inf, margin=0.0,
             inside="solid", rows=None, out=None, progress=None, device="auto",
             threads=1):  # fmt: skip
    """How many of the viewpoints see each target, as ``Caster.exposure``: uint32 [T].

    Bands are of targets; viewpoints and fields go to each worker once.
    """
    options = {"range": range, "margin": margin, "inside": inside}
    views, looks = _Rows("viewpoints", viewpoints), _Rows("fields", fields)
    ends = views if targets is None else _Rows("targets", targets)
    n, m = _count(views, looks), _count(ends)
    counts = _room(out, "out", (m,), np.uint32)

    def part(a, b):
        return {"band": (a, b), "targets": ends.cut(a, b), "options": options}

    bands = _bands(m, rows or _even(m, _pairs_at_a_time // max(n, 1)))
    parts = (((b - a) * n, part(a, b)) for a, b in bands)
    work = _Work(_expose, (views, looks), part(0, 1), parts, n * m)
    _map(client, scene, work, {"counts": counts}, progress, device, threads)
    return counts


@answered
def closest_hit(client, scene, origins, directions, *, t_min=0.0, t_max=np.inf, radius=None,
                mask=0xFFFFFFFF, exclude=None, exclude_group=None, inside="solid", normals=True,
                rows=None, out=None, progress=None, device="auto", threads=1):  # fmt: skip
    """The first hit of each ray, as ``Caster.closest_hit``: Hits.

    out: a mapping with arrays for "t", "id", "flags" and "normal"; the others are not computed.
    """
    rays = _Rows("rays", {
        "origins": origins, "directions": directions, "t_min": t_min, "t_max": t_max,
        "radius": radius, "mask": mask, "exclude": exclude, "exclude_group": exclude_group,
    })  # fmt: skip
    n = _count(rays)
    names = [name for name in _hits if normals or name != "normal"]
    for name in out or ():
        if name not in names:
            raise UsageError(f'out has the name "{name}", not {", ".join(names)}')
    arrays = {
        name: _room(out and out[name], f'out["{name}"]', (n, *_hits[name][1]), _hits[name][0])
        for name in (names if out is None else out)
    }

    def part(a, b):
        return {"band": (a, b), "rays": rays.cut(a, b), "names": list(arrays), "inside": inside}

    parts = ((b - a, part(a, b)) for a, b in _bands(n, rows or _even(n, _rays_at_a_time)))
    work = _Work(_cast, None, part(0, 1), parts, n)
    return Hits(**arrays, **_map(client, scene, work, arrays, progress, device, threads))


_hits = {"t": (np.float32, ()), "id": (np.uint32, ()), "flags": (np.uint8, ()),
         "normal": (np.float32, (3,))}  # fmt: skip
_counts = ("visible", "bad_viewpoints", "bad_targets", "touching_viewpoints", "touching_targets")


# What a worker answers: arrays, each with its name and place, and counts.


def _see(caster, targets, band, viewpoints, fields, options):
    seen = caster.visibility(viewpoints.make(), targets.make(), fields=fields.make(), **options)
    counts = {name: getattr(seen, name) for name in _counts}
    if band[0] > 0:  # all bands have the same targets: the first one counts them
        counts["bad_targets"] = counts["touching_targets"] = 0
    return [("bits", slice(*band), seen.bits)], counts


def _see_tile(caster, points, a, b, options):
    """The tile of rows a and columns b, and beyond the diagonal the one that mirrors it."""
    if a == b:
        seen = caster.visibility(points.cut(*a).make(), **options)
        counts = {name: getattr(seen, name) for name in _counts}
        return [("bits", (slice(*a), _words(*a)), seen.bits)], counts
    seen = caster.visibility(points.cut(*a).make(), points.cut(*b).make(), **options)
    transposed = np.ascontiguousarray(_unpacked(seen.bits, b[1] - b[0]).T)
    mirrored = np.packbits(transposed, axis=1, bitorder="little")
    return [
        ("bits", (slice(*a), _words(*b)), seen.bits),
        ("bits", (slice(*b), _words(*a)), mirrored.view(np.uint64)),  # a has whole words
    ], {"visible": 2 * seen.visible}


def _expose(caster, common, band, targets, options):
    viewpoints, fields = common
    counts = caster.exposure(viewpoints.make(), targets.make(), fields=fields.make(), **options)
    return [("counts", slice(*band), counts)], {}


def _cast(caster, _, band, rays, names, inside):
    n = band[1] - band[0]
    out = {name: np.empty((n, *_hits[name][1]), _hits[name][0]) for name in names}
    hits = caster.closest_hit(**rays.make(), inside=inside, normals="normal" in out, out=out)
    counts = {"hits": hits.hits, "bad_rays": hits.bad_rays}
    return [(name, slice(*band), array) for name, array in out.items()], counts


_vectors = ("viewpoints", "targets", "position", "direction", "origins", "directions")


class _Rows:
    """Points, fields of view or rays as what can be cut and sent: named columns, each with a row
    for every element or with one value for all."""

    def __init__(self, kind, value):
        self.kind = kind
        columns = value if kind == "rays" else {kind: value}
        if isinstance(value, _core.Points):
            self.kind, names = "Points", ("position", "mask", "exclude", "exclude_group")
            columns = {name: getattr(value, name) for name in names}
        elif isinstance(value, _core.Fields):
            self.kind, names = "Fields", ("direction", "half_angle", "range", "shape")
            columns = {name: getattr(value, name) for name in names}
        elif kind == "fields" and value is not None:
            raise UsageError("fields is no Fields")
        self.columns = {
            name: column if isinstance(column, str) else np.asarray(column)
            for name, column in columns.items()
            if column is not None
        }
        for name, column in self.columns.items():
            most = 2 if name in _vectors or name.startswith("exclude") else 1
            if np.ndim(column) > most:
                raise UsageError(
                    f"{name} has the shape {list(np.shape(column))}: bands are cut from "
                    f"{'[n,3]' if name in _vectors else '[n]'}, so reshape it"
                )

    def each(self):
        """The columns with a row for every element."""
        return {
            name: column
            for name, column in self.columns.items()
            if np.ndim(column) > (name in _vectors)
        }

    def cut(self, first, end):
        """Rows first to end - 1, copied: of a mapped file no more is sent."""
        part = object.__new__(_Rows)
        part.kind = self.kind
        rows = {name: np.array(column[first:end]) for name, column in self.each().items()}
        part.columns = {**self.columns, **rows}
        return part

    def make(self):
        """What the caster takes; of rays keyword arguments, of nothing None."""
        if self.kind in ("Points", "Fields"):
            return getattr(_core, self.kind)(**self.columns)
        return self.columns if self.kind == "rays" else self.columns.get(self.kind)


def _count(*rows):
    """How many elements there are: by all columns that are not one value for all."""
    counts = [(name, len(column)) for each in rows for name, column in each.each().items()]
    for name, n in counts:
        if n != counts[0][1]:
            raise UsageError(f"{name} has {n} elements, {counts[0][0]} has {counts[0][1]}")
    return counts[0][1] if counts else 1


def _bands(n, rows):
    """The bands (first, end) of n rows."""
    return ((i, min(i + rows, n)) for i in range(0, n, rows))


def _even(n, most):
    """Rows of a band: at most ``most``; fewer, down to a 64th of that, to make 64 bands."""
    return max(1, min(most, max(n // 64, most // 64)))


def _words(first, end):
    return slice(first // 64, (end + 63) // 64)


def _unpacked(bits, columns):
    """uint8 [rows, columns] of 0 and 1."""
    octets = np.ascontiguousarray(bits).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=columns, bitorder="little")


def _room(out, name, shape, dtype):
    """The caller's array, if it has this shape and type; or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    if tuple(out.shape) != shape or out.dtype != dtype:
        raise UsageError(
            f"{name} is {out.dtype} {list(out.shape)}, not {np.dtype(dtype)} {list(shape)}"
        )
    return out


# The map, for every question.


@dataclass
class _Work:
    ask: object  #: one of the functions above
    common: object  #: its argument that is the same in all parts
    one: dict  #: the arguments of a part of one element
    parts: object  #: an iterator over (size, arguments)
    total: int  #: the sum of the sizes


def _map(client, scene, work, arrays, progress, device, threads):
    """Answers all parts of the work into arrays by name; returns the sums of their counts."""
    dask = package("distributed", "distributed", "distributed")
    config = importlib.import_module("dask").config
    if client.asynchronous:
        raise UsageError("the client is asynchronous: these calls wait for their answers")
    # Wrong arguments are found here, over a scene without shapes, before anything is sent.
    common = work.common.cut(0, 1) if work.ask is _see_tile else work.common
    work.ask(_core.Caster(_core.Scene(), "reference"), common, **work.one)

    def submit(function, *arguments):
        # Dask warns of tasks of 10 MB: a scene may have more, and is sent once.
        with config.set({"distributed.admin.large-graph-warning-threshold": 1 << 62}):
            return client.submit(function, *arguments, pure=False, retries=2)

    data = _bytes_of(scene)
    who = (_hash(data), _core.ANSWERS_VERSION, device, threads)
    # Tasks, not scattered data: when all workers that held them are gone they are sent again.
    data, common = submit(_keep, data), submit(_keep, work.common)
    finished = dask.as_completed(loop=client.loop)
    waiting, sums, done = {}, Counter(), 0
    try:
        while True:
            room = 2 * max(1, sum(client.nthreads().values())) - len(waiting)
            for size, part in itertools.islice(work.parts, max(0, room)):
                future = submit(_answer, who, data, work.ask, common, part)
                waiting[future] = size
                finished.add(future)
            if not waiting:
                return sums
            future = next(finished)
            try:
                pieces, counts = future.result()
            except dask.KilledWorker as error:
                raise DeviceError(
                    "a band ended every worker that tried it, perhaps for want of memory: the "
                    f"last was {error.last_worker.address}"
                ) from error
            for name, place, array in pieces:
                arrays[name][place] = array
            sums.update(counts)
            done += waiting.pop(future)
            future.release()
            if progress is not None:
                progress(done, work.total)
    finally:
        client.cancel(list(waiting))


def _keep(data):
    return data


def _hash(data):
    return hashlib.sha256(data).hexdigest()


def _bytes_of(scene):
    """The bytes of a scene's file."""
    if isinstance(scene, (str, os.PathLike)):
        return Path(scene).read_bytes()
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        path = Path(folder) / "scene.safetensors"
        scene.save(path)
        return path.read_bytes()


# On a worker.

_casters = OrderedDict()
_building = threading.Lock()


def _answer(who, data, ask, common, part):
    return ask(_caster(who, data), common, **part)


def _caster(who, data):
    """The caster of a scene, kept from call to call."""
    with _building:
        if who not in _casters:
            digest, version, device, threads = who
            if version != _core.ANSWERS_VERSION:
                raise BadInputError(
                    f"a worker's sightline gives answers of version {_core.ANSWERS_VERSION}, the "
                    f"client's of version {version}"
                )
            if _hash(data) != digest:
                raise BadInputError(
                    f"the scene that a worker got has the hash {_hash(data)[:16]}, the one that "
                    f"was sent {digest[:16]}"
                )
            with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
                path = Path(folder) / "scene"
                path.write_bytes(data)
                scene = _core.Scene.load(path)
            if len(_casters) == 2:
                _casters.popitem(last=False)
            _casters[who] = _core.Caster(scene, device, threads=threads)
        _casters.move_to_end(who)
        return _casters[who]
