// Docstrings of areas, probes and cover.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* areas_class = R"(
Convex polygons with a height: rooms, sectors, cells.

An area is what lies between its polygon and the same polygon ``height`` further up.

Examples
--------
>>> rooms = sl.Areas()
>>> rooms.add([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], 3)
>>> rooms
Areas(1 area))";

inline constexpr const char* areas_add = R"(
Adds an area.

Parameters
----------
corners : array_like, float32 [k,3], scene units
    The corners of a convex polygon in order, at least three.
height : float, scene units, at least 0
    How far the area extends up.
samples : int, default 0
    The number of samples; 0 for as many as the call says.

Raises
------
UsageError
    If ``corners`` is not [k,3]. Queries raise BadInputError for a polygon that is no area.

Examples
--------
>>> rooms = sl.Areas()
>>> rooms.add([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], 3)
>>> len(rooms)
1)";

/// Of areas and pvs.
inline constexpr const char* area_arguments = R"(areas : Areas
    The areas, at most 65,535.
samples : int, 1 to 65535, default 16
    The number of samples of areas that do not say theirs.
up : "z" or "y", default "z"
    The axis along which areas have their height.
{sight}
{progress})";

inline constexpr const char* area_raise = R"(Raises
------
BadInputError
    If a polygon has fewer than three corners, no extent, or is not convex. The message names it.
UsageError
    If an option is out of its range.
DeviceError, OutOfMemoryError
    If the device fails, or the matrix does not fit in memory.)";

/// A wall between two rooms.
inline constexpr const char* rooms = R"(Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([4, 0, 0], [5, 4, 3])
0
>>> caster = sl.Caster(scene, "cpu")
>>> rooms = sl.Areas()
>>> rooms.add([[0, 0, 0], [3, 0, 0], [3, 4, 0], [0, 4, 0]], 3)
>>> rooms.add([[6, 0, 0], [9, 0, 0], [9, 4, 0], [6, 4, 0]], 3))";

inline constexpr const char* areas = R"(
The number of pairs of samples of two areas that see each other.

Parameters
----------
{area_arguments}

Returns
-------
seen : ndarray, uint32 [A,A]
    The number of pairs.
samples : ndarray, uint32 [A]
    The samples of each area, without those that lie in a shape.

{area_raise}

{rooms}
>>> seen, samples = caster.areas(rooms, samples=4)
>>> seen.tolist(), samples.tolist()
([[16, 0], [0, 16]], [4, 4]))";

inline constexpr const char* pvs = R"(
Which areas see which, by their samples.

Parameters
----------
{area_arguments}

Returns
-------
ndarray, uint8 [A,A]
    0 if no pair of samples sees each other, 1 for some pairs, 2 for all.

{area_raise}

{rooms}
>>> caster.pvs(rooms).tolist()
[[2, 0], [0, 2]])";

inline constexpr const char* probes = R"(
The distance to the first hit from each point in all directions.

Parameters
----------
points : array_like or Points, float32 [P,3] or [3], scene units
    Where to look from. A bad point (NaN, infinite or beyond 2^40) hits nothing.
n : int, 1 to 4096, default 8
    The side of a point's map of directions.
range : float, scene units, at least 0, default inf
    Hits further away do not count.
inside : "solid", "surface" or "ignore", default "solid"
    A ray that starts in a shape hits it at 0, where the ray leaves it, or not at all.
{progress}

Returns
-------
ndarray, float32 [P,n,n], scene units
    Element [p,j,i] belongs to direction j * n + i of ``octahedral_directions(n)``; inf for none.

Raises
------
UsageError
    If ``n`` or ``range`` is out of its range, or arrays do not match.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{ball}
>>> caster.probes([5, 0, 0], 2).tolist()
[[[0.0, 0.0], [0.0, 0.0]]])";

inline constexpr const char* octahedral_directions = R"(
The directions of an octahedral map of n x n cells.

Parameters
----------
n : int
    The side of the map.

Returns
-------
ndarray, float32 [n*n,3]
    Directions of length 1.

Examples
--------
>>> sl.octahedral_directions(1).tolist()
[[0.0, 0.0, 1.0]])";

inline constexpr const char* cover_directions = R"(
The directions for which cover is computed.

Parameters
----------
directions : 4, 8, 16, 32 or 64, default 32
    The number of directions, evenly around.
up : "z" or "y", default "z"
    The axis that points up.

Returns
-------
ndarray, float32 [directions,3]
    Directions of length 1; the first is x.

Raises
------
UsageError
    For another number, or another axis.

Examples
--------
>>> sl.cover_directions(4).tolist()
[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])";

inline constexpr const char* cover_class = R"(
The cover at n points; bit k of a mask is direction k of ``cover_directions``.

{wall}
>>> caster.cover([0.5, 0, 0])
Cover(1 point))";

/// Something to take cover behind.
inline constexpr const char* wall = R"(Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([1, -3, 0], [1.5, 3, 3])
0
>>> caster = sl.Caster(scene, "cpu"))";

inline constexpr const char* cover = R"(
The cover at each point.

Parameters
----------
points : array_like or Points, float32 [n,3] or [3], scene units
    The places, ``at`` above the feet.
up : "z" or "y", default "z"
    The axis that points up.
directions : 4, 8, 16, 32 or 64, default 32
    The number of directions.
at : float, scene units, default 0
    How high the points are above the feet.
{agents}
{progress}

Returns
-------
Cover
    Height, nearest direction, distance and masks of safe directions, per point.

Raises
------
UsageError
    If an option is out of its range, or arrays do not match.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{wall}
>>> found = caster.cover([0.5, 0, 0])
>>> found.height.tolist(), found.facing.tolist(), found.distance.tolist()
([2], [0], [0.5]))";

}  // namespace sightline::python::doc
