"""Long jobs into files, by the program that the package brings along: in chunks, with a journal, so
that a run that was stopped goes on, and with the bytes that the program writes, because it does."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np

from . import errors
from ._core import FlatScene, Scene
from .mismatch import answered

_errors = {
    2: errors.UsageError,
    3: errors.BadInputError,
    4: errors.DeviceError,
    5: errors.OutOfMemoryError,
    6: errors.FileError,
}
_keep_nothing = ("nav", "pvs")  # of a run that is stopped


@answered
def program():
    """The path of the program `sightline` that the package brings along."""
    path = Path(__file__).parent / "bin" / "sightline"
    if not path.exists():
        raise errors.FileError(f"{path}: the program is missing from this package")
    return str(path)


@answered
def bake(verb, scene, out, *, progress=False, restart=False, **options):
    """Runs a verb of the program over a scene, into the file `out`; returns its report as a dict.

    verb: "visibility", "cast", "areas", "exposure", "probes", "cover", "distance", "overlap",
    "sweep", "flat", "pvs", "nav"; `python -m sightline VERB --help` names the options of each.
    scene: a Scene ("flat": a FlatScene; "pvs": the result of "areas"), or the path of its file.
    options: those of the verb, with _ for - and one at the end of names that Python has taken:
    ``bake("visibility", scene, "seen.safetensors", from_=eyes, range=50)``. An array is
    written to a file for the run, as float32; a Scene likewise; True is a flag.
    progress: shows a bar (tqdm's, where it is installed).
    restart: discards what an unfinished run left; without it the same call goes on from there.

    Ctrl-C, or whatever ends the process, keeps all finished parts, but of "nav" and "pvs", which
    begin anew. Raises the exception of the error's kind, with the program's sentence.
    """
    if restart and verb in _keep_nothing:
        raise errors.UsageError(f"restart: {verb} keeps nothing of a run that was stopped")
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        folder = Path(folder)
        command = [program(), verb, _argument(scene, folder / "scene"), "-o", os.fspath(out)]
        for name, value in options.items():
            name = name.rstrip("_").replace("_", "-")
            if isinstance(value, np.generic):
                value = value.item()
            if value is True:
                command.append("--" + name)
            elif value is not None and value is not False:
                command += ["--" + name, *_words(name, value, folder / name)]
        report = folder / "report.json"
        command += ["--json", str(report), "--quiet", *(["--restart"] if restart else [])]
        said = _run(command, os.fspath(out), progress, folder / "said")
        if said:
            warnings.warn(said.replace("warning: ", ""), stacklevel=3)
        return json.loads(report.read_text())


_joined = {"bounds": " ", "exclude": ",", "exclude-group": ","}  # numbers that are no file


def _words(name, value, path):
    """An argument's words."""
    if name in _joined and isinstance(value, (list, tuple, np.ndarray)):
        return _joined[name].join(str(v) for v in np.ravel(value)).split(" ")
    return [_argument(value, path)]


def _argument(value, path):
    """An argument as a word; an array or a scene as the name of a file, which is written."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (Scene, FlatScene)):
        path = path.with_suffix(".safetensors")
        value.save(path)
        return str(path)
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        what = array.dtype if array.ndim else type(value).__name__
        raise errors.UsageError(f"{path.name} is of {what}, not numbers, a Scene or a file's name")
    if array.ndim == 1 and array.shape == (3,):
        array = array[None]  # one vector
    path = path.with_suffix(".npy")
    np.save(path, np.ascontiguousarray(array, "<f4"))
    return str(path)


def _run(command, out, progress, said):
    """Runs the program, its words in the file `said`; returns its warnings."""
    # The terminal's Ctrl-C reaches the program as well, which keeps what is done.
    with open(said, "wb") as stderr, subprocess.Popen(command, stderr=stderr) as process:
        try:
            if progress:
                _show(process, command, out)
            process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            process.wait()
            raise
    words = said.read_text(errors="surrogateescape").partition("\nsee: ")[0].strip()
    code = process.returncode
    if code != 0:
        kind = _errors.get(code, errors.Error)
        raise kind(words.removeprefix("sightline: ") or f"the program ended with {code}")
    return words


def _show(process, command, out):
    """A bar until the program ends, by what the journal of its output says is done."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        tqdm = None
    bar = None
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
            break
        asked = subprocess.run(
            [command[0], "info", out + ".partial", "--json", "-", "--quiet"],
            capture_output=True,
            text=True,
        )
        if asked.returncode != 0:
            continue
        work = json.loads(asked.stdout).get("unfinished", {})
        done, total = work.get("done"), work.get("of")
        if done is None or not total:
            continue
        if tqdm is None:
            print(f"\r{command[1]} {100 * done / total:5.1f} %", end="", flush=True)
        else:
            bar = bar or tqdm(total=total, initial=done, desc=command[1], unit_scale=True)
            bar.update(done - bar.n)
    if bar is not None:
        bar.update(bar.total - bar.n if process.returncode == 0 else 0)
        bar.close()
    elif tqdm is None:
        print()
