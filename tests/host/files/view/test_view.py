"""What the page shows, and what it does: each against what NumPy reads from the program's files."""

import numpy as np

from browser import from_above, read
from conftest import LEVEL

SEEN, UNSEEN = (0, 114, 178), (238, 172, 92)


# --- each kind of file ---


def test_every_kind_of_shape_is_there_by_name(view, level):
    view.open(level.page("shapes", "level.st"))
    from_above(view)
    # fmt: off
    for at, name in (((4, -4, 1.2), "crate"), ((0.5, 5, 1.2), "desk"), ((5, 4, 2), "globe"),
                     ((-7, 5, 2.5), "guard"), ((-2.5, 0, 2.5), "divider"), ((0, -6, 0), "floor")):
        assert name in view.hover(at)
    # fmt: on
    view.page.mouse.wheel(0, 700)
    view.rest()
    assert "ground" in view.hover((0, -11, -3))
    facts = view.text("facts")
    for kind, shapes in LEVEL.items():
        if kind not in ("unit", "up"):
            assert f"{len(shapes)} {kind}" in facts


def test_points_are_counted(view, level):
    view.open(level.page("points", "level.st", "eyes.npy"))
    assert f"{len(level.eyes)} points" in view.text("facts")
    assert view.ask("state.column.key") == "height"
    from_above(view)
    assert "point 40" in view.hover(level.eyes[40])


def test_areas_and_their_classes(view, level):
    level.file("classes.st", "areas", "level.st", "--areas", "rooms.json", "--samples", "32")
    view.open(level.page("areas", "level.st", "rooms.json", "classes.st"))
    from_above(view)
    view.click((-8, 0, 0))
    of = read(level.folder / "classes.st")[1]["class"][0]
    key = view.text("key")
    assert "west room" in key
    for words, n in (("fully", 2), ("partly", 1), ("not", 0)):
        line = next(line for line in lines(key) if line.startswith((words, f"areas {words}")))
        assert line.endswith(str(np.count_nonzero(of[1:] == n)))


def lines(text):
    """Entries of a legend, each its words and its number."""
    words = [word for word in text.replace("\t", "\n").split("\n") if word.strip()]
    out = []
    for word in words:
        if out and word.replace(",", "").isdigit():
            out[-1] += " " + word
        else:
            out.append(word)
    return out


def test_visible_sets(view, level):
    level.file("classes.st", "areas", "level.st", "--areas", "rooms.json", "--samples", "32")
    level.file("sets.st", "pvs", "classes.st")
    view.open(level.page("sets", "level.st", "rooms.json", "sets.st"))
    from_above(view)
    view.click((8, 6, 0))
    row = np.unpackbits(read(level.folder / "sets.st")[1]["bits"][1].view("u1"), bitorder="little")
    line = next(line for line in lines(view.text("key")) if line.startswith("in its visible set"))
    assert line.endswith(str(np.count_nonzero(np.delete(row[:3], 1))))


def column(view, name):
    """The values of a column."""
    return np.array(view.ask("Array.from(state.columns.find((c) => c.key === it).data)", name))


def test_exposure(view, level):
    result = level.file("exposure.st", "exposure", "level.st", "--from", "few.npy", "--to", "eyes.npy")
    view.open(level.page("exposure", "level.st", "eyes.npy", "few.npy", result.name))
    _, held = read(result)
    assert (column(view, "exposure-count") == held["count"]).all()
    assert np.allclose(column(view, "exposure"), held["share"], atol=0)


def test_probes(view, level):
    result = level.file("probes.st", "probes", "level.st", "--points", "eyes.npy")
    view.open(level.page("probes", "level.st", "eyes.npy", result.name))
    far = read(result)[1]["distance"].reshape(len(level.eyes), -1)
    assert (column(view, "probe-least") == far.min(axis=1)).all()
    assert np.allclose(column(view, "probe-open"), np.isinf(far).mean(axis=1), atol=1e-6)


def test_distance(view, level):
    result = level.file("near.st", "distance", "level.st", "--points", "eyes.npy", "--k", "2")
    view.open(level.page("near", "level.st", "eyes.npy", result.name))
    assert (column(view, "distance") == read(result)[1]["distance"][:, 0]).all()
    from_above(view)
    view.click(level.eyes[0])
    assert "from floor" in view.text("chosen") or "wall" in view.text("chosen")


