"""The docstrings of the package: their examples run and print what they say, and they name every
parameter in its place."""

import ast
import contextlib
import doctest
import importlib.util
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import sightline as sl
from sightline.adapters.common import Imported
from sightline.adapters.molecules import Molecule
from sightline.adapters.mujoco import MujocoWorld
from sightline.adapters.urdf import UrdfRobot
from sightline.adapters.voxels import VoxelMap

TREE = Path(__file__).resolve().parents[2]
#: The packages that examples import, by the first words of their names.
NEEDS = {
    "from_mmcif": ["gemmi"], "from_mujoco": ["mujoco"], "MujocoWorld": ["mujoco"],
    "from_trimesh": ["trimesh"], "to_trimesh": ["trimesh"], "Imported": ["trimesh"],
    "from_urdf": ["yourdfpy"], "UrdfRobot": ["yourdfpy"], "from_usd": ["pxr"],
    "to_pyvista": ["pyvista"], "plot": ["matplotlib"], "distributed": ["dask", "distributed"],
    "HitRows.csr": ["scipy"], "OverlapRows.csr": ["scipy"],
}  # fmt: skip
YARD = """[gd_scene load_steps=2 format=3]
[sub_resource type="SphereShape3D" id="1"]
[node name="Yard" type="StaticBody3D"]
[node name="Ball" type="CollisionShape3D" parent="."]
shape = SubResource("1")
"""


def parts_of(name, value):
    """What has a docstring: a value, and the members of a class or a module."""
    yield name, value
    if inspect.ismodule(value) and value is not sl:
        for n in value.__all__:
            yield from parts_of(f"{name}.{n}", getattr(value, n))
    if isinstance(value, type) and not issubclass(value, Exception):
        for cls in [c for c in value.__mro__ if c.__module__.startswith("sightline")]:
            for n, member in vars(cls).items():
                data = not callable(member) and not hasattr(type(member), "__get__")
                if not n.startswith("_") and not data and member is not None:
                    yield f"{name}.{n}", member


def every():
    yield "sightline", sl
    for name in sl.__all__:
        value = getattr(sl, name)
        if not isinstance(value, (int, tuple)):
            yield from parts_of(name, value)
    for cls in (Imported, Molecule, MujocoWorld, UrdfRobot, VoxelMap):
        yield from parts_of(cls.__name__, cls)


EVERY = dict(every())


def is_property(value):
    return isinstance(value, property) or inspect.isdatadescriptor(value)


def documented(value):
    return value.__func__ if isinstance(value, staticmethod) else value


CALLS = [name for name, v in EVERY.items() if callable(documented(v)) and not is_property(v)]
FUNCTIONS = [name for name in CALLS if not isinstance(EVERY[name], type)]
CLASSES = [name for name in CALLS if isinstance(EVERY[name], type)]
PROPERTIES = [name for name, value in EVERY.items() if is_property(value)]


def test_all_kinds_of_docstrings_are_found():
    assert {"Scene", "Caster.visibility", "plot.depth", "UrdfRobot.update", "NavMap.load",
            "distributed.Visibility.unpack", "bake", "from_godot"} <= set(CALLS)  # fmt: skip
    assert {"Hits.t", "MujocoWorld.ids", "distributed.Hits.hit"} <= set(PROPERTIES)
    assert set(CALLS) | set(PROPERTIES) | {"sightline", "plot", "distributed"} == set(EVERY)


@contextlib.contextmanager
def cluster():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    with distributed.LocalCluster(dashboard_address=None, **options) as workers:
        with distributed.Client(workers) as client:
            yield client


@pytest.fixture(scope="module")
def client():
    with cluster() as client:
        yield client


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files that examples read."""
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("inputs", TREE / "tests/same_files/inputs.py")
    inputs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(inputs)
    inputs.Writer(tmp_path).wad()
    (tmp_path / "yard.tscn").write_text(YARD)


EXAMPLES = ["sightline", "plot", "distributed", *CALLS]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_print_what_they_say(name, folder, request):
    for first, packages in NEEDS.items():
        if name == first or name.startswith(first + "."):
            for package in packages:
                pytest.importorskip(package)
    names = {"sl": sl, "np": np}
    if name.startswith("plot"):
        import matplotlib

        matplotlib.use("Agg")
    if name.startswith("distributed."):
        names["client"] = request.getfixturevalue("client")
    words = documented(EVERY[name]).__doc__
    test = doctest.DocTestParser().get_doctest(words, names, name, None, 0)
    if not issubclass(type(EVERY[name]), type) or not issubclass(EVERY[name], Exception):
        assert test.examples, "it has no example"
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=said.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
    if name.startswith("plot"):
        import matplotlib.pyplot as plt

        plt.close("all")


def arguments_of(value):
    """The names of a function's parameters, and whether it returns something; None: not known."""
    value = documented(value)
    if hasattr(value, "__nb_signature__"):
        text = re.sub(r"= \\=?\d+", "= ...", value.__nb_signature__[0][0])
        function = ast.parse(text + ": ...").body[0]
        given = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
        nothing = function.returns is None or ast.unparse(function.returns) == "None"
        return [a.arg for a in given if a.arg != "self"], not nothing
    return [n for n in inspect.signature(value).parameters if n != "self"], None


def named_in(words):
    """The names of the section Parameters."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n---|\Z)", words, re.S | re.M)
    return re.findall(r"^\**(\w+)(?: : .*)?$", section[1], re.M) if section else []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_name_every_parameter(name):
    value = EVERY[name]
    parameters, returns = arguments_of(value)
    words = inspect.cleandoc(documented(value).__doc__)
    assert named_in(words) == parameters
    if returns is not None:
        assert bool(re.search(r"^Returns\n-------$", words, re.M)) == returns


@pytest.mark.parametrize("name", CLASSES)
def test_classes_name_the_parameters_that_make_them(name):
    cls = EVERY[name]
    made = vars(cls).get("__init__")
    if hasattr(made, "__nb_signature__"):
        assert named_in(inspect.cleandoc(cls.__doc__)) == arguments_of(made)[0]
    assert cls.__doc__ and len(cls.__doc__.strip()) > 20


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties_say_what_they_are_in_a_line(name):
    words = EVERY[name].__doc__
    assert words and "\n" not in words.strip() and re.match(r"[\w(][^:]*: \S", words)


def test_words_of_a_few_are_literals():
    text = sl.Caster.closest_hit.__nb_signature__[0][0]
    assert "inside: typing.Literal['solid', 'surface', 'ignore']" in text
    with pytest.raises(sl.UsageError, match="^inside is 'solide', not one of solid, surface"):
        sl.Caster(sl.Scene()).closest_hit([0, 0, 0], [1, 0, 0], inside="solide")
    with pytest.raises(TypeError, match="inside is of type int, not str$"):
        sl.Caster(sl.Scene()).closest_hit([0, 0, 0], [1, 0, 0], inside=1)


def test_the_version_is_the_project_s():
    (version,) = re.findall(r'^version = "(.*)"', (TREE / "pyproject.toml").read_text(), re.M)
    assert sl.__version__ == version
