"""Arrays in and out: types, strides, shapes, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import sightline as sl
from support import same_bits


def answers(caster, origins, directions, **options):
    hits = caster.closest_hit(origins, directions, **options)
    return hits.t, hits.id, hits.flags, hits.normal


def equal(a, b):
    return all(same_bits(x, y) for x, y in zip(a, b, strict=True))


def layouts(rows):
    """The same rows [n,3] in other memory."""
    n = len(rows)
    wide = np.zeros((n, 5), np.float32)
    wide[:, 1:4] = rows
    yield "part of wider rows", wide[:, 1:4]
    yield "column by column", np.asfortranarray(rows)
    yield "backwards", np.ascontiguousarray(rows[::-1])[::-1]
    yield "columns backwards", np.ascontiguousarray(rows[:, ::-1])[:, ::-1]
    yield "every second", np.repeat(rows, 2, axis=0)[::2]
    odd = np.zeros(n, [("tag", "u1"), ("p", "<f4", 3)])
    odd["p"] = rows
    yield "misaligned structs", odd["p"]
    frozen = rows.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen
    yield "float64", rows.astype(np.float64)
    yield "lists", rows.tolist()
    yield "big-endian", rows.astype(">f4")


def test_every_layout_gives_the_same_bits(caster, rays):
    origins, directions = rays
    expected = answers(caster, origins, directions)
    for (name, o), (_, d) in zip(layouts(origins), layouts(directions), strict=True):
        assert equal(answers(caster, o, d), expected), name


def test_strided_float32_is_not_copied(caster):
    # A copy of this view would take 24 GB.
    far = np.broadcast_to(np.float32([[1e9, 1e9, 1e9]]), (2**31, 3))
    assert len(caster.any_hit(far[:1000], [0, 0, 1])) == 1000
    with pytest.raises(sl.UsageError, match=r"directions has 2 elements, origins has 2147483648"):
        caster.any_hit(far, np.ones((2, 3), np.float32))


@given(
    hnp.arrays(np.float64, (7, 3), elements=st.floats(-1e6, 1e6)),
    hnp.arrays(np.float64, (7, 3), elements=st.floats(-1e6, 1e6)),
)
@settings(deadline=None, max_examples=60)
def test_float64_is_rounded_once(caster, origins, directions):
    as_float = (origins.astype(np.float32), directions.astype(np.float32))
    assert equal(answers(caster, origins, directions), answers(caster, *as_float))


def test_numbers_too_large_for_float32_are_bad_rays(caster):
    hits = caster.closest_hit(np.float64([[1e300, 0, 0]]), [1, 0, 0])
    assert hits.flags[0] == 4 and hits.bad_rays == 1


def test_one_vector_is_for_all(caster, rays):
    origins, _ = rays
    each = np.broadcast_to(np.float32([0, 0, -1]), origins.shape)
    assert equal(answers(caster, origins, [0, 0, -1]), answers(caster, origins, each))
    assert len(caster.closest_hit([0, 0, 9], [0, 0, -1])) == 1


def test_no_rays_have_no_answers(caster):
    none = np.zeros((0, 3), np.float32)
    hits = caster.closest_hit(none, none)
    assert hits.t.shape == (0,) and hits.normal.shape == (0, 3) and hits.points.shape == (0, 3)
    assert caster.any_hit(none, none).shape == (0,)
    assert caster.any_hit(none, none, packed=True).shape == (0,)
    rows = caster.all_hits(none, none)
    assert rows.offsets.tolist() == [0] and rows.id.shape == (0,)
    assert caster.visibility(none).bits.shape == (0, 0)
    assert caster.nearest(none).distance.shape == (0, 1)
    assert caster.overlap_any(sl.Scene()).shape == (0,)


def test_out_is_written_and_nothing_else_is_asked_for(caster, rays):
    origins, directions = rays
    t = np.full(len(origins), -1, np.float32)
    hits = caster.closest_hit(origins, directions, out={"t": t})
    assert hits.t is t and hits.id is None and hits.normal is None
    assert same_bits(t, caster.closest_hit(origins, directions).t)
    with pytest.raises(sl.UsageError, match='out= has no "id"'):
        hits.kind  # noqa: B018
    bits = np.zeros((len(origins) + 63) // 64, np.uint64)
    assert caster.any_hit(origins, directions, out=bits) is bits
    assert same_bits(bits, caster.any_hit(origins, directions, packed=True))


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(5, np.float32),
        np.zeros(6, np.float64),
        np.zeros((6, 2), np.float32)[:, 0],
        np.zeros((6, 1), np.float32),
        [0.0] * 6,
    ],
)
def test_out_that_does_not_fit_is_refused(caster, out):
    with pytest.raises(sl.UsageError, match=r'out\["t"\] is'):
        caster.closest_hit(np.zeros((6, 3)), [1, 0, 0], out={"t": out})


def test_read_only_out_is_refused(caster):
    t = np.zeros(6, np.float32)
    t.flags.writeable = False
    with pytest.raises(sl.UsageError, match="no array that can be written to"):
        caster.closest_hit(np.zeros((6, 3)), [1, 0, 0], out={"t": t})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"origins": np.zeros((4, 2))}, r"origins has the shape \[4,2\], not \[n,3\] or \[3\]"),
        ({"origins": np.zeros((2, 3, 2))}, r"origins has the shape \[2,3,2\], not \[n,3\]"),
        ({"origins": 1.0}, r"origins has the shape \[\]"),
        ({"origins": "far"}, "origins has elements of type <U3, not numbers"),
        ({"origins": np.ones((4, 3), complex)}, "complex128, not numbers"),
        ({"origins": np.ones((4, 3), bool)}, "bool, not numbers"),
        ({"origins": [[1, 2, 3], [4]]}, "origins is no array of numbers"),
        ({"directions": np.ones((5, 3))}, "directions has 5 elements, origins has 4"),
        ({"t_max": np.ones(3)}, "t_max has 3 elements, origins has 4"),
        ({"mask": -1}, "mask is -1, not from 0 to 4294967295"),
        ({"mask": np.int64([1, 2, 3, 2**32])}, "mask has elements from 1 to 4294967296"),
        ({"mask": 1.5}, "mask has elements of type float64, not whole numbers"),
        ({"exclude": np.zeros((4, 3), np.uint32)}, r"exclude has the shape \[4,3\]"),
        ({"inside": "hollow"}, "inside is 'hollow', not one of solid, surface, ignore"),
    ],
)
def test_bad_arguments_are_refused_in_words(caster, change, words):
    arguments = {"origins": np.zeros((4, 3)), "directions": [1, 0, 0], **change}
    origins, directions = arguments.pop("origins"), arguments.pop("directions")
    with pytest.raises(sl.UsageError, match=words):
        caster.closest_hit(origins, directions, **arguments)


def test_strict_names_the_first_bad_ray(caster):
    directions = np.ones((9, 3), np.float32)
    directions[6, 1] = np.nan
    with pytest.raises(sl.BadInputError, match="ray 6"):
        caster.closest_hit([0, 0, 0], directions, strict=True)
    hits = caster.closest_hit([0, 0, 0], directions)
    assert hits.bad_rays == 1 and hits.flags[6] == 4


def test_arrays_outlive_their_caster(scene, rays):
    hits = sl.Caster(scene).closest_hit(*rays)
    t, again = hits.t, hits.t
    assert t is again
    copy = t.copy()
    del hits
    assert same_bits(t, copy)


def test_pytorch_tensors(caster, rays):
    torch = pytest.importorskip("torch")
    origins, directions = map(torch.from_numpy, rays)
    assert equal(answers(caster, origins, directions), answers(caster, *rays))
    t = torch.zeros(len(origins))
    assert caster.closest_hit(origins, directions, out={"t": t}).t is t
    assert same_bits(t.numpy(), caster.closest_hit(*rays).t)


def test_jax_arrays(caster, rays):
    jax = pytest.importorskip("jax")
    # Where JAX sees a GPU, its arrays lie there by default.
    origins, directions = jax.device_put(rays, jax.devices("cpu")[0])
    assert equal(answers(caster, origins, directions), answers(caster, *rays))


class OnDevice:
    """What says that it lies on a CUDA device."""

    __cuda_array_interface__ = {
        "shape": (4, 3), "typestr": "<f4", "data": (0x1000, False), "version": 3, "strides": None,
    }  # fmt: skip


def test_arrays_of_a_device_are_refused_by_a_caster_of_the_cpu(caster):
    device = OnDevice()
    with pytest.raises(sl.UsageError, match="need out="):
        caster.closest_hit(device, device)
    with pytest.raises(sl.UsageError, match="in host memory, other arrays of the call do not"):
        caster.closest_hit(device, np.zeros((4, 3)))
    t = OnDevice()
    t.__cuda_array_interface__ = {**device.__cuda_array_interface__, "shape": (4,)}
    with pytest.raises(sl.UsageError, match="cuda"):
        caster.closest_hit(device, device, out={"t": t})
    for call in (
        lambda: caster.count_hits(device, device),
        lambda: caster.all_hits(device, [1, 0, 0]),
        lambda: caster.nearest(device),
        lambda: caster.visibility(device),
        lambda: caster.visibility([[0, 0, 0]], device),
        lambda: caster.probes(device),
        lambda: caster.cover(device),
        lambda: sl.Scene().add_spheres(device, 1),
        lambda: sl.Fields([1, 0, 0], t),
    ):
        with pytest.raises(sl.UsageError, match="lies on a CUDA device, where this call takes none"):
            call()


def test_hits_do_not_trust_what_was_changed_after_the_call(caster, rays):
    origins = [[0.0, 0.0, 0.0]] * 5000
    hits = caster.closest_hit(origins, [1, 0, 0])
    del origins[1:]
    assert hits.points.shape == (5000, 3)
    hits = caster.closest_hit(*rays)
    hits.id[0] = 0xFFFFFFFE
    with pytest.raises(sl.UsageError, match=r"id\[0\] was changed: there is no shape 4294967294"):
        hits.kind  # noqa: B018
    import array

    t = array.array("f", [0] * len(rays[0]))
    hits = caster.closest_hit(*rays, out={"t": t})
    with pytest.raises(BufferError):
        del t[1:]
    assert hits.points.shape == (len(t), 3)


def test_names_of_out_are_checked(caster):
    t = np.zeros(1, np.float32)
    with pytest.raises(sl.UsageError, match="out has names other than"):
        caster.closest_hit([0, 0, 0], [1, 0, 0], out={"T": t})
    with pytest.raises(sl.UsageError, match="normals is False"):
        caster.closest_hit([0, 0, 0], [1, 0, 0], normals=False, out={"normal": np.zeros((1, 3), "f4")})


def test_sizes_are_checked_before_memory_is_taken(caster):
    many = np.broadcast_to(np.float32([[0, 0, 0]]), (2**40, 3))
    for call in (
        lambda: caster.probes(many, 4096),
        lambda: caster.nearest(many, k=2**20),
        lambda: caster.visibility(many, many),
    ):
        with pytest.raises(sl.OutOfMemoryError, match="memory"):
            call()
    agents = sl.Scene()
    agents.add_spheres([0, 0, 0], 1)
    with pytest.raises(sl.UsageError, match="of a scene of 1"):
        caster.sweep(agents, [1, 0, 0], count=4_000_000_000)
    with pytest.raises(sl.UsageError, match="of a scene of 1"):
        caster.overlap_any(agents, 0, 0xFFFFFFFF)
    with pytest.raises(sl.UsageError, match="bounds"):
        caster.bake_navigation(bounds=(np.zeros((0, 3)), np.zeros((0, 3))))


def test_options_are_checked_where_nothing_is_asked(caster):
    none = np.zeros((0, 3), np.float32)
    for call in (
        lambda: caster.count_hits(none, none, inside="hollow"),
        lambda: caster.visibility_pairs(none, none, margin=0.7),
        lambda: caster.cover(none, directions=5),
    ):
        with pytest.raises(sl.UsageError):
            call()
