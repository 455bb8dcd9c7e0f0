"""A browser, and the console beside the deployed stack."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from infra.local.console.people import DEMO
from infra.local.console.site import DIST, ConsoleSite, stop_console
from tests.e2e.console.browser import Visit, chromium, dist_is_built, visiting
from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack


@pytest.fixture(scope="package")
def site(stack: Stack) -> Iterator[ConsoleSite]:
    """The console's server."""
    dist_is_built(DIST)
    site = ConsoleSite.start(stack.cloud, stack.outputs)
    yield site
    stop_console(Path(stack.cloud.home))
    assert site.process is not None
    site.process.wait(timeout=10)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium; its event loop ends with this folder's tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, site: ConsoleSite) -> Iterator[Visit]:
    """A window of its own for each test."""
    with visiting(browser, site) as visit:
        yield visit


@pytest.fixture(scope="module")
def desk(browser: Browser, site: ConsoleSite) -> Iterator[Desk]:
    """One person does everything of a module; she signs in once."""
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield desk
        assert desk.complaints() == []
