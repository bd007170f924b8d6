"""What the tests of the adapters share. None of them needs files outside the project."""

import os
import pathlib

import pytest

SHARED = pathlib.Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.fixture(scope="session")
def scale():
    """A factor on the number of rays of the large tests: 1 is all of them."""
    return float(os.environ.get("SIGHTLINE_TEST_SCALE", "0.05"))


@pytest.fixture(scope="session")
def data():
    """Scenes of other projects beside the checkout; the tests of them are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared/data beside the checkout")
    return SHARED
