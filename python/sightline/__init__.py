"""A batch ray caster whose answers are equal to the bit on every machine.

Lengths are in scene units, whatever they are. Arrays are NumPy's, or anything that converts to
one. Errors are subclasses of ``Error``.

Examples
--------
>>> import sightline as sl
>>> scene = sl.Scene()
>>> scene.add_spheres([[5, 0, 0]], 1)
0
>>> caster = sl.Caster(scene)
>>> hits = caster.closest_hit([0, 0, 0], [1, 0, 0])
>>> hits.t.tolist(), hits.id.tolist()
([4.0], [0])
"""

import typing as _typing
from importlib import import_module as _import_module

from . import _core

_core._answer_mismatches()  # before its functions are taken over

from ._core import *  # noqa: E402, F403
from .bake import bake, program  # noqa: E402
from .errors import (  # noqa: E402
    BadInputError,
    DeviceError,
    Error,
    FileError,
    OutOfMemoryError,
    UsageError,
)
from .view import view  # noqa: E402

__version__: str = _core.__version__

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

if _typing.TYPE_CHECKING:  # the same for type checkers and editors
    from . import distributed as distributed
    from . import plot as plot
    from .adapters.mmcif import from_mmcif as from_mmcif
    from .adapters.mujoco import from_mujoco as from_mujoco
    from .adapters.pdb import from_pdb as from_pdb
    from .adapters.pyvista import to_pyvista as to_pyvista
    from .adapters.trimesh import from_trimesh as from_trimesh
    from .adapters.trimesh import to_trimesh as to_trimesh
    from .adapters.urdf import from_urdf as from_urdf
    from .adapters.usd import from_usd as from_usd
    from .adapters.voxels import from_3dmap as from_3dmap
else:  # from whom it would hide names that do not exist

    def __getattr__(name):
        if name in _adapters:
            return getattr(_import_module(f".adapters.{_adapters[name]}", __name__), name)
        if name in _modules:
            return _import_module(f".{name}", __name__)
        raise AttributeError(f"module 'sightline' has no attribute '{name}'")


__all__ = [
    *(name for name in dir(_core) if not name.startswith("_")),
    "BadInputError", "DeviceError", "Error", "FileError", "OutOfMemoryError", "UsageError",
    "bake", "program", "view", *_adapters, *_modules,
]  # fmt: skip


def __dir__():
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
