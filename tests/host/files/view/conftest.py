"""A small level that has every kind of shape, and every result of it."""

import json

import numpy as np
import pytest

from browser import View, browser, chromium, matrix, sightline

# A floor, walls, a divider between two rooms, and one shape of each other kind.
LEVEL = {
    "unit": "m",
    "up": "z",
    "aabb": [
        {"min": [-10, -8, -0.2], "max": [10, 8, 0], "name": "floor"},
        {"min": [-10, -8, 0], "max": [-9.7, 8, 3], "name": "west wall"},
        {"min": [9.7, -8, 0], "max": [10, 8, 3], "name": "east wall"},
        {"min": [-10, -8, 0], "max": [10, -7.7, 3], "name": "south wall"},
        {"min": [-10, 7.7, 0], "max": [10, 8, 3], "name": "north wall"},
        {"min": [-3, -3, 0], "max": [-2, 3, 2.5], "name": "divider"},
        {"min": [3, -5, 0], "max": [5, -3, 1.2], "name": "crate"},
    ],
    "obb": [{"center": [0.5, 5, 0.6], "half_extents": [1, 0.6, 0.6],
             "rotation": [0, 0, 0.38268343, 0.92387953], "name": "desk"}],
    "sphere": [{"center": [5, 4, 1], "radius": 1, "name": "globe"}],
    "capsule": [{"a": [-7, 5, 0.5], "b": [-7, 5, 2], "radius": 0.5, "name": "guard"}],
    "plane": [{"normal": [0, 0, 1], "offset": -3, "name": "ground"}],
}  # fmt: skip
AREAS = {"unit": "m", "up": "z", "areas": [
    {"name": "west room", "min": [-9.5, -7.5, 0], "max": [-3.2, 7.5, 2.5]},
    {"name": "east room", "min": [-1.8, -7.5, 0], "max": [9.5, 7.5, 2.5]},
    {"name": "passage", "corners": [[-3.2, -7.5, 0], [-1.8, -7.5, 0], [-1.8, -3.2, 0], [-3.2, -3.2, 0]],
     "height": 2.5}]}  # fmt: skip
EYE = 1.6
# Spheres that move: the first in free air, the second in the divider.
AGENTS = {"unit": "m", "up": "z", "sphere": [{"center": [-8, -6, 2.7], "radius": 0.25},
                                             {"center": [-2.5, 0, 1], "radius": 0.4}]}  # fmt: skip


def eyes():
    """Points at eye height, none in a shape."""
    grid = [(x, y) for x in np.arange(-9, 9.5, 1) for y in np.arange(-7, 7.5, 1)]
    free = [(x, y, EYE) for x, y in grid
            if not (-3.5 < x < -1.5 and -3.5 < y < 3.5) and (x + 7) ** 2 + (y - 5) ** 2 > 1
            and (x - 5) ** 2 + (y - 4) ** 2 > 2]  # fmt: skip
    return np.array(free, "<f4")


class Level:
    """The files, made as they are asked for, each once."""

    def __init__(self, folder):
        self.folder = folder
        self.eyes = eyes()
        np.save(folder / "eyes.npy", self.eyes)
        np.save(folder / "few.npy", self.eyes[::7])
        for name, data in (("level", LEVEL), ("rooms", AREAS), ("agents", AGENTS)):
            self.json(f"{name}.json", data)
            # Rooms are read as they are.
            if name != "rooms":
                self.run("import", f"{name}.json", "-o", f"{name}.st")
        # Segments from every tenth point to the next tenth.
        a, b = self.eyes[:-10:10], self.eyes[10::10]
        np.save(folder / "origins.npy", a)
        np.save(folder / "directions.npy", b - a)
        np.save(folder / "moves.npy", np.array([[1, 0, 0], [1, 0, 0]], "<f4"))

    def run(self, *arguments):
        return sightline(*arguments, folder=self.folder)

    def file(self, name, *arguments):
        """The result of a command line, which writes it by -o."""
        made = self.folder / name
        if not made.exists():
            self.run(*arguments, "-o", name)
        return made

    def json(self, name, data):
        (self.folder / name).write_text(json.dumps(data))

    def seen(self):
        return self.file("seen.st", "visibility", "level.st", "--from", "eyes.npy")

    def page(self, name, *files, more=()):
        """The page of some files, made once."""
        made = self.folder / f"{name}.html"
        if not made.exists():
            self.run("view", *files, "-o", made.name, "--title", f"The level: {name}", *more)
        return made


@pytest.fixture(scope="session")
def level(tmp_path_factory):
    return Level(tmp_path_factory.mktemp("level"))


@pytest.fixture(scope="session")
def chrome():
    if not chromium():
        pytest.skip("no browser")
    with browser() as started:
        yield started


@pytest.fixture
def view(chrome):
    """An empty page. Whatever it opens says nothing and asks for nothing."""
    page = chrome.new_page(viewport={"width": 1000, "height": 700}, accept_downloads=True)
    it = View(page)
    yield it
    page.close()
    assert it.messages == []


@pytest.fixture(scope="session")
def seen(level):
    return matrix(level.seen())


@pytest.fixture
def rooms(view, level, seen):
    """The page of the level, its points and what they see."""
    return view.open(level.page("rooms", "level.st", "eyes.npy", "seen.st"))
