"""How one looks around in a page: slice, layers, links, keys, fingers, and what is saved."""

import io
import shutil

import numpy as np
import PIL.Image
import pytest

from browser import from_above


def test_the_slice_hides_what_is_above_and_below(rooms, level):
    from_above(rooms)
    rooms.layer("points").uncheck()
    assert "divider" in rooms.hover((-2.5, 0, 2.5))
    low, high = rooms.ask("state.heights")
    rooms.slide("high", round(1000 * (0.5 - low) / (high - low)))
    to = float(rooms.text("slice-text").split(" to ")[1].split()[0])
    assert abs(to - 0.5) < 0.02
    # Cut, so that one stands on the cut.
    assert abs(rooms.ask("pick(...project([-2.5, 0, 0.5])).place[2]") - to) < 1e-3
    # The cut is closed: one colour all over it, none of the dark of the box's inside.
    shown = rooms.pixels()
    cut = np.array([rooms.colour((x, y, to), shown) for x in (-2.7, -2.5, -2.3) for y in (-2.5, -1, 0, 1.3, 2.5)])
    assert np.ptp(cut, axis=0).max() <= 3 and cut.min() > 180
    rooms.layer("points").check()
    assert rooms.ask("pick(...project(it)).set", level.eyes[60].tolist()) is None


def test_layers_hide_and_show(rooms):
    from_above(rooms)
    with_points = rooms.pixels()
    names = rooms.ask("Object.keys(state.layers)")
    box = rooms.layer("points")
    assert box.is_checked()
    box.uncheck()
    rooms.page.mouse.move(5, 5)
    rooms.rest()
    without = rooms.pixels()
    assert np.count_nonzero(np.abs(with_points - without).max(axis=2) > 40) > 2000
    rooms.page.evaluate("document.activeElement.blur()")
    shown = [box.get_attribute("data-layer") for box in rooms.page.locator("#layers input").all()]
    rooms.press(str(1 + shown.index("points")))
    assert rooms.layer("points").is_checked() and "points" in names


def test_the_threshold_hides_points(rooms, level, seen):
    share = seen.mean(axis=1)
    rooms.slide("threshold", 600)
    text = float(rooms.text("threshold-text").split()[0]) / 100
    left = rooms.ask("state.sets[0].colours.filter((x, i) => i % 4 === 3 && x).length")
    assert left == np.count_nonzero(share.astype("f4") >= 0.6 * share.max().astype("f4"))
    assert abs(text - 0.6 * share.max()) < 1e-3


def test_a_link_leads_to_the_same_place(view, level, seen):
    page = level.page("rooms", "level.st", "eyes.npy", "seen.st")
    level.seen()
    view.open(page, "#viewpoint=60&with=17&slice=1,2&colour=height")
    assert view.ask("[state.chosen.index, state.other.index]") == [60, 17]
    assert view.ask("state.column.key") == "height"
    assert f"both see {int((seen[60] & seen[17]).sum())} of" in view.text("chosen")
    assert view.text("slice-text").startswith("1 to 2")
    view.press("Escape")
    view.press("t")
    view.wait("location.hash.includes('camera=') && !location.hash.includes('with=')")
    again = view.page.evaluate("location.hash")
    assert "viewpoint=60" in again
    camera = view.ask("[camera.yaw, camera.pitch, camera.distance]")
    view.open(page, "#")
    view.open(page, again)
    assert np.allclose(view.ask("[camera.yaw, camera.pitch, camera.distance]"), camera, rtol=1e-5)


@pytest.mark.parametrize("address", ["viewpoint=99999", "viewpoint=-1&with=x", "slice=a,b,c&colour=no",
                                     "camera=1,2,3,4,5,-1&layers=__proto__,constructor", "%%%&=&==",
                                     "slice=1e999,-1e999&from=7&area=1e300&stand=1"])  # fmt: skip
