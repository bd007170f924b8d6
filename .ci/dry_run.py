#!/usr/bin/env python3
"""Does both runs of a bundle where there are a C library, Python and the bundle alone.

    .ci/dry_run.py BUILD BUNDLE.tar.xz

First as it is: what needs a GPU is skipped. Then everything, on the tests' device in place of the
GPU, with a compute-sanitizer and an ncu that only start their program. Needs root, for chroot;
without a network, where `unshare -n` is allowed. BUILD has the programs of the tests' device.
"""
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile

PYTHON = os.path.realpath(sys.executable)
BUNDLE = "/tmp/sightline-bundle"
ON_STANDIN = {"test_cuda_on_gpu": "tests/test_cuda", "gpu_rates": "bench/gpu_rates_standin",
              "backend_parity": "tests/backend_parity_standin"}
TOOL = f"""#!{PYTHON}
import os, sys
words = sys.argv[1:]
while not words[0].startswith("{BUNDLE}"): words.pop(0)
sys.stdout.write("========= SUMMARY: 0 errors\\n"), sys.stdout.flush()
os.execv(words[0], words)
"""
# Exit code, and how often each verdict must be there at least. Too few pairs in the time are SHORT.
EXPECTED = {("as it is", "prove"): (3, {"SKIPPED": 3}), ("as it is", "rates"): (3, {"SKIPPED": 2}),
            ("tests' device", "prove"): (4, {"passed": 15, "SHORT": 1}),
            ("tests' device", "rates"): (0, {"passed": 3})}


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
        "SIGHTLINE_RATES": "--largest 1000 --rays 2048 --samples 2"}).returncode


def problem_of(root, how, run):
    """Does the run; what is wrong with how it ended and what it left."""
    print(f"===== {run}, {how}", flush=True)
    out = f"/tmp/{run} {how}"
    code = in_root(root, f"{BUNDLE}/gpu_acceptance.py", run, "--out", out, "--seconds", "240")
    expected, verdicts = EXPECTED[how, run]
    with tarfile.open(f"{root}{out}/{run}.tar.gz") as archive:
        names = archive.getnames()
        summary = archive.extractfile(f"{run}/{run}.txt").read().decode()
    if code != expected:
        return f"exit code {code}, not {expected}"
    for verdict, least in verdicts.items():
        if len(re.findall(rf"^\S+ +{verdict} ", summary, re.M)) < least:
            return f"fewer than {least} {verdict}"
    if sorted(os.listdir(f"{root}{out}")) != [f"{run}.tar.gz", f"{run}.txt"]:
        return "other files than a summary and an archive"
    return None if len(names) > 3 else f"the archive holds {names}"


def main():
    build, bundle = sys.argv[1:]
    if os.geteuid() != 0:
        print("SKIPPED: chroot is root's")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as root:
        make_root(root)
        shutil.copy(bundle, f"{root}/tmp/bundle.tar.xz")
        assert in_root(root, "-m", "tarfile", "-e", "/tmp/bundle.tar.xz", "/tmp") == 0
        for how in ("as it is", "tests' device"):
            for run in ("prove", "rates"):
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
