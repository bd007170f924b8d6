"""What is counted of a contestant's answers, and the tables made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from exact import HIT, MISS, TOUCH
from oracle import Truth
from shapes import FIELDS, FLAT, Shapes, kind_of

T_RELATIVE = 1e-4  # a distance is wrong beyond this share of it ...
T_OF_ORIGIN = 1e-6  # ... plus this share of the origin's largest coordinate


@dataclass
class Wrong:
    """Wrong answers on shapes of one class."""

    hits: int = 0
    misses: int = 0
    distances: int = 0


@dataclass
class Score:
    rays: int = 0
    not_asked: int = 0  # their answer is a shape that the contestant cannot hold
    touches: int = 0  # the truth is a bare touch: neither answer is counted as wrong
    touches_hit: int = 0
    flat: Wrong = field(default_factory=Wrong)
    curved: Wrong = field(default_factory=Wrong)


def right_distance(t: np.ndarray, ids: np.ndarray, truth: Truth, origins) -> np.ndarray:
    """Whether t is the truth within the bound, or the other end for a ray that starts on a surface,
    or the shape named is one that the ray touches: such a shape may be seen or not."""

    def near(expected):
        slack = T_RELATIVE * np.abs(expected) + T_OF_ORIGIN * np.abs(origins).max(axis=1)
        return np.abs(t - expected) <= slack

    with np.errstate(invalid="ignore"):
        right = near(truth.t) | near(truth.other)
    ray, shape = truth.touched.T
    right[ray[ids[ray] == shape]] = True
    return right


def score(
    shapes: Shapes,
    origins: np.ndarray,
    truth: Truth,
    answers: tuple[np.ndarray, np.ndarray, np.ndarray],
    asked: np.ndarray | None = None,
) -> Score:
    """Counts the wrong answers ``(hit, t, id)`` of rays [n].

    A wrong hit: every shape is missed by more than 0. A wrong miss: a shape is hit, and not merely
    touched. A wrong distance: both hit, at another place, be it of another shape. A wrong miss and
    a wrong distance belong to the class of the shape truly hit, a wrong hit to that of the shape
    named.
    """
    hit, t, ids = answers
    asked = np.ones(len(hit), bool) if asked is None else asked
    kinds = np.append(kind_of(shapes), 255)
    is_flat = np.isin(kinds, [i for i, k in enumerate(FIELDS) if k in FLAT])
    wrong_hit = asked & (truth.state == MISS) & hit
    wrong_miss = asked & (truth.state == HIT) & ~hit
    wrong_t = asked & (truth.state == HIT) & hit & ~right_distance(t, ids, truth, origins)
    flat = np.where(truth.state == HIT, is_flat[truth.id], is_flat[np.where(hit, ids, -1)])
    touch = asked & (truth.state == TOUCH)
    result = Score(len(hit), int((~asked).sum()), int(touch.sum()), int((touch & hit).sum()))
    for name, member in (("flat", flat), ("curved", ~flat)):
        wrong = Wrong(
            int((wrong_hit & member).sum()),
            int((wrong_miss & member).sum()),
            int((wrong_t & member).sum()),
        )
        setattr(result, name, wrong)
    return result


def differing(first: tuple, second: tuple) -> int:
    """In how many rays two answers ``(hit, t, id)`` differ: in hit, any bit of t, or the shape."""
    (hit_a, t_a, id_a), (hit_b, t_b, id_b) = first, second
    other = (t_a.view(np.int64) != t_b.view(np.int64)) | (id_a != id_b)
    return int(((hit_a != hit_b) | (hit_a & other)).sum())


# ---------------------------------------------------------------- tables


def _rate(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value / 1e6:.3g}" if value >= 1e4 else f"{value / 1e6:.2g}"


def _wrong(w: dict) -> list[str]:
    return [f"{w['hits']:,}", f"{w['misses']:,}", f"{w['distances']:,}"]


def _bits(sets: dict) -> str:
    words = {"again": "again", "shuffled": "in another order", "threads": "on more threads"}
    numbers = {w: sum(at.get(f"{k}_differ", 0) for at in sets.values()) for k, w in words.items()}
    return "; ".join(f"{n:,} differ {w}" for w, n in numbers.items() if n) or "yes"


def _layout(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(r) + " |" for r in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:], ""])


def _rates(entries: dict, sets: list[str]) -> str:
    rates = [f"{s}, {cores}" for s in sets for cores in ("1 core", "all")]
    rows = [["contestant", "version", "shapes as", *rates, "same bits twice"]]
    for name, entry in entries.items():
        rates = [_rate(entry["sets"][s].get(c)) for s in sets for c in ("one_core", "all")]
        rows.append([name, entry["version"], entry["shapes_as"], *rates, _bits(entry["sets"])])
    return _layout(rows)


def _answers(entries: dict, which: str) -> str:
    head = ["contestant"]
    for shapes_of_class in ("boxes, planes", "curved"):
        head += [f"{shapes_of_class}: wrong hits", "misses", "distances"]
    rows = [[*head, "touches hit", "not asked"]]
    for name, entry in entries.items():
        s = entry["sets"][which]["score"]
        touches = f"{s['touches_hit']:,} of {s['touches']:,}"
        rows.append(
            [name, *_wrong(s["flat"]), *_wrong(s["curved"]), touches, f"{s['not_asked']:,}"]
        )
    return _layout(rows)


def render(report: dict) -> str:
    """The whole report as Markdown."""
    parts, absent = [], []
    clock = "processor" if report["clock"] == "cpu" else "wall-clock"
    for scene in report["scenes"]:
        entries = {n: e for n, e in scene["contestants"].items() if "sets" in e}
        parts += [
            f"### {scene['name']}: {scene['words']}\n",
            f"Rates, millions of rays a second, {scene['rays_each']:,} rays a set; one core by "
            f"{clock} time, all {report['threads']} by wall-clock time.\n",
            _rates(entries, list(scene["rays"])),
        ]
        for s, about in scene["rays"].items():
            parts += [
                f"Answers to {about['scored']:,} {s} rays, of which {about['hits']:,} hit, "
                f"{about['touches']:,} only touch and {about['misses']:,} miss.\n",
                _answers(entries, s),
            ]
        absent += [
            f"- {name}, {scene['name']}: {entry['reason']}"
            for name, entry in scene["contestants"].items()
            if "reason" in entry
        ]
    return "\n".join(parts + (["### Not in the tables\n", *absent] if absent else [])) + "\n"


def render_leaks(report: dict) -> str:
    """The misses of a closed mesh as Markdown, a row a kind of ray."""
    entries = {n: e for n, e in report["contestants"].items() if "sets" in e}
    kinds = sorted({kind for e in entries.values() for kind in e["sets"]})
    rows = [["rays", "cast", *(f"{n} {e['version']}" for n, e in entries.items())]]
    total = dict.fromkeys(entries, 0)
    for kind in kinds:
        sets = [e["sets"][kind] for e in entries.values()]
        rows.append([kind, f"{sets[0]['rays']:,}", *(f"{s['leaks']:,}" for s in sets)])
        for n, s in zip(entries, sets, strict=True):
            total[n] += s["leaks"]
    rays = sum(next(iter(entries.values()))["sets"][k]["rays"] for k in kinds)
    rows.append(["all", f"{rays:,}", *(f"{n:,}" for n in total.values())])
    absent = [f"- {n}: {e['reason']}" for n, e in report["contestants"].items() if "reason" in e]
    title = f"### Closed mesh of {report['triangles']:,} triangles: misses of rays from inside\n"
    return "\n".join([title, _layout(rows), *absent]) + "\n"
