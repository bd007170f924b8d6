#!/usr/bin/env python3
"""Draws rows of `sightline bench --json` as an SVG; needs Python alone.

  bench/plot.py rates ROWS.json... -o OUT.svg [--lanes L] [--threads N] [--title TEXT]
      ours and the rival's rate of every row, by a logarithmic axis, with their ratio
  bench/plot.py growth ROWS.json... -o OUT.svg [--lanes L] [--threads N] [--title TEXT]
      nanoseconds a ray over the number of shapes, a line for each scene and kind of rays
  bench/plot.py --self-test

Rows of the lanes avx2 are drawn, or of those that --lanes names.
"""

import argparse
import json
import math
import sys
import xml.etree.ElementTree as xml

OURS, RIVAL, GRID, TEXT = "#0b6bcb", "#c2571a", "#d8d8d8", "#222222"
LINES = ("#0b6bcb", "#c2571a", "#3a8f4d", "#8250a8", "#7a7a00", "#a03050")
WIDTH, LEFT, RIGHT, TOP, STEP = 860, 250, 70, 64, 19


class Picture:
    """An SVG under construction."""

    def __init__(self, height, title):
        self.root = xml.Element("svg", {
            "xmlns": "http://www.w3.org/2000/svg", "width": str(WIDTH), "height": str(height),
            "viewBox": f"0 0 {WIDTH} {height}", "font-family": "sans-serif", "font-size": "12"})
        self.add("rect", x=0, y=0, width=WIDTH, height=height, fill="white")
        self.text(12, 22, title, font_size=15)

    def add(self, tag, **attributes):
        named = {k.replace("_", "-"): f"{v:.1f}" if isinstance(v, float) else str(v)
                 for k, v in attributes.items()}
        return xml.SubElement(self.root, tag, named)

    def text(self, x, y, words, **attributes):
        self.add("text", x=x, y=y, fill=attributes.pop("fill", TEXT), **attributes).text = words

    def line(self, x1, y1, x2, y2, **attributes):
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)

    def write(self, name):
        xml.ElementTree(self.root).write(name, encoding="utf-8", xml_declaration=True)


class LogAxis:
    """Values to pixels."""

    def __init__(self, values, first, last):
        self.low, self.high = min(values), max(values)
        if self.low == self.high:
            self.low, self.high = self.low / 2, self.high * 2
        self.first, self.last = first, last

    def __call__(self, value):
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self, steps=(1, 2, 5)):
        decade = 10.0 ** math.floor(math.log10(self.low))
        while decade <= self.high:
            yield from (decade * s for s in steps if self.low <= decade * s <= self.high)
            decade *= 10


def name_of(row):
    scene = row["scene"].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return f"{scene} {row['shapes']:,}, {row['rays']} {row['query']}"


def rows_of(reports, threads, lanes):
    rows = [row for report in reports for row in report.get("rows", [])]
    return [row for row in rows if row["threads"] == threads and row.get("lanes") == lanes
            and row["mrays_per_s"] > 0]


def draw_rates(rows, title):
    rows = [row for row in rows if row.get("rival_mrays_per_s", 0) > 0]
    if not rows:
        sys.exit("plot: no row has a rival")
    bottom = TOP + STEP * len(rows)
    picture = Picture(bottom + 34, title)
    rates = [row[key] for row in rows for key in ("mrays_per_s", "rival_mrays_per_s")]
    x = LogAxis(rates, LEFT, WIDTH - RIGHT)
    for tick in x.ticks():
        picture.line(x(tick), TOP - 8, x(tick), bottom, stroke=GRID)
        picture.text(x(tick), bottom + 14, f"{tick:g}", text_anchor="middle")
    picture.text((LEFT + WIDTH - RIGHT) / 2, bottom + 30, "million rays a second",
                 text_anchor="middle")
    for k, (color, words) in enumerate(((OURS, "ours"), (RIVAL, rows[0]["rival"]))):
        picture.add("circle", cx=LEFT + 80 * k, cy=40, r=5, fill=color)
        picture.text(LEFT + 80 * k + 10, 44, words)
    picture.text(WIDTH - 12, 44, "ratio", text_anchor="end")
    for k, row in enumerate(rows):
        y = TOP + STEP * (k + 0.5)
        ours, rival = x(row["mrays_per_s"]), x(row["rival_mrays_per_s"])
        picture.text(LEFT - 14, y + 4, name_of(row), text_anchor="end")
        picture.line(ours, y, rival, y, stroke="#888888", stroke_width=2)
        picture.add("circle", cx=rival, cy=y, r=5, fill=RIVAL)
        picture.add("circle", cx=ours, cy=y, r=5, fill=OURS)
        picture.text(WIDTH - 12, y + 4, f"{row['ratio']:.2f}", text_anchor="end")
    return picture


