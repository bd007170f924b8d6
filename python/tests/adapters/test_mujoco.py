"""from_mujoco against mj_ray, ray by ray; every disagreement is explained and counted."""

import collections
import warnings

import numpy as np
import pytest
from random_rays import random_rays

import sightline as sl

mujoco = pytest.importorskip("mujoco")

FILES = [
    "adhesion/sand_castle.xml",
    "car/car.xml",
    "humanoid/100_humanoids.xml",
    "humanoid/humanoid.xml",
    "ray/box.xml",
    "ray/capsule.xml",
    "ray/plane.xml",
    "ray/sphere.xml",
    "replicate/bowl.xml",
    "replicate/helix.xml",
    "replicate/newton_cradle.xml",
    "replicate/stonehenge.xml",
    "sleep/dominos.xml",
    "sleep_perf_world.xml",
]


def load(xml):
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{xml}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def imported(model, data, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sl.from_mujoco(model, data, **options)


def mj_answers(model, data, origins, directions, geomgroup=None, static=True, bodyexclude=-1):
    """What mj_ray answers: t [n] (inf for a miss), geom [n] (-1), normal [n,3]."""
    n = len(origins)
    t, geom, normal = np.empty(n), np.full((n, 1), -1, np.int32), np.zeros((n, 3))
    for i in range(n):
        t[i] = mujoco.mj_ray(
            model, data, origins[i], directions[i], geomgroup, static, bodyexclude, geom[i],
            normal[i],
        )  # fmt: skip
    t[t < 0] = np.inf
    return t, geom[:, 0], normal


def our_answers(geoms, caster, origins, directions, **options):
    """What sightline answers, as mj_answers; geoms [shapes] is the geom of each shape."""
    hits = caster.closest_hit(origins, directions, inside="surface", **options)
    t, geom = np.full(len(origins), np.inf), np.full(len(origins), -1)
    t[hits.hit], geom[hits.hit] = hits.t[hits.hit], geoms[hits.id[hits.hit]]
    return t, geom


def without(world, geoms):
    """A caster of the scene without the shapes of geoms, and the geom of each of its shapes."""
    scene, kept = world.scene.copy(), []
    for kind in sl.KINDS:
        label = scene.shapes(kind)["label"].astype(int)
        gone = np.isin(label, geoms)
        scene.remove(kind, np.flatnonzero(gone))
        kept.append(label[~gone])
    return sl.Caster(scene, device="cpu"), np.concatenate(kept)


def compare(seed, model, data, world, caster, n):
    """Casts n rays with both, and counts how the answers agree.

    same:    both miss, or both hit the same geom at the same t within the bound of float32
    tie:     other geoms at the same t
    below:   of these, rays that hit a plane from below here, which mj_ray does not see: what they
             hit without the planes that face away from them counts
    grazing: mj_ray's own answer for the ray moved by the rounding of a coordinate is ours
    Anything else fails.
    """
    rng = np.random.default_rng(seed)
    # mj_ray shall not see what has no shape here.
    for geoms in world.left_out.values():
        model.geom_matid[geoms], model.geom_rgba[geoms, 3] = -1, 0
    finite = (model.geom_rbound > 0) & (world.ids >= 0)
    reach = model.geom_rbound[finite, None]
    centers = data.geom_xpos[finite] if finite.any() else np.zeros((1, 3))
    reach = reach if finite.any() else np.full((1, 1), 2.0)
    low, high = (centers - reach).min(axis=0), (centers + reach).max(axis=0)
    origins, directions = random_rays(rng, low, high, n)
    t, geom, normal = mj_answers(model, data, origins, directions)
    ours, our_geom = our_answers(world.geoms, caster, origins, directions)

    planes = np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE)
    away = directions @ data.geom_xmat.reshape(-1, 3, 3)[planes, :, 2].T > 0
    below = (away & (our_geom[:, None] == planes)).any(axis=1)
    for pattern in np.unique(away[below], axis=0):
        rays = below & (away == pattern).all(axis=1)
        bare, geoms = without(world, planes[pattern])
        ours[rays], our_geom[rays] = our_answers(geoms, bare, origins[rays], directions[rays])

    # Shapes and t are rounded to float32: a surface is displaced by about 2^-23 of its coordinates,
    # a plane's by as much of the distance of the hit, which moves t by that over the cosine of
    # incidence.
    length = np.linalg.norm(directions, axis=1)
    extent = max(np.abs(low).max(), np.abs(high).max(), np.abs(origins).max())
    eps = 2.0**-22 * np.maximum(extent, np.where(np.isinf(t), 0, t) * length)
    with np.errstate(divide="ignore", invalid="ignore"):
        cosine = np.abs(np.einsum("ni,ni->n", normal, directions) / length)
        near = np.abs(ours - t) * length <= eps / cosine
    near |= np.isinf(t) & np.isinf(ours)
    same, tie = near & (our_geom == geom), near & (our_geom != geom)
    count = collections.Counter(rays=n, hits=int((geom >= 0).sum()), same=int(same.sum()))
    count["tie"], count["below"] = int(tie.sum()), int(below.sum())
    for i in np.flatnonzero(~near):
        shift = rng.normal(size=(64, 3))
        shift *= 2.0**-21 * extent / np.linalg.norm(shift, axis=1, keepdims=True)
        turn = rng.normal(size=(64, 3)) * 2.0**-24 * length[i]
        around, others, _ = mj_answers(model, data, origins[i] + shift, directions[i] + turn)
        like = around[others == our_geom[i]]
        slack = 2 * eps[i] / length[i]
        assert len(like) and (
            our_geom[i] < 0 or like.min() - slack <= ours[i] <= like.max() + slack
        ), (
            f"seed {seed}, ray {i} {origins[i].tolist()} {directions[i].tolist()}: mj_ray hits geom "
            f"{geom[i]} at {t[i]!r}, sightline {our_geom[i]} at {ours[i]!r}"
        )
        count["grazing"] += 1
    return count


