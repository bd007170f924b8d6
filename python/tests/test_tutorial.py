"""docs/start/python.md does what it says: its cells run in order and print what follows them.
README.md's Python prints what its comment says.

SIGHTLINE_GALLERY=1 also writes its pictures, docs/images/python/*.png.
"""

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")

docs = Path(__file__).resolve().parents[2] / "docs"
cell = re.compile(
    r"```python\n(?P<code>.*?)```\n```text\n(?P<prints>.*?)```\n"
    r"(?:\n!\[[^]]*\]\((?P<picture>[^)]*)\)\n)?",
    re.S,
)


def test_the_readme_prints_what_it_says(capsys):
    page = (docs.parent / "README.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.S)
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == re.findall(r"# (Visibility.*\n)$", code)[0]


def save(figure, path):
    """A PNG of few colours, which keeps it small."""
    from PIL import Image

    figure.savefig(full := io.BytesIO(), dpi=90)
    few = Image.open(full).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    path.parent.mkdir(exist_ok=True)
    few.save(path, optimize=True)


def test_the_cells_print_what_the_page_says(tmp_path, monkeypatch):
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    page = (docs / "start/python.md").read_text()
    cells = list(cell.finditer(page))
    assert len(cells) == page.count("```python") == 10
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for number, match in enumerate(cells, 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(match["code"], f"cell {number}", "exec"), names)
        assert printed.getvalue() == match["prints"], f"cell {number}"
        if picture := match["picture"]:
            assert plt.get_fignums(), f"cell {number} draws no picture"
            if os.environ.get("SIGHTLINE_GALLERY"):
                save(plt.gcf(), docs / "start" / picture)
            assert (docs / "start" / picture).stat().st_size < 60_000
        plt.close("all")
