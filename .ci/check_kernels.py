#!/usr/bin/env python3
"""Checks the compiled kernels: what they use of the device, and which arithmetic their PTX holds.

  .ci/check_kernels.py [BUILD]           BUILD (build/release) was built with nvcc and with
                                         -DCMAKE_CUDA_COMPILER_LAUNCHER=$PWD/.ci/keep_kernels.sh
  .ci/check_kernels.py --write [BUILD]   writes kernels/resources.txt from the build
  .ci/check_kernels.py --only sm_90 [BUILD]   a build for one architecture

A kernel may spill no more than kernels/resources.txt says, and use no more registers, stack and
shared memory. In PTX every operation of floating point must be rounded as IEEE 754 says, and by
name: an operation without a rounding modifier may be fused by ptxas. A wide kernel loads a node by
as few instructions as its hot bytes allow, and names the memory of every access. Exit code 1 for
any finding.
"""

import pathlib
import re
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "kernels/resources.txt"
COLUMNS = ("registers", "stack", "spill_stores", "spill_loads", "shared")
OTHERS = "(thrust, cub)"  # their kernels, the largest figure of each column

INSTRUCTION = re.compile(r"^\s*(?:\{\s*)?(?:@!?%\w+\s+)?([a-z][a-z0-9_]*(?:\.[a-z0-9:_]+)+)\b")
APPROXIMATE = {"approx", "ftz", "full"}
ROUNDED = {"add", "sub", "mul", "fma", "mad", "div", "sqrt", "rcp"}  # of floating point: .rn only


def is_a_comparison(name, line):
    """Whether min and max are the comparison they stand for: with a constant but 0 and NaN, or the
    greater of a number and +0, which is +0 for -0 and for NaN, as in a > 0 ? a : 0."""
    constants = [(digits, struct.unpack(">" + kind, bytes.fromhex(digits))[0])
                 for kind, digits in re.findall(r"\b0([fd])(\w{8}(?:\w{8})?)\b", line)]
    return any((c != 0 and c == c) or (name == "max" and not digits.strip("0"))
               for digits, c in constants)


def bad_instruction(line):
    """Why the instruction of this line of PTX is refused; None when it is not."""
    match = INSTRUCTION.match(line)
    if not match:
        return None
    name, *modifiers = match[1].split(".")
    if APPROXIMATE & set(modifiers):
        return "not rounded as IEEE 754 says"
    is_float = bool({"f32", "f64", "f16", "bf16"} & set(modifiers))
    if is_float and name in ROUNDED and "rn" not in modifiers:
        return "has no .rn, so that ptxas may fuse it or round it otherwise"
    if is_float and name in ("min", "max") and not is_a_comparison(name, line):
        return "drops NaN and orders zeros otherwise than a < b ? a : b does"
    return None


def check_ptx(name, text):
    kernel, problems = "", []
    for number, line in enumerate(text.splitlines(), 1):
        if ".entry" in line or ".func" in line:
            kernel = line.strip()
        problem = bad_instruction(line)
        if problem:
            problems.append(f"{name}:{number}: {line.strip()}: {problem}; in {kernel}")
    return problems


# How many loads of 16 bytes a node step may take: of a node's 64 bytes it reads the first 48.
NODE_LOADS = 3
NODE_INDEX = re.compile(r"(?:mul\.(?:wide|lo)\.[us](?:32|64)\s+(%rd\d+), %rd?\d+, 64;"
                        r"|shl\.b64\s+(%rd\d+), %rd\d+, 6;)")
SUM = re.compile(r"(?:add\.s64\s+(%rd\d+), (%rd\d+), (%rd\d+);"
                 r"|mad\.(?:wide|lo)\.[us](?:32|64)\s+(%rd\d+), %rd?\d+, 64, %rd\d+;)")
LOAD = re.compile(r"ld\.global(?:\.nc)?(?:\.v(\d))?\.[a-z](\d+)\s.*\[(%rd\d+)(?:\+\d+)?\]")
ACCESS = {"ld", "st", "atom", "red"}
SPACES = {"param", "global", "shared", "local", "const"}


