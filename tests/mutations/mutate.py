"""The work of tests/mutate.sh.

An edit in tests/mutations/*.txt:

    [name] file
    - text to find: exactly once in the file; several such lines are one text of several lines
    + what replaces it (without such a line, the text is deleted)
    test tests/include/intersect/slab_test.cpp     the sources of a test that needs only the public headers
    test test_caster --gtest_filter=...     or a CMake target and its arguments
    test host/cpu/x.cpp.o .ci/check_x.py     or an object and a script that checks the build

Tests that stand above an edit, not below it, are those of every edit from there to the next heading
(# ---) that names none of its own.

An edit of a compiled kernel has a line `compiled` in place of what replaces the text: the barriers,
fences and masks of the text's last line are left out of the PTX (docs/project/testing-without-gpu.md), and nothing is
compiled again. Its tests are targets on interpreted PTX, after settings: `test NAME=VALUE target`.
One that is known to survive says why, in place of tests: `survives REASON`; it must apply.

The edit is killed by the first of its tests that fails (or hangs) although it passes without it.
"""
import argparse
import collections
import datetime
import fnmatch
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CXX = os.environ.get("CXX", "c++")
CCACHE = [shutil.which("ccache")] if shutil.which("ccache") else []
FLAGS = ("-std=c++20 -O1 -ffp-contract=off -fno-math-errno -Iinclude -I.").split()
if os.uname().machine in ("x86_64", "amd64"):
    FLAGS.append("-march=x86-64-v3")
SECONDS = 120  # a test that takes longer hangs

NVCC = shutil.which(os.environ.get("CUDACXX", "nvcc"))

Edit = collections.namedtuple("Edit", "name file find put tests compiled survives")


def tests_in(lines):
    return [l[5:] for l in lines if l.startswith("test ")]


def read_edits():
    edits = []
    for table in sorted(pathlib.Path(__file__).parent.glob("*.txt")):
        shared = []
        for paragraph in table.read_text().split("\n\n"):
            head, _, body = ("\n" + paragraph).partition("\n[")
            shared = tests_in(head.splitlines()) or ([] if "\n# ---" in head else shared)
            if not body:
                continue
            lines = body.splitlines()
            name, file = lines[0].split("] ")
            part = {k: [l[2:] for l in lines[1:] if l[:2] in (k + " ", k)] for k in "-+"}
            survives = "".join(l[9:] for l in lines if l.startswith("survives "))
            tests = tests_in(lines) or ([] if survives else shared)
            edits.append(Edit(name, file, "\n".join(part["-"]), "\n".join(part["+"]), tests,
                              "compiled" in lines, survives))
    names = [e.name for e in edits]
    assert len(set(names)) == len(names), "two edits of one name"
    return edits


def places(edit, root):
    """How often the text to find is in the file: must be once."""
    file = root / edit.file
    return file.read_text().count(edit.find) if edit.find and file.exists() else 0


