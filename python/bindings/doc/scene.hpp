// Docstrings of Scene.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* scene = R"(
Shapes, numbered kind by kind (aabb, obb, sphere, capsule, cylinder, triangle, plane), then in the
order added.

Every ``add_*`` takes columns: positions float32 [n,3] and sizes [n], or one value for all shapes.
Other number types are rounded to float32 once. A call adds all of its shapes, or none. A scene is
not safe to fill from several threads.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([[5, 0, 0], [9, 0, 0]], [1, 2], group=7)
0
>>> scene
Scene(2 shapes, sphere 2))";

inline constexpr const char* scene_copy = R"(
An independent copy of the scene.

Returns
-------
Scene
    The same shapes, attributes and metadata.

Examples
--------
>>> scene = sl.Scene()
>>> other = scene.copy()
>>> other.add_spheres([0, 0, 0], 1)
0
>>> len(scene), len(other)
(0, 1))";

inline constexpr const char* scene_count = R"(
The number of shapes of a kind.

Parameters
----------
kind : str
    One of ``KINDS``.

Returns
-------
int
    The number of shapes.

Raises
------
UsageError
    If ``kind`` is another word.

Examples
--------
>>> scene = sl.Scene()
>>> scene.count("plane")
0)";

inline constexpr const char* scene_id = R"(
The id of a shape by its index within the kind.

Parameters
----------
kind : str
    One of ``KINDS``.
index : int
    The index within the kind, from 0.

Returns
-------
int
    The id, which changes if shapes of an earlier kind are added.

Raises
------
UsageError
    If ``kind`` is another word, or there is no such shape.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([0, 0, 0], [1, 1, 1])
0
>>> scene.add_spheres([5, 0, 0], 1)
0
>>> scene.id("sphere", 0)
1)";

inline constexpr const char* scene_kinds = R"(
The kind of each id.

Parameters
----------
ids : array_like, uint32 [n] or number
    Ids of shapes, or ``NONE``.

Returns
-------
ndarray, uint8 [n]
    Indices into ``KINDS``; 255 for ``NONE``.

Raises
------
UsageError
    If there is no shape of an id.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([5, 0, 0], 1)
0
>>> [sl.KINDS[kind] for kind in scene.kinds([0])]
['sphere'])";

inline constexpr const char* scene_shapes = R"(
The shapes of a kind as they were given.

Parameters
----------
kind : str
    One of ``KINDS``.

Returns
-------
dict of ndarray
    A float32 array per field, such as "center" [n,3] and "radius" [n]. Also "mask" and "group",
    uint32 [n], and "label", uint64 [n].

Raises
------
UsageError
    If ``kind`` is another word.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([5, 0, 0], 1)
0
>>> scene.shapes("sphere")["radius"].tolist()
[1.0])";

inline constexpr const char* scene_remove = R"(
Removes shapes by their indices within the kind; later shapes move to lower indices.

Parameters
----------
kind : str
    One of ``KINDS``.
indices : array_like, uint32 [n] or number
    Indices within the kind. An index that comes twice counts once.

Raises
------
UsageError
    If ``kind`` is another word, or there is no such shape. Then nothing is removed.

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([[5, 0, 0], [9, 0, 0]], 1)
0
>>> scene.remove("sphere", 0)
>>> scene.shapes("sphere")["center"].tolist()
[[9.0, 0.0, 0.0]])";

inline constexpr const char* scene_save = R"(
Writes the scene as a safetensors file, which the program reads.

{saved}

Examples
--------
>>> scene = sl.Scene()
>>> scene.save("empty.safetensors")
>>> len(sl.Scene.load("empty.safetensors"))
0)";

inline constexpr const char* scene_load = R"(
Reads a scene from a safetensors, JSON or CSV file.

Warns of what the reader changes, such as sizes that float32 does not hold far from the origin.

Parameters
----------
path : str or os.PathLike
    The file to read.

Returns
-------
Scene
    The shapes of the file, with its metadata.

{load_raise}

Examples
--------
>>> scene = sl.Scene()
>>> scene.metadata = {{"unit": "m", "up": "z"}}
>>> scene.save("level.safetensors")
>>> sl.Scene.load("level.safetensors").metadata["unit"]
'm')";

inline constexpr const char* add_aabbs = R"(
Adds boxes along the axes.

Parameters
----------
min : array_like, float32 [n,3] or [3], scene units
    The lower corners.
max : array_like, float32 [n,3] or [3], scene units
    The upper corners. A box may be flat.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([[0, 0, 0], [4, 0, 0]], [[1, 1, 1], [5, 1, 1]])
0)";

inline constexpr const char* set_aabbs = R"(
Gives boxes along the axes other corners, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first box that changes.
min : array_like, float32 [n,3] or [3], scene units
    The lower corners.
