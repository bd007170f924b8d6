#!/usr/bin/env python3
"""Shows that the checks of .ci/ and the plots of bench/ can fail: each finds what is planted."""

import importlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / ".ci"), str(ROOT / "bench")]
sys.dont_write_bytecode = True

kernels = importlib.import_module("check_kernels")
api = importlib.import_module("check_api")
docs = importlib.import_module("check_docs")
fma = importlib.import_module("check_fma")
instructions = importlib.import_module("check_instructions")
layers = importlib.import_module("check_layers")
lanes = importlib.import_module("check_lanes")
reference = importlib.import_module("check_reference")
skipped = importlib.import_module("check_skipped")
plot = importlib.import_module("plot")


PTX_SAMPLE = """
.visible .entry kernel(
\tadd.rn.f32 \t%f1, %f2, %f3;
\tmul.lo.s32 \t%r1, %r2, %r3;
@%p1 bra \t$L__BB0_2;
\tdiv.rn.f32 \t%f1, %f2, %f3;
\tmad.wide.u32 \t%rd1, %r1, 4, %rd2;
\tdiv.u64 \t%rd1, %rd2, %rd3;
\tmin.f32 \t%f1, %f2, 0f7F800000;
\tmax.f32 \t%f1, %f2, 0fFF800000;
\tmax.f32 \t%f1, %f2, 0f00000000;
\tmin.f32 \t%f1, %f2, 0f7F7FFFFF;
\tmin.f64 \t%fd1, %fd2, 0d7FF0000000000000;
"""
WALK_SAMPLE = """
.visible .entry _ZN9sightline7kernels11wide_kernelILi24ENS0_9AnyHitJobEEEvT0_NS0_7BatchesE(
$L__BB0_1:
\tmul.wide.u32 \t%rd3, %r1, 64;
\tadd.s64 \t%rd4, %rd1, %rd3;
\tld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd4];
\tld.global.v4.u32 \t{%r2, %r3, %r4, %r5}, [%rd4+16];
\tld.global.v4.u32 \t{%r6, %r7, %r8, %r9}, [%rd4+32];
@%p1 bra \t$L__BB0_2;
\tld.global.u32 \t%r10, [%rd4+56];
\tmul.wide.u32 \t%rd5, %r10, 64;
\tadd.s64 \t%rd6, %rd1, %rd5;
\tld.global.v2.u32 \t{%r11, %r12}, [%rd6+48];
\tld.global.v4.u32 \t{%r13, %r14, %r15, %r16}, [%rd2+48];
\tst.shared.v2.u32 \t[%r20], {%r2, %r3};
\tld.local.v2.u32 \t{%r2, %r3}, [%rd7];
"""
REPORT_SAMPLE = """
ptxas info    : Compiling entry function '_ZN9sightline7kernels4castILi1EEEvi' for 'sm_90'
ptxas info    : Function properties for _ZN9sightline7kernels4castILi1EEEvi
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 512 bytes smem, 400 bytes cmem[0]
"""


def test_kernels():
    assert not kernels.check_ptx("sample", PTX_SAMPLE)
    for planted in ("add.ftz.f32 %f1, %f2, %f3;", "@%p2 sqrt.approx.f32 %f1, %f2;",
                    "rcp.approx.ftz.f64 %fd1, %fd2;", "div.full.f32 %f1, %f2, %f3;",
                    "add.f32 %f1, %f2, %f3;", "mul.f64 %fd1, %fd2, %fd3;",
                    "mad.f32 %f1, %f2, %f3, %f4;", "sqrt.rz.f32 %f1, %f2;",
                    "ex2.approx.f32 %f1, %f2;", "max.f32 %f1, %f2, %f3;",
                    "min.f32 %f1, %f2, 0f00000000;", "min.f32 %f1, %f2, 0f80000000;",
                    "max.f32 %f1, %f2, 0f7FC00000;",
                    "min.f64 %fd1, %fd2, 0d0000000000000000;", "max.f32 %f1, %f2, 0f80000000;",
                    "max.f64 %fd1, %fd2, 0d8000000000000000;"):
        found = kernels.check_ptx("sample", PTX_SAMPLE + "\t" + planted + "\n")
        assert len(found) == 1 and "kernel" in found[0], planted
    assert not kernels.check_walks("sample", WALK_SAMPLE)
    third = "\tld.global.v4.u32 \t{%r6, %r7, %r8, %r9}, [%rd4+32];\n"
    fourth = third.replace("+32", "+48")
    for found, change, by in (
            ("4 loads", third, third + fourth),
            ("4 loads", "4.f32 \t{%f1, %f2, %f3, %f4}, [%rd4]", "2.u64 \t{%rd8, %rd9}, [%rd4+8];\n"
             "\tld.global.u32 \t%r1, [%rd4+60]"),
            ("0 node steps", "%rd1, %rd3", "%rd1, %rd2"), ("0 node steps", third, ""),
            ("1 accesses", "st.shared", "st"), ("1 accesses", "ld.local", "@%p1 ld"),
            ("1 accesses", "ld.local.v2", "ld.volatile.v2")):
        problems = kernels.check_walks("sample", WALK_SAMPLE.replace(change, by))
        assert len(problems) == 1 and found in problems[0], (change, problems)
    found = kernels.named_rows([REPORT_SAMPLE])
    row = dict(zip(kernels.COLUMNS, (40, 16, 8, 4, 512)))
    assert found == {("cast<1>", "sm_90"): row}, found
    assert not kernels.check_resources(found, found, True)
    for column in kernels.COLUMNS:
        table = {key: {**row, column: row[column] - 1} for key in found}
        assert len(kernels.check_resources(table, found, True)) == 1, column
        problems = kernels.check_resources(table, found, False)
        assert len(problems) == column.startswith("spill"), column
    assert kernels.check_resources({}, found, True) and kernels.check_resources(found, {}, True)


