#!/usr/bin/env python3
"""Runs the code of README.md, of the pages in docs/{start,howto,concepts,reference}, and of the
examples in the headers' comments.

    tests/pages.py --cpp OUT.cpp            writes the C++ of all pages as one program
    tests/pages.py --cuda OUT.cu            writes their CUDA, to be compiled
    tests/pages.py PROGRAM CPP [PAGE...]    runs all of it: PROGRAM is sightline, CPP that program

A page's blocks run in order in one empty folder:
  console   `$ command`, then lines that it prints, in this order, among others; `...` is any text,
            and times and rates may differ
  sh        commands that must succeed
  python    names live on through the page; a `text` block right after it is what it prints
  cpp       a program, or lines that are put together in one function; `text` as for Python, or
            comments behind a program's last brace
An example of a header stands alone: `/// @code{.cpp}`, lines, `/// @endcode`.
`<!-- not run: REASON -->` right before a block leaves it out. PROGRAM's run needs SIGHTLINE_WAD, and
SIGHTLINE_SHARED for pages that need its data. Ends with 77, as a skipped test, where a page could
not be run, or SIGHTLINE_TEST_SCALE is below 0.3.
"""
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)
NOT_RUN = re.compile(r"<!-- not run: ((?:(?!-->).)+) -->\n\s*\Z", re.S)
EXAMPLE = re.compile(r"^/// @code\{\.cpp\}\n((?:///.*\n)*?)/// @endcode$", re.M)
BEHIND = re.compile(r"^\} +((?: *// [^\n]*\n)+)\Z", re.M)  # what a program prints, in comments
FOLDERS = ("start", "howto", "concepts", "reference")
MARK = "\x1e"  # between the outputs of the C++ blocks of a page


class Block:
    def __init__(self, text, match, follower):
        self.kind, self.code = match[2], re.sub(f"^{match[1]}", "", match[3], flags=re.M)
        self.line = text.count("\n", 0, match.start()) + 2
        reason = NOT_RUN.search(text, 0, match.start())
        self.left_out = reason and reason[1]
        near = follower and not text[match.end():follower.start()].strip()
        self.prints = follower[3] if near and follower[2] == "text" else None
        if comments := BEHIND.search(self.code):
            self.prints = re.sub(r"^ *// ?", "", comments[1], flags=re.M)


def text_of(page):
    """The text of a page; of a header, with its examples as blocks, each in a scope of its own."""
    text = (ROOT / page).read_text()
    if page.endswith(".hpp"):
        text = EXAMPLE.sub(
            lambda m: "```cpp\n{" + re.sub("^/// ?", "", m[1], flags=re.M) + "}\n```", text)
        assert "@code" not in text, f"{page}: an example is not of the form above"
    return text


def blocks(page):
    text = text_of(page)
    fences = list(FENCE.finditer(text))
    return [Block(text, fence, after) for fence, after in zip(fences, [*fences[1:], None])]


def run_blocks(page, *kinds):
    return [b for b in blocks(page) if b.kind in kinds and not b.left_out]


def pages():
    found = [p.relative_to(ROOT) for f in FOLDERS for p in sorted((ROOT / "docs" / f).glob("*.md"))]
    found += [p.relative_to(ROOT) for p in sorted((ROOT / "include/sightline").glob("*.hpp"))
              if "@code" in p.read_text()]
    return ["README.md", *map(str, found)]


def is_program(block):
    return re.search(r"\bint main\(", block.code)


def write_cpp(out, kind="cpp"):
    """The program prints the blocks of the page whose number it is given, in order."""
    includes, bodies, calls = set(), [], []
    for n, page in enumerate(pages()):
        lines, programs = [], []
        for k, block in enumerate(run_blocks(page, kind)):
            include = re.compile(r"^#include .*\n", re.M)
            includes.update(include.findall(block.code))
            code = f'#line {block.line} "{page}"\n{include.sub(chr(10), block.code)}'
            if is_program(block):
                last = code.rindex("}")  # there, main is a function that must return
                code = f"{code[:last]}return 0;\n{code[last:]}"
                programs.append(f"namespace page{n}_{k} {{\n{code}\n}}\n")
                lines.append(f"page{n}_{k}::main();\n")
            else:
                lines.append(code)
            lines.append("pages::end_block();\n")
        bodies += [*programs, f"void page{n}() {{\nusing namespace sightline;\n{''.join(lines)}}}\n"]
        calls.append(f"  if (page == {n}) page{n}();\n")
    standard = [f"#include <{name}>\n" for name in (
        "algorithm", "array", "cmath", "cstdint", "cstdio", "iostream", "optional", "span",
        "string", "vector", "sightline/sightline.hpp", "sightline/files.hpp")]
    pathlib.Path(out).write_text(
        "".join([*standard, *sorted(includes),
                 'namespace pages { void end_block() { std::fflush(stdout); std::cout << "\\x1e"'
                 " << std::flush; } }\n", *bodies,
                 "int main(int, char** arguments) {\n  const int page = std::stoi(arguments[1]);\n",
                 *calls, "}\n"]))