def test_cover(view, level):
    level.file("level.nav", "nav", "level.st")
    result = level.folder / "cover.st"
    if not result.exists():
        level.run("cover", "level.st", "--nav", "level.nav", "--points-out", "places.st",
                  "-o", "cover.st", "--view", "3")  # fmt: skip
    view.open(level.page("cover", "level.st", "level.nav", "places.st", "cover.st"))
    height = read(result)[1]["height"]
    assert (column(view, "cover") == height).all() and height.any()
    assert view.layer("cover facing").is_checked()
    assert view.layer("floors").is_checked()


def test_floors_of_a_map(view, level):
    level.file("level.nav", "nav", "level.st")
    view.open(level.page("nav", "level.st", "level.nav"))
    _, held = read(level.folder / "level.nav")
    regions = held["region"][held["flags"] & 8 != 0].max() + 1
    assert f"{regions} regions of floor" in view.text("facts")
    from_above(view)
    assert "region" in view.hover((-8, -6, 0))


def test_hits_of_rays(view, level):
    rays = [{"origin": a.tolist(), "direction": (b - a).tolist(), "t_max": 1}
            for a, b in zip(level.eyes[:-10:10], level.eyes[10::10])]  # fmt: skip
    level.json("rays.json", rays)
    result = level.file("hits.st", "cast", "level.st", "--rays", "rays.json")
    view.open(level.page("hits", "level.st", "rays.json", "eyes.npy", result.name))
    _, held = read(result)
    blocked = np.flatnonzero(held["id"] != 2**32 - 1)
    assert 0 < len(blocked) < len(rays)
    assert view.ask("state.sets.find((s) => s.layer === 'hits').count") == len(blocked)
    # The first blocker of a pair, by name.
    ray = blocked[0]
    names = [shape["name"] for kind in LEVEL if kind not in ("unit", "up") for shape in LEVEL[kind]]
    view.layer("hits").uncheck()
    from_above(view)
    view.click(level.eyes[10 * ray])
    view.click(level.eyes[10 * ray + 10], shift=True)
    assert f"blocked first by {names[held['id'][ray]]}" in view.text("chosen")


def test_overlaps_of_query_shapes(view, level):
    result = level.file("overlaps.st", "overlap", "level.st", "--with", "agents.st")
    view.open(level.page("overlap", "level.st", "agents.st", result.name))
    bits = int(read(result)[1]["bits"][0])
    key = lines(view.text("layer-key"))
    assert bits == 2
    assert "query shapes that hit 1" in key and "query shapes that are free 1" in key


def test_sweeps_in_the_page_and_dropped(view, level):
    result = level.file("sweep.st", "sweep", "level.st", "--capsules", "agents.st", "--directions", "moves.npy")
    hits = np.count_nonzero(read(result)[1]["id"] != 2**32 - 1)
    view.open(level.page("sweep", "level.st", "agents.st", result.name))
    assert f"query shapes that hit {hits}" in lines(view.text("layer-key"))
    view.open(level.page("shapes", "level.st"))
    view.drop(level.folder / "agents.st", result)
    view.wait("state.scenes.length === 2")
    assert f"query shapes that hit {hits}" in lines(view.text("layer-key"))


def test_a_scene_that_is_asked_of_itself(view, level):
    result = level.file("self.st", "overlap", "agents.st", "--with", "agents.st")
    view.open(level.page("self", "agents.st", result.name))
    bits = int(read(result)[1]["bits"][0])
    assert f"query shapes that hit {bits.bit_count()}" in lines(view.text("layer-key"))
    assert view.ask("state.scenes.map((s) => s.layer)") == ["shapes"]
    assert view.layer("shapes").is_checked()


def test_rays_of_each_of_two_probes(view, level):
    a = level.file("probes.st", "probes", "level.st", "--points", "eyes.npy")
    b = level.file("few-probes.st", "probes", "level.st", "--points", "few.npy")
    page = level.page("two-probes", "level.st", "eyes.npy", "few.npy", a.name, b.name)
    for at in ("60", "3.1"):
        view.open(page, f"#viewpoint={at}")
        with_rays = view.pixels()
        view.layer("probe rays").uncheck()
        view.rest()
        assert np.count_nonzero(np.abs(with_rays - view.pixels()).max(axis=2) > 20) > 500, at
        view.layer("probe rays").check()


