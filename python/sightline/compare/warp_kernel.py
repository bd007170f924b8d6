"""The kernel that casts rays with Warp: in a file of its own, as Warp reads kernels' sources and
annotations when the file is loaded."""

import warp as wp


@wp.kernel(enable_backward=False)
def cast_mesh(
    mesh: wp.uint64,
    origins: wp.array(dtype=wp.vec3),
    directions: wp.array(dtype=wp.vec3),
    t: wp.array(dtype=float),
    face: wp.array(dtype=int),
):
    i = wp.tid()
    query = wp.mesh_query_ray(mesh, origins[i], directions[i], 1.0e30)
    t[i] = query.t
    face[i] = wp.where(query.result, query.face, -1)
