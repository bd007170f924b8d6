"""Scenes and rays that the tests share."""

import numpy as np
import pytest

import sightline as sl


@pytest.fixture(scope="session")
def scene():
    """All kinds that every query takes, with masks and groups."""
    scene = sl.standard_scene("mixed", 500, 3)
    scene.add_planes([0, 0, 1], scene.bounds[0][2] - 1, mask=2, group=7, label=2**63)
    return scene


@pytest.fixture(scope="session")
def caster(scene):
    return sl.Caster(scene, "cpu")


@pytest.fixture(scope="session")
def rays(scene):
    return sl.standard_rays(scene, "incoherent", 3000, 5)


@pytest.fixture(scope="session")
def eyes(scene):
    """Points in and around the scene, a bad one among them."""
    low, high = scene.bounds
    points = np.random.default_rng(1).uniform(low, high, (200, 3)).astype(np.float32)
    points[17] = np.nan
    return points
