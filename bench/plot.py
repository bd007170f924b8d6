#!/usr/bin/env python3
"""Draws rows of duel_rays or sightline_bench (needs matplotlib), or writes them as a table.

ROWS are such reports, or files .jsonl with one row in each line.

  bench/plot.py rates ROWS.json... -o OUT.svg [--lanes L] [--threads N] [--title TEXT]
      ours and the rival's rate of every row, by a logarithmic axis, with their ratio; of rows that
      differ by the rival alone, the one with the least ratio
  bench/plot.py table ROWS.json... [--lanes L,L...] [--threads N]
      Markdown: kinds of rays by scenes; million rays a second and, in brackets, how many times the
      best rival's that is, for each of the lanes; both numbers from the row with the least ratio
  bench/plot.py rows ROWS.json... >ROWS.jsonl
      one row in each line, as bench/results holds them

Rows of the lanes avx2 are taken, or of those that --lanes names.
"""

import argparse
import json
import sys


def scene_of(row):
    scene = row["scene"].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return f"{scene} {row['shapes']:,}"


def name_of(row):
    return f"{scene_of(row)}, {row['rays']} {row['query']}"


def read(file):
    """The rows of a report, or of a file with one in each line."""
    if file.name.endswith(".jsonl"):
        return [json.loads(line) for line in file]
    report = json.load(file)
    return [*report.get("rows", []), *rows_of_benchmarks(report)]


def rows_of_benchmarks(report):
    """Medians, where there are repetitions, of rows such as
    closest/city/1000/incoherent/avx2/threads:1/manual_time."""
    all_of = report.get("benchmarks", [])
    medians = [b for b in all_of if b.get("aggregate_name") == "median"]
    for benchmark in medians or all_of:
        query, scene, shapes, rays, lanes, threads, *_ = benchmark["run_name"].split("/") + 6 * [""]
        if "rays/s" in benchmark and threads.startswith("threads:"):
            yield {"scene": scene, "shapes": int(shapes), "rays": rays, "query": query,
                   "lanes": lanes, "threads": int(threads.removeprefix("threads:")),
                   "mrays_per_s": benchmark["rays/s"] / 1e6}


def rows_of(reports, threads, lanes):
    return [row for rows in reports for row in rows if row["threads"] == threads
            and row.get("lanes") in lanes.split(",") and row["mrays_per_s"] > 0]


def rival(row):
    return row.get("rival_mrays_per_s", 0)


def beside_the_best(rows):
    """Of rows that differ by the rival alone, the one with the least ratio: rate and ratio of one
    run. Where no rival ran, the fastest."""
    groups = {}
    for row in rows:
        groups.setdefault((name_of(row), row["lanes"], row["threads"]), []).append(row)
    for group in groups.values():
        beside = [row for row in group if rival(row)]
        yield (min(beside, key=lambda row: row["ratio"]) if beside
               else max(group, key=lambda row: row["mrays_per_s"]))


def draw_rates(rows, title):
    rows = [row for row in beside_the_best(rows) if rival(row)]
    if not rows:
        sys.exit("plot: no row has a rival")
    import matplotlib  # which a table does without
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, ax = pyplot.subplots(figsize=(9, 1.2 + 0.2 * len(rows)), layout="constrained")
    at, ours = range(len(rows)), [row["mrays_per_s"] for row in rows]
    theirs = [rival(row) for row in rows]
    rivals = sorted({row["rival"].split(",")[0] for row in rows})
    ax.hlines(at, ours, theirs, color="0.5")
    ax.scatter(ours, at, zorder=2, label="ours")
    ax.scatter(theirs, at, zorder=2, label=" or ".join(rivals))
    ax.set(xscale="log", xlabel="million rays a second", title=title)
    ax.set_yticks(at, map(name_of, rows))
    ax.invert_yaxis()
    ax.secondary_yaxis("right").set_yticks(at, [f"{row['ratio']:.2f}" for row in rows])
    ax.grid(axis="x")
    ax.legend()
    return figure


def cell(rows):
    """The rate of each of the lanes, and how many times the best rival's it is, of one row."""
    return "; ".join(f"{row['mrays_per_s']:.3g}" + (f" ({row['ratio']:.2f}x)" if rival(row) else "")
                     for row in beside_the_best(rows))


def table(rows):
    cells = {}
    for row in rows:
        cells.setdefault((f"{row['rays']}, {row['query']}", scene_of(row)), []).append(row)
    scenes = list(dict.fromkeys(scene for _, scene in cells))
    lines = [["", *scenes], ["---"] * (1 + len(scenes))]
    for kind in dict.fromkeys(kind for kind, _ in cells):
        lines.append([kind, *(cell(cells.get((kind, scene), [])) for scene in scenes)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rates", "table", "rows"], nargs="?")
    parser.add_argument("reports", nargs="*", type=argparse.FileType(encoding="utf-8"))
    parser.add_argument("-o", "--output")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--lanes", default="avx2")
    parser.add_argument("--title")
    a = parser.parse_args()
    if not (a.what and a.reports and (a.output or a.what in ("table", "rows"))):
        parser.error("what to draw, of which reports, and -o OUT.svg")
    words = "1 thread" if a.threads == 1 else f"{a.threads} threads"
    title = a.title or f"rates, {words}, lanes {a.lanes}"
    if a.what == "rows":
        for row in (row for file in a.reports for row in read(file)):
            print(json.dumps(row, separators=(",", ":"), sort_keys=True))
        return
    rows = rows_of(map(read, a.reports), a.threads, a.lanes)
    if a.what == "table":
        print(table(rows))
    else:
        draw_rates(rows, title).savefig(a.output)


if __name__ == "__main__":
    main()