def random_model(seed):
    """A world of turned spheres, capsules, cylinders and boxes on bodies that move, over a plane."""
    rng = np.random.default_rng(seed)
    lines = [
        f'<geom type="plane" size="{rng.choice(["0 0 1", "3 2 1"])}" pos="5 7 -1" euler="10 5 0"/>'
    ]
    for _ in range(rng.integers(5, 40)):
        kind = rng.choice(["sphere", "capsule", "cylinder", "box"])
        size = " ".join(map(str, rng.uniform(0.02, 0.8, 3) * rng.choice([0.1, 1, 1])))
        at, turn = (" ".join(map(str, rng.normal(size=k))) for k in (3, 4))
        mass = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        joint = rng.choice(["<freejoint/>", '<joint axis="1 2 3"/>', ""])
        lines.append(
            f'<body pos="{at}" quat="{turn}">{joint}{mass}<geom type="{kind}" size="{size}" '
            f'group="{rng.integers(0, 6)}" pos="{at}" quat="{turn}"/></body>'
        )
    return load("".join(lines))


def test_random_models_as_mj_ray(scale):
    """500,000 rays in 100 models, each before and after steps with `update`."""
    total = collections.Counter()
    for seed in range(max(4, round(100 * scale))):
        model, data = random_model(seed)
        world = sl.from_mujoco(model, data)
        caster = sl.Caster(world.scene, device="cpu")
        total += compare(seed, model, data, world, caster, 2500)
        mujoco.mj_step(model, data, 20)
        mujoco.mj_forward(model, data)
        assert world.update(caster) > 0
        total += compare(seed + 1000, model, data, world, caster, 2500)
    print("\nrandom models:", dict(total))
    assert total["hits"] > 0.3 * total["rays"]
    assert total["grazing"] <= 2e-5 * total["rays"] + 2


