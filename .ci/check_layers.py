#!/usr/bin/env python3
"""Checks who includes whom, folder by folder: host/program, python -> host -> kernels -> include.

Reads every #include below the repository root. Prints one line per broken rule; exit code 1 when
there is any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".hpp", ".cpp", ".cuh", ".cu", ".h", ".inl"}

# The folders of include/sightline/, each of which knows only those before it. "" is what users
# read; a device-safe header knows of it only what is plain.
STACK = ["detail", "", "geometry/base", "geometry/exact", "geometry/shapes", "geometry/intersect",
         "geometry/overlap", "geometry/distance", "geometry/bvh", "geometry/queries",
         "geometry/sweep", "geometry/occlusion", "geometry/flat", "geometry"]
PLAIN = {"vec.hpp", "column.hpp", "ray.hpp", "points.hpp", "shapes.hpp", "flat_shapes.hpp"}

# The folders of kernels/, each of which knows only those before it.
KERNELS = ["launch", "traverse", "build", "queries"]

# Which folders a folder of host/ may include beside itself and include/sightline/. A folder's
# folders are meant with it.
MAY = {
    "host/common": [],
    "host/backend": [],
    "host/flat": ["host/common"],
    "host/tree": ["host/common"],
    "host/reference": ["host/backend", "host/common", "host/flat"],
    "host/cpu": ["host/backend", "host/common", "host/flat", "host/tree"],
    "host/cuda": ["host/backend", "host/common", "host/flat", "host/tree", "kernels"],
    "host/door": ["host/backend", "host/common", "host/flat"],
    "host/bakes": ["host/common"],
    "host/files": [],
    "host/gen": [],
    "host/program/jobs": ["host/files", "host/gen"],
    "host/program/command_line": ["host/files", "host/gen", "host/program/jobs"],
    "host/program/results": ["host/files", "host/gen", "host/program/command_line",
                             "host/program/jobs"],
    "host/program/verbs": ["host/files", "host/gen", "host/program/command_line",
                           "host/program/jobs", "host/program/results"],
    "host/program": ["host/files", "host/gen"],
}
# Where files and text are read and written; elsewhere host/ knows none of these libraries.
WITH_FILES = ("host/files", "host/gen", "host/program")
FILE_LIBRARIES = ("fmt/", "nlohmann/", "CLI/", "cairo", "xxhash", "zlib")
# What a device compiler accepts in a kernel.
DEVICE_STD = {"array", "bit", "cfloat", "cmath", "concepts", "cstddef", "cstdint", "limits",
              "span", "type_traits", "utility"}
TEXT_AND_FILES = {"cstdio", "filesystem", "fstream", "iomanip", "iostream", "istream", "ostream",
                  "sstream", "syncstream"}
ARITHMETIC = "sightline/geometry/base/lane.hpp"
JUDGED = tuple(f"sightline/geometry/{folder}/"
               for folder in ("intersect", "overlap", "distance", "sweep"))


def includes(path):
    """(line number, bracket, name) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def below(path, folder):
    return path.startswith(folder + "/")


def is_standard(name):
    return "/" not in name and "." not in name


def is_device_code(name):
    return name.startswith(("thrust/", "cub/", "cuda/")) or name.endswith(".cuh")


def folder_of(name):
    """The folder below include/sightline/ of sightline/<folder>/<file>."""
    return name.removeprefix("sightline/").rpartition("/")[0]


def is_door(name):
    """Public headers that may allocate and throw."""
    return folder_of(name) == "" and name.removeprefix("sightline/") not in PLAIN


def check_public(me, bracket, name):
    if bracket == '"' or not (name.startswith("sightline/") or is_standard(name)):
        return "include/ may include only <sightline/...> and the standard library"
    mine = folder_of(me.removeprefix("include/"))
    if mine not in STACK:
        return "this folder is not in the stack of .ci/check_layers.py"
    if name.startswith("sightline/") and folder_of(name) not in STACK[:STACK.index(mine) + 1]:
        return f"include/sightline/{mine} may not include a folder above it"
    if is_door(me.removeprefix("include/")):
        return None
    if name.startswith("sightline/") and is_door(name):
        return "a device-safe header may not include the door"
    if is_standard(name) and name not in DEVICE_STD:
        return f"a device-safe header may not include <{name}>"
    return None


