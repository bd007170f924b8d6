#!/usr/bin/env python3
"""Runs the command lines of same_files/commands.txt: what files and exit codes come out of them?

    tests/same_files.py PROGRAM                    compares exit codes and the files' sha256 with
                                                   those of same_files/hashes.txt
    tests/same_files.py PROGRAM --write            writes that file anew
    tests/same_files.py PROGRAM --against OTHER    runs both programs, each in a fresh folder, and
                                                   compares exit codes, files and texts
    tests/same_files.py PROGRAM --devices          the lines that cast and end well, on the GPU
                                                   against the cpu; reports do not count
    tests/same_files.py --self-test                shows that a changed byte and code are noticed

Ends with 1 where a file or an exit code differs, or a code is not the one that commands.txt states;
texts (stdout and stderr) that differ are listed, and count with --texts. What cannot be the same in
two runs is masked: times, rates, memory and the version in texts and in reports (the files named
after --json), and seconds and check sums in journals' records. All other files count byte by byte.

hashes.txt holds for every machine and for every build without a GPU: of reports it leaves out
device, chunks and the rows of `bench`, of pictures all but their size, of pages all but their data,
since libraries draw and pack them, and lines that need what is not in the repository.
"""
import argparse
import base64
import collections
import contextlib
import difflib
import hashlib
import io
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "same_files"))
sys.dont_write_bytecode = True
from inputs import write_inputs  # noqa: E402

Line = collections.namedtuple("Line", "title needs expected arguments")
Outcome = collections.namedtuple("Outcome", "code files texts")

# What --shared lends, beside the WAD that SIGHTLINE_WAD names.
LENT = {"tps-demo": "godot/tps-demo", "freedoom.wad": "doom/freedoom1-e1e2-maps.wad"}

HASHES = HERE / "same_files/hashes.txt"

VARIABLE_KEYS = re.compile(r"seconds|rates|per_s$|per_second$|build_s$|memory|^version$")
MACHINES_KEYS = re.compile(VARIABLE_KEYS.pattern + r"|^device$|^chunk$|^rows$|bytes_per_shape")
NUMBER = r"[\d.,]+"
BYTES = rf"{NUMBER} bytes(?: \({NUMBER} .iB\))?"
VARIABLE_TEXT = [
    (rf"in {NUMBER} s\b", "in T s"),
    (rf"\({NUMBER}(?: [kMG])? ([a-z ]+)/s", r"(R \1/s"),
    (rf"{NUMBER}(?: [kMG])? a second, {NUMBER} s of work, {NUMBER} s left", "R a second"),
    (rf"^\w+: {NUMBER}%, .* left$\n", ""),
    (rf"(would hold|leaves|but|in some) {BYTES}", r"\1 M"),
    (r"above the limit of \d+", "above the limit of M"),
    (r"(sightline\s+)\d+\.\d+\.\d+", r"\1V"),
]


def read_lines(text):
    title = needs = None
    for line in text.splitlines():
        if match := re.fullmatch(r"\[(.*?)(?:; needs (.*))?\]", line):
            title, needs = match.groups()
        elif line and not line.startswith("#"):
            code, words = re.fullmatch(r"(?:(\d+): )?(.*)", line).groups()
            yield Line(title, needs, int(code or 0), shlex.split(words))


def without_variable(value, keys):
    """A report without what varies: the names stay."""
    if isinstance(value, dict):
        return {key: "masked" if keys.search(key) else without_variable(v, keys)
                for key, v in value.items()}
    return [without_variable(v, keys) for v in value] if isinstance(value, list) else value


def masked_report(text, keys=VARIABLE_KEYS):
    return json.dumps(without_variable(json.loads(text), keys), indent=1)


def masked_journal(data):
    """The header without its check sum; of records what was done and counted (docs/reference/formats.md)."""
    end = 48 + int.from_bytes(data[40:48], "little")
    records = data[end + 8:]
    return data[:end] + b"".join(records[i:i + 120] for i in range(0, len(records), 136))


def masked_text(text, folder, verb):
    text = text.replace(str(folder), "FOLDER")
    if text.startswith("{\n"):
        return masked_report(text)
    for pattern, words in VARIABLE_TEXT:
        text = re.sub(pattern, words, text, flags=re.M)
    # A table of rates.
    return re.sub(rf"\s+{NUMBER}", " N", text) if verb == "bench" else text


