"""The kernel that casts rays at a tree of boxes in Warp, with Newton's tests of shapes, which it
keeps to itself: another version than 1.8 may have them elsewhere. In a file of its own, as that of
warp_kernel.py."""

import warp as wp
from newton._src.geometry.raycast import ray_intersect_shape_no_normal


@wp.kernel(enable_backward=False)
def cast_shapes(
    tree: wp.uint64,
    leaves: wp.array(dtype=wp.uint32),
    poses: wp.array(dtype=wp.transform),
    kinds: wp.array(dtype=int),
    sizes: wp.array(dtype=wp.vec3),
    origins: wp.array(dtype=wp.vec3),
    directions: wp.array(dtype=wp.vec3),
    t: wp.array(dtype=float),
    shape: wp.array(dtype=int),
):
    i = wp.tid()
    nearest = float(1.0e10)
    found = int(-1)
    leaf = int(0)
    query = wp.bvh_query_ray(tree, origins[i], directions[i])
    while wp.bvh_query_next(query, leaf, nearest):
        k = int(leaves[leaf])
        hit, _normal = ray_intersect_shape_no_normal(
            poses[k], sizes[k], kinds[k], origins[i], directions[i], False
        )
        if hit >= 0.0 and hit < nearest:
            nearest = hit
            found = k
    t[i] = nearest
    shape[i] = found
