#!/usr/bin/env python3
"""Draws the pictures of docs/reference/scenes.md: closest hits of a camera, coloured by kind.

    docs/figures/scenes.py [FOLDER]   writes scene-city.png, scene-cloud.png and scene-mixed.png;
                                      FOLDER is docs/images unless given. Needs NumPy and sightline
"""
import pathlib
import struct
import sys
import zlib

import numpy as np
import sightline as sl

WIDTH, HEIGHT, SHADES = 420, 280, 40
SKY = (233, 238, 244)
# AABB, OBB, sphere, capsule: as bright as each other, and apart for the colour-blind.
COLORS = np.array([(178, 186, 197), (230, 159, 0), (60, 160, 110), (90, 120, 200)])
LIGHT = np.array([-0.4, -0.5, 0.77])
PICTURES = {  # name: shapes, eye, what it looks at, half of the field of view across
    "city": (10_000, (800, 500, 130), (800, 600, 93.6), 0.5),
    "cloud": (1_000, (-60, -35, 90), (50, 50, 50), 0.5),
    "mixed": (1_000, (-60, -35, 90), (50, 50, 50), 0.5),
}


def camera(eye, target, half_angle):
    """Directions [HEIGHT,WIDTH,3] through the middles of the pixels."""
    ahead = np.subtract(target, eye) / np.linalg.norm(np.subtract(target, eye))
    right = np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    x = (np.arange(WIDTH) + 0.5) / WIDTH * 2 - 1
    y = (1 - (np.arange(HEIGHT) + 0.5) / HEIGHT * 2) * HEIGHT / WIDTH
    across, up = x[None, :, None] * right, y[:, None, None] * np.cross(right, ahead)
    return ahead + np.tan(half_angle) * (across + up)


def shaded(hits):
    """Entries of the palette: 0 is the sky, then the shades of each kind."""
    light = np.clip(hits.normal @ LIGHT, 0, 1) * 0.65 + 0.35
    shade = np.minimum((light * SHADES).astype(int), SHADES - 1)
    return np.where(hits.hit, 1 + hits.kind.astype(int) * SHADES + shade, 0)


def palette():
    shades = np.arange(1, SHADES + 1)[:, None] / SHADES
    return np.vstack([[SKY], *(color * shades for color in COLORS)]).round().astype(np.uint8)


def write_png(path, entries):
    def chunk(name, data):
        check = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    rows = np.hstack([np.zeros((HEIGHT, 1), np.uint8), entries.astype(np.uint8)])
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                     + chunk(b"PLTE", palette().tobytes())
                     + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


def main():
    default = pathlib.Path(__file__).resolve().parents[1] / "images"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    for name, (shapes, eye, target, half_angle) in PICTURES.items():
        caster = sl.Caster(sl.standard_scene(name, shapes))
        hits = caster.closest_hit(eye, camera(eye, target, half_angle))
        write_png(folder / f"scene-{name}.png", shaded(hits))


if __name__ == "__main__":
    main()