def node_steps(body):
    """The number of loads of every node step among a kernel's lines: the loads of one basic block
    from one node that bring most of it. Others read a leaf's record or a parent."""
    nodes, indices, loads = set(), set(), {}
    block = 0
    for line in body:
        if line.startswith("$") or re.search(r"\bbra\b", line):
            block += 1
        elif match := NODE_INDEX.search(line):
            indices.add(match[1] or match[2])
        elif match := SUM.search(line):
            if match[4] or match[2] in indices or match[3] in indices:
                nodes.add(match[1] or match[4])
        elif (match := LOAD.search(line)) and match[3] in nodes:
            loads.setdefault((block, match[3]), []).append(int(match[1] or 1) * int(match[2]) // 8)
    return [len(sizes) for sizes in loads.values() if sum(sizes) > 32]


def is_generic(line):
    """Whether this line of PTX accesses memory without a word of where it is."""
    match = INSTRUCTION.match(line)
    words = match[1].split(".") if match else [""]
    return words[0] in ACCESS and not SPACES & {word.split("::")[0] for word in words}


def check_walks(name, text):
    """What the node steps of wide kernels load, and accesses to memory of a kind that the device must
    find out. Loads are counted in PTX, which every build has, for every architecture, and which needs
    no disassembler: ptxas leaves out loads that nobody uses, and splits none. It can only make the
    kind of an access known that PTX leaves open, so none that passes here is generic on the device."""
    kernels, body = {}, []
    for line in text.splitlines():
        if match := re.search(r"\.(?:entry|func)\b.*?(\w*)\(?$", line):
            body = kernels.setdefault(match[1], []) if ".entry" in line else []
        body.append(line.strip())
    wide = [symbol for symbol in kernels if "11wide_kernel" in symbol]
    problems = []
    for symbol, kernel in zip(wide, short_names(wide).values()):
        steps = node_steps(kernels[symbol])
        if len(steps) != 1:
            problems.append(f"{name}: {kernel}: has {len(steps)} node steps, not one")
        problems += [f"{name}: {kernel}: a node step has {loads} loads of its node, not {NODE_LOADS}"
                     for loads in steps if loads != NODE_LOADS]
        generic = [line for line in kernels[symbol] if is_generic(line)]
        if generic:
            problems.append(f"{name}: {kernel}: {len(generic)} accesses do not name their memory: "
                            f"{generic[0]}")
    return problems


def short_names(mangled):
    """Kernels' names without namespaces and parameters; OTHERS for those of Thrust and CUB."""
    result = subprocess.run(["c++filt"], input="\n".join(mangled), text=True, check=True,
                            capture_output=True)
    names = {}
    for symbol, name in zip(mangled, result.stdout.splitlines()):
        name = re.sub(r"^(void|decltype\(auto\)) ", "", name)
        if re.match(r"(thrust|cub)::", name):
            names[symbol] = OTHERS
            continue
        name = re.sub(r"(\(anonymous namespace\)|sightline|kernels|_GLOBAL__N__\w+)::", "", name)
        name = re.sub(r"\(.*", "", name).replace(" ", "")
        names[symbol] = re.sub(r"KindList<[^:]*>::", "KindList::", name)
    return names


def resources(text):
    """{(symbol, architecture): figures} from what ptxas -v says."""
    rows, architecture, symbol = {}, None, None
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)' for '(sm_\w+)'", line):
            symbol, architecture = match.groups()
        elif match := re.search(r"Function properties for '?(\w+)", line):
            symbol = match[1]
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes "
                                r"spill loads", line):
            row = rows.setdefault((symbol, architecture), dict.fromkeys(COLUMNS, 0))
            row.update(zip(COLUMNS[1:4], map(int, match.groups())))
        elif match := re.search(r"Used (\d+) registers", line):
            row = rows.setdefault((symbol, architecture), dict.fromkeys(COLUMNS, 0))
            row["registers"] = int(match[1])
            shared = re.search(r"(\d+) bytes smem", line)
            row["shared"] = int(shared[1]) if shared else 0
    return rows


