"""The contestants, one class each. A class imports its library only when it is built.

``build(shapes, threads)`` makes the scene and returns the ids of shapes that the library refuses;
``prepare(origins, directions)`` makes the arrays that the library takes, which is not timed;
``cast(prepared)`` is what is timed, and has ended when it returns; ``read(raw)`` makes of what it
returned ``(hit [n] bool, t [n] float64, id [n] int64)``, t in units of the direction's length.
"""

from __future__ import annotations

import importlib.util
from importlib.metadata import version

import numpy as np
from shapes import BOUNDED, BOXES, FIELDS, Mesh, Shapes, balls, count, first_id, triangles
from sightline.adapters.common import placed, quaternions

PLANE_REACH = 1e3  # a plane of triangles ends so many scene sizes from the origin's foot


def mesh_reach(shapes: Shapes) -> float:
    """The half side of the squares that triangles make of planes."""
    center, radius = balls(shapes)
    far = (np.abs(center).max(axis=1) + radius).max() if len(center) else 1.0
    return PLANE_REACH * float(far)


class Contestant:
    name = ""
    packages: tuple[str, ...] = ()  # as pip calls them, the first one's version is shown
    modules: tuple[str, ...] = ()
    shapes_as = "primitives"
    parallel = False  # whether one call may use several threads
    takes_meshes = False  # as a scene

    def missing(self) -> list[str]:
        gone = (importlib.util.find_spec(m) is None for m in self.modules)
        return [p for p, g in zip(self.packages, gone, strict=True) if g]

    def version(self) -> str:
        return " + ".join(version(p) for p in self.packages)

    def prepare(self, o, d):
        return o, d


class Sightline(Contestant):
    """closest_hit, inside=surface, without normals."""

    name, packages, modules, parallel = "sightline", ("sightline",), ("sightline",), True
    takes_meshes = True

    def version(self) -> str:
        import sightline

        return sightline.__version__

    def build(self, shapes: Shapes | Mesh, threads: int) -> list[int]:
        import sightline

        scene = sightline.Scene()
        if isinstance(shapes, Mesh):
            scene.add_mesh(shapes.vertices, shapes.faces)
        else:
            for kind, fields in FIELDS.items():
                if count(shapes, kind):
                    getattr(scene, f"add_{kind}s")(*(shapes[kind][f] for f in fields))
        self.caster = sightline.Caster(scene, device="cpu", threads=threads)
        self.none = sightline.NONE
        return []

    def cast(self, rays):
        return self.caster.closest_hit(*rays, inside="surface", normals=False)

    def read(self, raw):
        t, ids = np.array(raw.t), np.array(raw.id)
        return ids != self.none, t.astype(np.float64), ids.astype(np.int64)


class _Mesh(Contestant):
    shapes_as, takes_meshes = "triangles", True

    def mesh(self, shapes: Shapes | Mesh):
        if isinstance(shapes, Mesh):
            vertices, faces, ids = shapes.vertices, shapes.faces, np.arange(len(shapes.faces))
        else:
            vertices, faces, ids = triangles(shapes, mesh_reach(shapes))
        self.ids = np.append(ids, -1)  # so that a face of -1, none, has the id -1
        return vertices, faces


class Embreex(_Mesh):
    """EmbreeScene.run(output=1): a loop of single rays in C."""

    name, packages, modules = "embreex", ("embreex",), ("embreex",)

    def build(self, shapes: Shapes, threads: int) -> list[int]:
        from embreex import rtcore_scene
        from embreex.mesh_construction import TriangleMesh

        vertices, faces = self.mesh(shapes)
        self.scene = rtcore_scene.EmbreeScene()
        TriangleMesh(scene=self.scene, vertices=vertices, indices=faces.astype(np.int32))
        return []

    def cast(self, rays):
        return self.scene.run(*rays, output=1)

    def read(self, raw):
        face = raw["primID"]
        return face >= 0, raw["tfar"].astype(np.float64), self.ids[face]