@pytest.mark.parametrize("name", FILES)
def test_files_as_mj_ray(name, data, scale):
    """40,000 rays in each of MuJoCo's own models, before and after steps with `update`."""
    model = mujoco.MjModel.from_xml_path(str(data / "mjcf" / name))
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    world = imported(model, state)
    caster = sl.Caster(world.scene, device="cpu")
    total, n = collections.Counter(), max(200, round(20000 * scale))
    for steps in range(2):
        if steps:
            mujoco.mj_step(model, state, 50)
            mujoco.mj_forward(model, state)
            world.update(caster)
        total += compare(steps, model, state, world, caster, n)
    print(f"\n{name}:", dict(total))
    assert total["hits"] > 0
    assert total["grazing"] <= 2e-5 * total["rays"] + 2


INSIDE = """<geom type="sphere" size="1" pos="0 0 5"/>
<geom type="capsule" size="1 2" pos="10 0 5"/><geom type="box" size="1 2 3" pos="20 0 5"/>"""


def test_from_inside_mj_ray_answers_the_far_side():
    model, data = load(INSIDE)
    world = sl.from_mujoco(model, data)
    caster = sl.Caster(world.scene, device="cpu")
    origins = np.repeat(data.geom_xpos, 6, axis=0) + 0.25
    directions = np.tile(np.vstack([np.eye(3), -np.eye(3)]), (3, 1)) * 2
    t, geom, _ = mj_answers(model, data, origins, directions)
    ours, our_geom = our_answers(world.geoms, caster, origins, directions)
    assert (geom == np.repeat([0, 1, 2], 6)).all()
    np.testing.assert_array_equal(our_geom, geom)
    np.testing.assert_allclose(ours, t, rtol=3e-7)
    # From a point of the surface both answer 0, inwards and outwards.
    origins, directions = np.array([[21.0, 0, 5]] * 2), np.array([[1.0, 0, 0], [-1, 0, 0]])
    assert (mj_answers(model, data, origins, directions)[0] == 0).all()
    assert (our_answers(world.geoms, caster, origins, directions)[0] == 0).all()


