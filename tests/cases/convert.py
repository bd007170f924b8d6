#!/usr/bin/env python3
"""Packs collected cases with known answers into tests/cases/data: cases.json and overlap.json.

    convert.py FOLDER

FOLDER holds ray-aabb.json, ray-obb.json, ray-sphere.json, ray-capsule.json, ray-plane.json,
contains-point.json and overlap.json: {"cases": [{"id", "source", "ray" or "point", "shape",
"expect", "policy", "tol"}]}, of overlap shapes "a" and "b" instead. Values are copied as they are; each source (repository, path, commit, licence) is stored
once, and every case names its source and test.
"""
import json
import pathlib
import sys

FILES = {
    "cases": ["ray-aabb", "ray-obb", "ray-sphere", "ray-capsule", "ray-plane", "contains-point"],
    "overlap": ["overlap"],
}


def pack(folder, packed_name):
    sources, cases = [], []
    for name in FILES[packed_name]:
        for case in json.loads((folder / f"{name}.json").read_text())["cases"]:
            source = {k: case["source"][k] for k in ("repo", "path", "commit", "licence")}
            if source not in sources:
                sources.append(source)
            packed = {"id": case["id"], "source": sources.index(source),
                      "test": case["source"]["test"]}
            packed |= {k: case[k] for k in ("ray", "point", "shape", "a", "b", "policy", "tol", "expect")
                       if k in case}
            cases.append(packed)
    out = pathlib.Path(__file__).parent / "data" / f"{packed_name}.json"
    out.parent.mkdir(exist_ok=True)

    def lines(items):
        return ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)

    out.write_text(f'{{"sources":[\n{lines(sources)}\n],"cases":[\n{lines(cases)}\n]}}\n')
    print(f"{out}: {len(cases)} cases from {len(sources)} sources")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for packed in FILES:
        pack(pathlib.Path(sys.argv[1]), packed)