def page_data(page):
    """The title and the files that a page holds, unpacked; not the viewer's own text."""
    blocks = re.findall(rb'<script type="text/plain" ([^>]*)>([^<]*)</script>', page)
    title = re.search(rb"<title>(.*?)</title>", page)[1]
    return b"\n".join([title, *(head + zlib.decompress(base64.b64decode(data))
                                for head, data in blocks)])


def content(path, report, folder, any_machine):
    data = path.read_bytes()
    if report:
        keys = MACHINES_KEYS if any_machine else VARIABLE_KEYS
        data = masked_report(data.decode().replace(str(folder), "FOLDER"), keys).encode()
    if any_machine and path.suffix == ".png":
        return data[:29]  # to the end of the header: width, height, depth, colours
    if any_machine and path.suffix == ".html":
        return page_data(data)
    return masked_journal(data) if path.suffix == ".journal" else data


def state_of(folder):
    """What tells a file that was written from one that was not; what is lent stays out."""
    state = {}
    for root, _, files in os.walk(folder):
        for name in files:
            path = pathlib.Path(root, name)
            stat = path.lstat()
            if not path.is_symlink():
                state[str(path.relative_to(folder))] = stat.st_mtime_ns, stat.st_ino, stat.st_size
    return state


def damage(folder, arguments):
    """damaged_X, where a line names it, is X with another last byte."""
    for name in arguments:
        whole = folder / name.removeprefix("damaged_")
        if name.startswith("damaged_") and whole.exists():
            data = bytearray(whole.read_bytes())
            data[-1] ^= 1
            (folder / name).write_bytes(data)


# Hides CUDA's devices, and those of the tests.
WITHOUT_DEVICES = {"CUDA_VISIBLE_DEVICES": "", "SIGHTLINE_STANDIN_DEVICES": "0"}


def run_line(program, folder, arguments, more_environment, any_machine):
    damage(folder, arguments)
    report = arguments[arguments.index("--json") + 1] if "--json" in arguments else None
    before = state_of(folder)
    environment = {**os.environ, "LC_ALL": "C", "NO_COLOR": "1",
                   **more_environment}
    done = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=600)
    after = state_of(folder)
    files = {name: hashlib.sha256(
        content(folder / name, name == report, folder, any_machine)).hexdigest()
             for name in sorted(after) if after[name] != before.get(name)}
    files |= {name: "removed" for name in sorted(before.keys() - after.keys())}
    texts = [masked_text(text.decode(errors="replace"), folder, arguments[0])
             for text in (done.stdout, done.stderr)]
    return Outcome(done.returncode, files, texts)


def lend(folder, shared):
    places = {name: shared / path for name, path in LENT.items()} if shared else {}
    if "SIGHTLINE_WAD" in os.environ:
        places["freedoom.wad"] = pathlib.Path(os.environ["SIGHTLINE_WAD"])
    for name, place in places.items():
        if place.exists():
            (folder / name).symlink_to(place.resolve())


def run_all(program, lines, folder, shared, name="", environment=None, any_machine=False):
    """The outcome of each line, None of those that were skipped. For `any_machine` what one machine
    alone would write is masked too."""
    folder.mkdir(parents=True)
    write_inputs(folder)
    lend(folder, shared)
    begin, outcomes = time.monotonic(), []
    for i, line in enumerate(lines):
        if sys.stderr.isatty():
            print(f"\r\033[K{name} {i} of {len(lines)}: {line.arguments[0]}", end="",
                  file=sys.stderr, flush=True)
        missing = line.needs and not (folder / line.needs).exists()
        outcomes.append(None if missing else
                        run_line(program, folder, line.arguments, environment or {}, any_machine))
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return outcomes, time.monotonic() - begin


def reason(outcome):
    return outcome.texts[1].strip().split("\n")[-1]


def problems_of(line, outcome):
    if outcome.code != line.expected:
        yield f"exit code {outcome.code}, {line.expected} is stated: {reason(outcome)}"


def differences(ours, theirs):
    if ours.code != theirs.code:
        yield f"exit code {ours.code}, the other's {theirs.code}: {reason(ours)}"
    for name in sorted(ours.files.keys() | theirs.files.keys()):
        mine, other = (o.files.get(name, "not written") for o in (ours, theirs))
        if mine != other:
            yield f"{name}: {mine[:16]}, the other's {other[:16]}"


