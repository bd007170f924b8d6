"""What ``distributed`` sends to the workers of a cluster, and what they do there."""

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
from .results import unpacked

#: The arrays of hits: their types, and the sides of an element.
HITS = {"t": (np.float32, ()), "id": (np.uint32, ()), "flags": (np.uint8, ()),
         "normal": (np.float32, (3,))}  # fmt: skip
COUNTS = ("visible", "bad_viewpoints", "bad_targets", "touching_viewpoints", "touching_targets")


# What a worker answers: arrays, each with its name and place, and counts.


def see(caster, targets, band, viewpoints, fields, options):
    seen = caster.visibility(viewpoints.make(), targets.make(), fields=fields.make(), **options)
    counts = {name: getattr(seen, name) for name in COUNTS}
    if band[0] > 0:  # all bands have the same targets: the first one counts them
        counts["bad_targets"] = counts["touching_targets"] = 0
    return [("bits", slice(*band), seen.bits)], counts


def see_tile(caster, points, a, b, options):
    """The tile of rows a and columns b, and beyond the diagonal the one that mirrors it."""
    if a == b:
        seen = caster.visibility(points.cut(*a).make(), **options)
        counts = {name: getattr(seen, name) for name in COUNTS}
        return [("bits", (slice(*a), _words(*a)), seen.bits)], counts
    seen = caster.visibility(points.cut(*a).make(), points.cut(*b).make(), **options)
    transposed = np.ascontiguousarray(unpacked(seen.bits, b[1] - b[0]).T)
    mirrored = np.packbits(transposed, axis=1, bitorder="little")
    return [
        ("bits", (slice(*a), _words(*b)), seen.bits),
        ("bits", (slice(*b), _words(*a)), mirrored.view(np.uint64)),  # a has whole words
    ], {"visible": 2 * seen.visible}


def expose(caster, common, band, targets, options):
    viewpoints, fields = common
    counts = caster.exposure(viewpoints.make(), targets.make(), fields=fields.make(), **options)
    return [("counts", slice(*band), counts)], {}


def cast(caster, _, band, rays, names, options):
    n = band[1] - band[0]
    out = {name: np.empty((n, *HITS[name][1]), HITS[name][0]) for name in names}
    hits = caster.closest_hit(**rays.make(), out=out, **options)
    counts = {"hits": hits.hits, "bad_rays": hits.bad_rays}
    return [(name, slice(*band), array) for name, array in out.items()], counts


_vectors = ("viewpoints", "targets", "position", "direction", "origins", "directions")


class Rows:
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
        part = object.__new__(Rows)
        part.kind = self.kind
        rows = {name: np.array(column[first:end]) for name, column in self.each().items()}
        part.columns = {**self.columns, **rows}
        return part

    def make(self):
        """What the caster takes; of rays keyword arguments, of nothing None."""
        if self.kind in ("Points", "Fields"):
            return getattr(_core, self.kind)(**self.columns)
        return self.columns if self.kind == "rays" else self.columns.get(self.kind)


def count(*rows):
    """How many elements there are: by all columns that are not one value for all."""
    counts = [(name, len(column)) for each in rows for name, column in each.each().items()]
    for name, n in counts:
        if n != counts[0][1]:
            raise UsageError(f"{name} has {n} elements, {counts[0][0]} has {counts[0][1]}")
    return counts[0][1] if counts else 1


def cut_bands(n, rows):
    """The bands (first, end) of n rows."""
    return ((i, min(i + rows, n)) for i in range(0, n, rows))


def even(n, most):
    """Rows of a band: at most ``most``; fewer, down to a 64th of that, to make 64 bands."""
    return max(1, min(most, max(n // 64, most // 64)))


def _words(first, end):
    return slice(first // 64, (end + 63) // 64)


def room_for(out, name, shape, dtype):
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
class Work:
    ask: object  #: one of the functions above
    common: object  #: its argument that is the same in all parts
    one: dict  #: the arguments of a part of one element
    parts: object  #: an iterator over (size, arguments)
    total: int  #: the sum of the sizes


def answers(client, scene, work, arrays, progress, device, threads):
    """Answers all parts of the work into arrays by name; returns the sums of their counts."""
    dask = package("distributed", "distributed", "distributed")
    config = importlib.import_module("dask").config
    if client.asynchronous:
        raise UsageError("the client is asynchronous: these calls wait for their answers")
    # Wrong arguments are found here, over a scene without shapes, before anything is sent.
    common = work.common.cut(0, 1) if work.ask is see_tile else work.common
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
                future = submit(answer, who, data, work.ask, common, part)
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


def answer(who, data, ask, common, part):
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
