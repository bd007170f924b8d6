// Docstrings of navigation maps.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

/// A floor, and its map.
inline constexpr const char* floor = R"(Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([0, 0, -1], [6, 6, 0])
0
>>> caster = sl.Caster(scene, "cpu")
>>> nav = caster.bake_navigation(cell=0.5))";

inline constexpr const char* nav_map = R"(
Where an agent can stand and walk, over a grid of columns.

A column holds spans of solid matter, whose tops are floors. docs/concepts/navigation.md explains
how a map is made, docs/reference/formats.md what each array holds.

{floor}
>>> nav
NavMap(12 x 12 columns, 144 spans, 1 region))";

inline constexpr const char* nav_columns = R"(
The arrays of the map, by the names that its file has.

Returns
-------
dict of ndarray
    Read-only views: "offsets" [columns+1], "top", "bottom", "flags", "clearance" and "region" [n],
    and so on. Nothing is copied.

{floor}
>>> nav.columns()["offsets"].shape
(145,))";

inline constexpr const char* nav_positions = R"(
Where an agent stands on each span.

Returns
-------
ndarray, float32 [n,3], scene units
    The middle of the span's cell, at its top.

{floor}
>>> nav.positions()[0].tolist()
[0.25, 0.25, 0.0])";

inline constexpr const char* nav_save = R"(
Writes the map as a safetensors file, which the program reads.

{saved}

{floor}
>>> nav.save("level.nav.safetensors"))";

inline constexpr const char* nav_load = R"(
Reads a map that the program or ``save`` wrote.

Parameters
----------
path : str or os.PathLike
    The file to read.

Returns
-------
NavMap
    The map.

{load_raise}

{floor}
>>> nav.save("level.nav.safetensors")
>>> len(sl.NavMap.load("level.nav.safetensors"))
144)";

inline constexpr const char* bake_navigation = R"(
A map of where an upright cylinder can walk.

Parameters
----------
radius : float, scene units, at least 0, default 0.6
    The radius of the agent.
height : float, scene units, default 2
    The head room that the agent needs.
climb : float, scene units, below ``height``, default 0.9
    The highest step.
slope : float, degrees, 0 to 90, default 45
    The steepest floor.
cell : float, scene units, default 0.3
    The side of a column.
cell_height : float, scene units, default 0.2
    The unit of heights for Recast. Its 1/1024 is the slack of all heights.
up : "z" or "y", default "z"
    The axis that points up.
bounds : (min, max), float32 [3] each, scene units, optional
    The box that is baked; by default the bounds of the scene.
jump : float, scene units, at most 64 cells, default 0
    How far to look for jumps and drops; 0 for none.
rise : float, scene units, default 1
    The highest landing above the start of a jump.
drop : float, scene units, default 3
    The deepest landing below it.
points : array_like or Points, float32 [n,3] or [3], scene units, optional
    Only regions are kept that can be reached from the floors below these points.
range : float, scene units, at most 64 cells, default 0
    The largest distance that ``clearance`` and ``border`` hold; 0 for a choice by the radius.
mask : int, default 0xFFFFFFFF
    A shape counts if its mask has a bit in common.
max_bytes : int, default 0
    The memory that the bake may take, in bytes; 0 for no limit.
progress : callable, optional
    Called as ``progress(stage, done, total)``. An exception from it ends the call.

Returns
-------
NavMap
    The map, the same bytes from every device.

Raises
------
UsageError
    If a number is out of its range, or ``bounds`` are missing for a scene of planes.
OutOfMemoryError
    If the bake needs more than ``max_bytes``, or than there is.
DeviceError
    If the device fails.

{floor}
>>> len(nav)
144)";

inline constexpr const char* cover_places_class = R"(
Places [n] to take cover at, in the order of the map's spans.

{floor}
>>> len(caster.cover_places(nav).span)
0)";

inline constexpr const char* cover_places = R"(
Places to take cover at along the walls of a map.

Parameters
----------
nav : NavMap
    A map of the same scene.
spacing : float, scene units, 0 to 64 cells, default 1
    The distance between places that offer the same; 0 keeps all places.
directions : 4, 8, 16, 32 or 64, default 32
    The number of directions.
{agents}
{progress}

Returns
-------
CoverPlaces
    The places, and their cover.

Raises
------
UsageError
    If a number is out of its range.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([[0, 0, -1], [3, 0, 0]], [[6, 6, 0], [3.5, 6, 3]])
0
>>> caster = sl.Caster(scene, "cpu")
>>> places = caster.cover_places(caster.bake_navigation(cell=0.25))
>>> int(places.cover.height.max())
2)";

}  // namespace sightline::python::doc
