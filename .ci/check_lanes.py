#!/usr/bin/env python3
"""Checks the code of lanes: that of one instruction set can never run where another was chosen, and
none of it copies tables or calls out of line.

  .ci/check_lanes.py BUILD   BUILD holds the objects of simd_kernels_*.cpp

A function that several objects define (a weak symbol) is taken from any one of them by the linker.
If that one was compiled for AVX-512, processors without it stop at an illegal instruction. So every
weak symbol of such an object must be of its own instruction set's namespace (N_AVX3 ...), which
appears in its name, and no two objects of one library may share it.

The code of simd_kernels_*.cpp runs for every vector of rays. It holds no `rep movs` and no `rep
stos`: a table that is not static is copied to the stack by them for every vector, which once took
two thirds of the time of AVX2. It calls only functions that host/cpu names and keeps out of line,
and those that the arithmetic declares SIGHTLINE_APART, which hardly ever run and are the object's
own: no lambda, no other function of the arithmetic, nothing of a library.

Exit code 1 when something of this does not hold, or when there are no objects to look at.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEAK = re.compile(r"^[0-9a-f]* +[WVu] (.+)$")
NAMESPACE = re.compile(r"\b(N_[A-Z0-9_]+)::")
PATTERNS = ("simd_kernels_*.cpp.o", "lane_probe_*.cpp.o")
HOT = "simd_kernels_*.cpp.o"
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
COPY = re.compile(r"\brep[a-z]* (movs|stos)")
CALL = re.compile(r"\bcall[a-z]* +[0-9a-f]+ <(.+?)(\+0x[0-9a-f]+)?>$")
RELOCATION = re.compile(r"R_X86_64_\w+\t(.+?)(?:-0x[0-9a-f]+)?$")
# A function that the lanes name. What a lambda is has it within the name, not at its beginning.
OURS = re.compile(r"^(?:[\w ]+ )?sightline::detail::N_[A-Z0-9_]+::\w")
APART = re.compile(r"SIGHTLINE_APART [\w<>: ]+?(\w+)\(")


def functions_apart():
    """The names that the arithmetic declares SIGHTLINE_APART."""
    headers = (ROOT / "include/sightline/geometry").rglob("*.hpp")
    return {name for header in headers for name in APART.findall(header.read_text())}


def is_apart(function, names):
    """Whether a function as nm names it is one of these: they are templates."""
    return any(name in names for name in re.findall(r"sightline::(\w+)<", function.split("(")[0]))


def weak_symbols(listing):
    """Names of the weak symbols in what `nm -C --defined-only` prints."""
    return [match[1] for match in map(WEAK.match, listing.splitlines()) if match]


def problems_of(listings):
    """Sentences about objects, whose listings are given by name, of one library."""
    problems, owner = [], {}
    for name, listing in sorted(listings.items()):
        symbols = weak_symbols(listing)
        spaces = sorted({space for symbol in symbols for space in NAMESPACE.findall(symbol)})
        if len(spaces) != 1:
            problems.append(f"{name}: code of {', '.join(spaces) or 'no'} instruction set")
            continue
        problems += [f"{name}: {symbol} is of no instruction set" for symbol in symbols
                     if not NAMESPACE.search(symbol)]
        if spaces[0] in owner:
            problems.append(f"{name}: {spaces[0]} is {owner[spaces[0]]}'s as well")
        owner[spaces[0]] = name
    return problems


def callee_of(call, relocation, functions):
    """The function that a line calls: by its relocation, where there is one. That of an object's
    own function is a place in `.text`, less the 4 bytes to the end of the call."""
    match = RELOCATION.search(relocation)
    callee = match[1] if match else call[1]
    place = re.fullmatch(r"\.text\+0x([0-9a-f]+)", callee)
    return functions.get(int(place[1], 16) + 4, callee) if place else callee


def functions_in_text(lines):
    """By address: the functions of section .text."""
    functions, section = {}, ""
    for line in lines:
        if line.startswith("Disassembly of section "):
            section = line.removeprefix("Disassembly of section ").rstrip(":")
        elif section == ".text" and (match := FUNCTION.match(line)):
            functions[int(line.split()[0], 16)] = match[1]
    return functions


def slow_code(name, assembly, apart):
    """Sentences about what `objdump -dr -C` prints of hot functions: not those apart."""
    problems, function = [], "?"
    lines = assembly.splitlines()
    functions = functions_in_text(lines)
    for line, following in zip(lines, lines[1:] + [""]):
        if match := FUNCTION.match(line):
            function = match[1]
        elif match := COPY.search(line):
            if not is_apart(function, apart):
                problems.append(f"{name}: {function} copies by rep {match[1]}")
        elif match := CALL.search(line):
            callee = callee_of(match, following, functions)
            ours = OURS.match(callee) or is_apart(callee, apart)
            if not ours or "{lambda" in callee:
                problems.append(f"{name}: {function} calls {callee}")
        elif re.search(r"\bcall[a-z]* +\*", line) and "simd" not in function:
            problems.append(f"{name}: {function} calls by a pointer")
    return sorted(set(problems))


def listings_of(build, pattern):
    """By folder, then by name: what nm prints of each object."""
    folders = {}
    for path in build.rglob(pattern):
        done = subprocess.run(["nm", "-C", "--defined-only", str(path)], check=True, text=True,
                              capture_output=True)
        folders.setdefault(path.parent, {})[path.name] = done.stdout
    return folders


def assembly_of(path):
    return subprocess.run(["objdump", "-dr", "-C", "--no-show-raw-insn", str(path)], check=True,
                          text=True, capture_output=True).stdout


def main():
    build = ROOT / sys.argv[1]
    problems, looked = [], []
    for pattern in PATTERNS:
        for folder, listings in listings_of(build, pattern).items():
            looked += listings.values()
            problems += [f"{folder.relative_to(build)}/{line}" for line in problems_of(listings)]
    for path in sorted(build.rglob(HOT)):
        problems += slow_code(path.name, assembly_of(path), functions_apart())
    print("\n".join(problems[:50]))
    symbols = sum(len(weak_symbols(listing)) for listing in looked)
    print(f"lanes: {len(looked)} objects, {symbols} weak symbols, {len(problems)} problems")
    return 1 if problems or not looked else 0


if __name__ == "__main__":
    sys.exit(main())
