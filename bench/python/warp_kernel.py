"""The kernel of the contestant Warp; a module of its own, since its annotations are code."""

import warp


@warp.kernel
def closest(
    mesh: warp.uint64,
    origins: warp.array(dtype=warp.vec3),
    directions: warp.array(dtype=warp.vec3),
    t: warp.array(dtype=float),
    face: warp.array(dtype=int),
):
    i = warp.tid()
    seen = warp.mesh_query_ray(mesh, origins[i], warp.normalize(directions[i]), 1.0e30)
    t[i] = warp.inf
    face[i] = -1
    if seen.result:
        t[i] = seen.t
        face[i] = seen.face
