// Docstrings of overlaps and distances.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* overlap_any = R"(
Whether each shape of another scene overlaps any shape of this one. Touching overlaps.

Parameters
----------
shapes : Scene
    The query shapes; no planes.
{shape_range}
body : int, at least 1, default 1
    The number of consecutive query shapes per body, such as the spheres of a robot in one pose. A
    body overlaps if any of its shapes does.
packed : bool, default False
    Whether the answer is words of bits.

Returns
-------
ndarray, bool [count / body]
    True if it overlaps. With ``packed`` words of bits, as of ``any_hit``.

Raises
------
UsageError
    If a query shape is a plane, the range goes past the last shape, or ``body`` does not divide
    the number of query shapes.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{ball}
>>> agents = sl.Scene()
>>> agents.add_spheres([[3.5, 0, 0], [0, 0, 0]], 0.5)
0
>>> caster.overlap_any(agents).tolist()
[True, False])";

inline constexpr const char* overlap_count = R"(
The number of shapes of this scene that each shape of another overlaps.

Parameters
----------
shapes : Scene
    The query shapes; no planes.
{shape_range}

Returns
-------
ndarray, uint32 [count]
    The number of shapes. Touching overlaps.

{overlap_raise}

{ball}
>>> agents = sl.Scene()
>>> agents.add_spheres([[3.5, 0, 0], [0, 0, 0]], 0.5)
0
>>> caster.overlap_count(agents).tolist()
[1, 0])";

inline constexpr const char* overlap_all = R"(
The shapes of this scene that each shape of another overlaps.

Parameters
----------
shapes : Scene
    The query shapes; no planes.
{shape_range}

Returns
-------
OverlapRows
    Rows of ids, one row per query shape. Touching overlaps.

{overlap_raise}

{ball}
>>> agents = sl.Scene()
>>> agents.add_spheres([[3.5, 0, 0], [0, 0, 0]], 0.5)
0
>>> rows = caster.overlap_all(agents)
>>> rows.offsets.tolist(), rows.id.tolist()
([0, 1, 1], [0]))";

inline constexpr const char* overlap_rows = R"(
Overlaps: those of query shape i are elements offsets[i] up to offsets[i + 1].

{ball}
>>> caster.overlap_all(scene)
OverlapRows(1 overlap of 1 shape))";

inline constexpr const char* overlap_rows_csr = R"(
The overlaps as a sparse matrix of ones.

Parameters
----------
shapes : int, optional
    The number of columns; by default the largest id and one.

Returns
-------
scipy.sparse.csr_array, uint8 [n, shapes]
    Element [i, j] is stored if query shape i overlaps shape j.

Raises
------
ImportError
    If SciPy is not installed.
UsageError
    If an id is not below ``shapes``.

{ball}
>>> caster.overlap_all(scene).csr().toarray().tolist()
[[1]])";

inline constexpr const char* nearest_rows = R"(
The k shapes nearest to each of n points, ordered by (distance, id).

{ball}
>>> caster.nearest([0, 0, 0])
Nearest(1 point, k = 1))";

inline constexpr const char* nearest = R"(
The k shapes nearest to each point.

Parameters
----------
points : array_like or Points, float32 [n,3] or [3], scene units
    Where to look from. A bad point (NaN, infinite or beyond 2^40) finds nothing.
k : int, at least 1, default 1
    The number of shapes per point.
range : float, scene units, at least 0, default inf
    Shapes further away are not found.
places : bool, default True
    Whether ``point`` and ``direction`` are computed.

Returns
-------
Nearest
    Signed distances and ids; distances are negative inside.

Raises
------
UsageError
    If ``k`` is 0, ``range`` is negative, or arrays do not match.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{ball}
>>> near = caster.nearest([[0, 0, 0], [5, 0, 0]])
>>> near.distance.tolist()
[[4.0], [-1.0]])";

inline constexpr const char* winding = R"(
How often the triangles of the scene enclose each point, exactly.

Of a closed mesh whose faces run counterclockwise seen from outside, the number is 1 inside and 0
outside. The numbers of meshes add up. A point on a surface has the number of a place beside it.

Parameters
----------
points : array_like or Points, float32 [n,3] or [3], scene units
    A bad point (NaN, infinite or beyond 2^40) has the number 0. Masks and exclusions choose meshes.

Returns
-------
ndarray, int32 [n]
    The winding numbers.

Raises
------
UsageError
    If arrays do not match.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_hull([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]])
0
>>> sl.Caster(scene).winding([[1, 1, 1], [3, 3, 3]]).tolist()
[1, 0])";

inline constexpr const char* clearance_rows = R"(
The k shapes nearest to each of n segments, ordered by (distance, id).

{ball}
>>> caster.clearance([0, 3, 0], [9, 3, 0])
Clearance(1 segment, k = 1))";

inline constexpr const char* clearance = R"(
The k shapes nearest to each segment a[i] .. b[i]: how clear a path is.

Parameters
----------
a : array_like or Points, float32 [n,3] or [3], scene units
    One end of each segment. A segment with a bad end (NaN, infinite or beyond 2^40) finds nothing.
b : array_like or Points, float32 [n,3] or [3], scene units
    The other end.
k : int, at least 1, default 1
    The number of shapes per segment.
range : float, scene units, at least 0, default inf
    Shapes further away are not found.
places : bool, default True
    Whether ``t``, ``on_segment`` and ``on_shape`` are computed.

Returns
-------
Clearance
    Distances, 0 where they meet, and ids.

Raises
------
UsageError
    If ``k`` is 0, ``range`` is negative, or arrays do not match.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{ball}
>>> clear = caster.clearance([0, 3, 0], [10, 3, 0])
>>> clear.distance.tolist(), clear.t.tolist()
([[2.0]], [[0.5]]))";

}  // namespace sightline::python::doc
