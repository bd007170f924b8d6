// Docstrings of imports and standard scenes.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* doom_maps = R"(
The names of the maps in a WAD file.

Parameters
----------
path : str or os.PathLike
    The WAD file.

Returns
-------
list of str
    Names in the order of the file.

{load_raise}

Examples
--------
>>> sl.doom_maps("small.wad")
['E1M1'])";

inline constexpr const char* from_doom = R"(
A map of a Doom WAD as a scene, with viewpoints.

Lengths are in map units, z is up. A wall has the number of its line as its label, and the sector
on the line's front side as its group.

Parameters
----------
path : str or os.PathLike
    The WAD file.
map : str
    The name of the map, in any case.
grid : int, map units, 1 to 4096, default 64
    The distance of viewpoints.
floors : int, map units, 1 to 4096, optional
    The cells of floors and ceilings; by default there are walls only.
drawn_walls : bool, default False
    Whether walls end where they are drawn.

Returns
-------
scene : Scene
    The walls, and floors and ceilings if asked for.
viewpoints : ndarray, float32 [n,3], map units
    Points at eye height over each walkable floor.
sectors : ndarray, uint32 [n]
    The sector of each viewpoint.

Raises
------
FileError
    If the file cannot be read.
BadInputError
    If the file is damaged, or has no such map. The message names the place and the reason.
UsageError
    If ``grid`` or ``floors`` is out of its range.

Examples
--------
>>> scene, viewpoints, sectors = sl.from_doom("small.wad", "E1M1")
>>> scene.metadata["unit"]
'doom map unit')";

inline constexpr const char* from_godot = R"(
The collision shapes of a Godot scene and all scenes in it.

Lengths are in metres, y is up. A shape's mask is its body's collision layer, its group the number
of the body. What is approximated or left out is a warning.

Parameters
----------
path : str or os.PathLike
    The .tscn file.
root : str or os.PathLike, optional
    The folder of ``res://``; by default it is found.
strict : bool, default False
    Whether to raise BadInputError instead of a warning.

Returns
-------
Scene
    The shapes.

Raises
------
FileError
    If a file cannot be read.
BadInputError
    If a file is damaged, or ``strict`` and something is approximated or left out.
UsageError
    If the scene lies outside of ``root``.

Examples
--------
>>> scene = sl.from_godot("yard.tscn")
>>> scene.metadata["up"]
'y')";

inline constexpr const char* standard_scene = R"(
A standard scene of docs/reference/scenes.md, the same on every machine.

Parameters
----------
kind : "city", "cloud", "mixed", "lattice" or "adversarial"
    What the scene is like.
shapes : int
    The number of shapes.
seed : int, default 1
    Another seed gives another scene of the kind.

Returns
-------
Scene
    The shapes.

Raises
------
UsageError
    If ``kind`` is another word.

Examples
--------
>>> len(sl.standard_scene("city", 100))
100)";

inline constexpr const char* standard_rays = R"(
Standard rays over a scene, the same on every machine.

Parameters
----------
scene : Scene
    The scene that the rays cross.
kind : "coherent", "incoherent" or "los"
    A camera's rays, random rays, or segments, which take ``t_max=1``.
n : int
    The number of rays.
seed : int, default 1
    Another seed gives other rays of the kind.

Returns
-------
origins : ndarray, float32 [n,3], scene units
    Where the rays begin.
directions : ndarray, float32 [n,3]
    Where they go.

Raises
------
UsageError
    If ``kind`` is another word.

Examples
--------
>>> scene = sl.standard_scene("city", 100)
>>> origins, directions = sl.standard_rays(scene, "coherent", 10)
>>> origins.shape
(10, 3))";

}  // namespace sightline::python::doc
