"""Long jobs into files, by the program that the package brings along: in chunks, with a journal, so
that a run that was stopped goes on, and with the bytes that the program writes, because it does."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from . import errors
from ._core import Scene

_errors = {
    2: errors.UsageError,
    3: errors.BadInputError,
    4: errors.DeviceError,
    5: errors.OutOfMemoryError,
    6: errors.FileError,
}
_stopped = (75, 130)  # by a signal: what is done is kept, or there was nothing to keep


def program():
    """The path of the program `sightline`: of the package, else of PATH."""
    own = Path(__file__).parent / "bin" / "sightline"
    found = str(own) if own.exists() else shutil.which("sightline")
    if found is None:
        raise errors.FileError("the program sightline is neither in this package nor in PATH")
    return found


def bake(verb, scene, out, *, progress=False, restart=False, **options):
    """Runs a verb of the program over a scene, into the file `out`; returns its report as a dict.

    verb: "visibility", "cast", "areas", "exposure", "probes", "cover", "distance", "overlap",
    "sweep", "pvs", "nav"; `python -m sightline VERB --help` names the options of each.
    scene: a Scene, or the path of its file.
    options: those of the verb, with _ for - and one at the end of names that Python has taken:
    ``bake("visibility", scene, "seen.safetensors", from_=eyes, max_distance=50)``. An array is
    written to a file for the run, float64 rounded to float32; a Scene likewise; True is a flag.
    progress: shows a bar (tqdm's, where it is installed).
    restart: discards what an unfinished run left; without it the same call goes on from there.

    Ctrl-C, or whatever ends the process, keeps all finished parts. Raises the exception of the
    error's kind, with the program's sentence.
    """
    with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
        files = _Files(folder)
        command = [program(), verb, files.of(scene), "-o", os.fspath(out)]
        for name, value in options.items():
            option = "--" + name.rstrip("_").replace("_", "-")
            if value is True:
                command.append(option)
            elif value is not None and value is not False:
                command += [option, files.of(value)]
        report = Path(folder) / "report.json"
        command += ["--json", str(report), "--quiet"]
        if restart:
            command.append("--restart")
        said = _run(command, os.fspath(out), progress)
        if said:
            import warnings

            warnings.warn(said, stacklevel=2)
        return json.loads(report.read_text())


class _Files:
    """Arguments as words; arrays and scenes as files of a folder."""

    def __init__(self, folder):
        self._folder = Path(folder)
        self._count = 0

    def of(self, value):
        if isinstance(value, (str, os.PathLike, int, float)):
            return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
        self._count += 1
        if isinstance(value, Scene):
            path = self._folder / f"{self._count}.safetensors"
            value.save(path)
            return str(path)
        array = np.asarray(value)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        path = self._folder / f"{self._count}.npy"
        np.save(path, array)
        return str(path)


def _run(command, out, progress):
    """Runs the program; returns its warnings."""
    # The terminal's Ctrl-C reaches the program as well, which keeps what is done.
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            if progress:
                _show(process, command, out)
            _, said = process.communicate()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            process.communicate()
            raise
    said = said.strip()
    code = process.returncode
    if code in _stopped:
        raise KeyboardInterrupt
    if code != 0:
        raise _errors.get(code, errors.Error)(said.removeprefix("sightline: ") or f"ended with {code}")
    return said.replace("warning: ", "")


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
            [command[0], "status", out, "--json", "-", "--quiet"], capture_output=True, text=True
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