def reached_from(name, folders):
    """The header, and all that it includes, from these folders."""
    seen, todo = set(), [name]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo += [found for folder in folders if (folder / current).is_file()
                     for _, _, found in includes(folder / current)]
    return seen


def check_interface(me):
    """What a user of the library includes may not lead to the arithmetic, which has flags."""
    if ARITHMETIC in reached_from(me, [ROOT / "include"]):
        return f"a header of the library's interface reaches the arithmetic, {ARITHMETIC}"
    return None


def check_kernels(me, bracket, name):
    if name.startswith("host/"):
        return "kernels/ may not include host/"
    if name in TEXT_AND_FILES:
        return "kernels/ may not use streams or files"
    mine, other = me.split("/")[1], name.split("/")[1:2]
    if name.startswith("kernels/") and other[0] not in KERNELS[:KERNELS.index(mine) + 1]:
        return f"kernels/{mine} may not include a folder above it"
    if me.endswith(".hpp") and is_device_code(name):
        return "a plain header of kernels/ may not include device code"
    known = name.startswith(("sightline/", "kernels/", "cuda")) or is_device_code(name)
    return None if known or is_standard(name) else "kernels/ may not include this"


def check_host(me, bracket, name):
    room = next((folder for folder in MAY if below(me, folder)), None)
    if room is None:
        return "this folder is not in the table of .ci/check_layers.py"
    if is_device_code(name) or (name.startswith("cuda") and
                                (room, name) != ("host/cuda", "cuda_runtime_api.h")):
        return "host/ compiles without nvcc: device code is reached through the launch headers"
    if name.startswith("kernels/") and not re.fullmatch(r"kernels/launch/launch(_\w+)?\.hpp", name):
        return "host/ may include only the launch headers of kernels/"
    if name.startswith(("host/", "kernels/", "tests/", "bench/")):
        if not any(below(name, folder) for folder in [room, *MAY[room]]):
            return f"{room}/ may include only include/ and {', '.join([room, *MAY[room]])}"
    if not any(below(me, folder) for folder in WITH_FILES) and name.startswith(FILE_LIBRARIES):
        return "the library knows no files and no program"
    return None


def check_python(me, bracket, name):
    if name.startswith(("host/", "kernels/", "tests/", "bench/")):
        if not name.startswith(("host/files/", "host/gen/")):
            return "python/ may include only include/, host/files/ and host/gen/"
    return None


def check_oracle(me, bracket, name):
    if me.endswith("_test.cpp"):
        return None  # compares the oracle with the arithmetic, so it sees both
    if name.startswith(("sightline/detail/", "sightline/geometry/exact/")):
        return "the oracle may not use the arithmetic it judges"
    judged = [h for h in reached_from(name, [ROOT / "include", ROOT]) if h.startswith(JUDGED)]
    return f"the oracle may not use the arithmetic it judges (reaches {judged[0]})" if judged else None


ROOMS = {"include/sightline": check_public, "kernels": check_kernels, "host": check_host,
         "python": check_python, "tests/oracle": check_oracle}


def main():
    problems, files = [], 0
    for room, check in ROOMS.items():
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            files += 1
            me = path.relative_to(ROOT).as_posix()
            for number, bracket, name in includes(path):
                problem = check(me, bracket, name)
                if problem:
                    problems.append(f"{me}:{number}: {name}: {problem}")
            if room == "include/sightline" and is_door(me.removeprefix("include/")):
                problem = check_interface(me.removeprefix("include/"))
                problems += [f"{me}: {problem}"] if problem else []
            if room == "host" and "<<<" in path.read_text(encoding="utf-8"):
                problems.append(f"{me}: host/ may not launch kernels")
    for launch in (ROOT / "kernels/launch").glob("launch*.hpp"):
        if re.search(r"<<<|thrust::", launch.read_text(encoding="utf-8")):
            problems.append(f"kernels/launch/{launch.name}: no <<<>>> and no Thrust types")
    print("\n".join(problems + [f"layers: {files} files, {len(problems)} broken rules"]))
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
