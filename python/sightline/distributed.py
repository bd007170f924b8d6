"""Answers from many machines: bands of a call, mapped over the workers of a Dask cluster.

Each call takes what the Caster's method of its name takes, except arrays on a device and batches of
more sides than [n,3]. It returns the same bytes. Workers need this package.

The scene and what all bands need are sent to each worker once. A worker checks the scene's hash and
keeps two casters from call to call. At most two tasks per thread are under way, which bounds the
memory. If a worker dies, another worker answers its band. Ctrl-C, or an exception in ``progress``,
cancels what has not begun.

Examples
--------
>>> from dask.distributed import Client
>>> client = Client(processes=False, dashboard_address=None)  # or Client("tcp://scheduler:8786")
>>> scene = sl.Scene()
>>> sl.distributed.visibility(client, scene, [[0, 0, 0], [9, 0, 0]])
Visibility(2 by 2, 4 visible)
>>> client.close()
"""

import itertools

import numpy as np

from .cluster import (
    HITS,
    Rows,
    Work,
    answers,
    cast,
    count,
    cut_bands,
    even,
    expose,
    room_for,
    see,
    see_tile,
)
from .errors import UsageError
from .mismatch import answered
from .results import Hits, Visibility

_pairs_at_a_time = 1 << 25  # seconds of one core, and 4 MB of bits
_rays_at_a_time = 1 << 18  # 6 MB there, 5 MB back
_side = 4096  # of a tile of a set against itself, at most


__all__ = ["Hits", "Visibility", "closest_hit", "exposure", "visibility"]


