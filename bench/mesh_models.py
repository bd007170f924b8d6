#!/usr/bin/env python3
"""Makes the meshes that duel_rays is run on: vertices and faces, which `sightline import` takes.

  bench/mesh_models.py FOLDER [OBJ or CITYJSON ...]

Writes NAME_vertices.npy and NAME_faces.npy of a bumpy ball of 1,002,252 triangles, a terrain of
999,698, and of each OBJ or CityJSON file, whose polygons are cut into fans, without their holes.
Then, for each NAME:

  sightline import NAME_vertices.npy --faces NAME_faces.npy -o NAME.st
  build/bench/bench/duel_rays --against embree4 --scene NAME.st
"""

import json
import pathlib
import sys

import numpy as np


def grid(cells, place):
    """Vertices and faces of cells * cells quads: corners at place(x, y), x and y in [0, 1]."""
    side = cells + 1
    k = np.arange(side * side).reshape(side, side)
    a, b, c, d = k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]
    faces = [np.stack(corners, -1).reshape(-1, 3) for corners in ((a, b, c), (a, c, d))]
    at = np.arange(side) / cells
    return place(*np.meshgrid(at, at, indexing="ij")).reshape(-1, 3), np.concatenate(faces)


def terrain(x, y):
    """A square kilometre of hills of seven sizes."""
    waves = (1, 2, 3, 5, 8, 13, 21)
    z = sum(30 / k * np.sin(6.3 * k * x + k) * np.cos(5.1 * k * y + 2 * k) for k in waves)
    return np.stack([1000 * x, 1000 * y, z], -1)


def ball(cells):
    """The six sides of a cube, blown up, with bumps."""
    vertices, faces = [], []
    for side in range(6):

        def place(x, y, axis=side // 2, sign=1 - side % 2 * 2):
            across = np.tan((x * 2 - 1) * np.pi / 4), np.tan((y * 2 - 1) * np.pi / 4)
            p = np.full(x.shape + (3,), float(sign))
            p[..., (axis + 1) % 3], p[..., (axis + 2) % 3] = across[::sign]
            p /= np.linalg.norm(p, axis=-1, keepdims=True)
            bumps = 0.1 * np.sin(9 * p[..., 0]) * np.sin(8 * p[..., 1]) * np.sin(7 * p[..., 2])
            return p * (1 + bumps + 0.02 * np.sin(40 * p[..., 0] + 30 * p[..., 1]))[..., None]

        v, f = grid(cells, place)
        faces.append(f + sum(map(len, vertices)))
        vertices.append(v)
    return np.concatenate(vertices), np.concatenate(faces)


def obj(path):
    """Vertices and faces of an OBJ file."""
    vertices, faces = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            vertices.append([float(x) for x in rest[:3]])
        elif word == "f":
            at = [int(corner.split("/")[0]) for corner in rest]
            at = [k - 1 if k > 0 else k + len(vertices) for k in at]
            faces += [(at[0], at[k], at[k + 1]) for k in range(1, len(at) - 1)]
    return np.array(vertices), np.array(faces)


def city(path):
    """Vertices, from the lowest on, and faces of all surfaces of a CityJSON file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    vertices, faces = np.array(data["vertices"], float), []
    if "transform" in data:
        vertices = vertices * data["transform"]["scale"]

    def add(part):
        if isinstance(part[0][0], list):  # shells, surfaces
            for inner in part:
                add(inner)
        else:  # rings of which the first is the outline
            at = part[0]
            faces.extend((at[0], at[k], at[k + 1]) for k in range(1, len(at) - 1))

    for thing in data["CityObjects"].values():
        for geometry in thing.get("geometry", []):
            if "boundaries" in geometry and geometry["type"].endswith(("Surface", "Solid")):
                add(geometry["boundaries"])
    return vertices - vertices.min(axis=0), np.array(faces)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, *files = map(pathlib.Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    models = {"ball": ball(289), "terrain": grid(707, terrain)}
    for path in files:
        models[path.stem.split(".")[0]] = (city if path.suffix == ".json" else obj)(path)
    for name, (vertices, faces) in models.items():
        np.save(folder / f"{name}_vertices.npy", vertices.astype(np.float32))
        np.save(folder / f"{name}_faces.npy", faces.astype(np.uint32))
        print(f"{name}: {len(faces):,} triangles")


if __name__ == "__main__":
    main()
