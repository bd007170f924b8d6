"""A headless Chromium in which pages of `sightline view` are opened, and what reads the program's files
without the program."""

import contextlib
import functools
import io
import json
import os
import pathlib
import shutil
import subprocess
import time

import numpy as np
import PIL.Image
import playwright.sync_api

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAM = os.environ.get("SIGHTLINE_PROGRAM", ROOT / "build/release/sightline")
TYPES = {"U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8", "F32": "<f4", "F64": "<f8"}
ARGUMENTS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox",
             "--disable-dev-shm-usage"]
# What Chromium itself says of reading pixels, which only tests do.
HARMLESS = ("GPU stall due to ReadPixels", "Automatic fallback to software WebGL")
PATIENCE = 60  # seconds


def sightline(*arguments, folder):
    """Runs the program."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{arguments}: {done.stderr}"
    return done.stderr


def read(file):
    """Metadata and tensors of a container."""
    data = pathlib.Path(file).read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    head = json.loads(data[8:begin])
    tensors = {}
    for name, entry in head.items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            raw = np.frombuffer(data[begin + first : begin + last], TYPES[entry["dtype"]])
            tensors[name] = raw.reshape(entry["shape"])
    return head.get("__metadata__", {}), tensors


def write(file, meta, **tensors):
    """A container; tensors by name, with _ for the point."""
    head, blob = {"__metadata__": meta}, b""
    for name, data in tensors.items():
        raw = np.ascontiguousarray(data).tobytes()
        dtype = next(k for k, v in TYPES.items() if np.dtype(v) == data.dtype)
        head[name.replace("_", ".", 1)] = {"dtype": dtype, "shape": list(data.shape),
                                           "data_offsets": [len(blob), len(blob) + len(raw)]}
        blob += raw
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(file).write_bytes(len(text).to_bytes(8, "little") + text + blob)


def matrix(file):
    """Which of the viewpoints see which of the targets, by NumPy."""
    meta, tensors = read(file)
    bits = np.unpackbits(tensors["bits"].view("u1"), axis=1, bitorder="little")
    return bits[:, : int(meta["to.count"])].astype(bool)


class View:
    """An open page. `messages` holds what its console says, and what it asks the network for."""

    def __init__(self, page):
        self.page = page
        self.messages = []
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        page.on("dialog", self.asked)
        page.on("request", self.requested)

    def heard(self, message):
        if not any(text in message.text for text in HARMLESS):
            self.messages.append(f"{message.type}: {message.text}")

    def asked(self, dialog):
        self.messages.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def requested(self, request):
        if not request.url.startswith(("blob:", "data:", f"file://{self.file}")):
            self.messages.append(f"request: {request.url}")

    def open(self, file, address="", rest=True):
        self.file = file
        self.page.goto(f"file://{file}{address}")
        self.wait("ready")
        if rest:
            self.rest()
        return self

    def ask(self, expression, argument=None):
        """What an expression of sightlineView's parts is worth, such as `state.sets.length`."""
        # By Playwright's own road, which the page's policy does not bind.
        return self.page.evaluate(f"(it) => {{ with (window.sightlineView || {{ready: false}}) "
                                  f"return {expression}; }}", argument)  # fmt: skip

    def wait(self, expression, argument=None):
        """Until it holds. The policy forbids Playwright's own way of waiting."""
        end = time.monotonic() + PATIENCE
        while not self.ask(expression, argument):
            assert time.monotonic() < end, f"still not: {expression}; {self.messages}"
            self.page.wait_for_timeout(20)

    def rest(self):
        """Until the camera rests and all is drawn."""
        self.wait("!state.dirty && performance.now() - state.moved > 400")

    def text(self, name):
        """The text of an element, by its id; nothing of a hidden one."""
        return self.page.inner_text(f"#{name}")

    def place(self, at):
        """Where a place of the scene is on the page."""
        return self.ask("project(it)", [float(x) for x in at])

    def click(self, at, shift=False):
        """Clicks a place of the scene."""
        x, y = self.place(at)
        if shift:
            self.page.keyboard.down("Shift")
        self.page.mouse.click(x, y)
        if shift:
            self.page.keyboard.up("Shift")

    def press(self, key):
        self.page.keyboard.press(key)
        self.rest()

    def hover(self, at):
        """What the page says of what is at a place of the scene."""
        hidden = "document.getElementById('hover').hidden"
        self.page.hover("#title")
        self.wait(hidden)
        self.page.mouse.move(*self.place(at))
        self.wait("!" + hidden)
        return self.text("hover")

    def slide(self, name, value):
        """Moves a slider."""
        self.page.evaluate("""([name, value]) => {
          const e = document.getElementById(name);
          e.value = value;
          e.dispatchEvent(new Event('input'));
        }""", [name, str(value)])  # fmt: skip
        self.rest()

    def layer(self, name):
        return self.page.locator(f"[data-layer='{name}']")

    def drop(self, *files):
        """Drops files, as a reader does."""
        self.page.evaluate("""() => {
          const pick = document.createElement('input');
          pick.type = 'file';
          pick.multiple = true;
          pick.id = 'dropped-by-test';
          document.body.append(pick);
        }""")  # fmt: skip
        self.page.set_input_files("#dropped-by-test", [str(file) for file in files])
        self.page.evaluate("""() => {
          const pick = document.getElementById('dropped-by-test');
          const transfer = new DataTransfer();
          for (const file of pick.files) transfer.items.add(file);
          dispatchEvent(new DragEvent('drop', {dataTransfer: transfer}));
          pick.remove();
        }""")  # fmt: skip

    def pixels(self):
        """What the page looks like: [height, width, 3]."""
        shot = PIL.Image.open(io.BytesIO(self.page.screenshot(timeout=1000 * PATIENCE)))
        return np.asarray(shot.convert("RGB")).astype(int)

    def colour(self, at, pixels=None):
        """The colour at a place of the scene."""
        x, y = self.place(at)
        return (self.pixels() if pixels is None else pixels)[round(y), round(x)]


def from_above(view):
    view.press("t")
    assert view.text("err") == ""


@functools.cache
def chromium():
    """The browser of this machine, or None."""
    return os.environ.get("SIGHTLINE_BROWSER") or shutil.which("chromium")


@contextlib.contextmanager
def browser():
    with playwright.sync_api.sync_playwright() as started:
        yield started.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
