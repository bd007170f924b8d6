"""Long jobs into files: the program's bytes, and what stops them."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import sightline as sl
from support import read_tensors, same_bits


def test_a_bake_is_what_the_caster_answers(tmp_path, scene, caster, eyes):
    out = tmp_path / "seen.safetensors"
    with pytest.warns(UserWarning, match="^1 of 200 points is NaN"):
        report = sl.bake("visibility", scene, out, from_=eyes.astype(float), progress=True)
    seen = caster.visibility(eyes)
    assert same_bits(read_tensors(out)["bits"], seen.bits)
    assert report["counts"]["visible"] == seen.visible


def test_a_bake_takes_files_numbers_and_flags(tmp_path, scene, caster, rays):
    scene.save(tmp_path / "scene.safetensors")
    np.save(tmp_path / "origins.npy", rays[0])
    sl.bake("cast", tmp_path / "scene.safetensors", tmp_path / "hits.st", t_max=20, normals=True,
            origins=tmp_path / "origins.npy", directions=rays[1], picture=None)  # fmt: skip
    hits = caster.closest_hit(*rays, t_max=20)
    file = read_tensors(tmp_path / "hits.st")
    assert same_bits(file["t"], hits.t) and same_bits(file["normal"], hits.normal)


def test_errors_are_the_programs_sentences(tmp_path, scene, eyes):
    with pytest.raises(sl.FileError, match="nowhere.npy: cannot be opened"):
        sl.bake("visibility", scene, tmp_path / "seen.st", from_=tmp_path / "nowhere.npy")
    with pytest.raises(sl.UsageError, match="--margin-share"):
        sl.bake("visibility", scene, tmp_path / "seen.st", from_=eyes, margin_share=0.7)
    with pytest.raises(sl.UsageError, match="nav keeps nothing"):
        sl.bake("nav", scene, tmp_path / "nav.st", restart=True)
    with pytest.raises(sl.UsageError, match="from is of <U3, not numbers, a Scene"):
        sl.bake("visibility", scene, tmp_path / "seen.st", from_=["far"])
    assert not list(tmp_path.iterdir())


def test_arrays_of_a_bake_have_any_layout(tmp_path, scene, caster, eyes):
    given = [np.asfortranarray(eyes), eyes.astype(">f4"), eyes.astype(np.longdouble)]
    for i, array in enumerate(given):
        out = tmp_path / f"{i}.st"
        with pytest.warns(UserWarning, match="1 of 200 points"):
            sl.bake("probes", scene, out, points=array, grid=np.int64(2), threads=1)
        assert same_bits(read_tensors(out)["distance"], caster.probes(eyes, 2))
    whole = np.round(eyes[:5]).astype(int)
    sl.bake("probes", scene, tmp_path / "whole.st", points=whole, grid=2)
    assert same_bits(read_tensors(tmp_path / "whole.st")["distance"], caster.probes(whole, 2))


def test_lists_of_numbers_are_words(tmp_path, scene, caster, rays):
    out = tmp_path / "hits.st"
    sl.bake("cast", scene, out, origins=rays[0], directions=rays[1], exclude=[3, 200])
    assert same_bits(read_tensors(out)["id"], caster.closest_hit(*rays, exclude=[[3, 200]]).id)
    low, high = scene.bounds
    box = [*low, *((low + high) / 2)]
    sl.bake("nav", scene, tmp_path / "nav.st", bounds=box, cell=2)
    nav = caster.bake_navigation(bounds=(box[:3], box[3:]), cell=2)
    assert same_bits(read_tensors(tmp_path / "nav.st")["top"], nav.columns()["top"])


def test_a_stopped_bake_goes_on(tmp_path):
    """Ctrl-C in the middle; the same call goes on, and gives the bytes of one run."""
    code = f"""
import signal
import numpy as np, sightline as sl
signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it is ignored, as by nohup
scene = sl.standard_scene("city", 2000)
low, high = scene.bounds
eyes = np.random.default_rng(0).uniform(low, high, (20000, 3))
print("begun", flush=True)
try:
    sl.bake("visibility", scene, {str(tmp_path / "seen.st")!r}, from_=eyes, device="cpu",
            threads=1, keep_every=0)
    print("done")
except KeyboardInterrupt:
    print("stopped")
"""

    def run(until):
        command = [sys.executable, "-c", code]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout.readline() == "begun\n"
            if until is not None:
                while not until():
                    time.sleep(0.01)
                child.send_signal(signal.SIGINT)
            return child.stdout.readline().strip()

    journal = tmp_path / "seen.st.journal"
    assert run(lambda: journal.exists() and journal.stat().st_size > 2000) == "stopped"
    assert not (tmp_path / "seen.st").exists()
    assert run(None) == "done"
    scene = sl.standard_scene("city", 2000)
    low, high = scene.bounds
    points = np.random.default_rng(0).uniform(low, high, (20000, 3))
    caster = sl.Caster(scene, "cpu")
    bits = read_tensors(tmp_path / "seen.st")["bits"]
    assert same_bits(bits[:500], caster.visibility(points[:500], points).bits)
    assert same_bits(bits[-500:], caster.visibility(points[-500:], points).bits)
