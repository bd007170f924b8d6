"""Nothing of a file runs, and no file makes the page fail: what is wrong with it is said in a sentence."""

import json
import random

import numpy as np
import pytest

from browser import read, write

PARTS = ["<script>window.ran=1</script>", "<img src=x onerror=window.ran=1>", "'\"><svg onload=window.ran=1>",
         "</title><script>window.ran=1</script>", "javascript:window.ran=1", "&lt;b&gt;&amp;", "\u202eesrever",
         "\u2028window.ran=1\u2029", "--><!--", "]]>", "${window.ran=1}", "`window.ran=1`", "\\u003cscript\\u003e",
         "{{window.ran=1}}", "\ufeff", "\U0001f600", "</script>", "__proto__", "constructor"]  # fmt: skip


def hostile(n):
    """So many names, no two of them the same, none of two lines."""
    pick = random.Random(1)
    return [f"{i} " + "".join(pick.sample(PARTS, 1 + i % 4)) for i in range(n)]


def squeezed(text):
    """Without what no font shows."""
    return " ".join("".join(c for c in text if c not in "\ufeff\x00").split())


@pytest.fixture(scope="module")
def named(level):
    """A row of 1,000 boxes with hostile names, in a file with one too, and points above them."""
    names = hostile(1000)
    boxes = [{"min": [x, y, 0], "max": [x + 0.9, y + 0.9, 1], "name": name}
             for (y, x), name in zip(np.ndindex(25, 40), names)]  # fmt: skip
    file = "<img src=x onerror=window.ran=1>'\".json"
    level.json(file, {"aabb": boxes})
    level.run("view", file, "-o", "names.html", "--title", "".join(PARTS[:6]))
    return level.folder / "names.html", names


def test_names_are_text(view, named):
    page, names = named
    view.open(page)
    view.press("t")
    for i in [*range(0, 1000, 37), 999]:
        y, x = divmod(i, 40)
        shown = view.hover((x + 0.4, y + 0.4, 1))
        assert squeezed(names[i]) in squeezed(shown), i
    assert view.page.title().startswith("<script>window.ran=1</script><img")
    assert "<script>window.ran=1</script><img" in view.text("title")
    # No element but the page's own, and no script but its own.
    assert view.page.locator("img, svg, iframe, a").count() == 0
    assert view.page.locator("script:not([data-file])").count() == 1
    assert view.page.evaluate("window.ran === undefined && Object.prototype.ran === undefined")


def test_labels_of_points_and_areas_are_text(view, level):
    names = [f"{name}\t\x0b\x00" for name in hostile(1000)]  # of which the program makes none
    label = np.arange(1, 1001, dtype="<u8")
    at = np.array([[x, y, 2] for y, x in np.ndindex(25, 40)], "<f4")
    write(level.folder / "named.st", {"sightline.file": "points", "names": "\n".join(names)},
          point_position=at, point_label=label)  # fmt: skip
    view.open(level.page("shapes", "level.st"))
    view.drop(level.folder / "named.st")
    view.wait("state.sets.length === 1")
    view.press("t")
    for i in range(3, 1000, 111):
        shown = view.hover(at[i])
        assert squeezed(names[i]) in squeezed(shown), i
    assert view.page.evaluate("window.ran === undefined")


def test_a_script_that_a_file_brought_would_not_run(view, level):
    """The policy of the page, on its own: what got into the page as markup stays dead."""
    view.open(level.page("shapes", "level.st"))
    view.page.evaluate("""() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="data:,x" onerror="window.ran=1">');
      const s = document.createElement('script');
      s.textContent = 'window.ran=1';
      document.body.append(s);
    }""")  # fmt: skip
    view.page.wait_for_timeout(300)
    assert view.page.evaluate("window.ran === undefined")
    assert any("Content Security Policy" in message for message in view.messages)
    view.messages.clear()


# --- what is dropped ---


