"""Scenes from MuJoCo models."""

import numpy as np

from ..errors import UsageError
from ..mismatch import answered
from .common import Imported, choose, package

GROUPS = 6  # mjNGROUP: geoms of higher groups count as the last


class MujocoWorld(Imported):
    """The geoms of a MuJoCo model as a scene; see ``from_mujoco``."""

    @property
    def geoms(self) -> np.ndarray:
        """The geom of each shape: int64 [shapes], -1 for shapes that were added later."""
        return self.items

    def mask(self, geomgroup) -> int:
        """The mask of rays that see the groups g with ``geomgroup[g]`` != 0, as ``mj_ray`` does."""
        if len(geomgroup) != GROUPS:
            raise UsageError(f"geomgroup has {len(geomgroup)} elements, not one for each of 6 groups")
        return sum(1 << g for g, seen in enumerate(geomgroup) if seen)

    def update(self, caster, *, how: str = "auto") -> int:
        """Moves the scene's shapes to the poses of ``data`` and tells the caster.

        Call it after ``mj_forward`` (``mj_step`` alone leaves the poses of the step before).
        Returns how many shapes moved since the last call. ``how`` is that of ``Caster.update``.
        Sizes are those of the import. Raises BadInputError where a pose is NaN or infinite, as of
        an unstable simulation.
        """
        return self._move(caster, *_poses(self._data, self._offset), how)


@answered
def from_mujoco(
    model,
    data,
    *,
    groups=None,
    static: bool = True,
    invisible: bool = False,
    planes: str = "rectangle",
    approximate: bool = False,
    strict: bool = False,
) -> MujocoWorld:
    """The geoms of a MuJoCo model, at the poses of ``data``, as a scene that can follow them.

    ``model`` is an ``mujoco.MjModel``; ``data`` its ``MjData`` after ``mj_forward`` or ``mj_step``,
    kept for ``update``. Lengths stay in the model's unit (metres), z is up.

    Spheres and capsules become themselves, boxes OBBs. A geom's shape has the mask ``1 << group``
    (groups above 5 count as 5), the body as its group and the geom as its label: so
    ``exclude_group=body`` is ``mj_ray``'s ``bodyexclude`` and ``mask=world.mask(geomgroup)`` its
    ``geomgroup``. With ``inside="surface"`` rays answer as ``mj_ray`` does.

    groups: the geom groups to take, such as ``(0, 3)``; None for all.
    static: whether to take geoms that never move, as ``mj_ray``'s ``flg_static``.
    invisible: whether to take geoms of alpha 0, which ``mj_ray`` does not see.
    planes: "rectangle": a plane with two sizes above 0 is a flat box of them, as it is drawn and as
        ``mj_ray`` sees it, and a plane of size 0 a half-space; "half_space": all are half-spaces,
        as contacts see them. From below ``mj_ray`` sees neither; here a flat box is hit, and a
        half-space when the ray leaves it.
    approximate: geoms that sightline has no shape for (cylinders, ellipsoids, meshes, height
        fields) become the box around them, a cylinder the capsule where that is smaller; else they
        are left out, and a warning counts them.
    strict: raise BadInputError instead of leaving any out.

    Returns a ``MujocoWorld``: ``scene``, ``ids`` (geom -> shape, -1 for none), ``geoms`` (shape ->
    geom), ``update(caster)``. ``left_out`` and ``approximated`` name geoms.
    Raises ImportError without the package mujoco, ValueError for another word as ``planes``.
    """
    mujoco = package("from_mujoco", "mujoco", "mujoco")
    if planes not in ("rectangle", "half_space"):
        raise ValueError(f"planes is {planes!r}, not 'rectangle' or 'half_space'")
    types = {
        int(t): t.name.removeprefix("mjGEOM_").lower() for t in mujoco.mjtGeom.__members__.values()
    }
    if model.ngeom > 0 and not np.any(data.geom_xmat):
        raise UsageError("data has no poses yet: call mujoco.mj_forward(model, data) first")
    forms = np.array([types[t] for t in model.geom_type.tolist()], object)
    size = np.array(model.geom_size, np.float64).reshape(-1, 3)

    plane = forms == "plane"
    extents = (size[:, :2] > 0).sum(axis=1)
    forms[plane] = "half-space"
    if planes == "rectangle":
        forms[plane & (extents == 2)] = "rectangle"
        forms[plane & (extents == 1)] = "plane that is infinite along one axis"
    size[forms == "rectangle", 2] = 0

    group = np.clip(model.geom_group, 0, GROUPS - 1)
    taken = np.ones(model.ngeom, bool)
    if groups is not None:
        taken &= np.isin(group, np.clip(np.asarray(groups, int), 0, GROUPS - 1))
    if not static:
        taken &= model.body_weldid[model.geom_bodyid] != 0
    if not invisible:
        alpha = np.array(model.geom_rgba[:, 3])
        painted = model.geom_matid >= 0
        alpha[painted] = model.mat_rgba[model.geom_matid[painted], 3]
        taken &= alpha != 0
    forms[~taken] = ""

    names = [model.geom(i).name or f"geom {i}" for i in range(model.ngeom)]
    world = MujocoWorld(names)
    aabb = np.array(model.geom_aabb, np.float64).reshape(-1, 6)  # center, half extents; own frame
    aabb[plane] = np.nan
    kinds, size = choose(world, forms, size, approximate=approximate, around=aabb[:, 3:])
    world._data, world._offset = data, np.zeros((model.ngeom, 3))
    for geoms in world.approximated.values():
        world._offset[geoms] = aabb[geoms, :3]
    empty = "; groups, static and invisible say which are taken" if model.ngeom else ""
    world._report("from_mujoco", "geoms", strict, kinds, empty)
    world.scene.metadata = {"unit": "m", "up": "z"}
    poses = _poses(data, world._offset)
    world._add(kinds, size, *poses, mask=1 << group, group=model.geom_bodyid)
    return world


def _poses(data, offset):
    rotation = np.array(data.geom_xmat).reshape(-1, 3, 3)
    return data.geom_xpos + np.einsum("nij,nj->ni", rotation, offset), rotation
