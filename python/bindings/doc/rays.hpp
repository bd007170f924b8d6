// Docstrings of rays and sweeps.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* hits = R"(
The first hits of n rays, or of n moving shapes; for rays [h,w,3] in the shape [h,w].

{ball}
>>> caster.closest_hit([0, 0, 0], [[1, 0, 0], [0, 1, 0]])
Hits(1 of 2))";

inline constexpr const char* hit_rows = R"(
All hits of n rays: those of ray i are elements offsets[i] up to offsets[i + 1].

{ball}
>>> caster.all_hits([0, 0, 0], [[1, 0, 0], [0, 1, 0]]).offsets.tolist()
[0, 1, 1])";

inline constexpr const char* hit_rows_csr = R"(
The hits as a sparse matrix of ``t``.

Parameters
----------
shapes : int, optional
    The number of columns; by default the largest id and one.

Returns
-------
scipy.sparse.csr_array, float32 [n, shapes]
    An element that is stored is a hit, also if its ``t`` is 0.

Raises
------
ImportError
    If SciPy is not installed.
UsageError
    If an id is not below ``shapes``.

{ball}
>>> caster.all_hits([0, 0, 0], [1, 0, 0]).csr().toarray().tolist()
[[4.0]])";

inline constexpr const char* closest_hit = R"(
The first hit of each ray.

Parameters
----------
{rays}
{radius}
normals : bool, default True
    Whether normals are computed.
out : mapping, optional
    Your arrays for "t", "id", "flags" and "normal", which are written. Others are not computed.
    Rays on a CUDA device need it, in memory of that device.
stream : int, optional
    The CUDA stream for rays on a device. The call does not wait for it.

Returns
-------
Hits
    ``t``, ``id``, ``flags`` and ``normal``, an element per ray.

{rays_raise}

{ball}
>>> hits = caster.closest_hit([0, 0, 0], [[1, 0, 0], [0, 1, 0]])
>>> hits.t.tolist(), hits.hit.tolist()
([4.0, inf], [True, False]))";

inline constexpr const char* any_hit = R"(
Whether each ray hits any shape.

Parameters
----------
{rays}
{radius}
packed : bool, default False
    Whether the answer is words of bits.
out : array, uint64 [ceil(n/64)], optional
    Your array, which is written and returned. Rays on a CUDA device need it, in memory of that
    device.
stream : int, optional
    The CUDA stream for rays on a device. The call does not wait for it.

Returns
-------
ndarray, bool [n]
    True if the ray hits. With ``packed`` or ``out`` uint64 [ceil(n/64)]: ray i is bit i % 64 of
    word i // 64, and unused bits are 0.

{rays_raise}

{ball}
>>> caster.any_hit([0, 0, 0], [[1, 0, 0], [0, 1, 0]]).tolist()
[True, False])";

inline constexpr const char* count_hits = R"(
The number of shapes that each ray hits.

Parameters
----------
{rays}

Returns
-------
ndarray, uint32 [n]
    The number of shapes.

{rays_raise}

{ball}
>>> caster.count_hits([0, 0, 0], [[1, 0, 0], [0, 1, 0]]).tolist()
[1, 0])";

inline constexpr const char* all_hits = R"(
All shapes that each ray hits, nearest first.

Parameters
----------
{rays}
first : int, at least 1, optional
    The number of hits that are kept per ray; by default all.
t_out : bool, default False
    Whether to return where each shape is left.

Returns
-------
HitRows
    Rows of ``id``, ``t`` and ``t_out``, and ``count`` and ``flags`` per ray.

{rays_raise}

{ball}
>>> rows = caster.all_hits([0, 0, 0], [1, 0, 0], t_out=True)
>>> rows.t.tolist(), rows.t_out.tolist()
([4.0], [6.0]))";

inline constexpr const char* sweep = R"(
The first hit of spheres and capsules that move, each along a direction.

Parameters
----------
moving : Scene
    The shapes that move: spheres and capsules.
directions : array_like, float32 [n,3] or [3]
    Where each one moves, or all of them. ``t`` counts in lengths of it.
t_max : float, lengths of the direction, at least 0, default inf
    How far they move.
inside : "solid", "surface" or "ignore", default "solid"
    A shape that starts in contact hits at 0, where it leaves, or not at all.
strict : bool, default False
    Whether a bad direction raises BadInputError.
first : int, default 0
    The id of the first shape that moves.
count : int, optional
    The number of shapes that move; by default all from ``first`` on.
normals : bool, default True
    Whether normals are computed.

Returns
-------
Hits
    An element per moving shape.

Raises
------
UsageError
    If another kind of shape moves, arrays do not match, or the range goes past the last shape.
BadInputError
    If ``strict`` and a direction is bad. The message names the first one.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{ball}
>>> agents = sl.Scene()
>>> agents.add_capsules([0, 0, -1], [0, 0, 1], 0.5)
0
>>> caster.sweep(agents, [1, 0, 0]).t.tolist()
[3.5])";

}  // namespace sightline::python::doc
