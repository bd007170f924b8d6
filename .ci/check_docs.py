#!/usr/bin/env python3
"""Checks the Markdown pages: links and paths that they name exist, lines have at most 100 columns,
rows of tables have as many cells as their header, and the new calls of docs/project/migration-0.3.md are those
that tests/consumer/migration.cpp compiles.

    .ci/check_docs.py   every page that git knows; exit code 1 when a rule is broken
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A path of the tree in backticks; `*` stands for any text.
NAMED = re.compile(r"`((?:\.ci|bench|cmake|docs|host|include|kernels|scripts|tests)/[\w./*+-]*)`")

RULER = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")


def prose(text):
    """(number, line, is code) of every line; fenced and indented blocks are code."""
    fenced, before = False, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        indented = line.startswith("    ") and not before
        yield number, line, fenced or fence or indented
        before = "" if indented else line.strip()


def anchors(text):
    """What `#...` may name: the headings, as GitHub spells them."""
    titles = [line.lstrip("#").strip() for _, line, code in prose(text)
              if line.startswith("#") and not code]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_link(page, link):
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return f"{link} does not exist"
    if anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
        return f"{link}: no such heading"
    return None


def cells(row):
    """How many cells GitHub makes of a row: a pipe divides also within backticks, `\\|` does not."""
    row = re.sub(r"^\||(?<!\\)\|$", "", row.strip())
    return len(re.findall(r"(?<!\\)\|", row)) + 1


def torn_rows(text):
    """Rows with more or fewer cells than their header: GitHub drops cells, or shows no table."""
    lines = [(number, "" if code else line) for number, line, code in prose(text)]
    columns = 0
    for (number, line), (_, after) in zip(lines, [*lines[1:], (0, "")]):
        if not line.strip():
            columns = 0
        elif not columns and "|" in line and "|" in after and RULER.fullmatch(after):
            columns = cells(line)
        if columns and cells(line) != columns:
            yield number, f"{cells(line)} cells in a table of {columns}; write a pipe as \\|"


def problems(page, root):
    yield from torn_rows(page.read_text(encoding="utf-8"))
    for number, line, code in prose(page.read_text(encoding="utf-8")):
        if code:
            continue
        free = line.startswith(("|", "![")) or "://" in line
        if len(line) > COLUMNS and not free:
            yield number, f"{len(line)} columns"
        yield from ((number, fault) for link in LINK.findall(line)
                    if (fault := broken_link(page, link)))
        yield from ((number, f"{path} does not exist") for path in NAMED.findall(line)
                    if not any(root.glob(path.rstrip("/"))))


def uncompiled(page, program):
    """(number, fault) of code in other columns than the first that is not in the program."""
    dense = "".join(program.split())
    for number, line in enumerate(page.splitlines(), 1):
        for code in re.findall(r"`([^`]+;)`", "|".join(line.split("|")[2:])):
            if "".join(code.split()) not in dense:
                yield number, f"nothing compiles {code}"


def main():
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\n")[:-1]
    broken = [f"{name}:{number}: {fault}" for name in names
              for number, fault in problems(ROOT / name, ROOT)]
    page = "docs/project/migration-0.3.md"
    broken += [f"{page}:{number}: {fault}" for number, fault in uncompiled(
        (ROOT / page).read_text(), (ROOT / "tests/consumer/migration.cpp").read_text())]
    print("\n".join(broken + [f"docs: {len(names)} pages, {len(broken)} broken rules"]))
    return 1 if broken or not names else 0


if __name__ == "__main__":
    sys.exit(main())
