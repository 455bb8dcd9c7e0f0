"""The bar above each page."""

import pytest
from playwright.sync_api import Browser

from tests.browser.mock_stage import JOB_ID, MockStage
from tests.browser.window import window


@pytest.mark.parametrize(("height", "stays"), [(600, True), (400, False)])
def test_the_top_bar_stays_in_sight_where_there_is_room(
    browser: Browser, site: str, height: int, *, stays: bool
) -> None:
    """The navigation keeps its distance from it; a low window has its room for the page."""
    with window(browser, site, MockStage(), viewport={"width": 1280, "height": height}) as opened:
        opened.desk.go(f"/jobs/{JOB_ID}")
        opened.page.evaluate("scrollTo(0, 300)")
        box = opened.page.locator("#top").bounding_box()

    assert box is not None
    assert (box["y"] == 0) is stays
