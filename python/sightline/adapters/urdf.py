"""Scenes from robots described in URDF."""

import io
import os
import warnings

import numpy as np

import sightline

from ..mismatch import answered
from .common import Imported, choose, package


class UrdfRobot(Imported):
    """The collision geometry of a robot as a scene; see ``from_urdf``."""

    def update(self, caster, cfg=None, *, base=None, how: str = "auto") -> int:
        """Moves the scene's shapes to a configuration and tells the caster.

        ``cfg`` and ``base`` are those of ``from_urdf``; None leaves the one that was last given.
        Returns how many shapes moved since the last call. ``how`` is that of ``Caster.update``.
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

    ``source`` is the path of a URDF file or a ``yourdfpy.URDF`` with its scene graph built, which
    is then set to the configuration. Boxes become OBBs, spheres themselves; so do capsules
    (``<capsule radius length>``, an extension that Bullet reads, along z, its length without the
    caps) of files, which yourdfpy itself refuses. Lengths are metres, z is up.

    cfg: the joints' positions, radians or metres: an array [actuated joints] in yourdfpy's order
        (``robot.urdf.actuated_joint_names``), or a dict from joint names; None for all 0.
    base: the pose of the root link in the scene, a rigid float [4,4]; None for the identity.
    approximate: cylinders become the smaller of the box and a capsule around them; else they are
        left out, and a warning counts them. Meshes are left out in any case.
    strict: raise BadInputError instead of leaving any out.

    A shape's group is the number of its link in the file, its label that of the collision element.
    Returns a ``UrdfRobot``: ``scene``, ``names`` ((link's name, number within the link) of each
    element), ``ids`` (element -> shape, -1 for none), ``items`` (shape -> element),
    ``update(caster, cfg)``, ``urdf``, ``left_out``, ``approximated``.
    Raises ImportError without the package yourdfpy, FileError for a file that cannot be read,
    UsageError for a configuration of another size or with an unknown joint.
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
