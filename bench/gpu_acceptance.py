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
compiler, no other program. DIR gets RUN.txt, a line for each job when it ends, and RUN.tar.gz, all
that was written so far, made anew every five seconds, so that a run cut short leaves what it had.

Exit code: 0 all passed; 1 something failed or differs; 2 usage; 3 there is no GPU, all else passed;
4 nothing failed, but some jobs found too little time (SHORT).
"""
import argparse
import collections
import ctypes
import glob
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
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


def text_of(path, most=1_000_000):
    """A log, or the beginning and the end of a long one."""
    data = path.read_bytes()
    if len(data) > most and path.suffix != ".json":
        data = data[:most // 2] + b"\n ... \n" + data[-most // 2:]
    return data


class Run:
    def __init__(self, name, out):
        self.name, self.out, self.end = name, out, START + RUNS[name].limit - ENDING
        self.work = pathlib.Path(tempfile.mkdtemp(prefix=f"sightline-{name}-"))
        self.verdicts, self.running, self.lock = [], set(), threading.Lock()
        self.over = threading.Event()
        self.archiver = threading.Thread(target=self.keep_archiving, daemon=True)
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.txt").write_text("")

    def say(self, line):
        with self.lock:
            print(line, flush=True)
            with open(self.out / f"{self.name}.txt", "a", encoding="utf-8") as summary:
                summary.write(line + "\n")

    def archive(self):
        part = self.out / f"{self.name}.part"
        with tarfile.open(part, "w:gz", compresslevel=5) as tar:
            for path in [*sorted(self.work.iterdir()), self.out / f"{self.name}.txt"]:
                if not path.is_file():
                    continue
                data = text_of(path)
                entry = tarfile.TarInfo(f"{self.name}/{path.name}")
                entry.size, entry.mtime = len(data), int(path.stat().st_mtime)
                tar.addfile(entry, io.BytesIO(data))
        part.replace(self.out / f"{self.name}.tar.gz")

    def keep_archiving(self):
        self.archive()
        while not self.over.wait(5):
            self.archive()

    def close(self):
        with self.lock:
            self.over.set()
        for process in list(self.running):
            self.stop(process)
        self.archiver.join()
        self.archive()
        shutil.rmtree(self.work, ignore_errors=True)

    def start(self, command, log, environment=None):
        folder = self.work / log.stem
        folder.mkdir(exist_ok=True)
        with self.lock, open(log, "wb") as to:
            if self.over.is_set():
                raise OSError("the run is over")
            process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=to,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       env={**os.environ, **(environment or {})},
                                       start_new_session=True)
            self.running.add(process)
        return process

    def stop(self, process):
        """With all that it has started."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(3)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.running.discard(process)

    def code_of(self, command, log, seconds, environment=None):
        """Its exit code; None where it was stopped, 127 where it is not there."""
        try:
            process = self.start(command, log, environment)
        except OSError as error:
            log.write_text(f"{error}\n")
            return 127
        try:
            return process.wait(max(0.1, min(seconds, self.end - time.monotonic())))
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.stop(process)

    def do(self, job, end):
        """Says one verdict, unless the run is over: what was then cut off has none."""
        try:
            verdict, seconds, words, log = self.verdict_of(job, end)
        except Exception as error:  # such as no room for a log
            verdict, seconds, words, log = "FAILED", 0, repr(error), ""
        if self.over.is_set():
            return
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
        said = text_of(log).decode(errors="replace")
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
        jobs = collections.deque(step.jobs)

        def work():
            while not self.over.is_set():
                try:
                    job = jobs.popleft()
                except IndexError:
                    return
                # One after the other: each has its part of what is left.
                now, left = time.monotonic(), len(jobs) + 1 if step.at_once == 1 else 1
                self.do(job, now + (end - now) / left)
        threads = [threading.Thread(target=work, daemon=True) for _ in range(step.at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def describe_machine(self):
        commands = ["nvidia-smi", "nvidia-smi -q -d CLOCK,POWER", "lscpu", "uname -srm",
                    "ldd --version", "compute-sanitizer --version", "ncu --version"]
        for k, command in enumerate(commands):
            words = command.split()
            if shutil.which(words[0]):
                self.code_of(words, self.work / f"machine_{k}.txt", 10)
        self.say((HERE / "MANIFEST").read_text().split("\n", 1)[0])

    def programs_start(self):
        """Whether all do, here or with the newer libraries of the compiler that are packed."""
        for libraries in ("", f"{HERE}/lib-newer:{HERE}/lib"):
            if libraries:
                os.environ["LD_LIBRARY_PATH"] = ":".join(
                    filter(None, [libraries, os.environ.get("LD_LIBRARY_PATH")]))
            # Tests list themselves; the others do not know the option: usage. What the loader
            # refuses ends with 1 or 127.
            codes = {p.name: self.code_of([p, "--gtest_list_tests"],
                                          self.work / f"start_{p.name}.txt", 20)
                     for p in sorted(BIN.iterdir())}
            missing = [name for name, code in codes.items()
                       if code != (0 if name.startswith("test_") else 2)]
            if not missing:
                self.say(f"{len(codes)} programs start {'with ' if libraries else ''}{libraries}")
                return True
        said = (self.work / f"start_{missing[0]}.txt").read_text(errors="replace")
        self.say(f"do not start: {' '.join(missing)}: {said}")
        return False

    def has_gpu(self):
        """A GPU that the driver lists but we cannot use is a failure; one that is slow is not."""
        log = self.work / "device.txt"
        one = [BIN / "backend_parity", "--pairs", "1", "--largest", "1", "--threads", "1"]
        code = self.code_of(one, log, 60)
        listed = shutil.which("nvidia-smi") and self.code_of(
            ["nvidia-smi", "-L"], self.work / "listed.txt", 10) == 0
        if code != 3 or listed:
            verdict = {0: "passed", None: "SHORT"}.get(code, "FAILED")
            self.tell("device", verdict, 0, log.read_text(errors="replace").strip()[-200:])
        return code != 3


HOLD = """
import ctypes, os, sys, time
cuda, context, version = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_int()
print("driver", cuda.cuDriverGetVersion(ctypes.byref(version)), version.value)
print("init", cuda.cuInit(0))
mode = ctypes.c_int()
print("mode", cuda.cuDeviceGetAttribute(ctypes.byref(mode), 20, 0), mode.value)
if mode.value != 0: sys.exit("contexts of this GPU are exclusive: none is kept")
print("context", cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), flush=True)
while os.getppid() == int(sys.argv[1]): time.sleep(1)
"""


def find_driver():
    """Where the loader does not know libcuda, its place goes to the programs' environment."""
    os.environ["PATH"] = ":".join([os.environ.get("PATH", "/usr/bin:/bin"), *TOOL_PLACES])
    try:
        ctypes.CDLL("libcuda.so.1")
        return "libcuda.so.1 is known"
    except OSError:
        for place in DRIVER_PLACES:
            if pathlib.Path(place, "libcuda.so.1").exists():
                os.environ["LD_LIBRARY_PATH"] = ":".join(
                    filter(None, [place, os.environ.get("LD_LIBRARY_PATH")]))
                return f"libcuda.so.1 is in {place}"
    return "there is no libcuda.so.1"


def run_all(run, steps):
    run.say(find_driver())
    # A context that stays: without one the driver leaves the device after each process.
    run.start([sys.executable, "-c", HOLD, os.getpid()], run.work / "context.txt")
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
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    run.archiver.start()
    try:
        return run_all(run, RUNS[a.run].steps(a.beside and a.beside.resolve()))
    finally:
        run.close()


if __name__ == "__main__":
    sys.exit(main())
