// Docstrings of the module and of Caster itself.
#pragma once

#include "python/bindings/doc/text.hpp"

namespace sightline::python::doc {

inline constexpr const char* cuda_devices = R"(
The CUDA devices of this machine.

Returns
-------
list of dict
    Per device: "index", "name", "compute_capability" (major, minor), "multiprocessors",
    "memory_bytes", and "problem", which says why it cannot be used, or is empty.

Examples
--------
>>> usable = [d["index"] for d in sl.cuda_devices() if not d["problem"]])";

inline constexpr const char* caster = R"(
A scene that answers queries, with the same bytes from every device and number of threads.

A caster copies the scene. Its calls release the interpreter's lock, and several threads may call
at once. Positions are float32 [n,3] with any strides, or one vector [3] for all elements; other
number types are rounded to float32 once. Batches such as [h,w,3] are answered in their shape: where
[n] is said of an answer, it is [h,w] then. No answer depends on the options below.

Parameters
----------
scene : Scene
    The shapes, or an object with a ``scene``, such as what ``from_mujoco`` returns.
device : str, default "auto"
    "cpu", "reference" (brute force), "cuda" or "cuda:NUMBER". "auto" is CUDA if a device can hold
    the scene, else the CPU.
threads : int, at least 0, default 0
    The threads of the CPU; 0 for all cores.
lanes : "auto", "avx512", "avx2" or "portable", default "auto"
    The instructions of the CPU.
search : "auto", "brute_force" or "tree", default "auto"
    How hits are found.
tree : "fast" or "careful", default "fast"
    The tree of CUDA: built on the device, or the CPU's, which is slower to build.
chunk : int, default 0
    The elements that are on their way to CUDA at a time; 0 for a choice by memory.

Raises
------
UsageError
    If an option is out of its range.
DeviceError
    If ``device`` is CUDA and cannot be used.
OutOfMemoryError
    If the scene and its tree do not fit in memory.

{ball}
>>> caster.closest_hit([0, 0, 0], [1, 0, 0]).t.tolist()
[4.0])";

inline constexpr const char* caster_update = R"(
Replaces the scene, and waits for calls that run.

Parameters
----------
scene : Scene
    The shapes after they moved, or an object with a ``scene``.
how : "auto", "refit" or "rebuild", default "auto"
    "refit" keeps the tree's structure and needs the same number of shapes of every kind. "rebuild"
    builds another tree. "auto" refits while that pays.

Raises
------
UsageError
    If a refit is impossible, or in a callback of one of the caster's own calls.
DeviceError, OutOfMemoryError
    If the device fails, or memory is short. Then the caster keeps its scene.

{ball}
>>> scene.set_spheres(0, [6, 0, 0], 1)
>>> caster.update(scene)
>>> caster.closest_hit([0, 0, 0], [1, 0, 0]).t.tolist()
[5.0])";

}  // namespace sightline::python::doc
