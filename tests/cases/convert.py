#!/usr/bin/env python3
"""Packs collected cases with known answers into tests/cases/data/cases.json.

    convert.py FOLDER

FOLDER holds ray-aabb.json, ray-obb.json, ray-sphere.json, ray-capsule.json, ray-plane.json and
contains-point.json: {"cases": [{"id", "source", "ray" or "point", "shape", "expect", "policy",
"tol"}]}. Values are copied as they are; each source (repository, path, commit, licence) is stored
once, and every case names its source and test.
"""
import json
import pathlib
import sys

FILES = ["ray-aabb", "ray-obb", "ray-sphere", "ray-capsule", "ray-plane", "contains-point"]


def main(folder):
    sources, cases = [], []
    for name in FILES:
        for case in json.loads((folder / f"{name}.json").read_text())["cases"]:
            source = {k: case["source"][k] for k in ("repo", "path", "commit", "licence")}
            if source not in sources:
                sources.append(source)
            packed = {"id": case["id"], "source": sources.index(source),
                      "test": case["source"]["test"]}
            packed |= {k: case[k] for k in ("ray", "point", "shape", "policy", "tol", "expect")
                       if k in case}
            cases.append(packed)
    out = pathlib.Path(__file__).parent / "data" / "cases.json"
    out.parent.mkdir(exist_ok=True)

    def lines(items):
        return ",\n".join(json.dumps(item, separators=(",", ":")) for item in items)

    out.write_text(f'{{"sources":[\n{lines(sources)}\n],"cases":[\n{lines(cases)}\n]}}\n')
    print(f"{out}: {len(cases)} cases from {len(sources)} sources")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
