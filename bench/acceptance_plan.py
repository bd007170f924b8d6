"""What gpu_acceptance.py does on a GPU: the steps of its runs, their jobs and their seconds."""
import collections
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
BIN = HERE / "bin"
CORES = len(os.sched_getaffinity(0))
# For a dry run: a factor on the work of the tests, and more options of gpu_rates.
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


def measure(name, *options, folder=HERE):
    return Job(name, [folder / "bin/gpu_rates", *options, "--seconds", "{seconds}", "--json",
                      f"{{out}}/{name}.jsonl", *RATES])


def profile(name, *options, first=()):
    """Counters of wide kernels, once for each; without ncu there are none."""
    sections = ["SpeedOfLight", "SchedulerStats", "WarpStateStats", "InstructionStats", "Occupancy",
                "ComputeWorkloadAnalysis", "MemoryWorkloadAnalysis", "LaunchStats",
                "SourceCounters"]
    return Job(f"profile_{name}",
               ["ncu", "--clock-control", "none", "--profile-from-start", "off", "-k",
                "regex:wide_kernel", *first, "--print-details", "all",
                *(w for s in sections for w in ("--section", s)), BIN / "gpu_rates", *options,
                *RATES, "--samples", "1"], {}, False)


def level(points):
    return ["--scene", HERE / "level/level.safetensors", "--points", HERE / f"level/{points}.npy"]


def rates(beside):
    """In the order of worth: what is cut off then is what is missed least."""
    half = max(1, CORES // 2)
    large = ["--largest", "1000000"]
    # By turns with another bundle's program, each with a quarter of the time.
    counted = [(f"counters_{name}", folder) for name, folder in
               ([("a1", HERE), ("b1", beside), ("a2", HERE), ("b2", beside)] if beside else
                [("of_rays", HERE)])]
    many = str(2**26 if beside else 2**27)
    # The first row of "boxes" has two kernels of boxes and one of pairs, as the caster has them.
    first = ["--launch-count", "3"]
    return [
        Step("proof", 45, 4, [
            *test("test_tree_launchers", scale=1), *test("test_launchers"),
            *test("test_cuda_on_gpu"), parity(3e7, half)]),
        Step("counters", 60, 1, [
            measure(name, "--only", "counters", *large, "--rays", many, "--samples", "5",
                    folder=folder) for name, folder in counted]),
        Step("profiles", 90, 1, [
            *(profile(f"{scene}_rays", "--only", "counters", "--items", scene, *large)
              for scene in ("city", "cloud", "mixed")),
            profile("level", "--only", "boxes", *level("points_32"), first=first),
            profile("city", "--only", "boxes", "--items", "city", first=first)]),
        Step("matrices", 60, 1, [
            *(measure(f"matrices_{points}", "--only", "boxes", *level(points), "--samples", "5")
              for points in ("points_64", "points_32", "points_16")),
            measure("matrices_city", "--only", "boxes", "--samples", "5")]),
        Step("rivals", 45, 1, [measure("rivals", "--only", "rivals", *large, "--samples", "5")]),
        Step("first-calls", 30, 1, [measure("first_calls", "--only", "first-calls")]),
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
