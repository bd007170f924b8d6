"""Long jobs into files, by the program in this package."""

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
    """The path of the program ``sightline`` in this package.

    Returns
    -------
    str
        The path.

    Raises
    ------
    FileError
        If the program is missing from the package.

    Examples
    --------
    >>> sl.program().endswith("sightline")
    True
    """
    path = Path(__file__).parent / "bin" / "sightline"
    if not path.exists():
        raise errors.FileError(f"{path}: the program is missing from this package")
    return str(path)


@answered
def bake(verb, scene, out, *, progress=False, restart=False, **options):
    """Runs a verb of the program over a scene, into a file.

    The program works in chunks and keeps a journal, so a run that was stopped can resume. The same
    call resumes it. Ctrl-C keeps all finished parts, except for "nav" and "pvs", which start again.

    Parameters
    ----------
    verb : str
        "visibility", "cast", "areas", "exposure", "probes", "cover", "distance", "overlap",
        "sweep", "flat", "pvs" or "nav".
    scene : Scene, FlatScene, str or os.PathLike
        The scene, or the path of its file. "flat" takes a FlatScene, "pvs" the result of "areas".
    out : str or os.PathLike
        The file to write.
    progress : bool, default False
        Whether to show a bar; tqdm's if it is installed.
    restart : bool, default False
        Whether to discard what an unfinished run left.
    **options
        Options of the verb, as ``sightline help VERB`` lists them: ``_`` for ``-``, and a ``_`` at
        the end of Python's own words, such as ``from_``. True is a flag. Arrays are written to
        files as float32, scenes too.

    Returns
    -------
    dict
        The program's report.

    Raises
    ------
    UsageError, BadInputError, DeviceError, OutOfMemoryError, FileError
        As the program's exit code says, with its message.

    Examples
    --------
    >>> scene = sl.Scene()
    >>> scene.add_spheres([5, 0, 0], 1)
    0
    >>> report = sl.bake("visibility", scene, "seen.safetensors", from_=[[0, 0, 0], [9, 0, 0]])
    >>> report["verb"], report["from"]["count"]
    ('visibility', 2)
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