def test_api(folder):
    planted = ("inline float twice(float x) { return x + x; }",
               "inline bool less(float a, float b) { return a < b; }",
               "inline float least(float a, float b) { return a < b ? a : b; }",
               "inline float part(int i) { return static_cast<float>(i); }",
               "struct Size { double d; double half() const { return d * 0.5; } };",
               "inline long double more(long double x) { return x * x; }",
               "inline Vec3 twice(Vec3 v) { return v + v; }")
    fine = ("inline float same(float x) { return x; }",
            "inline Vec3 turned(const Vec3& v) { return {v.z, v.x, 0}; }")
    headers = "#include <sightline/vec.hpp>\n"
    source = f"{headers} namespace sightline {{ {' '.join(planted + fine)} }}"
    objects = api.compiled(source, os.path.join(folder, "planted.o"))
    functions, found = api.arithmetic_in(api.disassembled(objects), api.of_interface({"operator+"}))
    for name in ("twice(float)", "less(float, float)", "least(float, float)", "part(int)",
                 "Size::half() const", "more(long double)", "twice(sightline::Vec3T<float>)",
                 "normalize(sightline::Vec3T<float> const&)"):
        assert any(line.startswith(f"sightline::{name}:") for line in found), name
    for name in ("same(", "turned("):
        assert any(name in function for function in functions), name
    assert not any(re.search(r"same|turned|operator\+\(", line) for line in found), found
    source = "#include <algorithm>\nvoid sorted(float* a, float* b) { std::sort(a, b); }"
    objects = api.compiled(source, os.path.join(folder, "sorted.o"))
    assert api.arithmetic_in(api.disassembled_for_any_program(objects), lambda function: True)[1]


def test_docs():
    page = ("# A page\n\n[here](#a-page) [there](nowhere.md) [heading](#none)\n`host/nothing.cpp`\n"
            + "word " * 21 + "\n\n    " + "code " * 21 + "\n\n| " + "cell " * 21 + "|\n"
            + "\n| a | b |\n|---|---|\n| `c|d` | e |\n| `f\\|g` | h |\n| i |\nj\n"
            + "\na|b\n:-|-:\nc|d\n\n| a | b |\n|---|\n")
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "page.md"
        path.write_text(page, encoding="utf-8")
        found = [f"{number}: {fault}" for number, fault in docs.problems(path, path.parent)]
    expected = [*(f"{number}: {count} cells in a table of 2; write a pipe as \\|"
                  for number, count in [(13, 3), (15, 1), (16, 1), (23, 1)]),
                "3: nowhere.md does not exist", "3: #none: no such heading",
                "4: host/nothing.cpp does not exist", "5: 105 columns"]
    if found != expected:
        sys.exit(f"check_docs: self-test: found {found}")
    text = ("# So many titles\n\nShort. " + "word " * 36 + "in `so many` one. It tells so.\n\n"
            "- " + "item " * 20 + "1.\n- " + "item " * 20 + "2. Of 2026-01-01.\n\n| told | told |\n")
    found = list(docs.user_problems("docs/howto/page.md", text))
    assert [number for number, _ in found] == [3, 3, 6], found
    assert [number for number, _ in docs.user_problems("README.md", text)] == [3, 3], found
    assert not list(docs.user_problems("docs/notes/page.md", text))
    slow = "word " * 20 + ".\n"
    for name in ("docs/start/page.md", "docs/concepts/page.md"):
        assert any("words a sentence" in fault for _, fault in docs.user_problems(name, slow)), name
    assert [fault for _, fault in docs.user_problems("docs/concepts/page.md", "Short.\n")] == [
        "a page of concepts without a figure"]


