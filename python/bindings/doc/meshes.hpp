// Docstrings of meshes in Scene.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* add_mesh = R"(
Adds a mesh: a triangle for each face, with consecutive indices.

Parameters
----------
vertices : array_like, float32 [v,3], scene units
    The places of the vertices.
faces : array_like, uint32 [n,3] or [3]
    Three indices of vertices for each face, from 0.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
0
>>> scene
Scene(2 shapes, triangle 2))";

inline constexpr const char* add_solid = R"(
Adds a closed mesh, of which ``winding`` tells the inside. Rays see its surface.

Each directed edge of the faces comes as often as its reverse; vertices with equal coordinates are
one place. A mesh with an open edge is refused; the message names its face and its points.

Parameters
----------
vertices : array_like, float32 [v,3], scene units
    The places of the vertices.
faces : array_like, uint32 [n,3] or [3]
    Three indices of vertices for each face, counterclockwise seen from outside.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_solid([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]],
...                 [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
0
>>> sl.Caster(scene).winding([[1, 1, 1], [3, 3, 3]]).tolist()
[1, 0])";

inline constexpr const char* add_hull = R"(
Adds the convex hull of points, as a closed mesh of triangles.

Parameters
----------
points : array_like, float32 [n,3], scene units
    At most 65,536 points, in any order. They must not all lie in one plane.
mask : int, uint32, default 0xFFFFFFFF
    Of all its triangles.
group : int, uint32, default 0xFFFFFFFF
    Of all its triangles.
label : int, uint64, default 0
    Of all its triangles.

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_hull([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)])
0
>>> scene
Scene(12 shapes, triangle 12))";

inline constexpr const char* set_mesh = R"(
Moves vertices of a mesh: gives triangles other corners, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first triangle that changes.
vertices : array_like, float32 [v,3], scene units
    The places of the vertices.
faces : array_like, uint32 [n,3] or [3]
    Three indices of vertices for each face, from 0.

{set}

Examples
--------
>>> scene, faces = sl.Scene(), [0, 1, 2]
>>> scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0]], faces)
0
>>> scene.set_mesh(0, [[0, 0, 1], [1, 0, 1], [1, 1, 1]], faces))";

inline constexpr const char* mesh_of = R"(
The mesh of each id.

Files keep the triangles of a mesh, but not that they are of one.

Parameters
----------
ids : array_like, uint32 [n] or number
    Ids of shapes, or ``NONE``.

Returns
-------
ndarray, uint32 [n]
    The number of the mesh, counting the calls of ``add_mesh`` from 0. ``NONE`` for shapes that are
    part of none, and for ``NONE``.

Raises
------
UsageError
    If there is no shape of an id.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
0
>>> scene.mesh_of([0, 1]).tolist()
[0, 0])";

inline constexpr const char* face_of = R"(
The face of its mesh that each id is.

Parameters
----------
ids : array_like, uint32 [n] or number
    Ids of shapes, or ``NONE``.

Returns
-------
ndarray, uint32 [n]
    The face's number, from 0. ``NONE`` for shapes that are part of no mesh, and for ``NONE``.

Raises
------
UsageError
    If there is no shape of an id.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
0
>>> scene.face_of([0, 1]).tolist()
[0, 1])";

inline constexpr const char* corner_weights = R"(
The weights of the corners b and c of triangles where rays enter them.

A ray meets its triangle at ``a + x * (b - a) + y * (c - a)``. The weights are exact quotients, each
rounded once.

Parameters
----------
ids : array_like, uint32 [n] or number
    The triangle of each ray, such as ``hits.id``, or ``NONE``.
origins : array_like, float32 [n,3] or [3], scene units
    The rays' origins.
directions : array_like, float32 [n,3] or [3]
    The rays' directions.

Returns
-------
ndarray, float32 [n,2]
    x and y. 0 for ``NONE``, for other shapes, for triangles without area, for directions of 0, for
    lines that miss and for bad rays.

Raises
------
UsageError
    If there is no shape of an id.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_triangles([0, 0, 0], [4, 0, 0], [0, 4, 0])
0
>>> scene.corner_weights([0], [1, 2, 5], [0, 0, -1]).tolist()
[[0.25, 0.5]])";

}  // namespace sightline::python::doc
