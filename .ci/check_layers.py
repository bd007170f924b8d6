#!/usr/bin/env python3
"""Checks who includes whom: host/cli -> host -> kernels -> include, never the other way.

Reads every #include below the repository root and prints one line per broken rule; exit code 1
when there is any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".hpp", ".cpp", ".cuh", ".cu", ".h"}

# The public headers that allocate and throw; no device-safe header may include one.
DOOR = {f"sightline/{n}.hpp" for n in ("answers", "scene", "caster", "visibility", "nav", "error",
                                    "areas", "cover", "cover_places", "exposure", "probes", "devices", "flat_scene", "flat_caster", "sightline")}
# What a device compiler accepts in a kernel.
DEVICE_STD = {"array", "bit", "cfloat", "cmath", "concepts", "cstddef", "cstdint", "limits",
              "type_traits", "utility"}
TEXT_AND_FILES = {"cstdio", "filesystem", "fstream", "iomanip", "iostream", "istream", "ostream",
                  "sstream", "syncstream"}
ORACLE_NEVER = ("sightline/intersect/", "sightline/overlap/", "sightline/closest/", "sightline/sweep/")


def includes(path):
    """(line number, bracket, name) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1], match[2]


def is_standard(name):
    return "/" not in name and "." not in name


def is_device_code(name):
    return name.startswith(("thrust/", "cub/", "cuda/")) or name.endswith(".cuh")


def check_public(path, bracket, name):
    if bracket == '"' or not (name.startswith("sightline/") or is_standard(name)):
        return "include/ may include only <sightline/...> and the standard library"
    me = path.relative_to(ROOT / "include").as_posix()
    if me in DOOR:
        return None
    if name in DOOR:
        return "a device-safe header may not include the door"
    if is_standard(name) and name not in DEVICE_STD:
        return f"a device-safe header may not include <{name}>"
    return None


def check_kernels(path, bracket, name):
    if name.startswith("host/"):
        return "kernels/ may not include host/"
    if name in TEXT_AND_FILES:
        return "kernels/ may not use streams or files"
    plain = path.suffix == ".hpp"
    if plain and is_device_code(name):
        return "a plain header of kernels/ may not include device code"
    known = name.startswith(("sightline/", "kernels/", "cuda")) or is_device_code(name)
    return None if known or is_standard(name) else "kernels/ may not include this"


def check_host(path, bracket, name):
    me = path.relative_to(ROOT).as_posix()
    if is_device_code(name) or (name.startswith("cuda") and not (
            me.startswith("host/cuda/") and name == "cuda_runtime_api.h")):
        return "host/ compiles without nvcc: device code is reached through kernels/launch.hpp"
    if name.startswith("kernels/") and name != "kernels/launch.hpp":
        return "host/ may include only kernels/launch.hpp of kernels/"
    if name.startswith(("tests/", "bench/")):
        return "host/ may not include tests/ or bench/"
    if me.startswith("host/cli/"):
        ours = name.startswith(("host/", "kernels/"))
        if ours and not name.startswith(("host/cli/", "host/io/", "host/gen/")):
            return "host/cli/ may include only include/, host/io/, host/gen/ and itself"
    elif name.startswith("host/cli/"):
        return "only host/cli/ may include host/cli/"
    elif me.startswith(("host/io/", "host/gen/")):
        if name.startswith("host/") and not name.startswith(("host/io/", "host/gen/")):
            return "host/io/ and host/gen/ stand on the public door alone"
    elif name.startswith(("host/io/", "host/gen/", "fmt/", "nlohmann/", "CLI/", "png")):
        return "the library knows no files and no program"
    return None


def check_oracle(path, bracket, name):
    if path.stem.endswith("_test"):
        return None  # compares the oracle with the arithmetic, so it sees both
    if name == "sightline/two_float.hpp":
        return "the oracle may not use the arithmetic it judges"
    seen, todo = set(), [name]
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.add(current)
        if current.startswith(ORACLE_NEVER):
            return f"the oracle may not use the arithmetic it judges (reaches {current})"
        for base in (ROOT / "include", ROOT):
            if (base / current).is_file():
                todo += [n for _, _, n in includes(base / current)]
    return None


ROOMS = [("include/sightline", check_public), ("kernels", check_kernels), ("host", check_host),
         ("tests/oracle", check_oracle)]


def main():
    problems, files = [], 0
    for room, check in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            files += 1
            where = path.relative_to(ROOT)
            for number, bracket, name in includes(path):
                problem = check(path, bracket, name)
                if problem:
                    problems.append(f"{where}:{number}: {name}: {problem}")
            if room == "host" and "<<<" in path.read_text(encoding="utf-8"):
                problems.append(f"{where}: host/ may not launch kernels")
    launch = ROOT / "kernels/launch.hpp"
    if launch.is_file() and re.search(r"<<<|thrust::", launch.read_text(encoding="utf-8")):
        problems.append("kernels/launch.hpp: no <<<>>> and no Thrust types")
    print("\n".join(problems + [f"layers: {files} files, {len(problems)} broken rules"]))
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
