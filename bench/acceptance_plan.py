"""What gpu_acceptance.py does on a GPU: the steps of its runs, their jobs and their seconds."""
import collections
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE / "bin"
CORES = len(os.sched_getaffinity(0))
# For a dry run: a factor on the work of the tests, and more options of sightline_bench.
SCALE = float(os.environ.get("SIGHTLINE_TEST_SCALE", "1"))
RATES = os.environ.get("SIGHTLINE_RATES", "").split()

# Seconds that are left to a job stand in for {seconds}, its folder for {out}. Without `needed` a
# failure is only told.
Job = collections.namedtuple("Job", "name command environment needed", defaults=({}, True))
Step = collections.namedtuple("Step", "name seconds at_once jobs")


def test(name, *arguments, scale=0.25, shards=1):
    """The jobs of a test program, which share its cases."""
    for k in range(shards):
        yield Job(f"{name}.{k}" if shards > 1 else name, [BIN / name, *arguments],
                  {"SIGHTLINE_TEST_SCALE": str(scale * SCALE), "GTEST_TOTAL_SHARDS": str(shards),
                   "GTEST_SHARD_INDEX": str(k)})


def parity(pairs, threads):
    return Job("parity", [BIN / "backend_parity", "--pairs", pairs * SCALE, "--threads", threads,
                          "--seconds", "{seconds}"])


def memcheck(jobs):
    for job in jobs:
        yield Job(f"memcheck_{job.name}",
                  ["compute-sanitizer", "--tool", "memcheck", "--error-exitcode", "9",
                   *job.command], job.environment)


def measure(name, rows, *options, folder=HERE, repeat=5):
    """Rates of the benchmarks whose names match `rows`."""
    return Job(name, [folder / "bin/sightline_bench", f"--benchmark_filter={rows}", *options,
                      f"--benchmark_repetitions={repeat}", "--benchmark_min_time=0",
                      f"--benchmark_out={{out}}/{name}.json", "--seconds={seconds}", *RATES])


def profile(name, rows, *options, first=()):
    """Counters of wide kernels, once for each; without ncu there are none."""
    sections = ["SpeedOfLight", "SchedulerStats", "WarpStateStats", "InstructionStats", "Occupancy",
                "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "LaunchStats",
                "SourceCounters"]
    return Job(f"profile_{name}",
               ["ncu", "--clock-control", "none", "--profile-from-start", "off", "-k",
                "regex:wide_kernel", *first, "--print-details", "all",
                *(w for s in sections for w in ("--section", s)), BIN / "sightline_bench",
                f"--benchmark_filter={rows}", *options, *RATES, "--benchmark_repetitions=1",
                "--benchmark_min_time=0", "--cold=yes"], {}, False)


def rays(scenes="city|cloud|mixed"):
    """Each kernel of rays, which are on the device."""
    return f"^(closest|any)/({scenes})/[0-9]+/(coherent|incoherent|los)/cuda:device/manual"


def shapes(number):
    return [f"--smallest={number}", f"--largest={number}"]


def level(points):
    """All of them, each against each."""
    return [f"--scene={HERE}/level/level.safetensors", f"--points={HERE}/level/{points}.npy",
            f"--count={2**32}"]


def rates(beside):
    """In the order of worth: what is cut off then is what is missed least."""
    half = max(1, CORES // 2)
    # By turns with another bundle's program, each with a quarter of the time.
    counted = [(f"counters_{name}", folder) for name, folder in
               ([("a1", HERE), ("b1", beside), ("a2", HERE), ("b2", beside)] if beside else
                [("of_rays", HERE)])]
    many = f"--count={2**23 if beside else 2**24}"
    million, small = shapes(10**6), shapes(10**5)
    # The first row of "sight" has two kernels of boxes and one of pairs, as the caster has them.
    first = ["--launch-count", "3"]
    return [
        Step("proof", 45, 4, [
            *test("test_tree_launchers", scale=1), *test("test_launchers"),
            *test("test_cuda_on_gpu"), parity(3e7, half)]),
        Step("counters", 60, 1, [
            measure(name, rays(), many, *million, folder=folder) for name, folder in counted]),
        Step("profiles", 90, 1, [
            *(profile(f"{scene}_rays", rays(scene), f"--count={2**21}", *million)
              for scene in ("city", "cloud", "mixed")),
            profile("level", "^sight/", *level("points_32"), first=first),
            profile("city", "^sight/city/", f"--count={2**25}", *small, first=first)]),
        Step("matrices", 60, 1, [
            *(measure(f"matrices_{points}", "^sight/", *level(points))
              for points in ("points_64", "points_32", "points_16")),
            measure("matrices_city", "^sight/(city|cloud)/", f"--count={2**26}", *small)]),
        Step("rivals", 45, 1, [measure("rivals", "/cubql:", f"--count={2**24}", *million)]),
        Step("first-calls", 30, 1, [
            measure("first_calls", "^first_calls/", f"--count={2**21}", *small, repeat=1)]),
    ]


def prove(_):
    queries = Job("parity", [BIN / "backend_parity", "--pairs", "150000", "--largest", "1000",
                             "--threads", "1"])
    return [
        Step("parity", 80, 1, [parity(1.2e8, CORES)]),
        Step("memcheck", 80, max(2, CORES // 2), [*memcheck([
            *test("test_launchers", scale=0.01, shards=3),
            *test("test_tree_launchers", scale=0.002), *test("test_cuda_on_gpu", scale=0.01),
            queries])]),
    ]


Command = collections.namedtuple("Command", "steps limit")
# What a run may take, all in all: both, their copies and the GPU's start fit 15 minutes.
RUNS = {"rates": Command(rates, 420), "prove": Command(prove, 200)}
STARTING, ENDING = 25, 5  # seconds of a run before its steps, and after them


def print_plan(beside):
    """Prints it; returns 1 where the steps of a run may take longer than the run."""
    code = 0
    for name, command in RUNS.items():
        steps = command.steps(beside)
        planned = STARTING + sum(step.seconds for step in steps) + ENDING
        print(f"{name}: planned {planned} s of {command.limit}, {STARTING + ENDING} of them to "
              "start and end")
        for step in steps:
            print(f"  {step.name:12} {step.seconds:4} s, {step.at_once} at once: "
                  f"{' '.join(job.name for job in step.jobs)}")
        code = max(code, planned > command.limit)
    return code
