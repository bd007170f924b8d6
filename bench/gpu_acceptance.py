#!/usr/bin/env python3
"""The acceptance of sightline on the GPU of this machine, within 15 minutes: two runs.

    python3 -m tarfile -e sightline-bundle.tar.xz /tmp
    python3 /tmp/sightline-bundle/gpu_acceptance.py rates --out DIR
    python3 /tmp/sightline-bundle/gpu_acceptance.py prove --out DIR

`rates` takes at most 420 seconds: a short proof, counters of rays, profiles by ncu, matrices of a
level, cuBQL beside and first calls, in the order of worth. `prove` takes at most 200: parity with
the cpu and compute-sanitizer's memcheck. Each step ends after its own seconds; --plan prints them,
and fails where they are more than a run may take. --beside FOLDER runs the counters by turns with
the program of another unpacked bundle.

Needs Python and a C library beside the folder that bench/make_bundle.sh packs: no network, no
compiler, no other program. DIR gets RUN.txt, a line for each job when it ends, and RUN/, what jobs
write as they write it, so that a run cut short leaves what it had.

Exit code: 0 all passed; 1 something failed or differs; 2 usage; 3 there is no GPU, all else passed;
4 nothing failed, but some jobs found too little time (SHORT).
"""
import argparse
import collections
import concurrent.futures
import ctypes
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from acceptance_plan import BIN, ENDING, HERE, RUNS, print_plan

START = time.monotonic()

DRIVER_PLACES = ["/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/x86_64-linux-gnu",
                 "/usr/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib",
                 "/usr/local/cuda/compat"]
TOOL_PLACES = ["/usr/local/nvidia/bin", "/usr/local/cuda/bin",
               *glob.glob("/opt/nvidia/nsight-compute/*")]

# What a log says of a job that was stopped: whether it had failed before.
BAD = re.compile(r"^\[  FAILED|: Failure$|^differs: |: 'answers differ|WRONG: |^========= (?:(?:Error|"
                 r"Warning):|Invalid|Uninitialized|Race|Barrier|Divergent|Misaligned|Program hit)",
                 re.M)


def prepend(variable, *places):
    os.environ[variable] = ":".join(filter(None, [*places, os.environ.get(variable)]))


class Run:
    def __init__(self, name, out):
        self.name, self.summary, self.work = name, out / f"{name}.txt", out / name
        self.end = START + RUNS[name].limit - ENDING
        self.verdicts, self.running = [], set()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.summary.write_text("")

    def say(self, line):
        print(line, flush=True)
        with self.summary.open("a", encoding="utf-8") as summary:
            summary.write(line + "\n")

    def code_of(self, command, log, seconds, environment=None):
        """Its exit code; None where it was stopped, with all that it had started, 127 where it is
        not there."""
        with open(log, "wb") as to:
            try:
                process = subprocess.Popen(
                    [str(word) for word in command], cwd=self.work, stdin=subprocess.DEVNULL,
                    stdout=to, stderr=subprocess.STDOUT, start_new_session=True,
                    env={**os.environ, **(environment or {})})
            except OSError as error:
                to.write(f"{error}\n".encode())
                return 127
        self.running.add(process.pid)
        try:
            return process.wait(max(0.1, min(seconds, self.end - time.monotonic())))
        except subprocess.TimeoutExpired:
            return None
        finally:
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(3)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    continue
            self.running.discard(process.pid)

    def end_at_once(self, *_):
        for group in list(self.running):
            os.killpg(group, signal.SIGKILL)
        os._exit(1)

    def do(self, job, end):
        try:
            verdict, seconds, words, log = self.verdict_of(job, end)
        except Exception as error:  # such as no room for a log
            verdict, seconds, words, log = "FAILED", 0, repr(error), ""
        self.tell(job.name, verdict, seconds, words)
        if verdict == "FAILED":
            self.say("\n".join("    " + line for line in log.splitlines()[-25:]))

    def verdict_of(self, job, end):
        begin, log = time.monotonic(), self.work / f"{job.name}.txt"
        if end - begin < 2:
            return "SHORT", 0, "there was no time left for it", ""
        if not shutil.which(str(job.command[0])):
            return "SKIPPED", 0, f"{job.command[0]} is not here", ""
        files = [pathlib.Path(str(word).split("=", 1)[-1]) for word in job.command
                 if isinstance(word, pathlib.Path) or "=/" in str(word)]
        missing = [file for file in files if HERE in file.parents and not file.exists()]
        if missing:
            return "SKIPPED", 0, f"{missing[0]} is not in this bundle", ""
        words = {"seconds": int((end - begin) * 0.85), "out": self.work}
        code = self.code_of([str(word).format(**words) for word in job.command], log, end - begin,
                            job.environment)
        said = log.read_text(errors="replace")
        if "Device not supported" in said:
            code = 3  # the tools of some virtual machines
        seconds, last = time.monotonic() - begin, said.strip().rsplit("\n", 1)[-1][:200]
        silent = time.time() - log.stat().st_mtime
        hangs = code is None and silent > 30
        if hangs:
            last = f"silent for {silent:.0f} s, it may hang: {last}"
        bad = hangs or code not in (0, 3, 4, None) or (code in (4, None) and BAD.search(said))
        verdict = (("FAILED" if job.needed else "SKIPPED") if bad else
                   {0: "passed", 3: "SKIPPED"}.get(code, "SHORT"))
        return verdict, seconds, f"({code}) {last}", said

    def tell(self, name, verdict, seconds, words):
        self.verdicts.append(verdict)
        self.say(f"{name:34} {verdict:8} {seconds:5.0f} s  {words}")

    def step(self, step):
        now = time.monotonic()
        end = min(now + step.seconds, self.end)
        self.say(f"== {step.name}: {end - now:.0f} s for it at most, {now - START:.0f} s are over")
        if step.at_once > 1:
            with concurrent.futures.ThreadPoolExecutor(step.at_once) as pool:
                list(pool.map(lambda job: self.do(job, end), step.jobs))
            return
        for k, job in enumerate(step.jobs):  # each has its part of what is left
            now = time.monotonic()
            self.do(job, now + (end - now) / (len(step.jobs) - k))

    def describe_machine(self):
        for k, command in enumerate(["nvidia-smi", "nvidia-smi -q -d CLOCK,POWER", "lscpu",
                                     "uname -srm", "ldd --version", "compute-sanitizer --version",
                                     "ncu --version"]):
            self.code_of(command.split(), self.work / f"machine_{k}.txt", 10)
        self.say((HERE / "MANIFEST").read_text().split("\n", 1)[0])

    def programs_start(self):
        """Whether all do, here or with the newer libraries of the compiler that are packed."""
        for libraries in ((), (f"{HERE}/lib-newer", f"{HERE}/lib")):
            prepend("LD_LIBRARY_PATH", *libraries)
            # Tests list themselves; the others do not know the option: usage. What the loader
            # refuses ends with 1 or 127.
            missing = [p.name for p in sorted(BIN.iterdir())
                       if self.code_of([p, "--gtest_list_tests"], self.work / f"start_{p.name}.txt",
                                       20) != (0 if p.name.startswith("test_") else 2)]
            if not missing:
                self.say("all programs start" + ", with libraries of the bundle" * bool(libraries))
                return True
        said = (self.work / f"start_{missing[0]}.txt").read_text(errors="replace")
        self.say(f"do not start: {' '.join(missing)}: {said}")
        return False

    def has_gpu(self):
        """A GPU that the driver lists but we cannot use is a failure; one that is slow is not."""
        log = self.work / "device.txt"
        code = self.code_of([BIN / "backend_parity", "--pairs", "1", "--largest", "1", "--threads",
                             "1"], log, 60)
        if code != 3 or self.code_of(["nvidia-smi", "-L"], self.work / "listed.txt", 10) == 0:
            verdict = {0: "passed", None: "SHORT"}.get(code, "FAILED")
            self.tell("device", verdict, 0, log.read_text(errors="replace").strip()[-200:])
        return code != 3