class Trimesh(_Mesh):
    """ray.intersects_id(multiple_hits=False, return_locations=True), on embreex."""

    name, packages, modules = "trimesh", ("trimesh", "embreex"), ("trimesh", "embreex")

    def build(self, shapes: Shapes, threads: int) -> list[int]:
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        vertices, faces = self.mesh(shapes)
        mesh = trimesh.Trimesh(vertices.astype(np.float64), faces.astype(np.int64), process=False)
        self.ray = RayMeshIntersector(mesh)
        return []

    def prepare(self, o, d):
        self.origins = o.astype(np.float64)
        self.length = np.linalg.norm(d.astype(np.float64), axis=1)
        return self.origins, d.astype(np.float64)

    def cast(self, rays):
        return self.ray.intersects_id(*rays, multiple_hits=False, return_locations=True)

    def read(self, raw):
        face, ray, place = raw
        n = len(self.origins)
        hit, t, ids = np.zeros(n, bool), np.full(n, np.inf), np.full(n, -1, np.int64)
        hit[ray], ids[ray] = True, self.ids[face]
        t[ray] = np.linalg.norm(place - self.origins[ray], axis=1) / self.length[ray]
        return hit, t, ids


class Open3D(_Mesh):
    """t.geometry.RaycastingScene.cast_rays(nthreads)."""

    name, packages, modules, parallel = "open3d", ("open3d",), ("open3d",), True

    def build(self, shapes: Shapes, threads: int) -> list[int]:
        import open3d

        vertices, faces = self.mesh(shapes)
        self.tensor, self.threads = open3d.core.Tensor, threads
        self.scene = open3d.t.geometry.RaycastingScene(nthreads=threads)
        self.scene.add_triangles(self.tensor(vertices), self.tensor(faces))
        return []

    def prepare(self, o, d):
        return self.tensor(np.concatenate([o, d], axis=1))

    def cast(self, rays):
        return self.scene.cast_rays(rays, nthreads=self.threads)

    def read(self, raw):
        t, face = raw["t_hit"].numpy(), raw["primitive_ids"].numpy()
        hit = np.isfinite(t)
        return hit, t.astype(np.float64), np.where(hit, self.ids[np.where(hit, face, 0)], -1)


class Warp(_Mesh):
    """A kernel of mesh_query_ray on the device cpu."""

    name, packages, modules = "warp", ("warp-lang",), ("warp",)

    def build(self, shapes: Shapes | Mesh, threads: int) -> list[int]:
        import warp
        from warp_kernel import closest

        warp.config.quiet = True
        vertices, faces = self.mesh(shapes)
        self.warp, self.kernel = warp, closest
        self.scene = warp.Mesh(
            points=warp.array(vertices, dtype=warp.vec3, device="cpu"),
            indices=warp.array(faces.astype(np.int32).ravel(), dtype=int, device="cpu"),
        )
        return []

    def prepare(self, o, d):
        arrays = [self.warp.array(a, dtype=self.warp.vec3, device="cpu") for a in (o, d)]
        answers = [self.warp.zeros(len(o), dtype=kind, device="cpu") for kind in (float, int)]
        # Directions of unit length are demanded: t is in units of it.
        self.length = np.linalg.norm(d.astype(np.float64), axis=1)
        return [*arrays, *answers]

    def cast(self, rays):
        self.warp.launch(
            self.kernel, dim=len(rays[0]), inputs=[self.scene.id, *rays], device="cpu"
        )
        return rays[2:]

    def read(self, raw):
        t, face = (a.numpy() for a in raw)
        return face >= 0, t.astype(np.float64) / self.length, self.ids[face]