@answered
def visibility(client, scene, viewpoints, targets=None, *, fields=None, range=np.inf, margin=0.0,
               inside="solid", rows=None, out=None, progress=None, device="auto",
               threads=1):  # fmt: skip
    """Which viewpoints see which targets, as ``Caster.visibility``.

    Parameters
    ----------
    client : distributed.Client
        A client that is not asynchronous.
    scene : Scene, str or os.PathLike
        The scene, or the path of its file.
    viewpoints : array_like or Points, float32 [V,3] or [3], scene units
        The points that look.
    targets : array_like or Points, float32 [T,3] or [3], scene units, optional
        The points that are looked at; by default the viewpoints.
    fields : Fields, optional
        What each viewpoint looks at, [V] of them or one.
    range : float, scene units, at least 0, default inf
        Pairs further apart do not see each other.
    margin : float, 0 to below 0.5, default 0
        The fraction of the segment that is left out at each end.
    inside : "solid", "surface" or "ignore", default "solid"
        How a shape counts that holds an end, as of ``Caster.visibility``.
    rows : int, optional
        The number of rows per task, by default seconds of work. Without targets and fields the
        matrix is cut into square tiles of this side, rounded up to 64.
    out : array, uint64 [V, ceil(T/64)], optional
        Your array, which is written in any order: anything with ``shape``, ``dtype`` and slices to
        assign to, such as ``numpy.memmap``.
    progress : callable, optional
        Called as ``progress(done, total)``, in pairs, as bands arrive.
    device : str, default "auto"
        The device of the workers' casters, as of ``Caster``.
    threads : int, default 1
        The threads of one task. Dask runs as many tasks as a worker has threads.

    Returns
    -------
    Visibility
        A bit per pair, and counts of pairs and points.

    Raises
    ------
    UsageError
        If arrays do not match, an option is out of its range, or the client is asynchronous.
    BadInputError
        If a worker's package gives answers of another version.
    DeviceError
        If a band ended every worker that tried it.
    ImportError
        If Dask is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> seen = sl.distributed.visibility(client, scene, [0, 0, 0], [[9, 0, 0], [0, 9, 0]])
    >>> seen.unpack().tolist()
    [[False, True]]
    """
    options = {"range": range, "margin": margin, "inside": inside}
    views, looks = Rows("viewpoints", viewpoints), Rows("fields", fields)
    ends = views if targets is None else Rows("targets", targets)
    n = count(views, looks)
    m = n if targets is None else count(ends)
    bits = room_for(out, "out", (n, (m + 63) // 64), np.uint64)
    if targets is None and fields is None:
        side = max(512, min(_side, n // 16))
        bands = cut_bands(n, -(-(rows or side) // 64) * 64)

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
        bands = cut_bands(n, rows or even(n, _pairs_at_a_time // max(m, 1)))
        parts = (((b - a) * m, part(a, b)) for a, b in bands)
    ask, common = (see_tile, views) if "a" in one else (see, ends)
    work = Work(ask, common, one, parts, n * m)
    sums = answers(client, scene, work, {"bits": bits}, progress, device, threads)
    return Visibility(bits, (n, m), **sums)


@answered
def exposure(client, scene, viewpoints, targets=None, *, fields=None, range=np.inf, margin=0.0,
             inside="solid", rows=None, out=None, progress=None, device="auto",
             threads=1):  # fmt: skip
    """The number of viewpoints that see each target, as ``Caster.exposure``.

    Parameters
    ----------
    client : distributed.Client
        A client that is not asynchronous.
    scene : Scene, str or os.PathLike
        The scene, or the path of its file.
    viewpoints : array_like or Points, float32 [V,3] or [3], scene units
        The points that look.
    targets : array_like or Points, float32 [T,3] or [3], scene units, optional
        The points that are looked at; by default the viewpoints.
    fields : Fields, optional
        What each viewpoint looks at, [V] of them or one.
    range : float, scene units, at least 0, default inf
        Pairs further apart do not see each other.
    margin : float, 0 to below 0.5, default 0
        The fraction of the segment that is left out at each end.
    inside : "solid", "surface" or "ignore", default "solid"
        How a shape counts that holds an end, as of ``Caster.visibility``.
    rows : int, optional
        The number of targets per task, by default seconds of work.
    out : array, uint32 [T], optional
        Your array, which is written in any order.
    progress : callable, optional
        Called as ``progress(done, total)``, in pairs, as bands arrive.
    device : str, default "auto"
        The device of the workers' casters, as of ``Caster``.
    threads : int, default 1
        The threads of one task. Dask runs as many tasks as a worker has threads.

    Returns
    -------
    ndarray, uint32 [T]
        The number of viewpoints.

    Raises
    ------
    UsageError
        If arrays do not match, an option is out of its range, or the client is asynchronous.
    BadInputError
        If a worker's package gives answers of another version.
    DeviceError
        If a band ended every worker that tried it.
    ImportError
        If Dask is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> sl.distributed.exposure(client, scene, [[0, 0, 0], [1, 9, 0]], [9, 0, 0]).tolist()
    [1]
    """
    options = {"range": range, "margin": margin, "inside": inside}
    views, looks = Rows("viewpoints", viewpoints), Rows("fields", fields)
    ends = views if targets is None else Rows("targets", targets)
    n, m = count(views, looks), count(ends)
    counts = room_for(out, "out", (m,), np.uint32)

    def part(a, b):
        return {"band": (a, b), "targets": ends.cut(a, b), "options": options}

    bands = cut_bands(m, rows or even(m, _pairs_at_a_time // max(n, 1)))
    parts = (((b - a) * n, part(a, b)) for a, b in bands)
    work = Work(expose, (views, looks), part(0, 1), parts, n * m)
    answers(client, scene, work, {"counts": counts}, progress, device, threads)
    return counts


@answered
def closest_hit(client, scene, origins, directions, *, t_min=0.0, t_max=np.inf, radius=None,
                mask=0xFFFFFFFF, exclude=None, exclude_group=None, inside="solid", side="both",
                normals=True, rows=None, out=None, progress=None, device="auto",
                threads=1):  # fmt: skip
    """The first hit of each ray, as ``Caster.closest_hit``.

    Parameters
    ----------
    client : distributed.Client
        A client that is not asynchronous.
    scene : Scene, str or os.PathLike
        The scene, or the path of its file.
    origins : array_like, float32 [n,3] or [3], scene units
        Where the rays begin.
    directions : array_like, float32 [n,3] or [3]
        Any length; ``t`` counts in lengths of it.
    t_min : array_like, float32 [n] or number, lengths of the direction, default 0
        Where the ray begins to count, inclusive.
    t_max : array_like, float32 [n] or number, lengths of the direction, default inf
        Where the ray ends, inclusive.
    radius : array_like, float32 [n] or number, scene units, optional
        The radius of spheres that move along the rays.
    mask : array_like, uint32 [n] or number, default 0xFFFFFFFF
        A shape counts if its mask has a bit in common.
    exclude : array_like, uint32 [n], [n,2], [[a, b]] or number, optional
        Ids of shapes to leave out.
    exclude_group : array_like, uint32 [n], [n,2], [[a, b]] or number, optional
        Groups to leave out.
    inside : "solid", "surface" or "ignore", default "solid"
        A ray that starts in a shape hits it at ``t_min``, where the ray leaves it, or not at all.
    side : "both", "front" or "back", default "both"
        Which sides of triangles are hit.
    normals : bool, default True
        Whether normals are computed.
    rows : int, optional
        The number of rays per task, by default seconds of work.
    out : mapping, optional
        Your arrays for "t", "id", "flags" and "normal", which are written in any order. Others are
        not computed.
    progress : callable, optional
        Called as ``progress(done, total)``, in rays, as bands arrive.
    device : str, default "auto"
        The device of the workers' casters, as of ``Caster``.
    threads : int, default 1
        The threads of one task. Dask runs as many tasks as a worker has threads.

    Returns
    -------
    Hits
        ``t``, ``id``, ``flags`` and ``normal``, an element per ray.

    Raises
    ------
    UsageError
        If arrays do not match, an option is out of its range, or the client is asynchronous.
    BadInputError
        If a worker's package gives answers of another version.
    DeviceError
        If a band ended every worker that tried it.
    ImportError
        If Dask is not installed.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> sl.distributed.closest_hit(client, scene, [0, 0, 0], [1, 0, 0]).t.tolist()
    [4.0]
    """
    rays = Rows("rays", {
        "origins": origins, "directions": directions, "t_min": t_min, "t_max": t_max,
        "radius": radius, "mask": mask, "exclude": exclude, "exclude_group": exclude_group,
    })  # fmt: skip
    n = count(rays)
    names = [name for name in HITS if normals or name != "normal"]
    for name in out or ():
        if name not in names:
            raise UsageError(f'out has the name "{name}", not {", ".join(names)}')
    arrays = {
        name: room_for(out and out[name], f'out["{name}"]', (n, *HITS[name][1]), HITS[name][0])
        for name in (names if out is None else out)
    }

    def part(a, b):
        options = {"inside": inside, "side": side, "normals": "normal" in arrays}
        return {"band": (a, b), "rays": rays.cut(a, b), "names": list(arrays), "options": options}

    parts = ((b - a, part(a, b)) for a, b in cut_bands(n, rows or even(n, _rays_at_a_time)))
    work = Work(cast, None, part(0, 1), parts, n)
    return Hits(**arrays, **answers(client, scene, work, arrays, progress, device, threads))