def named_rows(texts):
    """{(kernel, architecture): figures} of all reports together."""
    found = {}
    for text in texts:
        rows = resources(text)
        names = short_names(sorted({symbol for symbol, _ in rows}))
        for (symbol, architecture), row in rows.items():
            key = (names[symbol], architecture)
            old = found.get(key, dict.fromkeys(COLUMNS, 0))
            found[key] = {c: max(old[c], row[c]) for c in COLUMNS}
    return found


def read_table(text):
    """The compiler that made the table, and its rows."""
    compiler, rows = "", {}
    for line in text.splitlines():
        if line.startswith("# compiler: "):
            compiler = line.removeprefix("# compiler: ")
        elif line and not line.startswith("#"):
            *name, architecture, a, b, c, d, e = line.split()
            rows[" ".join(name), architecture] = dict(zip(COLUMNS, map(int, (a, b, c, d, e))))
    return compiler, rows


def write_table(compiler, rows):
    lines = ["# What the compiled kernels use: the most that .ci/check_kernels.py lets pass.",
             f"# compiler: {compiler}", "# kernel, architecture, " + ", ".join(COLUMNS)]
    width = max(len(name) for name, _ in rows)
    for (name, architecture), row in sorted(rows.items()):
        figures = " ".join(f"{row[c]:6}" for c in COLUMNS)
        lines.append(f"{name:{width}} {architecture:6} {figures}")
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_resources(table, found, same_compiler):
    """Another compiler gives other registers: then only spills are held to the table."""
    columns = COLUMNS if same_compiler else COLUMNS[2:4]
    problems = []
    for key, row in sorted(found.items()):
        where = f"{key[0]} for {key[1]}"
        if key not in table:
            problems.append(f"{where}: is not in kernels/resources.txt: --write adds it")
            continue
        for column in columns:
            if row[column] > table[key][column]:
                problems.append(f"{where}: {column} {row[column]}, planned {table[key][column]}")
    problems += [f"{name} for {architecture}: is in kernels/resources.txt, but in no report"
                 for name, architecture in sorted(table.keys() - found.keys())]
    return problems


def compiler_of(ptx):
    """Such as 'release 13.0, V13.0.88', from the head of a PTX file."""
    match = re.search(r"Cuda compilation tools, (.*)", ptx)
    return match[1] if match else "unknown"


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    only = arguments.pop(0) if "--only" in sys.argv else None
    reports = ROOT / (arguments[0] if arguments else "build/release") / "kernel_reports"
    sources = sorted(p.stem for p in (ROOT / "kernels").rglob("*.cu"))
    missing = [name for name in sources if not (reports / name / "ptxas.txt").is_file()]
    if missing:
        print(f"kernels: no report of {', '.join(missing)} in {reports}: see --help in this file")
        return 1
    ptx = {p.name: p.read_text() for name in sources for p in sorted((reports / name).glob("*.ptx"))}
    found = named_rows((reports / name / "ptxas.txt").read_text() for name in sources)
    compiler = compiler_of(next(iter(ptx.values())))
    if "--write" in sys.argv:
        write_table(compiler, found)
        return 0
    planned_by, table = read_table(TABLE.read_text())
    table = {key: row for key, row in table.items() if only in (None, key[1])}
    same = planned_by == compiler
    problems = check_resources(table, found, same)
    for name, text in ptx.items():
        problems += check_ptx(name, text) + check_walks(name, text)
    if not any("11wide_kernel" in text for text in ptx.values()):
        problems.append("kernels: no wide kernel is seen, so no node step was counted")
    print("\n".join(problems))
    if not same:
        print(f"kernels: built by {compiler}, planned with {planned_by}: only spills compared")
    print(f"kernels: {len(found)} of {len({a for _, a in found})} architectures and {len(ptx)} PTX "
          f"files, {len(problems)} findings")
    return 1 if problems or not ptx else 0


if __name__ == "__main__":
    sys.exit(main())
