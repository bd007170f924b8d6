"""Pages: what they hold, how a notebook shows them, and what is refused."""

import base64
import html
import json
import re
import zlib

import numpy as np
import pytest

import sightline as sl

BLOCK = re.compile(r'<script type="text/plain" data-file="([^"]*)" data-kind="([^"]*)" '
                   r'data-encoding="deflate">([^<]*)</script>')  # fmt: skip


def blocks(page):
    """Kind, name and bytes of each file in a page."""
    return [(kind, name, zlib.decompress(base64.b64decode(data)))
            for name, kind, data in BLOCK.findall(page.html)]  # fmt: skip


def header(data):
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])


pytestmark = pytest.mark.filterwarnings("ignore:.*points lie in or touch")


@pytest.fixture
def seen(tmp_path, scene, eyes):
    eyes = np.delete(eyes, 17, axis=0)
    sl.bake("visibility", scene, tmp_path / "seen.safetensors", from_=eyes)
    return tmp_path / "seen.safetensors", eyes


def test_a_page_holds_scene_points_and_results(tmp_path, scene, seen):
    file, eyes = seen
    page = sl.view(scene, file, points=eyes, title="a < b")
    found = blocks(page)
    assert [(kind, name) for kind, name, _ in found] == [
        ("scene", "scene.safetensors"),
        ("points", "points.npy"),
        ("visibility", "seen.safetensors"),
    ]
    assert found[2][2] == file.read_bytes()
    assert header(found[1][2])["point.position"]["shape"] == [199, 3]
    assert "<title>a &lt; b</title>" in page.html
    page.save(tmp_path / "view.html")
    assert (tmp_path / "view.html").read_text(encoding="utf-8") == page.html
    assert sl.view(scene, file, points=eyes, title="a < b").html == page.html


def test_a_notebook_shows_a_frame(scene):
    page = sl.view(scene, height=321)
    shown = page._repr_html_()
    match = re.fullmatch(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts allow-downloads" '
                         r'width="100%" height="321" style="border:0"></iframe>', shown)  # fmt: skip
    assert html.unescape(match[1]) == page.html
    assert "<" not in match[1]
    assert "save(path)" in repr(page)


def test_points_may_be_several(scene, eyes):
    page = sl.view(scene, points=[eyes[:10], eyes[20:25]])
    assert [name for _, name, _ in blocks(page)] == [
        "scene.safetensors", "points.npy", "points-1.npy"
    ]  # fmt: skip
    one = sl.view(scene, points=[[1, 2, 3], [4, 5, 6]])
    assert header(blocks(one)[1][2])["point.position"]["shape"] == [2, 3]


def test_maps_and_query_shapes_may_be_objects(tmp_path, scene, seen):
    nav = sl.Caster(scene).bake_navigation(cell=1, cell_height=0.5)
    agents = sl.Scene()
    agents.add_spheres([[0, 0, 1], [4, 4, 1]], 0.25)
    agents.save(tmp_path / "agents.safetensors")
    sl.bake("overlap", scene, tmp_path / "hit.safetensors", with_=tmp_path / "agents.safetensors")
    found = blocks(sl.view(scene, nav, agents, tmp_path / "hit.safetensors"))
    assert [(kind, name) for kind, name, _ in found] == [
        ("scene", "scene.safetensors"),
        ("nav", "result-0.nav"),
        ("scene", "result-1.safetensors"),
        ("overlap any", "hit.safetensors"),
    ]
    assert header(found[2][2])["sphere.center"]["shape"] == [2, 3]


def test_a_matrix_may_be_an_object(tmp_path, scene, seen, caster):
    """The page holds what it holds of the file that bake writes of the same."""
    file, eyes = seen
    few = eyes[5:30]
    names = tmp_path / "points.npy"
    for asked in ({}, {"range": 7.25, "margin": 0.125, "inside": "surface"}):
        for to in ([], [few]):
            matrix = caster.visibility(eyes, *to, **asked)
            sl.bake("visibility", scene, file, restart=True, from_=eyes, to=to[0] if to else None,
                    **asked)  # fmt: skip
            for page in (sl.view(scene, eyes, *to, matrix), sl.view(scene, matrix, points=[eyes, *to])):
                kind, name, data = blocks(page)[-1]
                assert (kind, name) == ("visibility", "result-0.safetensors")
                assert data == file.read_bytes()
    np.save(names, eyes.astype("<f4"))
    scene.save(tmp_path / "scene.safetensors")
    matrix = caster.visibility(sl.Points(eyes))
    page = sl.view(tmp_path / "scene.safetensors", matrix, points=names)
    assert blocks(page)[-1][2] == blocks(sl.view(scene, sl.Points(eyes), matrix))[-1][2]


def test_matrices_that_are_refused(scene, seen, caster):
    _, eyes = seen
    matrix = caster.visibility(eyes)
    with pytest.raises(sl.UsageError, match="a Visibility holds no points, and view got 0 sets"):
        sl.view(scene, matrix)
    with pytest.raises(sl.UsageError, match="a Visibility holds no points, and view got 3 sets"):
        sl.view(scene, eyes, eyes, eyes, matrix)
    with pytest.raises(sl.BadInputError, match="of 199 by 199 was not computed from 198 points"):
        sl.view(scene, eyes[1:], matrix)
    fields = sl.Fields([1, 0, 0], 45)
    with pytest.raises(sl.UsageError, match="in fields of view has no file: sl.bake writes one"):
        sl.view(scene, eyes, caster.visibility(eyes, fields=fields))
    with pytest.raises(sl.UsageError, match="result 1 is of Hits, not the name of a file"):
        sl.view(scene, eyes, caster.closest_hit([0, 0, 0], [1, 0, 0]))


def test_what_is_refused(scene, seen):
    file, eyes = seen
    with pytest.raises(sl.BadInputError, match=r"seen.safetensors: was computed .* leave out"):
        sl.view(sl.standard_scene("city", 10, 1), file, points=eyes)
    with pytest.raises(sl.UsageError, match="none of the files holds the points"):
        sl.view(scene, file)
    with pytest.raises(sl.UsageError, match="result 0 is of dict, not the name of a file"):
        sl.view(scene, {})
    with pytest.raises(sl.UsageError, match="height is 0"):
        sl.view(scene, height=0)
    with pytest.raises(sl.UsageError, match="points is of"):
        sl.view(scene, points="nowhere".encode())
