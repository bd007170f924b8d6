"""A batch ray caster whose answers are equal to the bit on every machine.

    import sightline as sl

    scene = sl.Scene()
    scene.add_spheres(centers, radii)
    caster = sl.Caster(scene)
    hits = caster.closest_hit(origins, directions)   # hits.t, hits.id, hits.normal
"""

from importlib import import_module, metadata

from . import _core
from ._core import *  # noqa: F403
from .bake import bake, program
from .errors import (
    BadInputError,
    DeviceError,
    Error,
    FileError,
    OutOfMemoryError,
    UsageError,
)

try:
    __version__ = metadata.version("sightline")
except metadata.PackageNotFoundError:  # in a build folder
    __version__ = "unknown"

# Functions whose modules, and the packages under them, are imported when they are used.
_adapters = {
    "from_3dmap": "voxels",
    "from_mmcif": "mmcif",
    "from_mujoco": "mujoco",
    "from_pdb": "pdb",
    "from_trimesh": "trimesh",
    "to_trimesh": "trimesh",
    "from_urdf": "urdf",
    "from_usd": "usd",
    "to_pyvista": "pyvista",
}
_modules = ("distributed", "plot")

__all__ = [
    *(name for name in dir(_core) if not name.startswith("_")),
    "BadInputError", "DeviceError", "Error", "FileError", "OutOfMemoryError", "UsageError",
    "bake", "program", *_adapters, *_modules,
]  # fmt: skip


def __getattr__(name):
    if name in _adapters:
        return getattr(import_module(f".adapters.{_adapters[name]}", __name__), name)
    if name in _modules:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module 'sightline' has no attribute '{name}'")


def __dir__():
    return sorted({*globals(), *_adapters, *_modules})