def draw_growth(rows, title):
    lines = {}
    for row in rows:
        key = f"{row['scene'].rsplit('/', 1)[-1]}, {row['rays']} {row['query']}"
        lines.setdefault(key, []).append((row["shapes"], 1e3 / row["mrays_per_s"]))
    if not lines:
        sys.exit("plot: no rows")
    left, bottom = 70, 400
    picture = Picture(bottom + 44, title)
    points = [point for line in lines.values() for point in line]
    x = LogAxis([p[0] for p in points], left, WIDTH - 220)
    y = LogAxis([p[1] for p in points], bottom, TOP)
    for tick in x.ticks(steps=(1,)):
        picture.line(x(tick), TOP, x(tick), bottom, stroke=GRID)
        picture.text(x(tick), bottom + 16, f"{tick:,.0f}", text_anchor="middle")
    for tick in y.ticks():
        picture.line(left, y(tick), WIDTH - 220, y(tick), stroke=GRID)
        picture.text(left - 8, y(tick) + 4, f"{tick:g}", text_anchor="end")
    picture.text((left + WIDTH - 220) / 2, bottom + 36, "shapes", text_anchor="middle")
    picture.text(12, 44, "ns a ray")
    for k, (name, line) in enumerate(sorted(lines.items())):
        color = LINES[k % len(LINES)]
        line.sort()
        picture.add("polyline", points=" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line),
                    fill="none", stroke=color, stroke_width=2)
        for a, b in line:
            picture.add("circle", cx=x(a), cy=y(b), r=3, fill=color)
        picture.text(WIDTH - 205, TOP + 18 * k, name, fill=color)
    return picture


DRAW = {"rates": draw_rates, "growth": draw_growth}


def self_test():
    """Draws made-up rows: as many marks as they have, in order along the axis."""
    def row(shapes, rate, threads=1, lanes="avx2"):
        return {"scene": "a/city.st", "shapes": shapes, "rays": "los", "query": "any",
                "threads": threads, "lanes": lanes, "mrays_per_s": rate, "rival": "R", "rival_mrays_per_s": rate / 2,
                "ratio": 2.0}
    report = {"rows": [row(1000, 8.0), row(100000, 2.0), row(1000, 15.0, 2),
                       row(1000, 4.0, 1, "portable")]}
    rows = rows_of([report], 1, "avx2")
    assert len(rows) == 2
    rates = draw_rates(rows, "t").root
    dots = [float(c.get("cx")) for c in rates.iter("circle")][2:]
    assert len(dots) == 4 and dots[1] > dots[0] and dots[1] > dots[3], dots
    assert "city 1,000, los any" in [t.text for t in rates.iter("text")]
    growth = draw_growth(rows, "t").root
    heights = [float(c.get("cy")) for c in growth.iter("circle")]
    assert len(heights) == 2 and heights[1] < heights[0], heights
    assert list(LogAxis([0.5, 60], 0, 1).ticks()) == [0.5, 1, 2, 5, 10, 20, 50]
    print("plot: the self-test passes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=sorted(DRAW), nargs="?")
    parser.add_argument("reports", nargs="*")
    parser.add_argument("-o", "--output")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--lanes", default="avx2")
    parser.add_argument("--title")
    parser.add_argument("--self-test", action="store_true")
    a = parser.parse_args()
    if a.self_test:
        return self_test()
    if not (a.what and a.reports and a.output):
        parser.error("what to draw, of which reports, and -o OUT.svg")
    reports = []
    for name in a.reports:
        with open(name, encoding="utf-8") as file:
            reports.append(json.load(file))
    words = "1 thread" if a.threads == 1 else f"{a.threads} threads"
    title = a.title or f"{a.what}, {words}, lanes {a.lanes}"
    DRAW[a.what](rows_of(reports, a.threads, a.lanes), title).write(a.output)


if __name__ == "__main__":
    main()