def refusal(view, *files):
    """What the page says of dropped files that it refuses."""
    before = view.ask("[state.scenes.length, state.sets.length, state.columns.length]")
    view.page.evaluate("document.getElementById('err').textContent = ''")
    view.drop(*files)
    for _ in range(500):
        if text := view.page.evaluate("document.getElementById('err').textContent"):
            break
        view.page.wait_for_timeout(20)
    assert text and "\n" not in text and view.page.locator("#err").is_visible()
    assert view.ask("[state.scenes.length, state.sets.length, state.columns.length]") == before
    return text


def test_a_result_is_dropped(view, level):
    level.seen()
    view.open(level.page("points", "level.st", "eyes.npy"))
    view.drop(level.folder / "seen.st")
    view.wait("state.visibilities.length === 1")
    assert view.text("err") == ""
    view.press("t")
    view.click(level.eyes[60])
    assert "sees " in view.text("chosen")


def test_files_that_do_not_belong_are_refused(view, level):
    level.run("gen", "city", "--shapes", "50", "-o", "city.st")
    level.run("visibility", "city.st", "--from", "eyes.npy", "-o", "city-seen.st")
    level.run("visibility", "level.st", "--from", "few.npy", "-o", "few-seen.st")
    view.open(level.page("points", "level.st", "eyes.npy"))
    assert "city-seen.st: " in refusal(view, level.folder / "city-seen.st")
    assert "few-seen.st: " in refusal(view, level.folder / "few-seen.st")
    (level.folder / "words.txt").write_text("These are words.\n" * 10)
    assert "words.txt: " in refusal(view, level.folder / "words.txt")
    (level.folder / "empty").write_bytes(b"")
    assert "empty: " in refusal(view, level.folder / "empty")


def damaged(data, seed):
    """A file with something wrong."""
    pick = random.Random(seed)
    data = bytearray(data)
    n = int.from_bytes(data[:8], "little")
    how = seed % 5
    if how == 0:
        return bytes(data[: pick.randrange(len(data))])
    if how == 1:
        for _ in range(3):
            data[8 + pick.randrange(n)] = pick.choice(b'0123456789{}[]",:x')
    elif how == 2:
        data[pick.randrange(8)] = pick.randrange(1, 256)
    elif how == 3:
        return bytes(data) + b"x" * pick.randrange(1, 99)
    else:
        head = json.loads(data[8 : 8 + n])
        key = pick.choice([k for k in head if k != "__metadata__"])
        head[key][pick.choice(["shape", "data_offsets", "dtype"])] = pick.choice(
            [[2**40, 3], [-1, 3], [1e308], [0, 2**53 - 1], "F32", "F64", None, {}, [[]], [9] * 99])  # fmt: skip
        text = json.dumps(head).encode()
        return len(text).to_bytes(8, "little") + text + bytes(data[8 + n :])
    return bytes(data)


def test_damaged_files_end_in_a_sentence(view, level):
    level.seen()
    view.open(level.page("points", "level.st", "eyes.npy"))
    whole = (level.folder / "seen.st").read_bytes()
    refused = 0
    for seed in range(60):
        (level.folder / "damaged.st").write_bytes(damaged(whole, seed))
        view.page.evaluate("document.getElementById('err').textContent = ''")
        view.drop(level.folder / "damaged.st")
        view.page.wait_for_timeout(60)
        said = view.page.evaluate("document.getElementById('err').textContent")
        # Names of metadata may have changed unseen; all else is refused, with the file's name.
        taken = view.ask("state.visibilities.length")
        assert bool(said) != bool(taken) or seed % 5 == 1, seed
        assert not said or said.startswith("damaged.st: "), said
        refused += bool(said)
        if taken:
            view.open(level.folder / "points.html")
    assert refused > 45