max : array_like, float32 [n,3] or [3], scene units
    The upper corners.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_aabbs([0, 0, 0], [1, 1, 1])
0
>>> scene.set_aabbs(0, [0, 0, 0], [2, 2, 2]))";

inline constexpr const char* add_spheres = R"(
Adds spheres.

Parameters
----------
centers : array_like, float32 [n,3] or [3], scene units
    The centers.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([[5, 0, 0], [9, 0, 0]], 1)
0)";

inline constexpr const char* set_spheres = R"(
Gives spheres other centers and radii, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first sphere that changes.
centers : array_like, float32 [n,3] or [3], scene units
    The centers.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([5, 0, 0], 1)
0
>>> scene.set_spheres(0, [6, 0, 0], 1))";

inline constexpr const char* add_capsules = R"(
Adds capsules: all points within a radius of a segment.

Parameters
----------
a : array_like, float32 [n,3] or [3], scene units
    One end of each segment.
b : array_like, float32 [n,3] or [3], scene units
    The other end. If both are equal, the capsule is a sphere.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_capsules([0, 0, 0.5], [0, 0, 1.5], 0.5)
0)";

inline constexpr const char* set_capsules = R"(
Gives capsules other segments and radii, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first capsule that changes.
a : array_like, float32 [n,3] or [3], scene units
    One end of each segment.
b : array_like, float32 [n,3] or [3], scene units
    The other end.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_capsules([0, 0, 0.5], [0, 0, 1.5], 0.5)
0
>>> scene.set_capsules(0, [1, 0, 0.5], [1, 0, 1.5], 0.5))";

inline constexpr const char* add_cylinders = R"(
Adds cylinders with flat ends.

All queries of rays take them. Overlaps, distances, thick rays, sweeps and bakes that use these
refuse a scene with cylinders.

Parameters
----------
a : array_like, float32 [n,3] or [3], scene units
    The centre of one end of each cylinder.
b : array_like, float32 [n,3] or [3], scene units
    The centre of the other end, which must be another point.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_cylinders([0, 0, 0], [0, 0, 3], 0.5)
0)";

inline constexpr const char* set_cylinders = R"(
Gives cylinders other ends and radii, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first cylinder that changes.
a : array_like, float32 [n,3] or [3], scene units
    The centre of one end of each cylinder.
b : array_like, float32 [n,3] or [3], scene units
    The centre of the other end.
radii : array_like, float32 [n] or number, scene units, at least 0
    The radii.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_cylinders([0, 0, 0], [0, 0, 3], 0.5)
0
>>> scene.set_cylinders(0, [1, 0, 0], [1, 0, 3], 0.5))";

inline constexpr const char* add_triangles = R"(
Adds triangles: the points between three corners.

Rays meet them exactly, on both sides, and overlaps take them. Distances, sweeps, thick rays,
navigation and cover refuse a scene with triangles.

Parameters
----------
a : array_like, float32 [n,3] or [3], scene units
    The first corners.
b : array_like, float32 [n,3] or [3], scene units
    The second corners.
c : array_like, float32 [n,3] or [3], scene units
    The third corners. Where two or three corners are equal, the triangle is a segment or a point.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_triangles([0, 0, 0], [1, 0, 0], [0, 1, 0])
0)";

inline constexpr const char* set_triangles = R"(
Gives triangles other corners, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first triangle that changes.
a : array_like, float32 [n,3] or [3], scene units
    The first corners.
b : array_like, float32 [n,3] or [3], scene units
    The second corners.
c : array_like, float32 [n,3] or [3], scene units
    The third corners.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_triangles([0, 0, 0], [1, 0, 0], [0, 1, 0])
0
>>> scene.set_triangles(0, [0, 0, 1], [1, 0, 1], [0, 1, 1]))";

inline constexpr const char* add_planes = R"(
Adds half-spaces: all points with dot(normal, x) <= offset.

Parameters
----------
normals : array_like, float32 [n,3] or [3]
    Normals that point out, of length 1 within 1e-4.
offsets : array_like, float32 [n] or number, scene units
    How far the surface is from the origin along the normal.
{attributes}

{added}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_planes([0, 0, 1], 0)
0)";

inline constexpr const char* set_planes = R"(
Gives half-spaces other normals and offsets, from index ``first`` on.

They keep ids, masks, groups and labels. A caster needs ``update`` to see the change.

Parameters
----------
first : int
    The index within the kind of the first plane that changes.
normals : array_like, float32 [n,3] or [3]
    Normals that point out, of length 1 within 1e-4.
offsets : array_like, float32 [n] or number, scene units
    How far the surface is from the origin along the normal.

{set}

Examples
--------
>>> scene = sl.Scene()
>>> scene.add_planes([0, 0, 1], 0)
0
>>> scene.set_planes(0, [0, 0, 1], -1))";

}  // namespace sightline::python::doc
