"""Scenes from MuJoCo models."""

import numpy as np

from ..errors import UsageError
from ..mismatch import answered
from .common import Imported, choose, package

GROUPS = 6  # mjNGROUP: geoms of higher groups count as the last


class MujocoWorld(Imported):
    """The geoms of a MuJoCo model as a scene, as ``from_mujoco`` returns them.

    Attributes
    ----------
    scene : Scene
        The shapes. Add shapes if you like, but remove none.
    names : list
        The name of each geom.
    left_out : dict of ndarray, int64
        The items that are not in the scene, by form, such as "mesh".
    approximated : dict of ndarray, int64
        The items that have a shape around them, by form.

    Examples
    --------
    >>> import mujoco
    >>> model = mujoco.MjModel.from_xml_string(
    ...     "<mujoco><worldbody><body pos='5 0 0'><freejoint/>"
    ...     "<geom name='ball' type='sphere' size='1'/></body></worldbody></mujoco>")
    >>> data = mujoco.MjData(model)
    >>> mujoco.mj_forward(model, data)
    >>> world = sl.from_mujoco(model, data)
    >>> world.names, world.ids.tolist()
    (['ball'], [0])
    """

    @property
    def geoms(self) -> np.ndarray:
        """int64 [shapes]: the geom of each shape; -1 for a shape that was added later."""
        return self.items

    def mask(self, geomgroup) -> int:
        """The mask of rays that see some groups of geoms, as ``mj_ray`` does.

        Parameters
        ----------
        geomgroup : sequence of int or bool, 6
            The groups g with ``geomgroup[g]`` != 0 are seen.

        Returns
        -------
        int
            A mask for queries.

        Raises
        ------
        UsageError
            If there are not 6 numbers.

        Examples
        --------
        >>> import mujoco
        >>> model = mujoco.MjModel.from_xml_string(
        ...     "<mujoco><worldbody><body pos='5 0 0'><freejoint/>"
        ...     "<geom name='ball' type='sphere' size='1'/></body></worldbody></mujoco>")
        >>> data = mujoco.MjData(model)
        >>> mujoco.mj_forward(model, data)
        >>> world = sl.from_mujoco(model, data)
        >>> world.mask([1, 0, 1, 0, 0, 0])
        5
        """
        if len(geomgroup) != GROUPS:
            words = f"geomgroup has {len(geomgroup)} elements, not one for each of 6 groups"
            raise UsageError(words)
        return sum(1 << g for g, seen in enumerate(geomgroup) if seen)

    def update(self, caster, *, how: str = "auto") -> int:
        """Moves the shapes to the poses of ``data``, and updates the caster.

        Call it after ``mj_forward``: ``mj_step`` alone leaves the poses of the step before. Sizes
        are those of the import.

        Parameters
        ----------
        caster : Caster
            The caster that gets the scene.
        how : "auto", "refit" or "rebuild", default "auto"
            As of ``Caster.update``.

        Returns
        -------
        int
            The number of shapes that moved since the last call.

        Raises
        ------
        BadInputError
            If a pose is NaN or infinite, as in an unstable simulation.

        Examples
        --------
        >>> import mujoco
        >>> model = mujoco.MjModel.from_xml_string(
        ...     "<mujoco><worldbody><body pos='5 0 0'><freejoint/>"
        ...     "<geom name='ball' type='sphere' size='1'/></body></worldbody></mujoco>")
        >>> data = mujoco.MjData(model)
        >>> mujoco.mj_forward(model, data)
        >>> world = sl.from_mujoco(model, data)
        >>> caster = sl.Caster(world)
        >>> data.qpos[0] = 6
        >>> mujoco.mj_forward(model, data)
        >>> world.update(caster)
        1
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

    Spheres, capsules and cylinders become themselves, boxes OBBs. A shape's mask is
    ``1 << group`` (groups above 5 count as 5), its group the body, its label the geom. So
    ``exclude_group=body`` is ``mj_ray``'s ``bodyexclude``, and ``mask=world.mask(geomgroup)`` its ``geomgroup``. With
    ``inside="surface"``, rays answer as ``mj_ray`` does. Lengths are in the model's unit, z is up.

    Parameters
    ----------
    model : mujoco.MjModel
        The model.
    data : mujoco.MjData
        Its state after ``mj_forward`` or ``mj_step``, which is kept for ``update``.
    groups : sequence of int, optional
        The groups of geoms to take, such as (0, 3); by default all.
    static : bool, default True
        Whether to take geoms that never move, as ``mj_ray``'s ``flg_static``.
    invisible : bool, default False
        Whether to take geoms of alpha 0, which ``mj_ray`` does not see.
    planes : "rectangle" or "half_space", default "rectangle"
        "rectangle": a plane with two sizes above 0 is a flat box of them, as ``mj_ray`` sees it,
        and a plane of size 0 a half-space. "half_space": all are half-spaces, as contacts see
        them. From below ``mj_ray`` sees neither. Here a ray hits the flat box, and hits the
        half-space where it leaves it.
    approximate : bool, default False
        Whether ellipsoids, meshes and height fields become the box around them, which are left out
        by default. Cylinders become the capsule or the box around them, whichever is smaller: for
        overlaps, distances and sweeps, which take no cylinders yet.
    strict : bool, default False
        Whether to raise BadInputError instead of leaving items out with a warning.

    Returns
    -------
    MujocoWorld
        The scene, names, and which geom is which shape.

    Raises
    ------
    ValueError
        If ``planes`` is another word.
    UsageError
        If ``data`` has no poses yet.
    BadInputError
        If ``strict`` and an item is left out.
    ImportError
        If the package mujoco is not installed.

    Examples
    --------
    >>> import mujoco
    >>> model = mujoco.MjModel.from_xml_string(
    ...     "<mujoco><worldbody><body pos='5 0 0'><freejoint/>"
    ...     "<geom name='ball' type='sphere' size='1'/></body></worldbody></mujoco>")
    >>> data = mujoco.MjData(model)
    >>> mujoco.mj_forward(model, data)
    >>> world = sl.from_mujoco(model, data)
    >>> sl.Caster(world).closest_hit([0, 0, 0], [1, 0, 0]).t.tolist()
    [4.0]
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
