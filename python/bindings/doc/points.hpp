// Docstrings of points and fields of view.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* points = R"(
Points with masks and exclusions, wherever points are taken.

A pair of points uses the AND of their masks, and the exclusions of both.

Parameters
----------
position : array_like, float32 [n,3], [h,w,3] or [3], scene units
    Where the points are.
mask : array_like, uint32 [n] or number, default 0xFFFFFFFF
    A shape counts if its mask has a bit in common.
exclude : array_like, uint32 [n] or number, default NONE
    The id of a shape to leave out.
exclude_group : array_like, uint32 [n] or number, default NONE
    A group to leave out.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([5, 0, 0], 1, mask=2)
0
>>> caster = sl.Caster(scene, "cpu")
>>> caster.visibility(sl.Points([0, 0, 0], mask=1), [9, 0, 0]).unpack().tolist()
[[True]])";

inline constexpr const char* fields_class = R"(
The part of the world that each viewpoint sees. Its edge belongs to it.

Parameters
----------
direction : array_like, float32 [n,3] or [3]
    The middle of the field, of any length except 0.
half_angle : array_like, float32 [n] or number, degrees, 0 to 180
    The angle to either side.
range : array_like, float32 [n] or number, scene units, at least 0, default inf
    How far the field reaches.
shape : "cone", "sector" or "sector_y_up", default "cone"
    A sector ignores heights, which are z, or y of "sector_y_up".

Raises
------
UsageError
    If ``half_angle`` is out of its range, or ``shape`` is another word. A query counts a field with
    another bad number, and its viewpoint sees nothing.

Examples
--------
>>> caster = sl.Caster(sl.Scene(), "cpu")
>>> fields = sl.Fields([1, 0, 0], 30, range=10)
>>> caster.visibility([0, 0, 0], [[5, 0, 0], [0, 5, 0]], fields=fields).unpack().tolist()
[[True, False]])";

}  // namespace sightline::python::doc