def text_differences(ours, theirs):
    for which, mine, other in zip(("stdout", "stderr"), ours.texts, theirs.texts):
        changed = difflib.unified_diff(other.splitlines(), mine.splitlines(), lineterm="", n=0)
        # Not the three lines that name files and places.
        yield from (f"{which} {line}" for line in list(changed)[2:] if line[:2] != "@@")


def written(lines, outcomes):
    """The text of hashes.txt."""
    text = "# Written by tests/same_files.py PROGRAM --write: exit codes, and sha256 of files.\n"
    for line, outcome in zip(lines, outcomes):
        if outcome:
            text += f"{outcome.code}: {shlex.join(line.arguments)}\n"
            text += "".join(f"    {digest}  {name}\n" for name, digest in outcome.files.items())
    return text


def read_hashes(text):
    """The outcomes by command lines, several of those that come more than once."""
    outcomes = collections.defaultdict(list)
    for line in text.splitlines():
        if match := re.fullmatch(r"    ([0-9a-f]{64}|removed)  (.*)", line):
            files[match[2]] = match[1]
        elif match := re.fullmatch(r"(-?\d+): (.*)", line):
            files = {}
            outcomes[match[2]].append(Outcome(int(match[1]), files, ["", ""]))
    return outcomes


def golden_outcomes(lines, ours, text):
    """Of each line what hashes.txt says, which must say something of every line, and of no other."""
    known, golden = read_hashes(text), []
    for line, mine in zip(lines, ours):
        here = known[shlex.join(line.arguments)] if mine else None
        golden.append(here.pop(0) if here else None)
    missing = [shlex.join(l.arguments) for l, m, g in zip(lines, ours, golden) if m and not g]
    return golden, [f"{HASHES.name} lacks {line}: --write" for line in missing] + [
        f"{HASHES.name} has what commands.txt lacks, {line}: --write"
        for line, left in known.items() if left]


def tell_skipped(lines, outcomes):
    skipped = collections.Counter((l.title, l.needs) for l, o in zip(lines, outcomes) if not o)
    for (title, needs), count in skipped.items():
        print(f"SKIPPED {count} lines of {title}: {needs} is not here")


def tell(line, found, what):
    for i, words in enumerate(found):
        if i == 0:
            print(f"{what}: {shlex.join(line.arguments)}")
        print(f"    {words}")
    return bool(found)


def tell_all(lines, ours, theirs=None):
    """Prints what is wrong; how many lines are wrong, and of how many only the texts differ."""
    wrong = texts = 0
    for i, (line, mine) in enumerate(zip(lines, ours)):
        if mine is None:
            continue
        found = list(problems_of(line, mine))
        if theirs and theirs[i]:
            found += differences(mine, theirs[i])
            if any(theirs[i].texts):  # hashes.txt has none
                texts += tell(line, list(text_differences(mine, theirs[i])), "TEXT DIFFERS")
        wrong += tell(line, found, "WRONG")
    return wrong, texts


def compare_devices(program, lines, folder, shared):
    """What differs between the program on its device and the same on the cpu. A context takes more
    memory than the lines allow that limit it."""
    cast = [line for line in itertools.takewhile(lambda line: line.title != "render", lines)
            if line.expected == 0 and "stopped" not in line.title
            and "--max-memory" not in line.arguments]
    least_on_device = 80  # 94 with all that lines may need
    ours = run_all(program, cast, folder / "device", shared, "device")[0]
    theirs = run_all(program, cast, folder / "cpu", shared, "cpu", WITHOUT_DEVICES)[0]
    wrong = on_device = 0
    for line, mine, other in zip(cast, ours, theirs):
        if mine is None:
            continue
        on_device += "device  cuda" in "".join(mine.texts)
        if "device  cuda" in "".join(other.texts):
            wrong += tell(line, ["the run without devices was on cuda"], "WRONG")
        found = [d for d in [*problems_of(line, mine), *differences(mine, other)]
                 if ".report: " not in d]
        wrong += tell(line, found, "WRONG")
    print(f"{len(cast)} command lines, {on_device} of them on cuda: {wrong} wrong or different")
    if on_device < least_on_device:
        print(f"WRONG: fewer than {least_on_device} on cuda")
    return 1 if wrong or on_device < least_on_device else 0


