// The docstrings' common parts. Docstrings are in NumPy's style; python/tests/test_doctests.py runs
// their examples.
#pragma once

#include "host/files/core/file.hpp"

#include <string>

namespace sightline::python::doc {

inline constexpr const char* attributes =
    R"(mask : array_like, uint32 [n] or number, default 0xFFFFFFFF
    A query meets a shape if their masks have a bit in common.
group : array_like, uint32 [n] or number, default NONE
    Queries can leave out a group.
label : array_like, uint64 [n] or number, default 0
    Your name for the shape. No query reads it.)";

inline constexpr const char* added = R"(Returns
-------
int
    The index within the kind of the first shape added.

Raises
------
BadInputError
    If a shape is refused. The message names the indices, and nothing is added.
UsageError
    If an array has the wrong shape or type.)";

inline constexpr const char* set = R"(Raises
------
BadInputError
    If a shape is refused. The message names the indices, and nothing is changed.
UsageError
    If an array has the wrong shape or type, or the range goes past the last shape.)";

inline constexpr const char* rays =
    R"(origins : array_like, float32 [n,3], [h,w,3] or [3], scene units
    Where the rays begin.
directions : array_like, float32 [n,3], [h,w,3] or [3]
    Any length; ``t`` counts in lengths of it. With length 0, a ray hits only what it starts in.
t_min : array_like, float32 [n] or number, lengths of the direction, default 0
    Where the ray begins to count, inclusive.
t_max : array_like, float32 [n] or number, lengths of the direction, default inf
    Where the ray ends, inclusive.
mask : array_like, uint32 [n] or number, default 0xFFFFFFFF
    A shape counts if its mask has a bit in common.
exclude : array_like, uint32 [n], [n,2], [[a, b]] or number, optional
    Ids of shapes to leave out: one per ray, two per ray, two for all rays, or one for all.
exclude_group : array_like, uint32 [n], [n,2], [[a, b]] or number, optional
    Groups to leave out, in the same shapes.
inside : "solid", "surface" or "ignore", default "solid"
    A ray that starts in a shape hits it at ``t_min``, where the ray leaves it, or not at all.
side : "both", "front" or "back", default "both"
    Which sides of triangles are hit. From the front the corners run counterclockwise. A ray in the
    triangle's plane hits neither.
strict : bool, default False
    Whether a bad ray raises BadInputError. A bad ray has NaN, an infinite origin or direction, a
    coordinate beyond 2^40, ``t_min`` < 0 or ``t_min`` > ``t_max``. By default it misses, with
    flag 4.)";

inline constexpr const char* radius =
    R"(radius : array_like, float32 [n] or number, scene units, optional
    The radius of spheres that move along the rays. If it is negative, NaN or beyond
    2^40, the ray is bad.)";

inline constexpr const char* rays_raise = R"(Raises
------
UsageError
    If arrays do not match in shape or type, or ``inside`` or ``side`` is another word.
BadInputError
    If ``strict`` and a ray is bad. The message names the first one.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.)";

inline constexpr const char* sight =
    R"(range : float, scene units, at least 0, default inf
    Pairs further apart do not see each other.
margin : float, 0 to below 0.5, default 0
    The fraction of the segment that is left out at each end. Points that rest on a surface touch
    it and see nothing without a margin.
inside : "solid", "surface" or "ignore", default "solid"
    How a shape counts that holds an end of the segment. "solid": it blocks, so a point in a shape
    sees nothing. "surface": a shape blocks where the segment crosses its surface, so two points in
    one ball see each other. "ignore": a shape that holds an end does not count, nor one that an
    end touches and in which the line continues beyond it, such as a floor under the end.)";

inline constexpr const char* sight_raise = R"(Raises
------
UsageError
    If arrays do not match, an option is out of its range, or ``fields`` is no Fields.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.)";

inline constexpr const char* fields = R"(fields : Fields, optional
    What each viewpoint looks at. Targets outside are not seen.)";

inline constexpr const char* progress = R"(progress : callable, optional
    Called as ``progress(done, total)`` between parts. An exception from it ends the call.)";

inline constexpr const char* shape_range = R"(first : int, default 0
    The id of the first query shape in ``shapes``.
count : int, optional
    The number of query shapes; by default all from ``first`` on.)";

inline constexpr const char* overlap_raise = R"(Raises
------
UsageError
    If a query shape is a plane, or the range goes past the last shape.
DeviceError, OutOfMemoryError
    If the device fails, or the answer does not fit in memory.)";

inline constexpr const char* agents =
    R"(crouch : float, scene units above the feet, default 0.9
    The height of the eyes when crouching.
stand : float, scene units above the feet, default 1.6
    The height of the eyes when standing; above ``crouch``.
radius : float, scene units, default 0.3
    The radius of the body. Nothing may be nearer to the crouching eyes.
reach : float, scene units, default 1.2
    What is further away is no cover.
lean : float, scene units, default 0.6
    How far the agent leans out to a side.
view : float, scene units, default 10
    How far the view must be free from there.)";

inline constexpr const char* saved = R"(Parameters
----------
path : str or os.PathLike
    The file to write. It is written whole, or not at all.

Raises
------
FileError
    If the file cannot be written.)";

inline constexpr const char* load_raise = R"(Raises
------
FileError
    If the file cannot be read.
BadInputError
    If the file is damaged or of another kind. The message names the place and the reason.
OutOfMemoryError
    If its content does not fit in memory.)";

/// A scene and its caster, with which examples begin.
inline constexpr const char* ball = R"(Examples
--------
>>> scene = sl.Scene()
>>> scene.add_spheres([5, 0, 0], 1)
0
>>> caster = sl.Caster(scene, "cpu"))";

/// A docstring, with the common parts in the place of their names in braces.
template <class... Arguments>
std::string text(const char* words, const Arguments&... more) {
  return fmt::format(fmt::runtime(words), fmt::arg("attributes", attributes),
                     fmt::arg("added", added), fmt::arg("set", set), fmt::arg("rays", rays),
                     fmt::arg("radius", radius), fmt::arg("rays_raise", rays_raise),
                     fmt::arg("sight", sight), fmt::arg("sight_raise", sight_raise),
                     fmt::arg("fields", fields), fmt::arg("progress", progress),
                     fmt::arg("shape_range", shape_range), fmt::arg("overlap_raise", overlap_raise),
                     fmt::arg("agents", agents), fmt::arg("saved", saved),
                     fmt::arg("load_raise", load_raise), fmt::arg("ball", ball), more...);
}

}  // namespace sightline::python::doc