def test_fma():
    for planted in ("fma.rn.f32 %f1, %f2, %f3, %f4;", "@%p1 fma.rn.f64 %fd1, %fd2, %fd3, %fd4;",
                    "mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.rn.f16x2 %r1, %r2, %r3, %r4;"):
        assert fma.fused(f"\tadd.rn.f32 %f1;\n\t{planted}\n", fma.PTX) == [planted], planted
    for planted in ("vfmadd231ss %xmm1,%xmm2,%xmm3", "vfnmsub213ps %ymm1,%ymm2,%ymm3",
                    "vfmaddsub132pd %ymm1,%ymm2,%ymm3"):
        assert fma.fused(f"  10:\tvmulss %xmm1\n{planted}\n", fma.X86) == [planted], planted
    assert not fma.fused("mad.lo.s32 %r1, %r2;\n\tmad.wide.u32 %rd1, %r2;\n", fma.PTX)
    assert not fma.fused("vmulss %xmm1,%xmm2,%xmm3\nvaddss %xmm1,%xmm2,%xmm3\n", fma.X86)
    words = fma.command_of("ccache nvcc --generate-code=arch=compute_75,code=[sm_75] -MD -MT a.o "
                           "-MF a.d -x cu -c kernels/a.cu -o a.o", "b.ptx", True)
    assert words == ["ccache", "nvcc", "-x", "cu", "kernels/a.cu", "-ptx", "-arch=compute_90",
                     "-DSIGHTLINE_EXPAND_FMA", "-o", "b.ptx"], words


def test_instructions():
    table = {"city 1000 los": 1000, "cloud 1000 los": 2000}
    assert not instructions.problems_of(table, {"city 1000 los": 1049, "cloud 1000 los": 1901})
    assert "grew" in instructions.problems_of(table, {**table, "city 1000 los": 1051})[0]
    assert "shrank" in instructions.problems_of(table, {**table, "city 1000 los": 949})[0]
    assert instructions.problems_of(table, {"city 1000 los": 1000})
    assert instructions.problems_of(table, {**table, "mixed 1000 los": 7})
    assert instructions.read_table("# words\ng++ 12\ncity 1000 los 1000\n") == \
        ("g++ 12", {"city 1000 los": 1000})


def test_layers():
    broken = [("python/bindings/a.cpp", "host/door/caster_impl.hpp"),
              ("host/cuda/queries/a.cpp", "host/cpu/threads.hpp"),
              ("host/cpu/shapes/a.hpp", "host/cuda/device/check.hpp"),
              ("host/cpu/a.cpp", "host/door/caster_impl.hpp"),
              ("host/bakes/nav/a.cpp", "host/backend/backend.hpp"),
              ("host/program/verbs/a.cpp", "host/backend/backend.hpp"),
              ("host/program/jobs/a.cpp", "host/program/results/result.hpp"),
              ("host/files/core/a.cpp", "host/program/jobs/bytes.hpp"),
              ("host/tree/a.cpp", "kernels/launch/launch.hpp"), ("host/tree/a.cpp", "fmt/format.h"),
              ("host/cpu/a.cpp", "cairo.h"), ("host/tree/a.cpp", "nlohmann/json.hpp"),
              ("host/cuda/device/a.cpp", "kernels/launch/grid.hpp"),
              ("host/cpu/a.cpp", "cuda_runtime_api.h"), ("host/new/a.cpp", "sightline/nav.hpp"),
              ("host/door/a.cpp", "thrust/sort.h"),
              ("host/tree/a.cpp", "tests/support/pack_rays.hpp")]
    fine = [("host/cuda/device/a.cpp", "cuda_runtime_api.h"),
            ("host/cuda/device/a.cpp", "kernels/launch/launch.hpp"),
            ("host/cpu/queries/a.cpp", "host/cpu/shapes/b.hpp"),
            ("host/program/results/a.cpp", "fmt/format.h"),
            ("host/door/a.cpp", "host/backend/backend.hpp"), ("host/bakes/nav/a.cpp", "vector")]
    assert all(layers.check_host(me, '"', name) for me, name in broken)
    assert not any(layers.check_host(me, '"', name) for me, name in fine)
    geometry = "sightline/geometry"
    query, shape = f"include/{geometry}/queries/a.hpp", f"include/{geometry}/shapes/a.hpp"
    assert layers.check_public(query, "<", "sightline/scene.hpp")
    assert layers.check_public(query, "<", "vector")
    assert layers.check_public(query, '"', "host/tree/sah.hpp")
    assert not layers.check_public(query, "<", "sightline/geometry/shapes/obb.hpp")
    assert layers.check_public(shape, "<", f"{geometry}/flat/b.hpp")
    assert layers.check_public("include/sightline/scene.hpp", "<", f"{geometry}/shapes/aabb.hpp")
    assert layers.check_public("include/sightline/new/a.hpp", "<", "vector")
    assert not layers.check_public("include/sightline/scene.hpp", "<", "vector")
    assert layers.check_kernels("kernels/build/a.cuh", '"', "host/tree/sah.hpp")
    assert layers.check_kernels("kernels/build/a.cuh", '"', "kernels/queries/b.cuh")
    assert not layers.check_kernels("kernels/build/a.cuh", '"', "kernels/traverse/b.cuh")
    assert layers.check_interface("sightline/geometry/geometry.hpp")
    assert not layers.check_interface("sightline/scene.hpp")
    assert layers.check_kernels("kernels/launch/a.hpp", '"', "kernels/launch/a.cuh")
    assert layers.check_oracle("tests/oracle/a.hpp", "<", "sightline/geometry/exact/two_float.hpp")
    assert layers.check_oracle("tests/oracle/a.hpp", "<", "sightline/geometry/queries/cast.hpp")


