#!/usr/bin/env python3
"""Checks that Doxygen finds a word on every public member of the headers that users read.

    .ci/check_reference.py   lists the members without one; exit code 1 when there is any

A comment behind several members that share a line is for all of them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = "include/sightline"
SETTINGS = "{own}\nINPUT={headers}\nOUTPUT_DIRECTORY={output}\n"
WARNING = re.compile(r"(.*\.hpp):(\d+): warning: (.*) is not documented")


def bare_members(text):
    """What Doxygen's warnings name, but for lines with a comment and defaulted comparisons."""
    found = []
    for path, line, what in WARNING.findall(text):
        source = pathlib.Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
        if "///<" not in source and "operator==" not in source:
            found.append(f"{pathlib.Path(path).relative_to(ROOT)}:{line}: {what}: no comment")
    return found


def main():
    with tempfile.TemporaryDirectory() as output:
        own = (ROOT / "docs/site/Doxyfile").read_text(encoding="utf-8")
        settings = SETTINGS.format(own=own, headers=ROOT / HEADERS, output=output)
        run = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True,
                             check=True)
        if not list(pathlib.Path(output).glob("xml/*Caster*.xml")):
            raise SystemExit("reference: Doxygen did not read the headers")
    problems = bare_members(run.stderr)
    print("\n".join(problems + [f"reference: {len(problems)} public members without a comment"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
