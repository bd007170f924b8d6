#!/usr/bin/env python3
"""Checks that no compiler fuses a * b + c on its own, in device code nor in the host's.

  .ci/check_fma.py BUILD   BUILD was configured by CMake for Ninja, with the tests

Compiles kernels/*/*.cu to PTX (where the build has nvcc) and the host's arithmetic, the stand-in's
kernels with it, to x86-64 objects: by the build's own commands, but with SIGHTLINE_EXPAND_FMA,
under which every fma by name is a product and a sum. Then no fused instruction may be left. Exit
code 1 when there is one, and when the build itself shows none, for then the search is blind.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PTX = re.compile(r"\b(?:fma|mad)(?:\.\w+)*\.(?:f16|bf16|f32|f64)\w*\b")
X86 = re.compile(r"\bvfn?m(?:add|sub|addsub|subadd)\w+")
# Beside these a unit of the stand-in's library holds no arithmetic of answers.
PLAIN_UNITS = ("host/cuda/", "host/door/scene_columns")
LIBRARY = re.compile(r"\bsightline_(host|standin)\.dir/")


def fused(text, pattern):
    return [line.strip() for line in text.splitlines() if pattern.search(line)]


def units(build):
    """(source, command) of the kernels and of the host's arithmetic."""
    output = subprocess.run(["ninja", "-C", str(build), "-t", "compdb"], check=True, text=True,
                            capture_output=True).stdout
    for entry in json.loads(output):
        source = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
        if source.startswith("kernels/") and source.endswith(".cu"):
            yield source, entry["command"]
        elif (source.endswith(".cpp") and LIBRARY.search(entry["output"]) and
              not source.startswith(PLAIN_UNITS)):
            yield source, entry["command"]


def command_of(command, output, expand):
    """The build's command, made to write PTX (nvcc) or an object to `output`."""
    words, skip = [], False
    is_device = any(word.endswith(".cu") for word in shlex.split(command))
    for word in shlex.split(command):
        if skip or word in ("-o", "-MF", "-MT", "-MQ"):
            skip = not skip
        elif is_device and (word == "-c" or "-gencode" in word or "generate-code" in word):
            continue
        elif word not in ("-MD", "-MMD", "-c"):
            words.append(word)
    words += ["-ptx", "-arch=compute_90"] if is_device else ["-c"]
    return words + (["-DSIGHTLINE_EXPAND_FMA"] if expand else []) + ["-o", output]


def lines_of(unit, build, folder, expand):
    """The fused instructions of one unit."""
    source, command = unit
    output = os.path.join(folder, re.sub(r"\W", "_", source) + ".out")
    compiled = subprocess.run(command_of(command, output, expand), cwd=build, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if compiled.returncode != 0:
        sys.exit(f"{source} does not compile so:\n{compiled.stdout[:3000]}")
    if source.endswith(".cu"):
        return fused(pathlib.Path(output).read_text(), PTX)
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", output], check=True, text=True,
                          capture_output=True).stdout
    return fused(text, X86)


def main():
    build = ROOT / sys.argv[1]
    todo = sorted(units(build), key=lambda u: not u[0].endswith(".cu"))  # nvcc takes longest
    with tempfile.TemporaryDirectory() as folder, \
         concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda unit: lines_of(unit, build, folder, True), todo))
        # The same search of a unit as it is built.
        control = next((unit for unit in todo if unit[0] == "host/reference/reference.cpp"), None)
        seen = control is not None and lines_of(control, build, folder, False)
    problems = [f"{source}: {line}" for (source, _), lines in zip(todo, found) for line in lines]
    print("\n".join(problems[:50]))
    kernels = sum(source.endswith(".cu") for source, _ in todo)
    print(f"fma: {kernels} files of kernels, {len(todo) - kernels} of the host's, {len(problems)} "
          f"fused instructions; {len(seen or [])} where they are named")
    return 1 if problems or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
