"""A window of the console on a stage of examples."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from infra.local.console.site import ConsoleSite
from tests.browser.mock_stage import MockStage
from tests.e2e.console.browser import Visit
from tests.e2e.console.desk import Desk

_TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));
"""
#: Examples of the description are of this day: on any other, spans that end today have no record.
_NOW = "2026-11-21T12:00:00Z"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@dataclass
class Window:
    """A window in which a person has signed in."""

    page: Page
    desk: Desk
    #: Errors of the page and of its policy, and everything that it logged.
    complaints: list[str] = field(default_factory=list)
    logged: list[str] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)


@contextmanager
def window(
    browser: Browser, url: str, stage: MockStage, *, viewport: dict[str, int] = DESKTOP
) -> Iterator[Window]:
    """Open the console, which signs in at once."""
    with browser.new_context(viewport=viewport) as context:  # type: ignore[arg-type]
        page = context.new_page()
        site = ConsoleSite(pid=0, port=int(url.rpartition(":")[2]))
        opened = Window(page=page, desk=Desk(Visit(page=page, site=site)))

        def hear(message: ConsoleMessage) -> None:
            opened.logged.append(message.text)
            if message.type == "error" and "status of 404" not in message.text:
                opened.complaints.append(f"{page.url}: {message.text}")

        page.clock.set_fixed_time(_NOW)
        page.add_init_script(_TELL_VIOLATIONS)
        page.on("console", hear)
        page.on("pageerror", lambda error: opened.complaints.append(f"{page.url}: {error}"))
        # Playwright marks the function that it is given: a method of a list takes no mark.
        page.on("request", lambda request: opened.asked.append(request))  # noqa: PLW0108
        stage.attend(page)
        page.goto(url)
        page.locator("h1").first.wait_for(timeout=60_000)
        yield opened
