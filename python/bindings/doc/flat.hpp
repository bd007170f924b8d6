// Docstrings of 2D.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* flat_scene = R"(
2D shapes, numbered kind by kind (circle, capsule, sector, polygon, aabb, obb).

Within a kind, shapes are numbered in the order added. Each ``add_*`` takes columns [n,2] and [n],
or one value for all shapes, and adds all of its shapes, or none.

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_circles([[5, 0], [9, 0]], 1)
0
>>> flat
FlatScene(2 shapes))";

inline constexpr const char* flat_mask =
    R"(mask : array_like, uint32 [n] or number, default 0xFFFFFFFF
    A query meets a shape if their masks have a bit in common.)";

inline constexpr const char* add_circles = R"(
Adds disks.

Parameters
----------
centers : array_like, float32 [n,2] or [2], scene units
    The centers.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{mask}

{added}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_circles([[5, 0], [9, 0]], 1)
0)";

inline constexpr const char* add_flat_capsules = R"(
Adds capsules: all points within a radius of a segment.

Parameters
----------
a : array_like, float32 [n,2] or [2], scene units
    One end of each segment.
b : array_like, float32 [n,2] or [2], scene units
    The other end.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{mask}

{added}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_capsules([0, 0], [4, 0], 0.5)
0)";

inline constexpr const char* add_sectors = R"(
Adds sectors of disks.

Parameters
----------
centers : array_like, float32 [n,2] or [2], scene units
    The centers.
directions : array_like, float32 [n,2] or [2]
    The middle of each sector, of any length except 0.
half_angles : array_like, float32 [n] or number, degrees, 0 to 180
    The angle to either side.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{mask}

{added}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_sectors([0, 0], [1, 0], 30, 5)
0)";

inline constexpr const char* add_flat_aabbs = R"(
Adds rectangles along the axes.

Parameters
----------
min : array_like, float32 [n,2] or [2], scene units
    The lower corners.
max : array_like, float32 [n,2] or [2], scene units
    The upper corners. A rectangle may be flat.
{mask}

{added}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_aabbs([0, 0], [2, 1])
0)";

inline constexpr const char* add_flat_obbs = R"(
Adds rotated rectangles.

Parameters
----------
centers : array_like, float32 [n,2] or [2], scene units
    The centers.
half_extents : array_like, float32 [n,2] or [2], scene units, at least 0
    Half of each side.
turns : array_like, float32 [n] or number, degrees
    The rotation, counterclockwise.
{mask}

{added}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_obbs([0, 0], [2, 1], 45)
0)";

inline constexpr const char* add_polygon = R"(
Adds a convex polygon.

Parameters
----------
corners : array_like, float32 [k,2], scene units
    The corners in order, either way round.
mask : int, default 0xFFFFFFFF
    A query meets the shape if their masks have a bit in common.

Returns
-------
int
    The index within the kind.

Raises
------
BadInputError
    If the corners are not in convex position and in order.
UsageError
    If ``corners`` is not [k,2].

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_polygon([[0, 0], [2, 0], [1, 2]])
0)";

inline constexpr const char* flat_save = R"(
Writes the shapes as a file that the program reads.

{saved}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.save("flat.safetensors"))";

inline constexpr const char* flat_load = R"(
Reads a set of 2D shapes that the program reads.

Parameters
----------
path : str or os.PathLike
    The file to read.

Returns
-------
FlatScene
    The shapes.

{load_raise}

Examples
--------
>>> flat = sl.FlatScene()
>>> flat.save("flat.safetensors")
>>> len(sl.FlatScene.load("flat.safetensors"))
0)";

/// A set and its caster, with which examples begin.
inline constexpr const char* disk = R"(Examples
--------
>>> flat = sl.FlatScene()
>>> flat.add_circles([5, 0], 1)
0
>>> caster = sl.FlatCaster(flat, "cpu"))";

inline constexpr const char* flat_hits = R"(
The first hits of n segments.

{disk}
>>> caster.cast([0, 0], [8, 0])
FlatHits(1 of 1))";

inline constexpr const char* flat_rows = R"(
Overlaps: those of circle i are elements offsets[i] up to offsets[i + 1].

{disk}
>>> caster.overlap_all([4, 0], 0.5)
FlatRows(1 overlap of 1 circle))";

inline constexpr const char* flat_caster = R"(
A set of 2D shapes that answers queries, with the same bytes from every device.

Parameters
----------
scene : FlatScene
    The shapes, which are copied.
device : str, default "auto"
    As of ``Caster``.
threads : int, at least 0, default 0
    The threads of the CPU; 0 for all cores.

Raises
------
UsageError
    If an option is out of its range.
DeviceError
    If ``device`` is CUDA and cannot be used.
OutOfMemoryError
    If the shapes and their tree do not fit in memory.

{disk}
>>> caster.cast([0, 0], [8, 0]).t.tolist()
[0.5])";

inline constexpr const char* flat_cast = R"(
The first hit of each segment.

Parameters
----------
a : array_like, float32 [n,2] or [2], scene units
    Where the segments begin.
b : array_like, float32 [n,2] or [2], scene units
    Where they end.
{mask}
inside : "solid", "surface" or "ignore", default "solid"
    A segment that starts in a shape hits it at 0, where it leaves the shape, or not at all.

Returns
-------
FlatHits
    ``t``, ``id`` and ``flags``, an element per segment.

Raises
------
UsageError
    If arrays do not match in shape or type, or ``inside`` is another word.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

{disk}
>>> caster.cast([0, 0], [[8, 0], [0, 8]]).t.tolist()
[0.5, inf])";

/// Of the queries about circles.
inline constexpr const char* circles = R"(centers : array_like, float32 [n,2] or [2], scene units
    The centers of the circles.
radii : array_like, float32 [n] or number, scene units
    The radii. A bad circle (NaN, infinite, beyond 2^40, radius below 0) overlaps nothing.
{mask})";

inline constexpr const char* circles_raise = R"(Raises
------
UsageError
    If arrays do not match in shape or type.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.)";

inline constexpr const char* flat_overlap_any = R"(
Whether each circle overlaps any shape. Touching overlaps.

Parameters
----------
{circles}
packed : bool, default False
    Whether the answer is words of bits.

Returns
-------
ndarray, bool [n]
    True if it overlaps. With ``packed`` words of bits, as of ``Caster.any_hit``.

{circles_raise}

{disk}
>>> caster.overlap_any([[4, 0], [0, 0]], 0.5).tolist()
[True, False])";

inline constexpr const char* flat_overlap_count = R"(
The number of shapes that each circle overlaps. Touching overlaps.

Parameters
----------
{circles}

Returns
-------
ndarray, uint32 [n]
    The number of shapes.

{circles_raise}

{disk}
>>> caster.overlap_count([[4, 0], [0, 0]], 0.5).tolist()
[1, 0])";

inline constexpr const char* flat_overlap_all = R"(
The shapes that each circle overlaps. Touching overlaps.

Parameters
----------
{circles}

Returns
-------
FlatRows
    Rows of ids, one row per circle.

{circles_raise}

{disk}
>>> caster.overlap_all([[4, 0], [0, 0]], 0.5).offsets.tolist()
[0, 1, 1])";

}  // namespace sightline::python::doc
