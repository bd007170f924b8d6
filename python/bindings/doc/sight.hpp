// Docstrings of lines of sight.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* visibility_matrix = R"(
Which of V viewpoints see which of T targets. ``np.asarray`` gives the matrix of bools.

{ball}
>>> seen = caster.visibility([[0, 0, 0], [9, 0, 0], [0, 9, 0]])
>>> seen
Visibility(3 by 3, 7 visible))";

inline constexpr const char* visibility_unpack = R"(
The matrix as bools.

Returns
-------
ndarray, bool, in the shape ``shape``
    Element [i, j]: viewpoint i sees target j.

Raises
------
OutOfMemoryError
    If the matrix does not fit in memory; it takes 8 times the memory of ``bits``.

{ball}
>>> caster.visibility([0, 0, 0], [[9, 0, 0], [0, 9, 0]]).unpack().tolist()
[[False, True]])";

inline constexpr const char* visibility_counts = R"(
The number of targets that each viewpoint sees.

Returns
-------
ndarray, uint64 [V]
    Sums of the rows.

{ball}
>>> caster.visibility([0, 0, 0], [[9, 0, 0], [0, 9, 0]]).counts().tolist()
[1])";

inline constexpr const char* visibility_array = R"(
The matrix as an array, as ``unpack()``.

Parameters
----------
dtype : dtype, optional
    The type of the elements; by default bool.
copy : bool, optional
    Not False: the bits must be copied.

Returns
-------
ndarray
    The matrix, in the shape ``shape``.

Raises
------
ValueError
    If ``copy`` is False.

{ball}
>>> np.asarray(caster.visibility([0, 0, 0], [0, 9, 0])).tolist()
[[True]])";

/// Of visibility and exposure.
inline constexpr const char* viewpoints =
    R"(viewpoints : array_like or Points, float32 [V,3] or [h,w,3], scene units
    The points that look.
targets : array_like or Points, float32 [T,3] or [h,w,3], scene units, optional
    The points that are looked at; by default the viewpoints.)";

inline constexpr const char* visibility = R"(
Which viewpoints see which targets.

A viewpoint sees a target if no shape meets the segment between them. Without targets and fields
each pair is computed once, and the matrix is symmetric. A bad point (NaN, infinite or beyond 2^40)
sees nothing.

Parameters
----------
{viewpoints}
{fields}
{sight}
{progress}

Returns
-------
Visibility
    A bit per pair, and counts of pairs and points.

{sight_raise}

{ball}
>>> seen = caster.visibility([0, 0, 0], [[9, 0, 0], [0, 9, 0]])
>>> seen.unpack().tolist()
[[False, True]])";

inline constexpr const char* visibility_pairs = R"(
Whether a[i] sees b[i].

A bad point (NaN, infinite or beyond 2^40) sees nothing.

Parameters
----------
a : array_like or Points, float32 [n,3] or [3], scene units
    One end of each pair.
b : array_like or Points, float32 [n,3] or [3], scene units
    The other end.
{sight}
packed : bool, default False
    Whether the answer is words of bits.

Returns
-------
ndarray, bool [n]
    True if the pair see each other. With ``packed`` uint64 [ceil(n/64)]: pair i is bit i % 64 of
    word i // 64, and unused bits are 0.

{sight_raise}

{ball}
>>> caster.visibility_pairs([0, 0, 0], [[9, 0, 0], [0, 9, 0]]).tolist()
[False, True])";

inline constexpr const char* exposure = R"(
The number of viewpoints that see each target.

No bits are stored. A bad point (NaN, infinite or beyond 2^40) sees nothing.

Parameters
----------
{viewpoints}
{fields}
{sight}
{progress}

Returns
-------
ndarray, uint32 [T]
    The number of viewpoints.

{sight_raise}

{ball}
>>> caster.exposure([[0, 0, 0], [1, 9, 0]], [9, 0, 0]).tolist()
[1])";

}  // namespace sightline::python::doc
