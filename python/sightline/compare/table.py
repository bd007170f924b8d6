"""What is counted of a contestant's answers, and the tables made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .exact import HIT, MISS, TOUCH
from .oracle import Truth, silhouette_distance
from .shapes import FIELDS, FLAT, Shapes, kind_of

T_RELATIVE = 1e-4  # a distance is wrong beyond this share of it ...
T_OF_ORIGIN = 1e-6  # ... plus this share of the origin's largest coordinate
CLASSES = ("flat", "curved")
SAMPLED = 2000  # wrong answers of a class, at most, whose distance from the silhouette is taken


@dataclass
class Wrong:
    """Wrong answers on shapes of one class. `furthest` is the largest distance of a ray with a
    wrong hit or miss from its shape's silhouette, in the shape's smallest half sizes (None: no
    wrong answer)."""

    hits: int = 0
    misses: int = 0
    distances: int = 0
    furthest: float | None = None


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
    directions: np.ndarray,
    truth: Truth,
    answers: tuple[np.ndarray, np.ndarray, np.ndarray],
    asked: np.ndarray | None = None,
    stored_axes: bool = False,
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
        at = np.nonzero(member & (wrong_hit | wrong_miss))[0][:SAMPLED]
        shape = np.where(truth.state == HIT, truth.id, ids)[at]
        far = np.abs(silhouette_distance(shapes, shape, origins[at], directions[at], stored_axes))
        far = far[~np.isnan(far)]
        wrong = Wrong(
            int((wrong_hit & member).sum()),
            int((wrong_miss & member).sum()),
            int((wrong_t & member).sum()),
            float(far.max()) if len(far) else None,
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
    far = "-" if w["furthest"] is None else f"{w['furthest']:.1g}"
    return [f"{w['hits']:,}", f"{w['misses']:,}", f"{w['distances']:,}", far]


def _bits(entry: dict) -> str:
    parts = []
    for key, words in (
        ("again_differ", "again"),
        ("shuffled_differ", "in another order"),
        ("threads_differ", "on more threads"),
    ):
        number = entry.get(key)
        if number:
            parts.append(f"{number:,} differ {words}")
    return "; ".join(parts) or "yes"


def _layout(rows: list[list[str]], markdown: bool) -> str:
    if markdown:
        lines = ["| " + " | ".join(r) + " |" for r in rows]
        return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip()
                     for r in rows)  # fmt: skip


def _rates(scene: dict, sets: list[str], markdown: bool) -> str:
    head = ["contestant", "version", "shapes as"]
    for s in sets:
        head += [f"{s}, 1 core", f"{s}, all"]
    rows = [[*head, "same bits twice"]]
    for name, entry in scene["contestants"].items():
        if "sets" not in entry:
            continue
        row = [name, entry["version"], entry["shapes_as"]]
        for s in sets:
            row += [_rate(entry["sets"][s].get("one_core")), _rate(entry["sets"][s].get("all"))]
        differ = {
            k: sum(entry["sets"][s].get(k) or 0 for s in sets)
            for k in ("again_differ", "shuffled_differ", "threads_differ")
        }
        rows.append([*row, _bits(differ)])
    return _layout(rows, markdown)


def _answers(scene: dict, which: str, markdown: bool) -> str:
    head = ["contestant"]
    for shapes_of_class in ("boxes, planes", "curved"):
        head += [f"{shapes_of_class}: wrong hits", "misses", "distances", "off by"]
    rows = [[*head, "touches hit", "not asked"]]
    for name, entry in scene["contestants"].items():
        if "sets" not in entry:
            continue
        s = entry["sets"][which]["score"]
        touches = f"{s['touches_hit']:,} of {s['touches']:,}"
        rows.append(
            [name, *_wrong(s["flat"]), *_wrong(s["curved"]), touches, f"{s['not_asked']:,}"]
        )
    return _layout(rows, markdown)


def render(report: dict, markdown: bool) -> str:
    """The whole report as text, or as Markdown."""
    title = (lambda s: f"### {s}\n") if markdown else (lambda s: f"{s}\n{'-' * len(s)}")
    parts = []
    for scene in report["scenes"]:
        sets = list(scene["rays"])
        parts.append(title(f"{scene['name']}: {scene['words']}"))
        clock = "processor" if report["clock"] == "cpu" else "wall-clock"
        how = f"one core by {clock} time, all {report['threads']} by wall-clock time"
        if report.get("device") == "cuda":
            how = "on the GPU, driven by one core, rays and answers in its memory"
        parts.append(
            f"Rates, millions of rays a second, {scene['rays_each']:,} rays a set; {how}.\n"
        )
        parts.append(_rates(scene, sets, markdown) + "\n")
        for s in sets:
            about = scene["rays"][s]
            parts.append(
                f"Answers to {about['scored']:,} {s} rays, of which {about['hits']:,} hit, "
                f"{about['touches']:,} only touch and {about['misses']:,} miss; "
                f"{about['exact_pairs']:,} of {about['pairs']:,} near pairs were decided in "
                "integers.\n"
            )
            parts.append(_answers(scene, s, markdown) + "\n")
    absent = {}
    for scene in report["scenes"]:
        for name, entry in scene["contestants"].items():
            if "reason" in entry:
                absent.setdefault((name, entry["reason"]), []).append(scene["name"])
    if absent:
        parts.append(title("Not in the tables"))
        every = len(report["scenes"])
        for (name, reason), where in absent.items():
            place = "" if len(where) == every else f" ({', '.join(where)})"
            parts.append(f"- {name}{place}: {reason}")
    return "\n".join(parts) + "\n"