def test_eyes_stand_above_their_points(view, level):
    text = "# eyes: 1.6\nx,y,z\n" + "".join(f"{x},{y},0\n" for x, y in level.eyes[:40, :2])
    (level.folder / "raised.csv").write_text(text)
    level.file("raised.st", "visibility", "level.st", "--from", "raised.csv")
    view.open(level.page("raised", "level.st", "raised.csv", "raised.st"), "#viewpoint=5&stand=1")
    assert np.allclose(view.ask("camera.at"), level.eyes[5], atol=1e-5)
    assert view.ask("state.sets[0].position[5 * 3 + 2]") == 0


# --- little or nothing to show ---


def test_a_plane_alone(view, level):
    level.json("plane.json", {"plane": [{"normal": [0, 0, 1], "offset": 50, "name": "ground"}]})
    view.open(level.page("plane", "plane.json"))
    assert "ground" in view.hover((0, 0, 50))
    assert np.abs(view.colour((2, 2, 50)) - (251, 251, 248)).max() > 15
    # Where the points are, not where the numbers begin.
    np.save(level.folder / "far.npy", np.array([[500, 500, 51], [510, 500, 51]], "<f4"))
    view.open(level.page("far-plane", "plane.json", "far.npy"))
    assert "ground" in view.hover((505, 503, 50))
    assert np.abs(view.colour((505, 503, 50)) - (251, 251, 248)).max() > 15


def test_triangles(view, level):
    level.json("tent.json", {"aabb": [{"min": [-9, -1, 0], "max": [-7, 1, 1], "name": "box"}],
                             "triangle": [
                                 {"a": [-4, -4, 0], "b": [4, -4, 0], "c": [0, 0, 5], "name": "south"},
                                 {"a": [4, 4, 0], "b": [-4, 4, 0], "c": [0, 0, 5], "name": "north"},
                                 {"a": [8, 0, 2], "b": [8, 0, 2], "c": [8, 0, 2]}],
                             "plane": [{"normal": [0, 0, 1], "offset": 0, "name": "ground"}]})  # fmt: skip
    view.open(level.page("tent", "tent.json"))
    assert view.ask("state.scenes[0].count") == 5
    kinds = view.ask("state.scenes[0].kinds")
    assert [(k["kind"], k["first"], k["count"]) for k in kinds] == [
        ("aabb", 0, 1), ("triangle", 1, 3), ("plane", 4, 1)]  # fmt: skip
    box = view.ask("state.scenes[0].box")
    assert np.allclose([box["min"], box["max"]], [[-9, -4, 0], [8, 4, 5]])
    from_above(view)
    assert "south" in view.hover((0, -2, 2.5)) and "north" in view.hover((0, 2, 2.5))
    assert "ground" in view.hover((6, -3, 0))
    # The sun is above: a slope is of another colour than the ground, and the same all over.
    shown = view.pixels()
    slope = np.array([view.colour((x, -2, 2.5), shown) for x in (-1, 0, 1)])
    assert np.ptp(slope, axis=0).max() <= 3
    assert np.abs(slope[0] - view.colour((6, -3, 0), shown)).max() > 8


def test_cylinders(view, level):
    level.json("drums.json", {"capsule": [{"a": [-9, 0, 1], "b": [-9, 0, 2], "radius": 1, "name": "pill"}],
                              "cylinder": [
                                  {"a": [0, 0, 0], "b": [0, 0, 2], "radius": 3, "name": "drum"},
                                  {"a": [6, -3, 1], "b": [6, 3, 1], "radius": 1, "name": "log"}],
                              "plane": [{"normal": [0, 0, 1], "offset": 0, "name": "ground"}]})  # fmt: skip
    view.open(level.page("drums", "drums.json"))
    assert view.text("err") == ""
    kinds = view.ask("state.scenes[0].kinds")
    assert [(k["kind"], k["first"], k["count"]) for k in kinds] == [
        ("capsule", 0, 1), ("cylinder", 1, 2), ("plane", 3, 1)]  # fmt: skip
    box = view.ask("state.scenes[0].box")
    assert np.allclose([box["min"], box["max"]], [[-10, -3, 0], [7, 3, 3]])
    from_above(view)
    assert "drum" in view.hover((2.9, 0, 2)) and "log" in view.hover((6, 2.9, 2))
    assert "ground" in view.hover((6, 3.4, 0)) and "ground" in view.hover((2.5, 2.5, 0))
    # The flat end is all of one colour, another than the ground's.
    shown = view.pixels()
    top = np.array([view.colour((x, y, 2), shown) for x, y in ((0, 0), (2, 1), (-2, -1))])
    assert np.ptp(top, axis=0).max() <= 8
    assert np.abs(top[0] - view.colour((2.5, 2.5, 0), shown)).max() > 8