def test_lanes():
    avx3 = "0000 T sightline::simd()\n0000 W sightline::N_AVX3::run(int)\n"
    avx2 = "0000 W sightline::N_AVX2::run(int)\n"
    template = "0000 W sightline::contains<sightline::N_AVX3::FloatVec<16> >(int)\n"
    stray = "0000 W std::vector<int>::push_back(int)\n"
    assert not lanes.problems_of({"a.o": avx3 + template, "b.o": avx2})
    assert lanes.problems_of({"a.o": avx3 + stray, "b.o": avx2})
    assert lanes.problems_of({"a.o": avx3 + stray.replace(" W ", " u ")})
    assert lanes.problems_of({"a.o": avx3, "b.o": avx3})
    assert lanes.problems_of({"a.o": avx3 + avx2})
    assert lanes.problems_of({"a.o": "0000 T sightline::simd()\n"})
    run = "0000 <sightline::detail::N_AVX2::Stream<0>::run()>:\n"
    call = "  1: call 6 <sightline::detail::N_AVX2::Stream<0>::run()+0x6>\n\t\t2: R_X86_64_PLT32\t"
    ours = "void sightline::detail::N_AVX2::Leaves<0>::test_queue<sightline::AabbT<float> >()-0x4\n"
    lambda_ = "sightline::detail::N_AVX2::store()::{lambda(int)#1}::operator()(int) const-0x4\n"
    outside = "sightline::contains<sightline::detail::N_AVX2::FloatVec<8> >()-0x4\n"
    apart = {"meets"}
    assert not lanes.slow_code("a.o", run + call + ours, apart)
    assert lanes.slow_code("a.o", run + "  1: rep movsq %ds:(%rsi),%es:(%rdi)\n", apart)
    assert lanes.slow_code("a.o", run + "  1: rep stos %rax,%es:(%rdi)\n", apart)
    assert lanes.slow_code("a.o", run + call + lambda_, apart)
    assert lanes.slow_code("a.o", run + call + outside, apart)
    assert lanes.slow_code("a.o", run + call + "memcpy-0x4\n", apart)
    assert lanes.slow_code("a.o", run + call + ".text-0x4\n", apart)
    assert lanes.slow_code("a.o", run + "  1: call 80 <sightline::contains<float>()>\n", apart)
    assert lanes.slow_code("a.o", run + "  1: call *0x8(%rax)\n", apart)
    own = "Disassembly of section .text:\n0000000000000010 <sightline::meets<float>(float)>:\n"
    copy = "  1: rep movsq %ds:(%rsi),%es:(%rdi)\n"
    assert not lanes.slow_code("a.o", own + copy + run + call + ".text+0xc\n", apart)
    assert lanes.slow_code("a.o", own + copy + run + call + ".text+0x8\n", apart)
    assert lanes.slow_code("a.o", own.replace("meets", "misses") + copy, apart)
    assert lanes.slow_code("a.o", own.replace("meets", "x") + run + call + ".text+0xc\n", apart)


