#!/usr/bin/env python3
"""A depth picture of a city, as a PGM file: one ray for each pixel of a camera.

    python3 depth_picture.py [FILE]
"""
import sys

import numpy as np

import sightline as sl


def camera_rays(eye, width, height, half_angle):
    """Directions [height, width, 3] of a camera that looks along +x, up is z."""
    scale = np.tan(half_angle)
    y = np.linspace(scale, -scale, width)
    z = np.linspace(scale, -scale, height) * height / width
    directions = np.ones((height, width, 3), dtype=np.float32)
    directions[..., 1] = y[None, :]
    directions[..., 2] = z[:, None]
    return eye, directions


def main():
    file = sys.argv[1] if len(sys.argv) > 1 else "depth.pgm"
    rng = np.random.default_rng(1)
    low = np.column_stack([rng.uniform(20, 200, 200), rng.uniform(-80, 80, 200), np.zeros(200)])
    size = np.column_stack([rng.uniform(4, 12, (200, 2)), rng.uniform(5, 40, 200)])
    city = sl.Scene()
    city.add_aabbs(low, low + size)
    city.add_planes([0, 0, 1], 0)                                # the ground

    origin, directions = camera_rays([0, 0, 20], 320, 200, np.radians(35))
    hits = sl.Caster(city).closest_hit(origin, directions)
    print(hits)
    depth = np.where(np.isfinite(hits.t), hits.t, np.inf)
    shade = np.clip(255 - depth, 0, 255).astype(np.uint8)        # far and sky are black
    with open(file, "wb") as out:
        out.write(b"P5 %d %d 255\n" % (shade.shape[1], shade.shape[0]))
        out.write(shade.tobytes())
    print(f"wrote {file}: {shade.shape[1]} x {shade.shape[0]}")
    assert np.isfinite(depth).any()


if __name__ == "__main__":
    main()
