// Docstrings of rotated boxes.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

/// Of add_obbs and set_obbs.
inline constexpr const char* boxes =
    R"(centers : array_like, float32 [n,3] or [3], scene units
    The centers. Needed unless ``poses`` are given.
half_extents : array_like, float32 [n,3] or [3], scene units, at least 0
    Half of each side, along the box's own axes.
rotations : array_like, float64 [n,4], [4], [n,3,3] or [3,3]
    Quaternions, or matrices whose columns are the box's axes. Needed unless ``poses`` are given.
    They are normalised with a warning if their length is not 1 within 1e-4, and rounded once.
poses : array_like, float64 [n,4,4] or [4,4], optional
    Matrices that hold center and rotation, in place of ``centers`` and ``rotations``.
order : "xyzw" or "wxyz", default "xyzw"
    The order of a quaternion's numbers.)";

inline constexpr const char* add_obbs = R"(
Adds rotated boxes.

Parameters
----------
{boxes}
{attributes}

Returns
-------
int
    The index within the kind of the first shape added.

Raises
------
BadInputError
    If a shape is refused, or a matrix scales, shears or mirrors by more than 0.001. The message
    names the indices, and nothing is added.
UsageError
    If an array has the wrong shape or type, or arguments are missing or contradict each other.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_obbs([5, 0, 0], [1, 2, 3], [0, 0, 0, 1])
0)";

inline constexpr const char* set_obbs = R"(
Gives rotated boxes other numbers, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first box that changes.
{boxes}

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_obbs([5, 0, 0], [1, 2, 3], [0, 0, 0, 1])
0
>>> scene.set_obbs(0, [6, 0, 0], [1, 2, 3], [0, 0, 0, 1]))";

}  // namespace sightline::python::doc
