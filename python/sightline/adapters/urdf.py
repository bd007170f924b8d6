"""Scenes from robots described in URDF."""

import io
import os
import warnings

import numpy as np

import sightline

from ..mismatch import answered
from .common import Imported, choose, package


class UrdfRobot(Imported):
    """The collision geometry of a robot as a scene, as ``from_urdf`` returns it.

    Attributes
    ----------
    scene : Scene
        The shapes. Add shapes if you like, but remove none.
    names : list
        (the link's name, the number within the link) of each collision element.
    left_out : dict of ndarray, int64
        The items that are not in the scene, by form, such as "mesh".
    approximated : dict of ndarray, int64
        The items that have a shape around them, by form.
    urdf : yourdfpy.URDF
        The robot.

    Examples
    --------
    >>> import pathlib
    >>> arm = '''<robot name="arm"><link name="base"/><link name="tip"><collision>
    ... <origin xyz="2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision></link>
    ... <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/>
    ... <axis xyz="0 0 1"/><limit effort="1" velocity="1" lower="-3" upper="3"/>
    ... </joint></robot>'''
    >>> _ = pathlib.Path("arm.urdf").write_text(arm)
    >>> robot = sl.from_urdf("arm.urdf")
    >>> robot.names, robot.ids.tolist()
    ([('tip', 0)], [0])
    """

    def update(self, caster, cfg=None, *, base=None, how: str = "auto") -> int:
        """Moves the shapes to a configuration, and updates the caster.

        Parameters
        ----------
        caster : Caster
            The caster that gets the scene.
        cfg : array_like, float64 [actuated joints], or dict, radians or metres, optional
            The joints' positions, as of ``from_urdf``; by default the last ones.
        base : array_like, float64 [4,4], optional
            The pose of the root link, as of ``from_urdf``; by default the last one.
        how : "auto", "refit" or "rebuild", default "auto"
            As of ``Caster.update``.

        Returns
        -------
        int
            The number of shapes that moved since the last call.

        Raises
        ------
        UsageError
            If ``cfg`` or ``base`` has another size, or a joint is unknown.

        Examples
        --------
        >>> import pathlib
        >>> arm = '''<robot name="arm"><link name="base"/><link name="tip"><collision>
        ... <origin xyz="2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision></link>
        ... <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/>
        ... <axis xyz="0 0 1"/><limit effort="1" velocity="1" lower="-3" upper="3"/>
        ... </joint></robot>'''
        >>> _ = pathlib.Path("arm.urdf").write_text(arm)
        >>> robot = sl.from_urdf("arm.urdf")
        >>> caster = sl.Caster(robot)
        >>> robot.update(caster, [1.5])
        1
        """
        return self._move(caster, *self._poses(cfg, base), how)

    def _poses(self, cfg, base):
        if cfg is not None:
            self._configure(cfg)
        if base is not None:
            base = np.asarray(base, np.float64)
            if base.shape != (4, 4):
                raise sightline.UsageError(f"base has the shape {base.shape}, not (4, 4)")
            self._base = base
        links = [self.urdf.get_transform(link) for link in self._links]
        placed = self._base @ np.array(links).reshape(-1, 4, 4)[self._link] @ self._origin
        return placed[:, :3, 3], placed[:, :3, :3]

    def _configure(self, cfg):
        if isinstance(cfg, dict):
            unknown = [joint for joint in cfg if joint not in self.urdf.joint_map]
            if unknown:
                raise sightline.UsageError(
                    f"cfg names the joint {unknown[0]!r}, which is not there"
                )
            cfg = {joint: np.float64(value) for joint, value in cfg.items()}
        else:
            cfg = np.asarray(cfg, np.float64)
            joints = self.urdf.num_actuated_joints
            if cfg.shape != (joints,):
                raise sightline.UsageError(f"cfg has the shape {cfg.shape}, not ({joints},)")
        self.urdf.update_cfg(cfg)