def test_a_link_that_leads_nowhere_shows_the_level(view, level, address):
    level.seen()
    view.open(level.page("rooms", "level.st", "eyes.npy", "seen.st"), f"#{address}")
    assert view.ask("state.chosen") is None
    assert view.text("err") == ""


def test_keys(rooms, level):
    first = rooms.ask("camera.pitch")
    from_above(rooms)
    assert rooms.ask("camera.pitch") > 1.5
    rooms.press("h")
    assert abs(rooms.ask("camera.pitch") - first) < 1e-6
    rooms.press("f")
    assert not rooms.page.locator("#body").is_visible()
    rooms.press("f")
    assert rooms.page.locator("#body").is_visible()
    rooms.press("?")
    assert "walk" in rooms.text("help")
    rooms.press("Escape")
    assert not rooms.page.locator("#help").is_visible()
    before = rooms.ask("camera.at")
    rooms.page.keyboard.down("w")
    rooms.wait("camera.at.some((x, k) => Math.abs(x - it[k]) > 0.05)", before)
    rooms.page.keyboard.up("w")
    from_above(rooms)
    rooms.click(level.eyes[60])
    rooms.press("ArrowRight")
    moved = level.eyes[rooms.ask("state.chosen.index")] - level.eyes[60]
    assert moved[0] > 0.5 and abs(moved[1]) < 0.6
    rooms.press("Escape")
    assert rooms.ask("state.chosen") is None


def test_drags_turn_and_the_wheel_comes_nearer(rooms):
    mouse = rooms.page.mouse
    yaw, far = rooms.ask("[camera.yaw, camera.distance]")
    mouse.move(400, 300)
    mouse.down()
    mouse.move(500, 320, steps=4)
    mouse.up()
    mouse.wheel(0, -300)
    rooms.wait("camera.distance < it * 0.9", far)
    assert rooms.ask("camera.yaw") != yaw
    assert rooms.ask("state.chosen") is None


def test_standing_at_a_viewpoint(rooms, level, seen):
    from_above(rooms)
    i = 17
    rooms.click(level.eyes[i])
    rooms.page.click("#stand")
    rooms.rest()
    assert np.allclose(rooms.ask("camera.at"), level.eyes[i], atol=1e-5)
    assert rooms.ask("counts.lines") == 0
    # It looks at the mean of what it sees, which is in the middle of the picture.
    others = np.delete(np.flatnonzero(seen[i]), np.flatnonzero(np.flatnonzero(seen[i]) == i))
    x, y = rooms.place(level.eyes[others].mean(axis=0))
    width = rooms.page.evaluate("innerWidth")
    assert abs(y - 350) < 5 and width * 0.45 < x < width * 0.75
    rooms.press("Escape")
    assert not rooms.ask("camera.walking") and rooms.ask("counts.lines") == int(seen[i].sum())


def test_from_above_one_stands_no_more(rooms, level, seen):
    from_above(rooms)
    rooms.click(level.eyes[17])
    rooms.page.click("#stand")
    rooms.rest()
    rooms.press("t")
    assert not rooms.ask("state.standing")
    assert rooms.ask("counts.lines") == int(seen[17].sum())


def test_measuring(rooms):
    from_above(rooms)
    rooms.layer("points").uncheck()
    rooms.page.click("#measure")
    rooms.click((-8, -6, 0))
    rooms.click((4, -4, 1.2))
    text = rooms.text("length")
    wanted = np.linalg.norm([12, 2, 1.2])
    assert abs(float(text.split()[0]) - wanted) < 0.1
    assert "1.2 of it up" in text


def test_a_png_is_saved(rooms):
    with rooms.page.expect_download() as started:
        rooms.press("p")
    shot = PIL.Image.open(io.BytesIO(open(started.value.path(), "rb").read()))
    assert started.value.suggested_filename == "The_level_rooms.png"
    assert shot.format == "PNG" and shot.size == (1000, 700)
    assert len(shot.convert("RGB").getcolors(10**6)) > 50


