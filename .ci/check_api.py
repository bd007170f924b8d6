#!/usr/bin/env python3
"""Checks that the library's interface holds no arithmetic on floats.

  .ci/check_api.py LIBRARY   LIBRARY is build/release/libsightline.a

A function that a header defines is compiled again by each program that includes it. The linker
takes one of the copies for the whole program, the library included. So a header that a program
compiles by its own flags, -ffast-math among them, may only move floats. This compiles what
<sightline/sightline.hpp> and <sightline/files.hpp> include by such flags, with every inline
function kept, and looks at each function of namespace sightline. Of the library it looks at the
functions that any program may define as well: templates of the standard library over plain types,
such as std::sort of floats. Exit code 1 when one of these does more with floats than load, store
and permute them, or when no function is seen.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-O1", "-ffast-math", "-fkeep-inline-functions", "-march=x86-64-v3", "-c",
         "-xc++", "-"]
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^ +[0-9a-f]+:\t(\S+) *(.*)$")
WEAK = re.compile(r"^[0-9a-f]+ W (.+)$")
FLOATS = re.compile(r"%[xyz]mm|%st\b|^f[a-z]+$")
# Loads, stores and permutations of floats, copies and tests of bits.
MOVES = re.compile(r"v?(mov\w+|unpck\w+|shuf\w+|insertps|p?(xor|and|andn|or)p?[sdq]?|p?unpck\w+"
                   r"|pshuf\w+|p?insr\w+|p?extr\w+|p?broadcast\w+|(insert|extract)[fi]128|zero\w+"
                   r"|p(add|sub|cmpeq)[bwdq]|p?perm\w+|palignr)")
# Always inlined: no copy of these is called.
USERS_OWN = re.compile(r"\bSIGHTLINE_USERS_OWN \S+ (\S+?)\(")
INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
INTERFACE = "#include <sightline/files.hpp>\n#include <sightline/sightline.hpp>\n"
# What is a template, or special, is compiled where it is used.
USES = r"""
#include <utility>
#include <vector>
namespace sightline {
template <class Shape>
Shape use_shape(Scene& scene, const std::vector<Shape>& shapes) {
  scene.add(shapes), scene.set(0, shapes), scene.add(shapes[0]);
  return scene.get<Shape>(0);
}
template Aabb use_shape(Scene&, const std::vector<Aabb>&);
template Obb use_shape(Scene&, const std::vector<Obb>&);
template Sphere use_shape(Scene&, const std::vector<Sphere>&);
template Capsule use_shape(Scene&, const std::vector<Capsule>&);
template Plane use_shape(Scene&, const std::vector<Plane>&);
bool use_views(const RaysView& r, const CirclesView& c, const SegmentsView& s) {
  return r.size() + c.size() + s.size() + PointsView(std::vector<Vec3>(2)).size() > 4;
}
Hit use_answers(const Hits& h, const Bits<CastReport>& b, const Counts<OverlapReport>& c,
                const BitMatrix& m, const OverlapRows& o) {
  const bool any = b[1] || m(1, 2) || c[1] + o.row(1).size() + m.row(1).size() > 9;
  return any ? h[1] : Hit{};
}
CasterOptions use_backends(bool same, Backend b) {
  same = same && default_options(b) == CasterOptions(AutomaticOptions{});
  return same ? CasterOptions(CpuOptions{}) : CudaOptions{};
}
std::vector<Ray> use_rows(const std::vector<Ray>& rays, const PointsView& p, const FieldsView& f) {
  const RaysView v = RaysView::rows(rays).slice(1, 2);
  auto copies = std::pair(p.slice(1, 2), f.slice(1, 2));
  return {v[0], Ray{copies.first[0].position, copies.second[0].direction}};
}
bool use_reports(const CastReport& a, const HitRowsReport& b, const VisibilityReport& c,
                 const OverlapReport& d, const NearestReport& e, const CoverReport& f) {
  return a == a && b == b && c == c && d == d && e == e && f == f;
}
std::pair<NavOptions, CoverPlaceOptions> use_options() { return {}; }
std::vector<CoverRows> use_cover(std::uint64_t n) {
  std::vector<CoverRows> rows(2);
  for (CoverRows& r : rows) r.resize(n), r.view().slice(1, 2);
  return rows;
}
}  // namespace sightline
"""


def output_of(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def disassembled(objects, *sections):
    return output_of("objdump", "-dC", "--no-show-raw-insn", "-w", *sections, objects)


def disassembled_for_any_program(objects):
    """What the linker may replace by a function of a program that knows no sightline."""
    weak = {match[1] for match in map(WEAK.match, output_of("nm", objects).splitlines())
            if match and "9sightline" not in match[1]}
    return disassembled(objects, *(f"--section=.text.{name}" for name in weak)) if weak else ""


def compiled(source, output):
    subprocess.run(["g++", f"-I{INCLUDE}", "-o", output, *FLAGS], input=source, check=True,
                   text=True)
    return output


def of_interface(inlined):
    """Whether a function is of namespace sightline, and none of these."""
    name = re.compile(r"sightline::(\S+?)\(")
    return lambda function: ("sightline::" in function and
                             not ((match := name.match(function)) and match[1] in inlined))


def arithmetic_in(text, is_looked_at):
    """(the functions that are looked at, what each does with floats beside moving them)."""
    functions, found, current = set(), [], None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            current = match[1] if is_looked_at(match[1]) else None
            functions.update([current] if current else [])
        elif current and (match := INSTRUCTION.match(line)):
            name, operands = match[1], match[2]
            if FLOATS.search(operands) or FLOATS.match(name):
                if not MOVES.fullmatch(name):
                    found.append(f"{current}: {name} {operands}".rstrip())
    return functions, found


def main():
    with tempfile.TemporaryDirectory() as folder:
        inlined = {name for path in (INCLUDE / "sightline").rglob("*.hpp")
                   for name in USERS_OWN.findall(path.read_text(encoding="utf-8"))}
        objects = compiled(INTERFACE + USES, os.path.join(folder, "api.o"))
        functions, found = arithmetic_in(disassembled(objects), of_interface(inlined))
        replaceable, more = arithmetic_in(disassembled_for_any_program(sys.argv[1]),
                                          lambda function: True)
    found += more
    print("\n".join(found[:20] + [
        f"interface: {len(functions)} functions of the headers, {len(replaceable)} of the library,"
        f" {len(found)} instructions of arithmetic on floats"]))
    return 1 if found or len(functions) < 50 or not replaceable else 0


if __name__ == "__main__":
    sys.exit(main())