class Tree:
    """A copy of the tree, its builds, and the verdict of its tests."""

    def __init__(self, folder):
        self.root = folder
        for part in ("include", "kernels", "host", "tests", "bench", "cmake", ".ci",
                     "CMakeLists.txt"):
            source, target = ROOT / part, folder / part
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy2(source, target)
        self.env = dict(os.environ, CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="1")
        self.env.setdefault("SIGHTLINE_TEST_SCALE", "0.1")
        self.env.setdefault("SIGHTLINE_SHARED", str(ROOT.parent / "shared"))
        self.passing = {}
        self.compiled = None  # a build with tests on PTX, where there is one already

    def run(self, command, seconds=1800, settings=()):
        try:
            env = {**self.env, **dict(s.split("=", 1) for s in settings)}
            done = subprocess.run(command, cwd=self.root, env=env, timeout=seconds,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL)
            return done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return 124, f"still running after {seconds} s"

    def build(self, test):
        """The command that runs the test, or None and what the compiler says."""
        words = shlex.split(test)
        sources = [w for w in words if w.endswith(".cpp")]
        gtest = [w for w in words if w.startswith("--")] + ["--gtest_brief=1"]
        if sources:
            return self.build_sources(sources, gtest)
        checks = words[-1].startswith(".ci/")  # these look at code as it is shipped
        folder = "build/checked" if checks else "build/cmake"
        level = "-O3" if checks else "-O1"  # the same answers
        if not (self.root / folder / "build.ninja").exists():
            code, output = self.run(["cmake", "-S", ".", "-B", folder, "-G", "Ninja",
                                     "-DCMAKE_BUILD_TYPE=Release", "-DSIGHTLINE_CUDA=OFF",
                                     "-DSIGHTLINE_PTX=ON",
                                     f"-DCMAKE_CXX_FLAGS_RELEASE={level} -DNDEBUG",
                                     f"-DCMAKE_RUNTIME_OUTPUT_DIRECTORY={self.root}/build/programs"])
            if code != 0:
                return None, output
        code, output = self.run(["cmake", "--build", folder, "--target", words[0]])
        if code != 0:
            return None, output
        if checks:
            return [words[-1], folder], ""
        return [f"build/programs/{words[0]}", *gtest], ""

    def build_sources(self, sources, gtest):
        folder = self.root / "build" / "sources"
        folder.mkdir(parents=True, exist_ok=True)
        objects = [str(folder / source.replace("/", "_")) + ".o" for source in sources]
        program = objects[0] + ".test"
        define = f'-DSIGHTLINE_SOURCE_DIR="{self.root}"'
        steps = [CCACHE + [CXX, *FLAGS, define, "-c", source, "-o", out]
                 for source, out in zip(sources, objects)]
        steps.append([CXX, *objects, "-lgtest", "-lgtest_main", "-o", program])
        for command in steps:
            code, output = self.run(command)
            if code != 0:
                return None, output
        return [program, *gtest], ""

    def build_on_ptx(self, target):
        """The program that runs the target's tests on interpreted PTX, or None and why."""
        folder = self.compiled or self.root / "build/ptx"
        if self.compiled is None and not (folder / "build.ninja").exists():
            code, output = self.run(
                ["cmake", "-S", ".", "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DSIGHTLINE_CUDA=ON", "-DSIGHTLINE_PTX=ON", "-DCMAKE_CUDA_ARCHITECTURES=90"])
            if code != 0:
                return None, output
        code, output = self.run(["cmake", "--build", str(folder), "--target", target])
        return (None, output) if code != 0 else (folder / "tests" / target, "")

    def passes_on_ptx(self, test, without):
        """As passes(), without a line of a kernel's source if one is named. A race fails."""
        words = shlex.split(test)
        settings = [w for w in words if "=" in w and w[0] != "-"]
        target, *gtest = [w for w in words if w not in settings]
        program, output = self.build_on_ptx(target)
        if program is None:
            return "does not compile:\n" + output[-2000:]
        if without:
            settings.append(f"SIGHTLINE_PTX_WITHOUT={without}")
        code, output = self.run([program, *gtest], SECONDS,
                                ["SIGHTLINE_TEST_SCALE=0.02", *settings])
        if "[==========] 0 tests " in output or "[==========] Running 0 tests " in output:
            return "runs no test"
        said = "ptx: a race" in output or "ptx: shared memory is read" in output
        return code == 0 and not said

    def judge_on_ptx(self, edit):
        if places(edit, self.root) != 1:
            return f"does not apply ({places(edit, self.root)} places)"
        if edit.survives:
            return f"survives, as is known: {edit.survives}"
        if NVCC is None:
            return "SKIPPED: there is no nvcc"
        before = (self.root / edit.file).read_text().split(edit.find)[0]
        line = (before + edit.find).count("\n") + 1
        for test in edit.tests:
            if test not in self.passing:
                self.passing[test] = self.passes_on_ptx(test, None)
            if self.passing[test] is not True:
                why = self.passing[test] or "fails without the edit"
                return f"no verdict: {test} {why}"
            verdict = self.passes_on_ptx(test, f"{pathlib.Path(edit.file).name}:{line}")
            if verdict is not True:
                return verdict or f"killed by {test}"
        return "SURVIVED"

    def passes(self, test):
        """True, False, or why there is no verdict."""
        command, output = self.build(test)
        if command is None:
            return "does not compile:\n" + output[-2000:]
        code, output = self.run(command, SECONDS)
        if "[==========] 0 tests " in output:  # a filter that no name matches passes all the same
            return "runs no test"
        return code == 0

    def judge(self, edit):
        """killed by TEST | SURVIVED | does not apply | does not compile ..."""
        if edit.compiled:
            return self.judge_on_ptx(edit)
        for test in edit.tests:
            if test not in self.passing:
                self.passing[test] = self.passes(test)
            if self.passing[test] is not True:
                why = self.passing[test] or "fails without the edit"
                return f"no verdict: {test} {why}"
        if places(edit, self.root) != 1:
            return f"does not apply ({places(edit, self.root)} places)"
        file = self.root / edit.file
        original = file.read_text()
        file.write_text(original.replace(edit.find, edit.put))
        try:
            for test in edit.tests:
                verdict = self.passes(test)
                if verdict is False:
                    return f"killed by {test}"
                if verdict is not True:
                    return verdict
            return "SURVIVED"
        finally:
            file.write_text(original)


