#!/usr/bin/env python3
"""Runs docs/start/level-in-five-minutes.md, docs/howto/recipes.md and the commands of README.md as they stand, each in an empty folder: commands, Python, cells.json; sees that their C++ is what a test compiles, and that README's commands print what it says.

    tests/recipes.py PROGRAM     with SIGHTLINE_SHARED as the other tests, and SIGHTLINE_WAD

Ends with 77, as a skipped test, where data, NumPy or the package of this project is not here, or SIGHTLINE_TEST_SCALE is below 0.3: the page is as long as it is.
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent

# What safetensors does, in the ten lines of docs/reference/formats.md, where the package is not here.
STAND_IN = """
def load_file(name):
{reader}
    return tensors
"""


def blocks(text):
    """Kind and text of every block of commands or code, in order."""
    fences = re.compile(r"^```(\w+)\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)
    for match in fences.finditer(text):
        kind, code, commands = match.groups()
        yield (kind, code) if kind else ("sh", re.sub(r"^    ", "", commands, flags=re.M))


def lend_data(folder, shared):
    """Links to what the page starts from; its environment, or None."""
    data = shared / "data"
    wad = os.environ.get("SIGHTLINE_WAD", data / "doom/freedoom1-e1e2-maps.wad")
    needed = {"tps-demo": data / "godot/tps-demo", "1crn.pdb": data / "molecules/1crn.pdb"}
    for path in [pathlib.Path(wad), *needed.values()]:
        if not path.exists():
            print(f"recipes: {path} is not here")
            return None
    for name, path in needed.items():
        (folder / name).symlink_to(path.resolve())
    return {"wad": str(pathlib.Path(wad).resolve())}


def lend_safetensors(folder):
    """A stand-in for safetensors where it is not here."""
    try:
        import safetensors.numpy  # noqa: F401
    except ImportError:
        page = (ROOT / "docs/reference/formats.md").read_text()
        reader = next(code for kind, code in blocks(page) if kind == "python" and "memmap" in code)
        reader = reader.replace('"scene.st"', "name")
        lines = "".join(f"    {line}\n" for line in reader.splitlines())
        (folder / "safetensors").mkdir()
        (folder / "safetensors/__init__.py").touch()
        (folder / "safetensors/numpy.py").write_text(STAND_IN.format(reader=lines))


def run_page(page, folder, environment):
    compiled = (ROOT / "tests/host/bakes/nav/load_recast.hpp").read_text().split("// -----\n")[1]
    interpreters = {"sh": [shutil.which("bash"), "-eu", "-c"], "python": [sys.executable, "-c"]}
    said = ""
    for kind, code in blocks((ROOT / page).read_text()):
        if kind == "json":
            (folder / "cells.json").write_text(code)
        elif kind == "cpp":
            assert code == compiled, f"{page} differs from tests/host/bakes/nav/load_recast.hpp"
        elif kind in interpreters and code != said:
            print(code, flush=True)
            done = subprocess.run([*interpreters[kind], code], cwd=folder, env=environment,
                                  check=True, stdout=subprocess.PIPE, text=True)
            said = done.stdout
            print(said, end="", flush=True)


def printed(line):
    """What a line of output may be: `...` is any text, seconds and rates are any numbers."""
    pattern = re.escape(line).replace(r"\.\.\.", ".*")
    pattern = re.sub(r"in\\ [\d.\\]+\\ s", r"in\\ [\\d.]+\\ s", pattern)
    return re.sub(r"\\\([\d.\\]+\\ [kMG]", r"\\([\\d.]+\\ [kMG]?", pattern)


def run_console(page, folder, environment):
    """The page's consoles: what stands below a command is printed in this order, among other lines."""
    consoles = [code for kind, code in blocks((ROOT / page).read_text()) if kind == "console"]
    assert consoles, f"{page} has no console"
    for step in "".join(consoles).removeprefix("$ ").split("\n$ "):
        command, *expected = step.rstrip("\n").split("\n")
        print(f"$ {command}", flush=True)
        done = subprocess.run([shutil.which("bash"), "-eu", "-c", command], cwd=folder, text=True,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(done.stdout, end="", flush=True)
        assert done.returncode == 0, f"{page}: {command} ended with {done.returncode}"
        assert expected, f"{page} does not say what {command} prints"
        lines = iter(done.stdout.splitlines())
        for line in expected:
            found = any(re.fullmatch(printed(line), said) for said in lines)
            assert found, f"{page}: {command} does not print {line!r}"


def run_readme(program, wad):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "freedoom1.wad").symlink_to(wad)
        paths = {"PATH": f"{program.parent}:{os.environ['PATH']}"}
        run_console("README.md", folder, {**os.environ, **paths})


def run_your_level(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/sightline").symlink_to(program)
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        run_page("docs/start/level-in-five-minutes.md", folder, environment)


def main():
    if float(os.environ.get("SIGHTLINE_TEST_SCALE", 1)) < 0.3:
        print("recipes: not in parts")
        return SKIPPED
    for package in ("numpy", "sightline"):
        if importlib.util.find_spec(package) is None:
            print(f"recipes: the package {package} is not here")
            return SKIPPED
    program = pathlib.Path(sys.argv[1]).resolve()
    shared = pathlib.Path(os.environ.get("SIGHTLINE_SHARED", ROOT / "../shared"))
    run_your_level(program)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/sightline").symlink_to(program)
        lent = lend_data(folder, shared)
        if lent is None:
            return SKIPPED
        lend_safetensors(folder)
        packages = filter(None, [name, os.environ.get("PYTHONPATH")])
        paths = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": ":".join(packages)}
        environment = {**os.environ, **lent, **paths}
        run_readme(program, lent["wad"])
        run_page("docs/howto/recipes.md", folder, environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