def test_damaged_blocks_end_in_a_sentence(view, level):
    page = level.page("shapes", "level.st").read_text()
    begin = page.index(">", page.index('<script type="text/plain"')) + 1
    end = page.index("<", begin)
    broken = {"no base64": "@" * 40, "not deflated": "AAAAAAAA" * 9, "cut": page[begin : begin + (end - begin) // 8 * 4],
              "empty": ""}  # fmt: skip
    for name, data in broken.items():
        file = level.folder / f"{name.replace(' ', '-')}.html"
        file.write_text(page[:begin] + data + page[end:])
        view.open(file, rest=False)
        said = view.text("err")
        assert "level.st: " in said and "\n" not in said, name


def blocks(text):
    """Where the data of each block are."""
    out, at = [], 0
    while (at := text.find('<script type="text/plain"', at)) >= 0:
        begin = text.index(">", at) + 1
        at = text.index("<", begin)
        out.append((begin, at))
    return out


@pytest.mark.parametrize("which, name", [(0, "level.st"), (1, "eyes.npy")])
def test_what_is_sound_is_shown_beside_a_damaged_block(view, level, which, name):
    page = level.page("points", "level.st", "eyes.npy").read_text()
    begin, end = blocks(page)[which]
    file = level.folder / f"damaged-{which}.html"
    file.write_text(page[:begin] + page[begin : begin + 40] + page[end:])
    view.open(file)
    assert view.text("err") == f"{name}: its data in this page are damaged: make the page again"
    assert view.ask("[state.scenes.length, state.sets.length]") == [which, 1 - which]
    shown = view.pixels()
    assert np.count_nonzero(np.abs(shown[:, 320:] - (251, 251, 248)).max(axis=2) > 15) > 10_000


def test_numbers_that_are_not_finite(view, level):
    box = {"aabb_min": np.zeros((1, 3), "<f4"), "aabb_max": np.array([[1, 1, np.inf]], "<f4")}
    write(level.folder / "endless.st", {"sightline.file": "scene"}, **box)
    view.open(level.page("shapes", "level.st"))
    assert refusal(view, level.folder / "endless.st") == "endless.st: aabb.max has numbers that are not finite"
    # Bad points are in results; the others are shown.
    bad = np.array([[np.nan, 0, 2], [0, np.inf, 2], [0, 0, 3e38], [5, 0, 2]], "<f4")
    np.save(level.folder / "bad.npy", bad)
    view.drop(level.folder / "bad.npy")
    view.wait("state.sets.length === 1")
    assert view.text("err") == ""
    assert view.ask("state.sets[0].box") == {"min": [5, 0, 2], "max": [5, 0, 2]}
    view.press("t")
    assert "point 3" in view.hover(bad[3])


def test_results_of_another_kind_are_refused(view, level):
    meta, held = read(level.seen())
    write(level.folder / "older.st", {**meta, "sightline.answers": "0"}, **held)
    write(level.folder / "fields.st", {**meta, "fields.hash": "0" * 32}, **held)
    view.open(level.page("rooms", "level.st", "eyes.npy", "seen.st"))
    assert "answers of version 0" in refusal(view, level.folder / "older.st")
    assert "another result than seen.st" in refusal(view, level.folder / "fields.st")
    # As many areas, elsewhere.
    level.json("moved.json", {"areas": [{"min": [-9, -7, 0], "max": [-8, 7, 2]}] * 3})
    level.file("moved.st", "areas", "level.st", "--areas", "moved.json", "--samples", "8")
    level.file("classes.st", "areas", "level.st", "--areas", "rooms.json", "--samples", "32")
    view.open(level.page("areas", "level.st", "rooms.json", "classes.st"))
    assert "moved.st: a result of other areas" in refusal(view, level.folder / "moved.st")


def test_names_of_labels_beyond_the_names(view, level):
    """A label without a line in `names`, and one beyond 2^53."""
    write(level.folder / "beyond.st", {"sightline.file": "points", "names": "one"},
          point_position=np.array([[0, 0, 2], [3, 0, 2], [6, 0, 2]], "<f4"),
          point_label=np.array([1, 7, 2**64 - 1], "<u8"))  # fmt: skip
    assert read(level.folder / "beyond.st")[1]["point.label"][2] == 2**64 - 1
    view.open(level.page("shapes", "level.st"))
    view.drop(level.folder / "beyond.st")
    view.wait("state.sets.length === 1")
    view.press("t")
    assert view.hover([0, 0, 2]).startswith("one (point 0)")
    assert view.hover([3, 0, 2]).startswith("label 7 (point 1)")
    assert "(point 2)" in view.hover([6, 0, 2])
