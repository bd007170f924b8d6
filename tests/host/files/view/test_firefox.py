"""What the tests of Chromium hold, in Firefox: these tests are theirs, and `view` is another browser."""

import shutil

import pytest

import firefox
from browser import View
from test_looking import (test_a_link_leads_to_the_same_place,
                          test_the_slice_hides_what_is_above_and_below)  # fmt: skip
from test_view import (test_a_click_shows_the_count_that_the_result_holds, test_cylinders,
                       test_every_kind_of_shape_is_there_by_name, test_pixels_of_known_places,
                       test_triangles, test_two_points_and_what_both_see)  # fmt: skip


class FirefoxView(View):
    """An open page of Firefox."""

    def __init__(self, page):
        self.page, self.messages = page, page.console()


@pytest.fixture(scope="module")
def page():
    if not firefox.firefox() or not shutil.which("Xvfb"):
        pytest.skip("no Firefox")
    with firefox.page(1000, 700) as it:
        if not it.evaluate("!!document.createElement('canvas').getContext('webgl2')"):
            pytest.skip("this Firefox has no WebGL 2")
        yield it


@pytest.fixture
def view(page):
    it = FirefoxView(page)
    yield it
    assert page.console() == it.messages
