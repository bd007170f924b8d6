#!/usr/bin/env python3
"""Draws docs/images/speed.svg: how many times as fast as Embree, for each query and scene.

  docs/figures/speed.py      rows of bench/results/epyc-zen4-2-cores; needs Python alone

Each bar is the least ratio over Embree's versions, a median of alternating runs: bench/README.md.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "bench/results/epyc-zen4-2-cores"
QUERIES = {
    ("coherent", "closest"): "Camera rays, closest hit",
    ("incoherent", "closest"): "Random rays, closest hit",
    ("los", "any"): "Line of sight",
    ("matrix", "visibility"): "Visibility matrix, 1,024 x 1,024",
}
SCENES = {"city": "city", "cloud": "cloud", "E1M5.st": "Doom E1M5", "A2.st": "voxels A2",
          "1IHM.st": "virus 1IHM"}
COLOURS = {"city": "#2f7ed8", "cloud": "#1a8f4c"}
WIDTH, HEIGHT, BAR, STEP = 720, 440, 12, 17
LEFT, PANEL, SCALE = 134, 360, 46  # pixels: of labels, of a panel, of a ratio of 1


def ratios():
    """The least ratio of each query and scene."""
    least = {}
    for name in ("avx2", "matrix", "real", "real-matrix"):
        for line in (RESULTS / f"{name}.jsonl").read_text().splitlines():
            row = json.loads(line)
            key = (row["rays"], row["query"]), (row["scene"], row["shapes"])
            least[key] = min(row["ratio"], least.get(key, row["ratio"]))
    return least


def text(x, y, words, kind="t", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def line(x, top, bottom, kind):
    return f'<line x1="{x}" y1="{top}" x2="{x}" y2="{bottom}" class="{kind}"/>'


def panel(x, y, title, bars):
    yield text(x + 4, y, title, "h")
    bottom = y + 12 + STEP * len(bars)
    for tick in range(5):
        at = x + LEFT + SCALE * tick
        yield line(at, y + 8, bottom, "grid")
        yield text(at, bottom + 13, tick, "a", "middle")
    for k, (label, ratio, colour) in enumerate(bars):
        top = y + 12 + STEP * k
        length = round(SCALE * ratio, 1)
        colour = "#c0392b" if ratio < 1 else colour
        yield text(x + LEFT - 6, top + 10, label, "a", "end")
        yield f'<rect x="{x + LEFT}" y="{top}" width="{length}" height="{BAR}" fill="{colour}"/>'
        yield text(round(x + LEFT + length + 4, 1), top + 10, f"{ratio:.2f}", "a")
    yield line(x + LEFT + SCALE, y + 8, bottom, "one")


def drawing():
    least = ratios()
    for k, (query, title) in enumerate(QUERIES.items()):
        bars = [(f"{SCENES[scene]} {shapes:,}", least[query, (scene, shapes)],
                 COLOURS.get(scene, "#7a828b"))
                for scene in SCENES for shapes in sorted(s for q, (n, s) in least
                                                         if q == query and n == scene)]
        yield from panel(PANEL * (k % 2), 44 + 196 * (k // 2), title, bars)


def main():
    body = "\n".join(f"  {element}" for element in drawing())
    above = "Times as fast as Embree: longer is better, and the dashed line is Embree"
    below = ("The numbers at the left are shapes. Blue and green: standard scenes. "
             "Grey: real scenes. Red: slower than Embree.")
    (ROOT / "docs/images/speed.svg").write_text(
        f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"
  font-family="sans-serif">
  <title>Times as fast as Embree, by query and scene</title>
  <style>
    .h {{ font-size: 14px; font-weight: bold; fill: #222; }} .t {{ font-size: 14px; fill: #222; }}
    .a {{ font-size: 11px; fill: #222; }}
    .grid {{ stroke: #d7dbe0; }} .one {{ stroke: #222; stroke-dasharray: 3 2; }}
  </style>
  <rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
  {text(4, 20, above)}
{body}
  {text(4, HEIGHT - 10, below, "a")}
</svg>
""")


if __name__ == "__main__":
    main()
