#!/usr/bin/env python3
"""Checks the Markdown pages: links and paths that they name exist, lines have at most 100 columns,
rows of tables have as many cells as their header, and the new calls of
docs/project/migration-0.3.md are those that tests/consumer/migration.cpp compiles. Pages for users
(README.md, docs/{start,howto,concepts,reference}) have short sentences, the words of
docs/project/style.md, and no history; each of docs/concepts/ has a figure.

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

USERS = re.compile(r"README\.md|docs/(index\.md|(start|howto|concepts|reference)/)")
MOST_WORDS, MEAN_WORDS = 35, 18
# What docs/project/style.md replaces, and words of history.
AVOIDED = re.compile(
    r"\b(so many|but for|tells?|told|thousand million|the door|nobody|shapes? that asks?|in turn|"
    r"goes on|go on|drawn points|tried|predicted|earlier form|no longer|used to be|"
    r"(?:than|as|was|were) before|20\d\d-\d\d(?:-\d\d)?)\b", re.I)
HISTORY_TOO = "README.md"  # its figures of speed have dates

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


def sentences(text):
    """(number of the line where it begins, sentence) of the running text: no code, tables, titles."""
    paragraph, began = [], 0
    for number, line, code in [*prose(text), (0, "", False)]:
        starts = re.match(r"\s*([-*+>]|\d+\.)\s", line)
        if code or starts or not line.strip() or line.startswith(("|", "#", "!", "<!--")):
            joined = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", " ".join(paragraph))
            joined = re.sub(r"`[^`]*`", "code", joined)
            for sentence in re.split(r"(?<=[.?!])[*_)\"]*\s+(?=[^a-z])", joined):
                if re.search(r"\w", sentence):
                    yield began, sentence
            paragraph, began = [], number
        if not code and line.strip() and not line.startswith(("|", "#", "!", "<!--")):
            began = began if paragraph else number
            paragraph.append(re.sub(r"^\s*([-*+>]|\d+\.)\s", "", line).strip())


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def odd_sentences(text, dates_are_fine=False):
    """(number, fault) of a user's page."""
    lengths = []
    for number, sentence in sentences(text):
        words = words_of(sentence)
        lengths.append(len(words))
        if len(words) > MOST_WORDS:
            yield number, f"a sentence of {len(words)} words: {' '.join(words[:6])} ..."
        for avoided in AVOIDED.findall(sentence):
            if not (dates_are_fine and avoided.startswith("20")):
                yield number, f"'{avoided}': see docs/project/style.md"
    mean = sum(lengths) / max(1, len(lengths))
    if mean >= MEAN_WORDS:
        yield 1, f"{mean:.1f} words a sentence, not below {MEAN_WORDS}"


def user_problems(name, text):
    if USERS.match(name):
        yield from odd_sentences(text, name == HISTORY_TOO)
    if name.startswith("docs/concepts/") and not re.search(r"^!\[", text, re.M):
        yield 1, "a page of concepts without a figure"


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
              for number, fault in [*problems(ROOT / name, ROOT),
                                    *user_problems(name, (ROOT / name).read_text("utf-8"))]]
    verbs = (ROOT / "host/program/verbs.cpp").read_text()
    broken += [f"host/program/verbs.cpp: docs/{page} does not exist"
               for page in re.findall(r'"([\w/-]+\.md)"', verbs) if not (ROOT / "docs" / page).exists()]
    page = "docs/project/migration-0.3.md"
    broken += [f"{page}:{number}: {fault}" for number, fault in uncompiled(
        (ROOT / page).read_text(), (ROOT / "tests/consumer/migration.cpp").read_text())]
    print("\n".join(broken + [f"docs: {len(names)} pages, {len(broken)} broken rules"]))
    return 1 if broken or not names else 0


if __name__ == "__main__":
    sys.exit(main())