class Newton(Contestant):
    """newton.intersect_ray with its default fast_math."""

    name, packages, modules = "newton", ("newton", "warp-lang"), ("newton", "warp")

    def build(self, shapes: Shapes, threads: int) -> list[int]:
        import warp

        warp.config.quiet = True
        import newton

        self.warp, self.newton = warp, newton
        builder, self.ids = newton.ModelBuilder(), []
        for kind in BOUNDED:
            center, turn, size = placed(kind, shapes[kind])
            poses = np.concatenate([center, quaternions(turn)], axis=1).tolist()
            for pose, (x, y, z) in zip(poses, size.tolist(), strict=True):
                where = warp.transform(pose[:3], pose[3:])
                if kind in BOXES:
                    builder.add_shape_box(-1, xform=where, hx=x, hy=y, hz=z)
                elif kind == "sphere":
                    builder.add_shape_sphere(-1, xform=where, radius=x)
                else:
                    builder.add_shape_capsule(-1, xform=where, radius=x, half_height=y)
        plane = shapes["plane"]
        for n, offset in zip(plane["normal"].tolist(), plane["offset"].tolist(), strict=True):
            builder.add_shape_plane((*n, -offset), width=0.0, length=0.0)
        self.model = builder.finalize(device="cpu")
        return []

    def prepare(self, o, d):
        self.t = self.warp.zeros(len(o), dtype=float, device="cpu")
        self.shape = self.warp.zeros(len(o), dtype=int, device="cpu")
        return {
            "ray_origins": self.warp.array(o, dtype=self.warp.vec3, device="cpu"),
            "ray_directions": self.warp.array(d, dtype=self.warp.vec3, device="cpu"),
            "ray_worlds": self.warp.full(len(o), -1, dtype=int, device="cpu"),
            "out_dist": self.t,
            "out_shape_id": self.shape,
        }

    def cast(self, rays):
        self.newton.intersect_ray(self.model, **rays, enable_global_world=False)
        return self.t, self.shape

    def read(self, raw):
        t, shape = (np.array(a.numpy()) for a in raw)
        return shape >= 0, t.astype(np.float64), shape.astype(np.int64)


class MuJoCo(Contestant):
    """mj_multiRay for rays of one origin, else a Python loop of mj_ray; binary64."""

    name, packages, modules = "mujoco", ("mujoco",), ("mujoco",)

    def build(self, shapes: Shapes, threads: int) -> list[int]:
        import mujoco

        spec, self.ids, refused, geom = mujoco.MjSpec(), [], [], mujoco.mjtGeom
        forms = {"sphere": (geom.mjGEOM_SPHERE, 1), "capsule": (geom.mjGEOM_CAPSULE, 2)}
        for kind in FIELDS:
            center, turn, size = placed(kind, shapes[kind])
            turn = np.roll(quaternions(turn), 1, axis=1)  # w first
            for i, (c, q, s) in enumerate(zip(center, turn, size, strict=True)):
                identity, form, used = first_id(shapes, kind) + i, geom.mjGEOM_BOX, 3
                if kind == "plane":
                    # Its sizes are 0 where it has no end; the third is a spacing that is drawn.
                    form, used, s = geom.mjGEOM_PLANE, 0, [0, 0, 1]
                elif kind in forms:
                    form, used = forms["sphere" if s[1] == 0 else kind]
                if not all(v > 0 for v in s[:used]):
                    refused.append(identity)
                    continue
                spec.worldbody.add_geom(
                    type=form, size=s, pos=c, quat=q, contype=0, conaffinity=0
                )
                self.ids.append(identity)
        self.mujoco = mujoco
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.ids = np.array([*self.ids, -1])
        return refused

    def prepare(self, o, d):
        starts = np.r_[0, np.nonzero((o[1:] != o[:-1]).any(axis=1))[0] + 1, len(o)]
        t, geom = np.empty(len(o)), np.empty(len(o), np.int32)
        return o.astype(np.float64), d.astype(np.float64), starts, t, geom

    def cast(self, rays):
        o, d, starts, t, geom = rays
        if len(starts) == len(o) + 1:
            ray, model, data, one = self.mujoco.mj_ray, self.model, self.data, np.empty(1, np.int32)
            for i, (origin, direction) in enumerate(zip(o, d, strict=True)):
                t[i] = ray(model, data, origin, direction, None, 1, -1, one)
                geom[i] = one[0]
        else:
            for a, b in zip(starts, starts[1:], strict=False):
                self.mujoco.mj_multiRay(
                    self.model, self.data, o[a], d[a:b].ravel(), None, 1, -1, geom[a:b], t[a:b],
                    None, b - a, self.mujoco.mjMAXVAL,
                )  # fmt: skip
        return t, geom

    def read(self, raw):
        t, geom = (np.array(a) for a in raw)
        return t >= 0, t, self.ids[np.where(t >= 0, geom, -1)]


CONTESTANTS: dict[str, type[Contestant]] = {
    c.name: c for c in (Sightline, Embreex, Trimesh, Open3D, Warp, Newton, MuJoCo)
}
