"""One Chromium and one server of the console's files."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from infra.local.console.site import DIST
from tests.browser.mock_stage import MockStage, serving
from tests.browser.window import Window, window
from tests.e2e.console.browser import chromium, dist_is_built


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium; its event loop ends with this folder's tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the console."""
    dist_is_built(DIST)
    with serving(tmp_path_factory.mktemp("console")) as url:
        yield url


@pytest.fixture
def desktop(browser: Browser, site: str) -> Iterator[Window]:
    """A window as wide as a desktop's."""
    with window(browser, site, MockStage()) as opened:
        yield opened
