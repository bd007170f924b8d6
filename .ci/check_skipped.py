#!/usr/bin/env python3
"""Checks that nothing was skipped but what .ci/skipped.txt lists, and only where it may be.

  .ci/check_skipped.py LOG...   logs of GoogleTest, pytest, CTest, or of a section that ends with
                                `SKIPPED: why`
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASE = re.compile(r"^\[ +RUN +\] (\S+)$|^\S+:\d+: Skipped\n(.*)$|^\[  SKIPPED \] (\S+) \(\d+ ms\)$",
                  re.M)
PYTEST = re.compile(r"^SKIPPED \[\d+\] (\S+): (.*)$", re.M)  # as pytest -rs lists them
TEST = re.compile(r"^\s*\d+ - (\S+) \(Skipped\)$", re.M)  # as CTest lists them at its end
SECTION = re.compile(r"^SKIPPED: (.*)$", re.M)


def conditions():
    """Each condition of the list, and whether it holds here."""
    cpu = pathlib.Path("/proc/cpuinfo")
    gpus = shutil.which("nvidia-smi") and subprocess.run(
        ["nvidia-smi", "-L"], text=True, capture_output=True).stdout
    shared = pathlib.Path(os.environ.get("SIGHTLINE_SHARED", ROOT / "../shared"))
    wad = os.environ.get("SIGHTLINE_WAD", ROOT / "build/freedoom/freedoom1.wad")
    has_gpu = bool(gpus and gpus.startswith("GPU"))
    return {"always": True, "GPU": has_gpu, "no GPU": not has_gpu,
            "no AVX-512": not (cpu.exists() and "avx512vl" in cpu.read_text()),
            "no browser": not shutil.which("chromium"), "no TypeScript": not shutil.which("tsc"),
            "no Firefox": not (shutil.which("firefox") and shutil.which("Xvfb")),
            "no nvcc": not shutil.which(os.environ.get("CUDACXX", "nvcc")),
            "no shared data": not (shared / "data").is_dir(),
            "no rivals": not (ROOT / "build/rivals/libembree4.so.4").exists(),
            "no Freedoom": not pathlib.Path(wad).exists()}


def read_list(text, holds):
    """The reasons that count here."""
    rows = [line.split("|", 1) for line in text.splitlines() if line and not line.startswith("#")]
    unknown = {condition.strip() for condition, _ in rows} - holds.keys()
    assert not unknown, f"skipped.txt: no such condition: {unknown}"
    return [re.compile(reason.strip()) for condition, reason in rows if holds[condition.strip()]]


def skipped_in(log):
    """(test, why) of all that a log says was skipped."""
    found, why = [], ""
    for run, reason, case in CASE.findall(log):
        if run:
            why = ""
        elif case:
            found.append((case, why))
        else:
            why = reason
    return (found + PYTEST.findall(log) + [(name, name) for name in TEST.findall(log)] +
            [("section", why) for why in SECTION.findall(log)])


def problems_of(skipped, planned):
    return [f"{name}: not planned: {why or 'no reason given'}" for name, why in skipped
            if not any(reason.fullmatch(why) for reason in planned)]


def main():
    skipped = [case for log in sys.argv[1:]
               for case in skipped_in(pathlib.Path(log).read_text(errors="replace"))]
    problems = problems_of(skipped, read_list((ROOT / ".ci/skipped.txt").read_text(), conditions()))
    for why, count in collections.Counter(why for _, why in skipped).most_common():
        print(f"{count:5} skipped: {why}")
    print("\n".join(problems + [f"skipped: {len(skipped)} in all, {len(problems)} not planned"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
