#!/usr/bin/env python3
"""Checks that Doxygen has nothing to say against the comments of the headers that users read.

    .ci/check_reference.py   lists its warnings; exit code 1 when there is any

Doxygen warns of public members without a comment, of parameters that a function does not have, and
of functions that document some of their parameters only.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTINGS = "{own}\nINPUT={headers}\nOUTPUT_DIRECTORY={output}\n"
WARNING = re.compile(r"^(.*: warning: .*(?:\n  .*)*)", re.M)


def warnings_of(headers):
    """What Doxygen says of the headers of a folder."""
    with tempfile.TemporaryDirectory() as output:
        own = (ROOT / "docs/site/Doxyfile").read_text(encoding="utf-8")
        settings = SETTINGS.format(own=own, headers=headers, output=output)
        run = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True,
                             check=True)
        if not list(pathlib.Path(output).glob("xml/*_8hpp.xml")):
            raise SystemExit("reference: Doxygen did not read the headers")
    return WARNING.findall(run.stderr)


def main():
    found = warnings_of(ROOT / "include/sightline")
    print("\n".join(found + [f"reference: {len(found)} warnings of Doxygen"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