def test_one_shape(view, level):
    level.json("one.json", {"sphere": [{"center": [100, 0, 0], "radius": 0.01, "name": "pea"}]})
    view.open(level.page("one", "one.json"))
    assert "pea" in view.hover((100, 0, 0))
    assert view.text("facts") == "1 sphere"


def test_results_of_no_points(view, level):
    np.save(level.folder / "none.npy", np.zeros((0, 3), "<f4"))
    level.file("none-seen.st", "visibility", "level.st", "--from", "none.npy", "--to", "eyes.npy")
    level.file("none-near.st", "distance", "level.st", "--points", "none.npy")
    view.open(level.page("none", "level.st", "none.npy", "eyes.npy", "none-seen.st", "none-near.st"))
    assert view.text("err") == ""
    assert view.ask("[...state.sets.map((s) => s.count), ...state.visibilities[0].sees].sort()") == [0, len(level.eyes)]
    assert not column(view, "seen-by").any()


# --- what one and two points see ---


def test_a_click_shows_the_count_that_the_result_holds(rooms, level, seen):
    from_above(rooms)
    for i in (0, 17, 60, 111, len(level.eyes) - 1):
        rooms.click(level.eyes[i])
        n = int(seen[i].sum())
        assert f"point {i} at" in rooms.text("chosen")
        assert f"sees {n} of {len(level.eyes)}" in rooms.text("chosen")
        assert rooms.ask("[counts.seen, counts.lines]") == [n, n]


def test_two_points_and_what_both_see(rooms, level, seen):
    from_above(rooms)
    a, b = 17, 150
    rooms.click(level.eyes[a])
    rooms.click(level.eyes[b], shift=True)
    both, first, second = (int(x.sum()) for x in
                           (seen[a] & seen[b], seen[a] & ~seen[b], seen[b] & ~seen[a]))  # fmt: skip
    text = rooms.text("chosen")
    assert f"both see {both} of {len(level.eyes)}" in text
    assert ("the first sees the second" in text) == bool(seen[a, b])
    key = lines(rooms.text("key"))
    assert f"by the first alone {first}" in key and f"by the second alone {second}" in key


def test_pixels_of_known_places(rooms, level, seen):
    """The colours of ten places, whose values NumPy knows."""
    from_above(rooms)
    i = 17
    rooms.click(level.eyes[i])
    rooms.layer("sight lines").uncheck()
    rooms.page.mouse.move(5, 5)
    rooms.rest()
    shown = rooms.pixels()
    others = [j for j in np.flatnonzero(seen[i]) if j != i][::23][:3]
    others += [j for j in np.flatnonzero(~seen[i])][::23][:3]
    assert len(others) == 6
    for j in others:
        # Beside the middle, which a mark may hide.
        at = level.eyes[j] + [0.1, 0.1, 0]
        assert np.abs(rooms.colour(at, shown) - (SEEN if seen[i, j] else UNSEEN)).max() <= 3, j
    rooms.layer("points").uncheck()
    rooms.press("Escape")
    rooms.page.mouse.move(5, 5)
    shown = rooms.pixels()
    crate, divider, desk = (rooms.colour(at, shown) for at in ((4, -4, 1.2), (-2.5, 0, 2.5), (0.5, 5, 1.2)))
    # Tops of boxes of one kind have one colour; those of another kind another.
    assert np.abs(crate - divider).max() <= 3
    assert np.abs(desk - crate).max() >= 2
    # A light warm grey, not the paper.
    assert crate[0] > crate[2] and np.abs(crate - (251, 251, 248)).max() > 15
    assert np.abs(shown[690, 990] - (251, 251, 248)).max() <= 25


def test_sight_lines_show_on_the_tiles_that_they_lead_to(rooms, level):
    from_above(rooms)
    rooms.click(level.eyes[17])
    rooms.page.mouse.move(5, 5)
    rooms.rest()
    shown = rooms.pixels()
    rooms.layer("sight lines").uncheck()
    rooms.rest()
    tiles = np.abs(rooms.pixels() - SEEN).max(axis=2) <= 3
    assert tiles.sum() > 2000
    assert (np.abs(shown - SEEN).max(axis=2) > 15)[tiles].mean() > 0.05