def test_reference():
    header = "/// @file\n/// @namespace n\n/// A namespace.\nnamespace n {{\n{}\n}}\n"
    fine = "/// Adds.\n/// @param a  a number\n/// @param b  another\nint f(int a, int b);\n"
    planted = {"Member g": "int g();",
               "Member b": "/// A.\nstruct S {\n  /// One.\n  int a, b;\n};",
               "argument 'c'": fine.replace("param b", "param c"),
               "parameter 'b'": fine.replace("/// @param b  another\n", "")}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "planted.hpp"
        path.write_text(header.format(fine), encoding="utf-8")
        assert not reference.warnings_of(folder)
        for warning, lines in planted.items():
            path.write_text(header.format(lines), encoding="utf-8")
            found = reference.warnings_of(folder)
            assert any(warning in one for one in found), (warning, found)


def test_skipped():
    holds = {"always": True, "no GPU": False}
    planned = skipped.read_list("# words\nalways | itself\nno GPU | no .* device\n", holds)
    log = "[ RUN      ] A.B\n/a/b.cpp:7: Skipped\n{}\n\n[  SKIPPED ] A.B (0 ms)\n"
    assert skipped.skipped_in(log.format("itself")) == [("A.B", "itself")]
    assert not skipped.problems_of(skipped.skipped_in(log.format("itself")), planned)
    assert skipped.problems_of(skipped.skipped_in(log.format("no CUDA device")), planned)
    silent = "[ RUN      ] A.C\n[  SKIPPED ] A.C (0 ms)\n"
    assert skipped.problems_of(skipped.skipped_in(log.format("itself") + silent), planned)
    assert skipped.skipped_in("SKIPPED [2] a/b.py:7: no x") == [("a/b.py:7", "no x")]
    assert skipped.problems_of(skipped.skipped_in("\t 31 - test_pages (Skipped)\n"), planned)
    assert skipped.problems_of(skipped.skipped_in("SKIPPED: there is no nvcc\n"), planned)
    assert not skipped.problems_of([], planned)


def test_plot():
    """Draws made-up rows: as many marks as they have, at their rates."""
    def row(shapes, rate, threads=1, lanes="avx2"):
        return {"scene": "a/city.st", "shapes": shapes, "rays": "los", "query": "any",
                "threads": threads, "lanes": lanes, "mrays_per_s": rate, "rival": "R",
                "rival_mrays_per_s": rate / 2, "ratio": 2.0}
    report = [row(1000, 8.0), row(100000, 2.0), row(1000, 15.0, 2), row(1000, 4.0, 1, "portable")]
    rows = plot.rows_of([report], 1, "avx2")
    assert len(rows) == 2
    ax = plot.draw_rates(rows, "t").axes[0]
    _, ours, theirs = ax.collections
    assert [list(marks.get_offsets()[:, 0]) for marks in (ours, theirs)] == [[8, 2], [4, 1]]
    assert ax.get_yticklabels()[0].get_text() == "city 1,000, los any"
    assert plot.table(plot.rows_of([report], 1, "avx2,portable")).splitlines()[2:] == [
        "| los, any | 8 (2.00x); 4 (2.00x) | 2 (2.00x) |"]
    measured = {"benchmarks": [
        {"run_name": "any/city/1000/los/avx2/threads:1/manual_time", "rays/s": 7e6},
        {"run_name": "any/city/1000/los/avx2/threads:1/manual_time", "rays/s": 5e6,
         "aggregate_name": "median"},
        {"run_name": "pair/sphere", "rays/s": 1e6, "aggregate_name": "median"}]}
    rows = plot.rows_of([[*plot.rows_of_benchmarks(measured)]], 1, "avx2")
    assert plot.table(rows).splitlines()[2:] == ["| los, any | 5 |"]
    other = {**row(1000, 9.0), "ratio": 2.5}       # beside another rival, in another run of ours
    assert plot.cell([other, row(1000, 8.0)]) == "8 (2.00x)"
    rows = [other, row(1000, 8.0), {**row(10, 8.0), "rival": "S, packets"}]
    ax = plot.draw_rates(rows, "t").axes[0]
    assert list(ax.collections[1].get_offsets()[:, 0]) == [8, 8]
    assert ax.get_legend().get_texts()[1].get_text() == "R or S"


def main():
    """The checks that are named; else all but the plots, which need matplotlib."""
    every = ["kernels", "api", "docs", "fma", "instructions", "layers", "lanes", "skipped"]
    if shutil.which("doxygen"):
        every.append("reference")
    for name in sys.argv[1:] or every:
        if name == "api":
            with tempfile.TemporaryDirectory() as folder:
                test_api(folder)
        else:
            globals()[f"test_{name}"]()
        print(f"{name}: every check can fail")


if __name__ == "__main__":
    main()