@answered
def from_urdf(
    source, cfg=None, *, base=None, approximate: bool = False, strict: bool = False
) -> UrdfRobot:
    """The collision geometry of a robot as a scene that can follow its joints.

    Boxes become OBBs, spheres and cylinders themselves. So do capsules of files, an extension that
    Bullet reads: along z, the length without the caps. Meshes are left out. A shape's group is the
    number of its link in the file, its label the number of its collision element. Lengths are metres, z is up.

    Parameters
    ----------
    source : str, os.PathLike or yourdfpy.URDF
        The path of a URDF file, or a robot with its scene graph built, which is then set to the
        configuration.
    cfg : array_like, float64 [actuated joints], or dict, radians or metres, optional
        The joints' positions, in the order of ``robot.urdf.actuated_joint_names`` or by name; by
        default 0.
    base : array_like, float64 [4,4], optional
        The rigid pose of the root link in the scene; by default the identity.
    approximate : bool, default False
        Whether cylinders become the capsule or the box around them, whichever is smaller: for
        overlaps, distances and sweeps, which take no cylinders yet.
    strict : bool, default False
        Whether to raise BadInputError instead of leaving items out with a warning.

    Returns
    -------
    UrdfRobot
        The scene, names, and which collision element is which shape.

    Raises
    ------
    FileError
        If the file cannot be read.
    UsageError
        If ``cfg`` or ``base`` has another size, a joint is unknown, or the scene graph is missing.
    BadInputError
        If ``strict`` and an item is left out.
    ImportError
        If the package yourdfpy is not installed.

    Examples
    --------
    >>> import pathlib
    >>> arm = '''<robot name="arm"><link name="base"/><link name="tip"><collision>
    ... <origin xyz="2 0 0"/><geometry><sphere radius="0.5"/></geometry></collision></link>
    ... <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/>
    ... <axis xyz="0 0 1"/><limit effort="1" velocity="1" lower="-3" upper="3"/>
    ... </joint></robot>'''
    >>> _ = pathlib.Path("arm.urdf").write_text(arm)
    >>> robot = sl.from_urdf("arm.urdf")
    >>> robot.scene
    Scene(1 shape, sphere 1)
    """
    yourdfpy = package("from_urdf", "yourdfpy", "yourdfpy")
    urdf, capsules = (
        (source, set()) if isinstance(source, yourdfpy.URDF) else _load(yourdfpy, source)
    )
    if urdf.scene is None:
        raise sightline.UsageError("the URDF has no scene graph: build_scene_graph=True makes one")
    elements = [
        (number, link.name, k, collision)
        for number, link in enumerate(urdf.robot.links)
        for k, collision in enumerate(link.collisions)
    ]
    robot = UrdfRobot([(name, k) for _, name, k, _ in elements])
    robot.urdf, robot._base = urdf, np.eye(4)
    robot._links = [link.name for link in urdf.robot.links]
    robot._link = np.array([number for number, *_ in elements], np.int64)
    origins = [c.origin if c.origin is not None else np.eye(4) for *_, c in elements]
    robot._origin = np.array(origins, np.float64).reshape(-1, 4, 4)

    forms, size = np.empty(len(elements), object), np.zeros((len(elements), 3))
    for i, (_, name, k, collision) in enumerate(elements):
        forms[i], size[i] = _form(collision.geometry, (name, k) in capsules)
    kinds, size = choose(robot, forms, size, approximate=approximate)
    empty = "; <visual> elements are not read"
    robot._report("from_urdf", "collision elements", strict, kinds, empty)
    robot.scene.metadata = {"unit": "m", "up": "z"}
    poses = robot._poses(cfg if cfg is not None else np.zeros(urdf.num_actuated_joints), base)
    robot._add(kinds, size, *poses, group=robot._link)
    return robot


def _form(geometry, is_capsule: bool):
    if geometry.box is not None:
        return "box", np.asarray(geometry.box.size) / 2
    if geometry.sphere is not None:
        return "sphere", (geometry.sphere.radius, 0, 0)
    if geometry.cylinder is not None:
        form = "capsule" if is_capsule else "cylinder"
        return form, (geometry.cylinder.radius, geometry.cylinder.length / 2, 0)
    return "mesh", (0, 0, 0)


def _load(yourdfpy, path):
    """The URDF of a file, and which of its collision elements (link, number) are capsules.

    yourdfpy refuses ``<capsule>``, so it is given cylinders in their place. Files that are not
    well-formed are read as far as they go, as yourdfpy does, with a warning.
    """
    from lxml import etree  # yourdfpy needs it too

    path = os.fspath(path)
    options = {"remove_blank_text": True, "resolve_entities": False, "no_network": True}
    try:
        try:
            root = etree.parse(path, etree.XMLParser(**options)).getroot()
        except etree.XMLSyntaxError as error:
            root = etree.parse(path, etree.XMLParser(recover=True, **options)).getroot()
            warnings.warn(f"{path} is not well-formed XML ({error})", stacklevel=4)
    except OSError as error:
        raise sightline.FileError(f"{path} cannot be read: {error}") from error
    if root is None or root.tag != "robot":
        raise sightline.FileError(f"{path} is not URDF: there is no <robot>")
    capsules = {
        (link.get("name"), k)
        for link in root.iterchildren("link")
        for k, collision in enumerate(link.iterchildren("collision"))
        if collision.find("geometry/capsule") is not None
    }
    for capsule in root.iter("capsule"):
        capsule.tag = "cylinder"
    meshes = {"load_meshes": False, "load_collision_meshes": False}
    try:
        urdf = yourdfpy.URDF.load(io.BytesIO(etree.tostring(root)), **meshes)
    except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise sightline.FileError(f"{path} is not URDF that yourdfpy reads: {error}") from error
    return urdf, capsules
