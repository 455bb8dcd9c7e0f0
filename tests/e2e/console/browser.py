"""A real browser at the console: what it shows, and everything that it complains about."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from infra.local.console.people import LocalPerson
from infra.local.console.site import ConsoleSite
from infra.local.deployment import ROOT

#: A browser that asks only the pages under test.
_ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
_AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"
#: Set, pictures of pages are written anew into the docs.
PICTURES = ROOT / "docs" / "images" / "console"
#: Milliseconds that anything of a page is waited for, on a busy machine as well.
_PATIENCE = 60_000
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_LOOKS = 4
_BETWEEN_LOOKS = 500
_TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));
"""
_SERIOUS = """
async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((each) => each.impact === "serious" || each.impact === "critical")
  .map((each) => `${each.id}: ${each.nodes.map((node) => node.target).slice(0, 3).join(" ")}`)
"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine, or else the one that Playwright has downloaded."""
    expect.set_options(timeout=_PATIENCE)
    installed = os.environ.get("TIMEGATE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed, args=[*_ARGUMENTS])
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A window of the console."""

    page: Page
    site: ConsoleSite
    #: Complaints of the console's own pages.
    complaints: list[str] = field(default_factory=list)
    #: Addresses and headers of what was asked for.
    asked: list[Any] = field(default_factory=list)

    def sign_in(self, person: LocalPerson) -> None:
        """Open the console, and sign in on the pool's own page."""
        self.page.goto(self.site.url)
        self.fill_in(person)

    def fill_in(self, person: LocalPerson) -> None:
        """Sign in on the page that is open."""
        self.page.locator("input[name=username]").fill(person.name)
        self.page.locator("input[name=password]").fill(person.password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(f"{self.site.url}/**")
        self.links().first.wait_for()

    def links(self) -> Any:  # noqa: ANN401 - a locator
        """Entries of the navigation."""
        return self.page.locator("nav a[href^='/']")

    def pages(self) -> list[str]:
        """Paths of all pages that the navigation lists."""
        found = {str(each.get_attribute("href")) for each in self.links().all()}
        return sorted(found)

    def open(self, path: str) -> None:
        """Open a page from the navigation, and wait until it has read what it shows."""
        self.page.locator(f"nav a[href='{path}']").first.click()
        self.arrive(path)

    def arrive(self, place: str) -> None:
        """Wait until the page of an address is there, and has read what it shows.

        The page says both itself, from the moment at which its reads have begun: what is found
        afterwards is neither the page before it nor an answer from before.
        """
        shown = self.page.locator(f"[data-place={json.dumps(place)}]")
        expect(shown).to_have_attribute("data-reading", "0")
        self.page.locator("h1").first.wait_for()
        # Code of a tab is loaded before it reads.
        expect(self.page.get_by_text(re.compile("^Reading"))).to_have_count(0)
        expect(shown).to_have_attribute("data-reading", "0")

    def schemes(self) -> Iterator[str]:
        """Show the open page light, then dark: it follows the scheme of the system."""
        for scheme in _SCHEMES:
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            yield scheme

    def serious(self, *, but: str | None = None) -> list[str]:
        """Return axe's serious findings on the page, but for those that begin like ``but``."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(_AXE.read_text())
        found: list[str] = []
        # Tables learn from an observer that they scroll, and can be focused from then on.
        for _ in range(_LOOKS):
            serious: list[str] = self.page.evaluate(_SERIOUS)
            found = [each for each in serious if but is None or not each.startswith(but)]
            if not found:
                break
            self.page.wait_for_timeout(_BETWEEN_LOOKS)
        return found

    def says_its_command(self) -> bool:
        """Tell if the page shows the command and the request that do the same."""
        return self.page.get_by_text("The same in a terminal and in the API").count() > 0

    def picture(self, name: str, scheme: str) -> None:
        """Keep a picture of the page for the docs, if that is wanted."""
        if os.environ.get("TIMEGATE_PICTURES"):
            self.page.screenshot(path=PICTURES / f"{name}-{scheme}.png")


@contextmanager
def visiting(browser: Browser, site: ConsoleSite) -> Iterator[Visit]:
    """A window without a signed-in person."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.set_default_timeout(_PATIENCE)
        page = context.new_page()
        visit = Visit(page=page, site=site)

        def hear(message: ConsoleMessage) -> None:
            if message.type == "error" and page.url.startswith(site.url):
                visit.complaints.append(f"{page.url}: {message.text}")

        page.add_init_script(_TELL_VIOLATIONS)
        page.on("console", hear)
        page.on("pageerror", lambda error: visit.complaints.append(f"{page.url}: {error}"))
        page.on("request", lambda request: visit.asked.append(request))  # noqa: PLW0108 - it marks what it is given
        yield visit


def stored(page: Page) -> str:
    """Everything that the page keeps in the browser."""
    kept: str = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
    return kept


def dist_is_built(dist: Path) -> None:
    """Raise ``AssertionError`` that says how to build the console where it is missing."""
    assert (dist / "index.html").exists(), "make console builds what these tests open"