def printed(line):
    """What a line of output may be: `...` is any text, seconds and rates are any numbers."""
    pattern = re.escape(line).replace(r"\.\.\.", ".*")
    pattern = re.sub(r"\b[\d.\\]+\\ (m?s|min)\b", r"[\\d.]+\\ (?:m?s|min)", pattern)
    return re.sub(r"\b[\d,.\\]+\\ (?:[kMG]\\ )?(\w+/s)\b", r"[\\d,.]+\\ (?:[kMG]\\ )?\1", pattern)


def run_shell(code, where):
    done = subprocess.run(["/bin/bash", "-eu", "-c", code], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{where}: {code} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def steps(code):
    """(command, lines below it) of a console."""
    for step in re.split(r"^\$ ", code, flags=re.M)[1:]:
        command, rest = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*\n)(.*)", step, re.S).groups()
        yield command.strip(), [line for line in rest.splitlines() if line.strip()]


def run_console(block, where):
    assert block.code.startswith("$ "), f"{where}: a console begins with a command"
    for command, expected in steps(block.code):
        output = run_shell(command, where)
        lines = iter(output.splitlines())
        for line in expected:
            assert any(re.fullmatch(printed(line.rstrip()), said.rstrip()) for said in lines), \
                f"{where}: {command} does not print {line!r} there, but:\n{output}"


def run_python(block, where, names):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(block.code, where, "exec"), names)
    assert block.prints in (None, output.getvalue()), f"{where} prints:\n{output.getvalue()}"


def run_page(page, cpp):
    number, names = pages().index(page), {"__name__": "__main__"}
    of_cpp = iter(())
    if run_blocks(page, "cpp"):
        done = subprocess.run([cpp, str(number)], check=True, text=True, stdout=subprocess.PIPE)
        of_cpp = iter(done.stdout.split(MARK))
    for block in blocks(page):
        where = f"{page}:{block.line}"
        if block.left_out:
            print(f"  {where} is not run: {block.left_out}")
        elif block.kind == "console":
            run_console(block, where)
        elif block.kind == "sh":
            run_shell(block.code, where)
        elif block.kind == "python":
            run_python(block, where, names)
        elif block.kind == "cpp":
            output = next(of_cpp)
            assert block.prints in (None, output), f"{where} prints:\n{output}"


def lend_data(page):
    """Links to what pages start from; says what is missing, or returns None."""
    shared = pathlib.Path(os.environ.get("SIGHTLINE_SHARED", ROOT / "../shared")) / "data"
    wad = os.environ.get("SIGHTLINE_WAD", shared / "doom/freedoom1-e1e2-maps.wad")
    lent = {"freedoom1.wad": pathlib.Path(wad), "tps-demo": shared / "godot/tps-demo",
            "1crn.pdb": shared / "molecules/1crn.pdb"}
    os.environ["wad"] = str(lent["freedoom1.wad"].resolve())
    code = "".join(b.code for b in run_blocks(page, "console", "sh", "python"))
    for name, path in lent.items():
        if path.exists():
            pathlib.Path(name).symlink_to(path.resolve())
        elif name in code or (name.endswith("wad") and "$wad" in code):
            return f"{path} is not here"
    return None


def run_in_folder(page, cpp):
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        if missing := lend_data(page):
            print(f"{page}: {missing}")
            return False
        began = time.monotonic()
        run_page(page, cpp)
    print(f"{page}: {len(blocks(page))} blocks in {time.monotonic() - began:.1f} s", flush=True)
    return True


def run_all(program, cpp, chosen):
    if float(os.environ.get("SIGHTLINE_TEST_SCALE", 1)) < 0.3:
        print("pages: not in parts")
        return SKIPPED
    for package in ("numpy", "sightline"):
        if importlib.util.find_spec(package) is None:
            print(f"pages: the package {package} is not here")
            return SKIPPED
    cpp, root = pathlib.Path(cpp).resolve(), os.environ["PATH"]
    with tempfile.TemporaryDirectory() as bin_folder:
        (pathlib.Path(bin_folder) / "sightline").symlink_to(pathlib.Path(program).resolve())
        os.environ["PATH"] = f"{bin_folder}:{pathlib.Path(sys.executable).parent}:{root}"
        done, faults = True, []
        for page in chosen or pages():
            try:
                done &= run_in_folder(page, cpp)
            except Exception as error:  # a page's code may end by any
                faults.append(f"{page}: {type(error).__name__}: {error}")
                print(faults[-1], flush=True)
    print(f"pages: {len(faults)} of {len(chosen or pages())} pages do not do what they say")
    return 1 if faults else 0 if done else SKIPPED


if __name__ == "__main__":
    if sys.argv[1] in ("--cpp", "--cuda"):
        write_cpp(sys.argv[2], sys.argv[1][2:])
        sys.exit(0)
    sys.exit(run_all(sys.argv[1], sys.argv[2], sys.argv[3:]))
