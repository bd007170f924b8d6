"""Calls whose arguments fit no function are answered in one line that says what was meant."""

import pytest

import sightline as sl
from sightline import _core


def functions():
    """All functions of the module and of its classes, by name."""
    scopes = [_core, *(value for value in vars(_core).values() if isinstance(value, type))]
    for scope in scopes:
        for name, value in vars(scope).items():
            function = type(value).__name__ in ("nb_func", "nb_method")
            if function and (name == "__init__" or not name.startswith("_")):
                yield scope, name, value


def test_every_function_has_a_last_overload_and_is_described_once():
    names = {name for _, name, _ in functions()}
    assert {"closest_hit", "add_obbs", "standard_scene", "load", "__init__"} <= names
    for scope, name, function in functions():
        first, *last = function.__nb_signature__
        where = f"{scope.__name__}.{name}"
        assert [text for text, *_ in last] == [f"def {name}(...)"], where
        assert function.__doc__.count(first[1] or "(...)") == 1, where


def test_functions_of_the_module_answer_misspelt_keywords():
    for _, name, function in (f for f in functions() if f[0] is _core):
        with pytest.raises(TypeError, match=rf"^{name}\(\): there is no argument 'xyz'; it takes .*$"):
            function(xyz=1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda c, s: c.closest_hit(0, 0, raduis=1), "closest_hit.*no argument 'raduis': did you mean 'radius'"),
        (lambda c, s: c.closest_hit(0, 0, tmax=1), "no argument 'tmax': did you mean 't_max'"),
        (lambda c, s: c.closest_hit([0, 0, 0]), r"closest_hit\(\): directions is missing"),
        (lambda c, s: c.closest_hit(), "origins and directions are missing"),
        (lambda c, s: c.closest_hit(0, 0, 1), r"takes 2 by place \(origins, directions\), and 3 are given; name"),
        (lambda c, s: c.closest_hit(0, 0, origins=1), "origins is given by place and by name"),
        (lambda c, s: c.closest_hit(0, 0, inside=1), "inside is of type int, not str"),
        (lambda c, s: c.closest_hit(0, 0, strict="no"), "strict is of type str, not bool"),
        (lambda c, s: c.closest_hit(0, None), "directions is None, not array"),
        (lambda c, s: c.closest_hit(0, 0, stream=-1), "stream is -1, which is out of range"),
        (lambda c, s: c.nearest(0, k=-1), r"nearest\(\): k is -1, which is out of range"),
        (lambda c, s: c.nearest(0, k=2**40), "k is 1099511627776, which is out of range"),
        (lambda c, s: c.nearest(0, k=1.5), "k is of type float, not int"),
        (lambda c, s: c.visibility(0, range="far"), "range is of type str, not float"),
        (lambda c, s: c.overlap_any(c), "shapes is of type Caster, not Scene"),
        (lambda c, s: sl.Caster(s, devise="cpu"), r"^Caster\(\): .*did you mean 'device'"),
        (lambda c, s: sl.Caster(), r"Caster\(\): scene is missing"),
        (lambda c, s: sl.Scene(3), r"Scene\(\): it takes none by place, and 1 is given$"),
        (lambda c, s: sl.Scene.load(pth="a"), r"load\(\): .*did you mean 'path'"),
        (lambda c, s: sl.Fields([1, 0, 0], 40, rang=3), "did you mean 'range'"),
        (lambda c, s: s.count("aabb", 1), r"it takes 1 by place \(kind\), and 2 are given$"),
        (lambda c, s: s.add_spheres([0, 0, 0], 1, lable=3), "did you mean 'label'"),
        (lambda c, s: sl.Caster.closest_hit(s, 0, 0), "self is of type Scene, not Caster"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(caster, scene, call, words):
    with pytest.raises(TypeError, match=words) as error:
        call(caster, scene)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


def test_numbers_are_still_converted(caster, eyes):
    assert (caster.nearest(eyes, range=30).id == caster.nearest(eyes, range=30.0).id).all()
    with pytest.raises(sl.UsageError, match="inside is 'hollow'"):
        caster.closest_hit([0, 0, 0], [1, 0, 0], inside="hollow")


def called(name):
    """A function in Python by its name, such as "plot.depth"."""
    of = sl
    for part in name.split("."):
        of = getattr(of, part)
    return of


in_python = [
    "bake", "program", "view", "distributed.visibility", "distributed.exposure",
    "distributed.closest_hit",
    "plot.scene", "plot.visibility", "plot.exposure", "plot.navigation", "plot.areas", "plot.depth",
    "from_3dmap", "from_mmcif", "from_mujoco", "from_pdb", "from_trimesh", "from_urdf", "from_usd",
    "to_trimesh", "to_pyvista",
]  # fmt: skip


@pytest.mark.parametrize("name", in_python)
def test_functions_in_python_answer_alike(name):
    short = name.split(".")[-1]
    if name == "bake":  # whose options are the program's
        with pytest.raises(TypeError, match=r"^bake\(\): verb and scene and out are missing$"):
            sl.bake()
    else:
        with pytest.raises(TypeError, match=rf"^{short}\(\): there is no argument 'xyz'; it takes .*$"):
            called(name)(xyz=1)
    if name == "view":  # which takes any number of results by place
        return
    with pytest.raises(TypeError, match=rf"^{short}\(\): it takes (none|.*) by place.* are given"):
        called(name)(*range(20))


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "words"),
    [
        ("plot.depth", ([],), {"unti": "m"}, "depth(): there is no argument 'unti': did you mean 'unit'?"),
        ("plot.depth", (), {}, "depth(): hits is missing"),
        ("plot.depth", ([],), {"hits": []}, "depth(): hits is given by place and by name"),
        ("from_pdb", ("a",), {"copy": 1}, "from_pdb(): there is no argument 'copy': did you mean 'copies'?"),
        ("program", (1,), {}, "program(): it takes none by place, and 1 is given"),
        ("distributed.visibility", (1, 2, 3), {"ranges": 3},
         "visibility(): there is no argument 'ranges': did you mean 'range'?"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_python_is_said_in_one_line(name, args, kwargs, words):
    with pytest.raises(TypeError) as error:
        called(name)(*args, **kwargs)
    assert str(error.value) == words
