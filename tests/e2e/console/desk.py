"""A person at work in the console: she opens pages, asks for an action and confirms it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.console.browser import Visit

_OF_DRAFTS = re.compile(r"/jobs/\w+(/edit)?: Failed to load resource: .* status of (400|412) ")
#: A link within the console goes alike: tokens are kept by the page, and a reload signs in anew.
_GO = """(to) => {
  history.pushState({ idx: history.length }, "", to);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}"""


@dataclass
class Desk:
    """A window in which a person has signed in."""

    visit: Visit

    @property
    def page(self) -> Any:  # noqa: ANN401 - Playwright's page
        """The page that is open."""
        return self.visit.page

    def complaints(self) -> list[str]:
        """Complaints of the browser, without those of drafts.

        The API says of an unfinished draft that it is no job yet (400), and of an edit that its job
        has changed since (412); the browser notes both.
        """
        return [each for each in self.visit.complaints if not _OF_DRAFTS.search(each)]

    def go(self, path: str) -> None:
        """Open a page of the console, and wait until it has read what it shows."""
        self.page.evaluate(_GO, path)
        self.arrive()

    def arrive(self) -> None:
        """Wait until the page of the window's address is there, and has read what it shows."""
        self.visit.arrive(str(self.page.evaluate("location.pathname + location.search")))

    def tabs(self) -> Iterator[str]:
        """Open each tab of the page, one after the other; a page without any is one."""
        names = [each.inner_text() for each in self.page.get_by_role("tab").all()]
        for name in names or [""]:
            if name:
                self.page.get_by_role("tab", name=name, exact=True).click()
            self.arrive()
            yield name

    def button(self, name: str) -> Locator:
        """A button of the page by its whole text."""
        found: Locator = self.page.get_by_role("button", name=name, exact=True)
        return found

    def ask(self, name: str) -> Locator:
        """Press a button of the page; the question that it asks."""
        self.button(name).first.click()
        dialog: Locator = self.page.get_by_role("dialog")
        dialog.wait_for()
        return dialog

    def confirm(self, verb: str | re.Pattern[str]) -> None:
        """Answer the question that is open, and wait until it is done."""
        dialog = self.page.get_by_role("dialog")
        exact = isinstance(verb, str)
        dialog.get_by_role("button", name=verb, exact=exact).click()
        expect(dialog).to_have_count(0)

    def says(self, text: str) -> None:
        """Wait until the page says something."""
        self.page.get_by_text(text).first.wait_for()
