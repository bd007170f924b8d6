"""bench/python: the oracle against known answers, and the counting against planted errors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sightline")
sys.path.append(str(Path(__file__).resolve().parents[2] / "bench" / "python"))
import compare as program
import contestants
import oracle
import rays
import shapes
import table
from exact import HIT, MISS, TOUCH, exact

KNOWN = Path(__file__).resolve().parents[3] / "shared" / "oracles"


def state_of(kind, shape, origin, direction):
    columns = {k: np.asarray(v, np.float32) for k, v in shape.items()}
    return exact(kind, columns, np.float32(origin), np.float32(direction))


def scene_of(**kinds):
    scene = shapes.empty()
    for kind, fields in kinds.items():
        scene[kind] = {f: np.asarray(v, np.float32) for f, v in fields.items()}
    return scene


# (kind, shape, origin, direction, state, t): single lines from public test suites and by hand.
BOX = {"min": [-1, -1, -1], "max": [1, 1, 1]}
BALL = {"center": [0, 0, 3], "radius": 2}
ROD = {"a": [0, 0, 0], "b": [4, 0, 0], "radius": 1}
TILTED = {"a": [-0.35355338, 1, 0.6464466], "b": [0.35355338, 1, 1.3535534], "radius": 0.25}
GROUND = {"normal": [0, 0, 1], "offset": 0}
CASES = [
    ("aabb", BOX, [-2, 0, 0], [1, 0, 0], HIT, 1.0),  # three.js, Ray.tests.js
    ("aabb", {"min": [0.5, 3.5, -10], "max": [2.5, 5.5, 10]}, [1, 1, 1], [0, 1, 0], HIT, 2.5),
    ("aabb", BOX, [0, 0, 0], [1, 0, 0], HIT, 1.0),  # from inside: where it leaves
    ("aabb", BOX, [-2, 1, 0], [1, 0, 0], TOUCH, 1.0),  # along a face
    ("aabb", BOX, [-2, 1.0000001, 0], [1, 0, 0], MISS, None),  # one ulp above it
    ("aabb", BOX, [-2, 0, 0], [1, 1, 0], TOUCH, 1.0),  # at an edge
    ("aabb", BOX, [2, 0, 0], [1, 0, 0], MISS, None),  # behind
    ("aabb", {"min": [-1, -1, 0], "max": [1, 1, 0]}, [0, 0, 5], [0, 0, -2], HIT, 2.5),  # flat
    ("aabb", {"min": [-1, -1, 0], "max": [1, 1, 0]}, [-5, 0, 0], [1, 0, 0], TOUCH, 4.0),
    ("obb", {"center": [0, 0, 0], "half_extents": [1, 2, 3], "rotation": [0, 0, 1, 1]},
     [-5, 0, 0], [1, 0, 0], HIT, 3.0),  # a quarter turn of a quaternion not of unit length
    ("sphere", BALL, [0, 0, 0], [0, 0, -1], MISS, None),  # three.js
    ("sphere", BALL, [0, 0, 0], [0, 0, 1], HIT, 1.0),
    ("sphere", BALL, [0, 0, 3], [0, 0, 1], HIT, 2.0),
    ("sphere", BALL, [2, 0, 0], [0, 0, 1], TOUCH, 3.0),
    ("sphere", BALL, [2, 0, 3], [1, 0, 0], TOUCH, 0.0),  # starts on it, leaves
    ("capsule", ROD, [2, 5, 0], [0, -1, 0], HIT, 4.0),
    ("capsule", ROD, [-5, 0, 0], [2, 0, 0], HIT, 2.0),
    ("capsule", ROD, [2, 1, -3], [0, 0, 1], TOUCH, 3.0),
    ("capsule", TILTED, [0.5, 1, 1.6], [0, 0.05, -1], HIT, None),  # MuJoCo, mjx ray_test.py
    ("capsule", TILTED, [-0.5, 1, 0.05], [0, 0.05, 1], HIT, None),
    ("capsule", TILTED, [0, 1, 0.75], [1, 0, 0], HIT, None),
    ("plane", GROUND, [2, 1, 3], [0.1, 0.2, -1], HIT, 3.0),  # MuJoCo, mjx ray_test.py
    ("plane", GROUND, [0, 0, 3], [1, 0, 0], MISS, None),
    ("plane", GROUND, [0, 0, -3], [0, 0, 1], HIT, 3.0),
    ("plane", GROUND, [0, 0, -3], [0, 0, -1], MISS, None),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]}-{c[2]}-{c[3]}".replace(" ", ""))
def test_single_lines(case):
    kind, shape, origin, direction, state, t = case
    answer = state_of(kind, shape, origin, direction)
    assert answer.state == state
    if t is not None:
        assert float(answer.t) == pytest.approx(t, rel=1e-15, abs=0)


def test_a_start_on_the_surface_has_two_answers():
    answer = state_of("sphere", BALL, [0, 0, 1], [0, 0, 1])
    assert (answer.state, float(answer.t), float(answer.other)) == (HIT, 0.0, 4.0)


@pytest.mark.parametrize("kind", ["aabb", "sphere", "capsule", "plane"])
def test_cases_of_public_test_suites(kind):
    path = KNOWN / f"ray-{kind}.json"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    checked = 0
    for case in json.loads(path.read_text())["cases"]:
        expect, ray, shape = case["expect"], case["ray"], dict(case["shape"])
        if expect.get("hit") is None or case["policy"] not in ("solid", "surface", "line-forward"):
            continue
        if not any(ray["dir"]) or shape.pop("type") != kind:
            continue
        if any(isinstance(v, list) and None in v for v in shape.values()):
            continue  # an infinite box, beyond the domain
        try:
            answer = state_of(kind, shape, ray["origin"], ray["dir"])
        except (OverflowError, ValueError):
            continue
        if answer.state == TOUCH or (expect.get("dist") == 0 and case["policy"] == "solid"):
            continue  # sources differ about touches; `solid` starts inside at 0
        length = float(np.linalg.norm(ray["dir"]))
        end = np.inf if ray["tmax"] is None else ray["tmax"]
        from_inside = expect.get("inside") or expect["hit"] and end < np.inf and answer.state == HIT
        if answer.state == HIT and float(answer.t) * length > end and not from_inside:
            assert expect["hit"] is False, case["id"]
            continue
        if float(answer.t or 0) * length <= end:
            assert expect["hit"] == (answer.state == HIT), case["id"]
        if expect["hit"] and "dist" in expect and expect["dist"] > 0:
            bound = case.get("tol", 1e-4) * max(1, expect["dist"])
            assert abs(float(answer.t) * length - expect["dist"]) <= bound, case["id"]
        checked += 1
    assert checked >= {"aabb": 100, "sphere": 30, "capsule": 3, "plane": 1}[kind]


@pytest.fixture(scope="module")
def hard():
    return shapes.hard_scene(7)


def brute_force(scene, o, d):
    """The state and t of one ray by integers alone, over every shape."""
    best, touch = np.inf, np.inf
    for kind, fields in shapes.FIELDS.items():
        for i in range(shapes.count(scene, kind)):
            answer = exact(kind, {f: scene[kind][f][i] for f in fields}, o, d)
            if answer.state == HIT:
                best = min(best, float(answer.t))
            elif answer.state == TOUCH:
                touch = min(touch, float(answer.t))
    return (HIT, best) if best < np.inf else (TOUCH, touch) if touch < np.inf else (MISS, np.inf)


@pytest.mark.parametrize("kind", rays.KINDS)
def test_the_oracle_looks_at_every_shape_that_counts(hard, kind):
    o, d = rays.make(kind, hard, 40, 11)
    truth = oracle.truth(hard, o, d)
    for i in range(len(o)):
        state, t = brute_force(hard, o[i], d[i])
        assert truth.state[i] == state, (kind, i)
        assert truth.t[i] == pytest.approx(t, rel=1e-8), (kind, i)


def tangents(n):
    """Spheres, capsules and boxes with rays that touch them exactly, in general directions and of
    integers so large that binary64 rounds the products."""
    draw = np.random.default_rng(31)
    along, side, up = (np.array(v) for v in ((2, 3, 6), (3, -6, 2), (6, 2, -3)))
    axes = np.array([[4, -3, 0], [3, 4, 0], [0, 0, 5]])  # five times those of the quaternion
    scenes = []
    for _ in range(n):
        g, k, j = 2 * draw.integers(2**12, 2**14, 3) + 1
        center, s = draw.integers(-(2**12), 2**12, 3), draw.integers(2, 9) * 8192
        ball = {"center": [center], "radius": [35 * g]}
        far = -s * along + 3 * g * side + 4 * g * up
        scenes.append(("sphere", ball, center + far, k * along))
        rod = {"a": [center - j * side], "b": [center + j * side], "radius": [7 * g]}
        far = -s * along + (j // 3) * side + g * up
        scenes.append(("capsule", rod, center + far, k * along))
        half = 5 * np.array([g, j, k])
        box = {"center": [center], "half_extents": [half], "rotation": [[0, 0, 1, 3]]}
        far = axes @ [-7 * g - 35, j, k // 2]
        scenes.append(("obb", box, center + far, axes[:, 0]))
    return scenes


def test_exact_tangents_and_rays_an_ulp_beside_them():
    for kind, columns, origin, direction in tangents(100):
        o, d = np.float32([origin]), np.float32([direction])
        assert (o == [origin]).all(), "an origin that binary32 cannot hold"
        size = "half_extents" if kind == "obb" else "radius"
        states = []
        for grown in (-np.inf, 0, np.inf):
            fields = {f: np.float32(v) for f, v in columns.items()}
            if grown:
                fields[size] = np.nextafter(fields[size], np.float32(grown))
            states.append(int(oracle.truth(scene_of(**{kind: fields}), o, d).state[0]))
        assert states == [MISS, TOUCH, HIT], (kind, columns, origin, direction)


def test_scaling_by_a_power_of_two_scales_t(hard):
    o, d = rays.make("adversarial", hard, 300, 3)
    small = {
        k: {f: a if f in ("rotation", "normal") else a / 1024 for f, a in fields.items()}
        for k, fields in hard.items()
    }
    one, other = oracle.truth(hard, o, d), oracle.truth(small, o / 1024, d)
    assert (one.state == other.state).all() and (one.id == other.id).all()
    hit = one.state != MISS
    assert np.allclose(one.t[hit] / 1024, other.t[hit], rtol=1e-9, atol=0)


def test_renaming_the_axes_changes_nothing(hard):
    o, d = rays.make("adversarial", hard, 300, 4)
    boxes = shapes.empty()
    for kind in ("aabb", "sphere", "capsule"):
        boxes[kind] = hard[kind]
    turned = {
        k: {f: np.roll(a, 1, axis=1) if a.ndim == 2 else a for f, a in fields.items()}
        for k, fields in boxes.items()
    }
    turned["obb"] = boxes["obb"]
    one = oracle.truth(boxes, o, d)
    other = oracle.truth(turned, np.roll(o, 1, axis=1), np.roll(d, 1, axis=1))
    assert (one.state == other.state).all() and (one.id == other.id).all()


@pytest.mark.parametrize("kind", rays.KINDS)
def test_rays_are_units_repeatable_and_start_outside_half_spaces(hard, kind):
    scene = {**hard, "plane": {"normal": np.float32([[0, 0, 1]]), "offset": np.float32([-30])}}
    o, d = rays.make(kind, scene, 500, 5)
    assert o.dtype == d.dtype == np.float32
    assert np.abs(np.linalg.norm(d.astype(np.float64), axis=1) - 1).max() < 2e-7
    assert (o[:, 2] > -30).all()
    again = rays.make(kind, scene, 500, 5)
    assert (o == again[0]).all() and (d == again[1]).all()


def test_triangles_lie_on_their_shapes(hard):
    vertices, faces, ids = shapes.triangles(hard, 1e4)
    assert set(ids) == set(range(shapes.total(hard)))
    for i in range(shapes.count(hard, "sphere")):
        mine = vertices[faces[ids == shapes.first_id(hard, "sphere") + i]].reshape(-1, 3)
        center, radius = hard["sphere"]["center"][i], hard["sphere"]["radius"][i]
        far = np.linalg.norm(mine.astype(np.float64) - center, axis=1)
        assert np.abs(far - radius).max() < 1e-5 * np.abs(mine).max()
    corners = vertices[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    box = ids < shapes.count(hard, "aabb")
    middle = shapes.balls(hard)[0][ids[box]]
    assert (np.einsum("ij,ij->i", normal[box], corners[box].mean(axis=1) - middle) >= -1e-3).all()


# ---------------------------------------------------------------- counting


@pytest.fixture(scope="module")
def asked(hard):
    o, d = rays.make("adversarial", hard, 2000, 9)
    return o, d, oracle.truth(hard, o, d)


def true_answers(truth):
    return truth.state == HIT, np.where(truth.state == HIT, truth.t, np.inf), truth.id.copy()


def test_the_truth_has_no_wrong_answer(hard, asked):
    o, d, truth = asked
    s = table.score(hard, o, truth, true_answers(truth))
    assert (s.flat, s.curved) == (table.Wrong(), table.Wrong())
    assert s.touches == (truth.state == TOUCH).sum() > 0 and s.touches_hit == 0


def test_planted_errors_are_counted_exactly(hard, asked):
    o, d, truth = asked
    hit, t, ids = true_answers(truth)
    flat = shapes.first_id(hard, "sphere")
    hits = np.nonzero(truth.state == HIT)[0]
    on_flat, on_curved = hits[truth.id[hits] < flat], hits[truth.id[hits] >= flat]
    misses = np.nonzero(truth.state == MISS)[0]
    hit[on_flat[:7]] = False
    hit[on_curved[:5]] = False
    t[on_flat[7:18]] = t[on_flat[7:18]] * 1.01 + 1e3
    t[on_curved[5:8]] = np.nan
    hit[misses[:9]], t[misses[:9]] = True, 1.0
    ids[misses[:4]], ids[misses[4:9]] = 0, flat
    s = table.score(hard, o, truth, (hit, t, ids))
    assert (s.flat.hits, s.flat.misses, s.flat.distances) == (4, 7, 11)
    assert (s.curved.hits, s.curved.misses, s.curved.distances) == (5, 5, 3)

    known = np.ones(len(hit), bool)
    known[on_flat[:7]] = False
    s = table.score(hard, o, truth, (hit, t, ids), known)
    assert (s.flat.misses, s.not_asked) == (0, 7)


def test_one_flipped_bit_differs():
    first = np.array([True, True, False]), np.array([1.0, 2.0, 5.0]), np.array([0, 1, -1])
    assert table.differing(first, first) == 0
    t = first[1].copy()
    t[1], t[2] = np.nextafter(2.0, 3), 7.0  # the t of a miss says nothing
    assert table.differing(first, (first[0], t, first[2])) == 1
    assert table.differing(first, (~first[0], first[1], first[2])) == 3


# ---------------------------------------------------------------- contestants that are absent


def test_what_is_not_installed_or_fails_is_a_row(tmp_path, monkeypatch):
    class Absent(contestants.Contestant):
        name, packages, modules = "absent", ("no-such-caster",), ("no_such_caster",)

    class Broken(contestants.Contestant):
        name = "broken"  # which the worker, a process of its own, does not know

    monkeypatch.setattr(program, "CONTESTANTS", {"absent": Absent, "broken": Broken})
    chosen = program.options(["--rays", "64", "--only", "absent,broken"])
    scene = scene_of(aabb={"min": [[0, 0, 0]], "max": [[1, 1, 1]]})
    result = program.run_scene("one box", scene, ["random"], chosen)
    entries = result["contestants"]
    assert entries["absent"]["reason"] == "not installed: pip install no-such-caster"
    assert "KeyError: 'broken'" in entries["broken"]["reason"]
    text = table.render({"scenes": [result], "clock": "wall", "threads": 2})
    assert "- absent, one box: not installed: pip install no-such-caster" in text
    assert "- broken, one box: KeyError" in text


def test_a_failing_worker_gives_a_reason_of_one_line(tmp_path):
    (tmp_path / "shapes.npz").write_bytes(b"not a scene")
    reason = program.run_worker("embreex", tmp_path, 1, 60)
    assert reason and "\n" not in reason


def test_options_refuse_in_words(capsys):
    for argv, words in (
        (["--only", "optix"], "no contestant optix"),
        (["--rays", "3"], "at least"),
    ):
        with pytest.raises(SystemExit):
            program.options(argv)
        assert words in capsys.readouterr().err


def test_scenes_without_rays_or_shapes_are_refused_in_words(tmp_path, capsys):
    import sightline

    assert program.main(["--scene", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err
    scene = sightline.Scene()
    scene.save(str(tmp_path / "empty.safetensors"))
    assert program.main(["--scene", str(tmp_path / "empty.safetensors")]) == 2
    assert "empty" in capsys.readouterr().err
    scene.add_aabbs([[0, 0, 0]], [[1, 1, 1]])
    scene.add_planes([[0, 0, 1]], [100])
    scene.save(str(tmp_path / "sunken.safetensors"))
    assert program.main(["--scene", str(tmp_path / "sunken.safetensors")]) == 2
    assert "no rays can start outside" in capsys.readouterr().err


def test_the_program_scores_sightline_on_a_scene_of_ones_own(tmp_path, capsys):
    import sightline

    scene = sightline.Scene()
    scene.add_spheres([[0, 0, 5], [3, 0, 2]], [1, 0.5])
    scene.add_planes([[0, 0, 1]], [0])
    scene.save(str(tmp_path / "own.safetensors"))
    file = tmp_path / "all.json"
    argv = ["--scene", str(tmp_path / "own.safetensors"), "--rays", "200", "--only", "sightline"]
    assert program.main([*argv, "--json", str(file)]) == 0
    said = capsys.readouterr().out
    assert "own.safetensors: 2 spheres, 1 planes" in said and "| sightline |" in said
    report = json.loads(file.read_text())
    ours = report["scenes"][0]["contestants"]["sightline"]
    for kind in rays.KINDS:
        assert ours["sets"][kind]["score"]["curved"]["misses"] == 0
        assert ours["sets"][kind]["again_differ"] == ours["sets"][kind]["shuffled_differ"] == 0
        assert ours["sets"][kind]["one_core"] > 0


def test_sightline_itself_is_right():
    scene = shapes.hard_scene(3)
    o, d = rays.make("adversarial", scene, 3000, 1)
    truth = oracle.truth(scene, o, d, stored_axes=True)
    ours = contestants.Sightline()
    assert ours.build(scene, 1) == []
    answers = ours.read(ours.cast(ours.prepare(o, d)))
    s = table.score(scene, o, truth, answers)
    wrong = [s.flat.hits, s.flat.misses, s.curved.hits, s.curved.misses]
    assert sum(wrong) <= 1, s
    assert s.flat.distances + s.curved.distances <= 1, s