def test_groups_bodies_static_and_invisible_geoms_as_mj_ray():
    xml = """<mujoco><asset><material name="none" rgba="1 1 1 0"/><material name="some"/></asset>
    <worldbody><geom type="sphere" size=".4" pos="0 0 0"/>
    <geom type="sphere" size=".4" pos="2 0 0" rgba="1 1 1 0"/>
    <geom type="sphere" size=".4" pos="4 0 0" material="none"/>
    <geom type="sphere" size=".4" pos="6 0 0" material="some" rgba="1 1 1 0"/>
    <body pos="8 0 0"><geom type="sphere" size=".4" group="3"/></body>
    <body pos="10 0 0" mocap="true"><geom type="sphere" size=".4" group="5"/></body>
    <body pos="12 0 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <geom type="sphere" size=".4" group="9"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rays = data.geom_xpos + [0, 0, 3], np.tile([0.0, 0, -1], (model.ngeom, 1))
    world = sl.from_mujoco(model, data)
    caster = sl.Caster(world.scene, device="cpu")

    def seen(mj_options, **options):
        geom = mj_answers(model, data, *rays, **mj_options)[1]
        np.testing.assert_array_equal(our_answers(world.geoms, caster, *rays, **options)[1], geom)
        return set(geom.tolist()) - {-1}

    assert seen({}) == {0, 3, 4, 5, 6}
    for group in range(6):
        only = (np.arange(6) == group).astype(np.uint8)
        seen({"geomgroup": only}, mask=world.mask(only))
    assert seen({"geomgroup": only}, mask=world.mask(only)) == {5, 6}
    for body in range(model.nbody):
        assert len(seen({"bodyexclude": body}, exclude_group=body)) < 5

    world = sl.from_mujoco(model, data, static=False)
    caster = sl.Caster(world.scene, device="cpu")
    assert seen({"static": False}) == {5, 6}
    world = sl.from_mujoco(model, data, groups=(0, 3))
    caster = sl.Caster(world.scene, device="cpu")
    assert seen({"geomgroup": np.array([1, 0, 0, 1, 0, 0], np.uint8)}) == {0, 3, 4}
    assert world.ids.tolist() == [0, -1, -1, 1, 2, -1, -1]
    assert world.geoms.tolist() == [0, 3, 4]
    assert not world.left_out
    assert len(sl.from_mujoco(model, data, invisible=True).scene) == model.ngeom


def test_planes():
    size = {"finite": "2 1 .1", "infinite": "0 0 .1", "strip": "0 1 .1"}
    rays = (
        np.array([[1.9, 0.9, 3], [2.1, 0, 3], [0, 1.1, 3], [0, 0, -3], [0, 0, -3], [0, 0, 3]]),
        np.array([[0, 0, -1.0], [0, 0, -1], [0, 0, -1], [0, 0, 1], [0, 0, -1], [0, 0, 1]]),
    )
    miss = np.inf
    for form, planes, mj, ours in [
        ("finite", "rectangle", [3, miss, miss, miss, miss, miss], [3, miss, miss, 3, miss, miss]),
        ("finite", "half_space", [3, miss, miss, miss, miss, miss], [3, 3, 3, 3, miss, miss]),
        ("infinite", "rectangle", [3, 3, 3, miss, miss, miss], [3, 3, 3, 3, miss, miss]),
        ("strip", "half_space", [3, 3, miss, miss, miss, miss], [3, 3, 3, 3, miss, miss]),
    ]:
        model, data = load(f'<geom type="plane" size="{size[form]}"/>')
        world = sl.from_mujoco(model, data, planes=planes)
        caster = sl.Caster(world.scene, device="cpu")
        assert mj_answers(model, data, *rays)[0].tolist() == mj
        assert our_answers(world.geoms, caster, *rays)[0].tolist() == ours
        assert caster.closest_hit(*rays, inside="ignore").t[3] == (
            np.inf if planes == "half_space" or form == "infinite" else 3
        )
    model, data = load(f'<geom name="lane" type="plane" size="{size["strip"]}"/>')
    with pytest.warns(UserWarning, match="1 plane that is infinite along one axis.*lane.*left out"):
        assert len(sl.from_mujoco(model, data).scene) == 0
    with pytest.raises(ValueError, match="planes is 'up'"):
        sl.from_mujoco(model, data, planes="up")


OTHERS = """<geom name="s" type="sphere" size="1"/>
<geom name="c" type="cylinder" size=".5 .2" pos="3 0 0" euler="30 20 0"/>
<geom name="d" type="cylinder" size=".2 2" pos="6 0 0" euler="50 20 10"/>
<geom name="e" type="ellipsoid" size=".5 .2 1" pos="9 0 0" euler="10 60 0"/>"""


def test_what_is_left_out_is_said():
    model, data = load(OTHERS)
    with pytest.warns(UserWarning, match=r"1 of 4 geoms \(1 ellipsoid; .* 'e'\)"):
        world = sl.from_mujoco(model, data)
    assert {form: geoms.tolist() for form, geoms in world.left_out.items()} == {
        "ellipsoid": [3],
    }
    assert world.ids.tolist() == [0, 1, 2, -1]
    with pytest.raises(sl.BadInputError, match="1 ellipsoid"):
        sl.from_mujoco(model, data, strict=True)


def test_approximations_contain_the_geoms_and_are_not_far():
    mesh = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 2"/></asset><worldbody>
    <body pos="12 0 0"><freejoint/><geom type="mesh" mesh="m" euler="10 20 30"/></body>"""
    model = mujoco.MjModel.from_xml_string(mesh + OTHERS + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    world = sl.from_mujoco(model, data, approximate=True, strict=True)
    assert not world.left_out
    assert [world.scene.count(kind) for kind in ("obb", "sphere", "capsule")] == [3, 1, 1]
    caster = sl.Caster(world.scene, device="cpu")
    for step in range(2):
        rng = np.random.default_rng(step)
        low, high = data.geom_xpos.min(axis=0) - 2, data.geom_xpos.max(axis=0) + 2
        t, geom, _ = mj_answers(model, data, *(rays := random_rays(rng, low, high, 5000)))
        hits = caster.closest_hit(*rays)
        hit = geom >= 0
        assert hit.sum() > 200 and hits.hit[hit].all()
        assert (hits.t[hit] <= t[hit] * (1 + 1e-6)).all()
        assert hits.hit.sum() < 2.5 * hit.sum()
        mujoco.mj_step(model, data, 50)
        mujoco.mj_forward(model, data)
        assert world.update(caster) == 1


def test_update_moves_what_moved_and_only_that():
    body = """<body pos="{} 0 5"><freejoint/><geom type="{}" size=".1 .2 .3"/></body>"""
    kinds = ["sphere", "capsule", "box"]
    still = '<geom type="box" size="1 1 1"/><geom type="plane" size="0 0 1" pos="0 0 -9"/>'
    model, data = load(still + "".join(body.format(3 + i, kinds[i % 3]) for i in range(9)))
    world = sl.from_mujoco(model, data)
    caster = sl.Caster(world.scene, device="cpu")
    assert world.update(caster) == 0
    mujoco.mj_step(model, data, 100)
    mujoco.mj_forward(model, data)
    assert world.update(caster) == 9
    fresh = sl.from_mujoco(model, data).scene
    assert world.scene.hash == fresh.hash
    # One body alone: its shape is the only one that moves.
    data.qpos[0] += 1
    mujoco.mj_forward(model, data)
    assert world.update(caster) == 1
    t, geom, _ = mj_answers(model, data, np.array([[4.0, 0, 50]]), np.array([[0, 0, -1.0]]))
    np.testing.assert_array_equal(
        our_answers(world.geoms, caster, [[4, 0, 50]], [[0, 0, -1]])[1], geom
    )
    other = sl.Caster(fresh, device="cpu")  # a caster that has not seen the moves is told as well
    assert world.update(other) == 0 and other.scene.hash == world.scene.hash
    # A simulation that has become unstable is an error, and leaves the scene as it was.
    before = world.scene.hash
    data.geom_xpos[5] = np.nan
    with pytest.raises(sl.BadInputError):
        world.update(caster)
    assert world.scene.hash == before


def test_shapes_may_be_added_to_the_scene():
    model, data = load(INSIDE)
    world = sl.from_mujoco(model, data)
    world.scene.add_aabbs([-1, -1, -1], [1, 1, 1])
    assert [world.scene.id("aabb", 0), *world.ids] == [0, 2, 3, 1]
    assert world.geoms.tolist() == [-1, 2, 0, 1]
    shapes = world.scene.shapes("sphere")
    assert (shapes["label"], shapes["group"], shapes["mask"]) == (0, 0, 1)
    assert world.scene.metadata == {"unit": "m", "up": "z"}


def test_wrong_use_is_said():
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="box" size="1 1 1" pos="3 0 1"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    with pytest.raises(sl.UsageError, match="call mujoco.mj_forward"):
        sl.from_mujoco(model, data)
    mujoco.mj_forward(model, data)
    world = sl.from_mujoco(model, data)
    assert len(sl.Caster(world, "cpu")) == 1
    assert world.mask([1, 0, 0, 1, 0, 0]) == 0b1001
    with pytest.raises(sl.UsageError, match="geomgroup has 2 elements"):
        world.mask((0, 3))


def test_an_empty_scene_is_said():
    model, data = load(OTHERS)
    with pytest.warns(UserWarning, match="found no geoms to take: the scene is empty; groups, static"):
        assert len(sl.from_mujoco(model, data, groups=(5,)).scene) == 0
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.warns(UserWarning, match="found no geoms to take: the scene is empty$"):
        sl.from_mujoco(model, mujoco.MjData(model))