SELF_TEST_PROGRAM = """#!/bin/sh
case $1 in
  write) printf '%s' "BYTE" > "$3"; echo "took it in 0.1$$ s"; exit 0 ;;
  fail) echo "sightline: no" >&2; exit CODE ;;
esac
"""


def self_test():
    lines = list(read_lines("[a]\nwrite -o a.st\n3: fail\n[b; needs gone]\nwrite -o b.st"))

    def outcomes(folder, name, byte="x", code="3"):
        program = folder / f"{name}.sh"
        program.write_text(SELF_TEST_PROGRAM.replace("BYTE", byte).replace("CODE", code))
        program.chmod(0o755)
        return run_all(program, lines, folder / name, None)[0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        base = outcomes(folder, "base")
        assert base[2] is None and list(base[0].files) == ["a.st"], base
        noted = [golden_outcomes(lines, base, text)[1] for text in (
            written(lines, base), written(lines, [None, *base[1:]]), written(lines, base) + "0: gone")]
        assert [len(n) for n in noted] == [0, 1, 1], noted
        kept = golden_outcomes(lines, base, written(lines, base))[0]
        assert [k and k[:2] for k in kept] == [b and b[:2] for b in base], kept
        others = {"the same": outcomes(folder, "same"),
                  "a byte": outcomes(folder, "byte", byte="y"),
                  "a code": outcomes(folder, "code", code="4"),
                  "a text": [base[0]._replace(texts=["other", ""]), *base[1:]]}
    with contextlib.redirect_stdout(io.StringIO()):
        results = {what: tell_all(lines, other, base) for what, other in others.items()}
    expected = {"the same": (0, 0), "a byte": (1, 0), "a code": (1, 0), "a text": (0, 1)}
    assert results == expected, results
    record = bytes(range(136))
    journal = bytes(40) + (4).to_bytes(8, "little") + b"text" + bytes(8) + record
    later = journal[:-16] + bytes(16)
    assert masked_journal(journal) == masked_journal(later) != masked_journal(journal[:-136])
    assert masked_report('{"seconds": {"a": 1}, "hits": 3}') == masked_report(
        '{"seconds": 2, "hits": 3}') != masked_report('{"seconds": 2, "hits": 4}')
    print("self-test: a changed byte, code, text, journal and report are noticed")


def arguments_of():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path, metavar="OTHER")
    parser.add_argument("--write", action="store_true", help="hashes.txt anew")
    parser.add_argument("--devices", action="store_true", help="on the GPU against the cpu")
    parser.add_argument("--texts", action="store_true", help="texts that differ count as well")
    parser.add_argument("--shared", type=pathlib.Path, metavar="DIR",
                        help="where godot and doom are")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="a new folder that keeps what the programs write")
    parser.add_argument("--self-test", action="store_true")
    a = parser.parse_args()
    if not a.self_test and not a.program:
        parser.error("PROGRAM is needed")
    return a


def main():
    a = arguments_of()
    if a.self_test:
        return self_test()
    lines = list(read_lines((HERE / "same_files/commands.txt").read_text()))
    missing = []
    with tempfile.TemporaryDirectory() as name:
        folder = (a.keep or pathlib.Path(name)).resolve()
        if a.devices:
            return compare_devices(a.program.resolve(), lines, folder, a.shared)
        if a.against:
            ours, seconds = run_all(a.program.resolve(), lines, folder / "program", a.shared,
                                    "program")
            theirs = run_all(a.against.resolve(), lines, folder / "other", a.shared, "other")[0]
        else:
            lines = [line for line in lines if not line.needs]
            ours, seconds = run_all(a.program.resolve(), lines, folder / "program", None,
                                    "program", WITHOUT_DEVICES, any_machine=True)
            if a.write:
                HASHES.write_text(written(lines, ours))
            theirs, missing = golden_outcomes(lines, ours, HASHES.read_text())
    print("".join(f"WRONG: {words}\n" for words in missing), end="")
    wrong, texts = tell_all(lines, ours, theirs)
    wrong += len(missing)
    tell_skipped(lines, ours)
    run = [o for o in ours if o]
    print(f"{len(run)} command lines, {sum(len(o.files) for o in run)} files, {seconds:.0f} s: "
          f"{wrong} wrong or different, {texts} with other texts")
    return 1 if wrong or (texts and a.texts) else 0


if __name__ == "__main__":
    sys.exit(main())
