#!/usr/bin/env python3
"""Draws docs/images/accuracy.svg from bench/results/accuracy/cells.csv.

    docs/figures/accuracy.py    wrong hits or misses in % over distance, textbook and sightline
"""

import csv
import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEFT, RIGHT, TOP, BOTTOM = 90, 520, 50, 330
ZERO = BOTTOM + 32
SERIES = [  # form, aspect, label, colour, dashes, shift of the label
    ("sphere", 1, "sphere, and capsule", "#c0392b", "", -8),
    ("capsule", 10000, "capsule, aspect 10,000", "#c0392b", "6 4", 12),
    ("OBB", 1, "OBB", "#2f7ed8", "", -4),
    ("OBB", 10000, "OBB, aspect 10,000", "#2f7ed8", "6 4", 12),
    ("AABB", 1, "AABB, and plane", "#8e44ad", "", 24),
]


def x(distance):
    return LEFT + (math.log10(distance) - 1) / 4 * (RIGHT - LEFT)


def y(percent):
    return TOP + (2 - math.log10(percent)) / 7 * (BOTTOM - TOP)


def text(px, py, words, anchor="start", fill="#222", size=13):
    return (f'<text x="{px:.0f}" y="{py:.0f}" text-anchor="{anchor}" fill="{fill}" '
            f'font-size="{size}">{words}</text>')


def line(x1, y1, x2, y2, style):
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" {style}/>'


def axes():
    grid = 'stroke="#dddddd"'
    for power in range(-5, 3):
        yield line(LEFT, y(10**power), RIGHT, y(10**power), grid)
        yield text(LEFT - 8, y(10**power) + 4, f"{10.0**power:.5f}".rstrip("0").rstrip(".")
                   if power < 0 else str(10**power), "end")
    yield line(LEFT, ZERO, RIGHT, ZERO, grid)
    yield text(LEFT - 8, ZERO + 4, "0", "end")
    for power, label in enumerate(["10", "100", "1,000", "10,000", "100,000"], 1):
        yield line(x(10**power), TOP, x(10**power), ZERO, grid)
        yield text(x(10**power), ZERO + 20, label, "middle")
    yield text(RIGHT + 8, 36, "textbook forms in floats:", size=13)
    yield text(LEFT - 70, 20, "wrong hits or misses, % of the rays; lower is better")
    yield text((LEFT + RIGHT) / 2, ZERO + 42,
               "distance of the origin, in widths of the shape", "middle")


def main():
    with open(ROOT / "bench/results/accuracy/cells.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(row for row in file if not row.startswith("#")))
    parts = [*axes()]
    parts.append(line(LEFT, y(2e-4), RIGHT, y(2e-4),
                      'stroke="#1a8f4c" stroke-width="1.5" stroke-dasharray="2 3"'))
    parts.append(text(RIGHT + 8, y(2e-4) + 4, "limit of the contract: 0.0002 %", fill="#1a8f4c"))
    for form, aspect, label, colour, dashes, shift in SERIES:
        points = [(x(float(row["distance"])), y(float(row["textbook_wrong_percent_30"])))
                  for row in rows if (row["form"], row["scale"]) == (form, "2^0")
                  and float(row["aspect"]) == aspect]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                     f'stroke-dasharray="{dashes or "none"}"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>'
                  for px, py in points]
        parts.append(text(RIGHT + 8, points[-1][1] + shift, label, fill=colour))
    if any(float(row["wrong_percent_30"]) for row in rows):
        raise SystemExit("sightline has wrong answers: draw them")
    parts.append(line(LEFT, ZERO, RIGHT, ZERO, 'stroke="#1a8f4c" stroke-width="3"'))
    parts.append(text(RIGHT + 8, ZERO + 4, "sightline: 0, every shape", fill="#1a8f4c"))
    svg = ['<svg xmlns="http://www.w3.org/2000/svg" width="760" height="420" '
           'viewBox="0 0 760 420" font-family="sans-serif">',
           "<title>Wrong hits or misses over distance: the textbook's forms in floats, "
           "and sightline</title>", '<rect width="760" height="420" fill="#fff"/>',
           *parts, "</svg>"]
    (ROOT / "docs/images/accuracy.svg").write_text("\n".join(svg) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