@pytest.mark.skipif(not shutil.which("chromium"), reason="no browser")
def test_a_still_is_what_the_page_shows(rooms, level):
    level.run("view", "level.st", "eyes.npy", "seen.st", "-o", "still.html", "--shot", "still.png",
              "--title", "The level: rooms")  # fmt: skip
    rooms.page.set_viewport_size({"width": 1280, "height": 800})
    rooms.open(level.folder / "still.html")
    rooms.page.mouse.move(5, 5)
    still = np.asarray(PIL.Image.open(level.folder / "still.png").convert("RGB")).astype(int)
    shown = rooms.pixels()
    assert still.shape == shown.shape
    assert (np.abs(still - shown).max(axis=2) > 40).mean() < 0.01
    assert (np.abs(still - (251, 251, 248)).max(axis=2) > 40)[:, 320:].mean() > 0.1


@pytest.fixture
def touch(rooms):
    """Sends fingers as a touch screen does: touch(kind, place of each finger)."""
    screen = rooms.page.context.new_cdp_session(rooms.page)

    def send(kind, *places):
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return send


def test_one_finger_turns_and_taps(rooms, touch, level):
    from_above(rooms)
    yaw, far = rooms.ask("[camera.yaw, camera.distance]")
    touch("touchStart", (500, 300))
    for k in range(1, 11):
        touch("touchMove", (500 + 10 * k, 300))
    touch("touchEnd")
    rooms.rest()
    turned, now = rooms.ask("[camera.yaw, camera.distance]")
    assert abs(abs(turned - yaw) - 0.6) < 1e-6 and now == far
    assert rooms.ask("state.chosen") is None
    from_above(rooms)
    touch("touchStart", rooms.place(level.eyes[60]))
    touch("touchEnd")
    rooms.wait("state.chosen && state.chosen.index === 60")


def test_two_fingers_pinch_and_turn(rooms, touch):
    from_above(rooms)
    camera = rooms.ask("[camera.yaw, camera.distance]")
    between = rooms.ask("pick(600, 300).place")
    touch("touchStart", (550, 300), (650, 300))
    for k in range(1, 11):
        touch("touchMove", (550 - 5 * k, 300), (650 + 5 * k, 300))
    rooms.rest()
    yaw, far = rooms.ask("[camera.yaw, camera.distance]")
    # Twice as far apart: half as far away, and what is between them stays there.
    assert abs(far / camera[1] - 0.5) < 1e-3 and abs(yaw - camera[0]) < 1e-3
    assert np.allclose(rooms.place(between), [600, 300], atol=8)
    for k in range(1, 11):
        touch("touchMove", (500 + 10 * k, 300), (700 + 10 * k, 300))
    touch("touchEnd")
    rooms.rest()
    assert abs(rooms.ask("camera.distance") / far - 1) < 0.02
    assert abs(abs(rooms.ask("camera.yaw") - yaw) - 0.6) < 1e-3
    # A tap of two fingers chooses nothing.
    touch("touchStart", (600, 300), (640, 300))
    touch("touchEnd")
    rooms.rest()
    assert rooms.ask("state.chosen") is None


def test_a_link_keeps_the_cut_of_the_first_picture(view, level):
    level.json("roof.json", {"aabb": [{"min": [-10, -8, -1], "max": [10, 8, 0]},
                                      {"min": [-10, -8, 40], "max": [10, 8, 41]}]})  # fmt: skip
    page = level.page("roof", "roof.json", "eyes.npy")
    assert view.open(page).ask("state.slice") == [0, 0.98]
    assert view.open(page, "#viewpoint=3").ask("state.slice") == [0, 0.98]
    view.slide("high", 1000)
    view.wait("location.hash.includes('slice=,')")
    whole = view.page.evaluate("location.hash")
    view.open(page, "#")
    assert view.open(page, whole).ask("state.slice") == [0, 1]
