#!/usr/bin/env python3
"""Does both runs of a bundle where there are a C library, Python and the bundle alone.

    .ci/dry_run.py BUILD BUNDLE.tar.xz

The bundle must be small enough to be copied, and the seconds of its steps must fit its runs. First
as it is: what needs a GPU is skipped. Then everything, on the tests' device in place of the GPU,
with a compute-sanitizer and an ncu that only start their program, and the bundle beside itself.
Needs root, for chroot; without a network, where `unshare -n` is allowed. BUILD has the programs of
the tests' device.
"""
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

PYTHON = os.path.realpath(sys.executable)
BUNDLE = "/tmp/sightline-bundle"
ON_STANDIN = {"test_cuda_on_gpu": "tests/test_cuda", "sightline_bench": "bench/sightline_bench_standin",
              "backend_parity": "tests/backend_parity_standin"}
TOOL = f"""#!{PYTHON}
import os, sys
words = sys.argv[1:]
while not words[0].startswith("{BUNDLE}"): words.pop(0)
sys.stdout.write("========= SUMMARY: 0 errors\\n"), sys.stdout.flush()
os.execv(words[0], words)
"""
LARGEST_ARCHIVE = 60_000_000
# Exit codes, and how often each verdict must be there at least. Rivals are not on the tests' device,
# parity may be SHORT on a slow one, and without a level four jobs more are SKIPPED.
EXPECTED = {("as it is", "rates"): ({3}, {"SKIPPED": 6}),
            ("as it is", "prove"): ({3}, {"SKIPPED": 2}),
            ("tests' device", "rates"): ({0, 4}, {"passed": 13, "SKIPPED": 1}),
            ("tests' device", "prove"): ({0, 4}, {"passed": 6})}
LEVELS_JOBS = 4
# What must be in the files of jobs: the benchmarks that the plan is for. Those of JSON have a rate.
ROWS = {"counters_a1.json": "/coherent/", "counters_b2.json": "/coherent/",
        "matrices_city.json": "/boxes/targets/", "first_calls.json": "/call:2/",
        "profile_mixed_rays.txt": "/coherent/", "profile_city.txt": "/boxes/root/"}
LEVELS_ROWS = {f"matrices_points_{grid}.json": "/pairs/root/"
               for grid in (64, 32, 16)} | {"profile_level.txt": "/boxes/targets/"}


def libraries_of(files):
    said = subprocess.run(["ldd", *files], capture_output=True, text=True).stdout
    return set(re.findall(r"(?:=> |^\s+)(/\S+)", said, re.M))


def make_root(root):
    library = sysconfig.get_path("stdlib")
    python = [PYTHON, *glob.glob(f"{library}/lib-dynload/*.so")]
    c_library = [path for name in ("c", "m", "dl", "pthread", "rt", "mvec")
                 for path in glob.glob(f"/lib/*-linux-gnu/lib{name}.so.*")]
    left_out = shutil.ignore_patterns("site-packages", "dist-packages", "test", "*.pyc")
    shutil.copytree(library, f"{root}{library}", ignore=left_out)
    for path in {*python, *libraries_of(python), *c_library}:
        os.makedirs(f"{root}{os.path.dirname(path)}", exist_ok=True)
        shutil.copy(path, f"{root}{path}")
    for folder in ("dev", "tmp", "usr/local/cuda/bin"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    pathlib.Path(root, "dev/null").touch()


def in_root(root, *words):
    alone = ["unshare", "-n"]
    if subprocess.run([*alone, "true"], capture_output=True).returncode != 0:
        print("NOT ISOLATED: unshare -n is not allowed here, so the bundle runs with a network")
        alone = []
    return subprocess.run([*alone, shutil.which("chroot"), root, PYTHON, *words], env={
        "SIGHTLINE_TEST_SCALE": "0.01",
        "SIGHTLINE_RATES": "--smallest=1000 --largest=1000 --count=4096 "
                           "--benchmark_repetitions=2"}).returncode


def has_row(name, row, text):
    if not name.endswith(".json"):
        return row in text
    try:
        rows = json.loads(text)["benchmarks"]
    except json.JSONDecodeError:  # of a job that was stopped
        return False
    return any(row in benchmark["name"] and not benchmark.get("error_occurred") and
               benchmark["real_time"] > 0 for benchmark in rows)


def missing_rows(folder, has_level):
    """The files of jobs without the row that they are for."""
    rows = ROWS | (LEVELS_ROWS if has_level else {})
    return [name for name, row in rows.items() if not (folder / name).exists() or
            not has_row(name, row, (folder / name).read_text(errors="replace"))]


def problem_of(root, how, run):
    """Does the run; what is wrong with how it ended and what it left."""
    print(f"===== {run}, {how}", flush=True)
    out = f"/tmp/{run} {how}"
    has_level, is_whole = os.path.isdir(f"{root}{BUNDLE}/level"), how != "as it is"
    beside = ["--beside", BUNDLE] if is_whole else []
    code = in_root(root, f"{BUNDLE}/gpu_acceptance.py", run, "--out", out, *beside)
    expected, verdicts = EXPECTED[how, run]
    if is_whole and run == "rates":
        verdicts = verdicts | ({"passed": verdicts["passed"] + LEVELS_JOBS} if has_level else
                               {"SKIPPED": verdicts["SKIPPED"] + LEVELS_JOBS})
    folder = pathlib.Path(root + out)
    summary = (folder / f"{run}.txt").read_text()
    missing = missing_rows(folder / run, has_level) if is_whole and run == "rates" else []
    if missing:
        return f"no such row in {' '.join(missing)}"
    if code not in expected:
        return f"exit code {code}, not of {expected}"
    for verdict, least in verdicts.items():
        if len(re.findall(rf"^\S+ +{verdict} ", summary, re.M)) < least:
            return f"fewer than {least} {verdict}"
    if sorted(os.listdir(folder)) != [run, f"{run}.txt"]:
        return "other files than a summary and a folder"
    return None if len(os.listdir(folder / run)) > 3 else "the folder holds next to nothing"


def main():
    build, bundle = sys.argv[1:]
    if os.geteuid() != 0:
        print("SKIPPED: chroot is root's")
        return 77
    problems = []
    if os.path.getsize(bundle) > LARGEST_ARCHIVE:
        problems.append(f"{bundle} has more than {LARGEST_ARCHIVE} bytes")
    with tempfile.TemporaryDirectory() as root:
        make_root(root)
        shutil.copy(bundle, f"{root}/tmp/bundle.tar.xz")
        assert in_root(root, "-m", "tarfile", "-e", "/tmp/bundle.tar.xz", "/tmp") == 0
        if in_root(root, f"{BUNDLE}/gpu_acceptance.py", "--plan") != 0:
            problems.append("the steps of a run may take longer than the run")
        for how in ("as it is", "tests' device"):
            for run in ("rates", "prove"):
                if problem := problem_of(root, how, run):
                    problems.append(f"{run}, {how}: {problem}")
            for tool in ("compute-sanitizer", "ncu"):
                path = pathlib.Path(root, "usr/local/cuda/bin", tool)
                path.write_text(TOOL)
                path.chmod(0o755)
            for program in os.listdir(f"{root}{BUNDLE}/bin"):
                on_standin = ON_STANDIN.get(program, f"tests/{program}_on_standin")
                shutil.copy(f"{build}/{on_standin}", f"{root}{BUNDLE}/bin/{program}")
    print("\n".join(problems) or "both runs end as they are to, as it is and on the tests' device")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
