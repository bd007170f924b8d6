"""A Firefox in which pages are opened as in Chromium, by Marionette: the protocol that each Firefox
speaks itself. It has WebGL only where it has a screen; Xvfb is one in memory."""

import base64
import contextlib
import functools
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds
KEYS = {"Escape": "\ue00c", "Shift": "\ue008"}
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.console.stdout.content": True,
    "marionette.port": 0,  # one that is free
}
# What a page's script logs, as Firefox prints it; its own words have no quotes.
OF_PAGES = re.compile(r'console\.\w+: "|JavaScript warning: .*WebGL')
CONSOLE = """return Services.console.getMessageArray().map(String)
  .filter((m) => m.includes('file:///') && !m.includes('chrome://'));"""


@functools.cache
def firefox():
    """The browser of this machine, or None."""
    return shutil.which("firefox")


def until(attempt):
    """What it returns, as soon as that is something."""
    end = time.monotonic() + PATIENCE
    while not (found := attempt()):
        assert time.monotonic() < end, "Firefox does not answer"
        time.sleep(0.05)
    return found


class Marionette:
    """Sends commands: messages of JSON, each after its length."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE)
        self.stream = self.socket.makefile("rb")
        self.answer()

    def answer(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.stream.read(1)
            assert byte, "Firefox has ended"
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def __call__(self, command, **arguments):
        text = json.dumps([0, 1, command, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.answer()
        assert error is None, f"{command}: {error['message']}"
        return result.get("value", result) if isinstance(result, dict) else result


class Page:
    """The part of Playwright's page that View and the tests use, its mouse and its keyboard."""

    def __init__(self, send, said, width, height):
        self.send, self.said = send, said
        self.mouse = self.keyboard = self
        # Marionette's own way waits ten seconds for a window manager.
        inner = self.evaluate("[innerWidth, innerHeight]")
        self.of_browser(f"resizeBy({width - inner[0]}, {height - inner[1]})")
        until(lambda: self.evaluate("[innerWidth, innerHeight]") == [width, height])

    def goto(self, address):
        self.send("WebDriver:Navigate", url=address)

    def evaluate(self, expression, argument=None):
        script = f"const it = {expression}; return typeof it === 'function' ? it(arguments[0]) : it;"
        return self.send("WebDriver:ExecuteScript", script=script, args=[argument])

    def of_browser(self, script):
        """What a script of the browser's own returns."""
        self.send("Marionette:SetContext", value="chrome")
        result = self.send("WebDriver:ExecuteScript", script=script, args=[])
        self.send("Marionette:SetContext", value="content")
        return result

    def console(self):
        """What scripts, the policy and WebGL complained of, in all pages so far."""
        said = [line for line in self.said.read_text().splitlines() if OF_PAGES.match(line)]
        return self.of_browser(CONSOLE) + said

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    def inner_text(self, selector):
        return self.evaluate("(s) => document.querySelector(s).innerText", selector)

    def screenshot(self, timeout):
        shot = self.send("WebDriver:TakeScreenshot", full=False, hash=False)
        return base64.b64decode(shot)

    def act(self, kind, *actions):
        self.send("WebDriver:PerformActions",
                  actions=[{"type": kind, "id": kind, "actions": list(actions)}])  # fmt: skip

    def move(self, x, y):
        self.act("pointer", {"type": "pointerMove", "x": x, "y": y})

    def wheel(self, x, y):
        self.act("wheel", {"type": "scroll", "x": 600, "y": 300, "deltaX": x, "deltaY": y})

    def down(self, key):
        self.act("key", {"type": "keyDown", "value": KEYS.get(key, key)})

    def up(self, key):
        self.act("key", {"type": "keyUp", "value": KEYS.get(key, key)})

    def press(self, key):
        self.down(key)
        self.up(key)

    def click(self, x, y):
        self.move(x, y)
        self.act("pointer", {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def hover(self, selector):
        self.move(*self.evaluate("""(s) => {
          const r = document.querySelector(s).getBoundingClientRect();
          return [r.x + r.width / 2, r.y + r.height / 2];
        }""", selector))  # fmt: skip

    def locator(self, selector):
        return Box(self, selector)


class Box:
    """A checkbox."""

    def __init__(self, page, selector):
        self.page, self.selector = page, selector

    def is_checked(self):
        return self.page.evaluate("(s) => document.querySelector(s).checked", self.selector)

    def check(self, on=True):
        self.page.evaluate("([s, on]) => { if (document.querySelector(s).checked !== on) "
                           "document.querySelector(s).click(); }", [self.selector, on])  # fmt: skip
        assert self.is_checked() == on

    def uncheck(self):
        self.check(False)


@contextlib.contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextlib.contextmanager
def page(width, height):
    """An empty page of this size."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        preferences = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
        (folder / "user.js").write_text("\n".join(preferences))
        mine, its = os.pipe()
        screen = f"{width + 400}x{height + 400}x24"
        stack.enter_context(ended(subprocess.Popen(
            ["Xvfb", "-displayfd", str(its), "-screen", "0", screen, "-nolisten", "tcp"],
            pass_fds=[its], stderr=subprocess.DEVNULL)))  # fmt: skip
        os.close(its)
        with open(mine) as told:
            display = ":" + told.readline().strip()
        said = folder / "said"
        stack.enter_context(ended(subprocess.Popen(
            [firefox(), "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder],
            env={**os.environ, "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"},
            stdout=said.open("w"), stderr=subprocess.STDOUT)))  # fmt: skip
        port = folder / "MarionetteActivePort"
        send = Marionette(int(until(lambda: port.exists() and port.read_text())))
        send("WebDriver:NewSession", capabilities={})
        yield Page(send, said, width, height)
        send("Marionette:Quit", flags=["eForceQuit"])