def find_driver():
    """Where the loader does not know libcuda, its place goes to the programs' environment. Keeps a
    context: without one the driver leaves the device after each process."""
    prepend("PATH", *TOOL_PLACES)
    for place in ("", *DRIVER_PLACES):
        try:
            cuda = ctypes.CDLL(os.path.join(place, "libcuda.so.1"))
        except OSError:
            continue
        if place:
            prepend("LD_LIBRARY_PATH", place)
        mode, context = ctypes.c_int(), ctypes.c_void_p()
        kept = (cuda.cuInit(0) == 0 and cuda.cuDeviceGetAttribute(ctypes.byref(mode), 20, 0) == 0
                and mode.value == 0  # contexts of this GPU are not exclusive
                and cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0)
        where = f"in {place}" if place else "known"
        return f"libcuda.so.1 is {where}" + ", a context is kept" * kept
    return "there is no libcuda.so.1"


def run_all(run, steps):
    run.say(find_driver())
    run.describe_machine()
    if not run.programs_start():
        return 1
    has_gpu = run.has_gpu()
    for step in steps:
        if has_gpu:
            run.step(step)
        else:
            run.tell(step.name, "SKIPPED", 0, "there is no GPU here that can be used")
    counts = collections.Counter(run.verdicts)
    run.say(", ".join(f"{n} {verdict}" for verdict, n in counts.items()) +
            f"; {time.monotonic() - START:.0f} s in all")
    return 1 if counts["FAILED"] else 3 if not has_gpu else 4 if counts["SHORT"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?", choices=RUNS)
    parser.add_argument("--out", type=pathlib.Path, default="acceptance")
    parser.add_argument("--beside", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--plan", action="store_true")
    a = parser.parse_args()
    if a.beside and not (a.beside / "bin/sightline_bench").is_file():
        parser.error(f"--beside: {a.beside} has no bin/sightline_bench: unpack a bundle there")
    if a.plan:
        return print_plan(a.beside)
    if not a.run:
        parser.error("which run?")
    run = Run(a.run, a.out.resolve())
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, run.end_at_once)
    return run_all(run, RUNS[a.run].steps(a.beside and a.beside.resolve()))


if __name__ == "__main__":
    sys.exit(main())