def chosen(edits, arguments):
    if arguments.only:
        names = [e.name for e in edits]
        unknown = [o for o in arguments.only if not fnmatch.filter(names, o)]
        if unknown:
            sys.exit(f"no such edit: {', '.join(unknown)}")
        return [e for e in edits if any(fnmatch.fnmatch(e.name, o) for o in arguments.only)]
    if arguments.rotate:
        day = (datetime.date.today() - datetime.date(2020, 1, 1)).days
        turn = int(os.environ.get("SIGHTLINE_ROTATION", day))
        # One of every N-th part, so that a turn takes from all tables. In no order of the tables, so
        # that it is not always the same ones that find no time.
        edits = [e for e in edits if not e.compiled]
        step = max(1, -(-len(edits) // arguments.rotate))
        picked = [e for i, e in enumerate(edits) if i % step == turn % step]
        random.Random(turn).shuffle(picked)
        return picked
    return [e for e in edits if e.compiled] if arguments.ptx else edits


def main():
    parser = argparse.ArgumentParser(prog="tests/mutate.sh")
    parser.add_argument("--rotate", type=int, metavar="N")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seconds", type=float, metavar="N", default=float("inf"))
    parser.add_argument("--ptx", metavar="BUILD")
    arguments = parser.parse_args()
    edits = read_edits()
    if arguments.list:
        print("\n".join(e.name for e in edits))
        return 0
    # All of them, whichever are chosen: it costs nothing.
    stale = [e.name for e in edits if places(e, ROOT) != 1]
    if stale and not arguments.only:
        sys.exit("do not apply: " + ", ".join(stale))
    picked = chosen(edits, arguments)
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="sightline-mutate-") as folder:
        tree = Tree(pathlib.Path(folder))
        tree.compiled = pathlib.Path(arguments.ptx).resolve() if arguments.ptx else None
        begin = time.monotonic()
        for edit in picked:
            start = time.monotonic()
            if start - begin > arguments.seconds:
                print(f"{len(picked) - len(verdicts)} of {len(picked)} edits found no time")
                break
            verdict = tree.judge(edit)
            took = time.monotonic() - start
            verdicts.append((edit.name, verdict))
            print(f"{edit.name}: {verdict} ({took:.0f} s)", flush=True)
    counted = {kind: sum(verdict.startswith(kind) for _, verdict in verdicts)
               for kind in ("killed", "survives", "SKIPPED")}
    print(f"{len(verdicts)} edits, {counted['killed']} killed, {counted['survives']} known to "
          f"survive, {counted['SKIPPED']} skipped")
    survivors = [name for name, verdict in verdicts if not verdict.startswith(tuple(counted))]
    if survivors:
        print("not killed: " + ", ".join(survivors))
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
