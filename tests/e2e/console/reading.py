"""Numbers of a page as its reader finds them, and the answers of the API that they were made of."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import Locator

from tests.e2e.console.desk import Desk
from tests.support.deployed.stack import Stack

Read = TypeVar("Read")
_SECONDS = 90.0
_FACTS = """
(root) => Object.fromEntries([...root.querySelectorAll("dt")].map((term) =>
  [term.textContent.trim(), term.parentElement.querySelector("dd").textContent.trim()]))
"""
_ROWS = """
(table) => [...table.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim()))
"""


@dataclass(frozen=True)
class Reading:
    """A page that a person reads, and the API that she could have asked instead."""

    stack: Stack
    desk: Desk

    def answer(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """The last answer that the page got from an address: of its own window, at its moment."""
        for request in reversed(self._requests(path)):
            response = request.response()
            if response is not None and response.status == 200:
                return response.json()
        raise AssertionError(f"the page has not read {path}")

    def asked_again(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """Return the API's answer to another caller for the page's own window."""
        query = urlsplit(self._requests(path)[-1].url).query
        return self.stack.api.get(f"{path}?{query}").raise_for_status().json()

    def _requests(self, path: str) -> list[Any]:
        """Reads of the page from an address; a stage may put its own path before it."""
        reads = [each for each in self.desk.visit.asked if each.method == "GET"]
        return [each for each in reads if urlsplit(each.url).path.endswith(path)]

    def facts(self) -> dict[str, str]:
        """Pairs of a label and a value on the page."""
        return facts_of(self.desk.page.locator("main"))

    def rows(self, table: str) -> list[list[str]]:
        """Cells of a table that is named like this, row by row."""
        named = self.desk.page.get_by_role("table", name=table, exact=True, include_hidden=True)
        found: list[list[str]] = named.first.evaluate(_ROWS)
        return found

    def rows_of(self, selector: str) -> list[list[str]]:
        """Cells of the tables that match, row by row."""
        tables = self.desk.page.locator(f"main {selector}").all()
        return [row for table in tables for row in table.evaluate(_ROWS)]

    def texts(self, selector: str) -> list[str]:
        """Texts of the elements that match, hidden ones included."""
        found = self.desk.page.locator(f"main {selector}").all_text_contents()
        return [re.sub(r"\s+", " ", each).strip() for each in found]

    def said(self) -> str:
        """Everything that the page says."""
        return str(self.desk.page.locator("main").inner_text())

    def attributes(self, selector: str, name: str) -> list[str]:
        """An attribute of each element that matches."""
        each = "(all, name) => all.map((one) => one.getAttribute(name))"
        found: list[str] = self.desk.page.locator(f"main {selector}").evaluate_all(each, name)
        return found


def facts_of(part: Locator) -> dict[str, str]:
    """Pairs of a label and a value in a part of a page."""
    found: dict[str, str] = part.evaluate(_FACTS)
    return found


def agree(shown: Callable[[], Read], answered: Callable[[], Read]) -> None:
    """Wait until a page shows what was answered: it may be drawing an answer that has just come."""
    deadline = time.monotonic() + _SECONDS
    while shown() != answered() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert shown() == answered()


def counted(count: int, *, is_partial: bool = False) -> str:
    """Write a count as pages do: thousands apart, and a plus where there may be more."""
    return f"{count:,}{'+' if is_partial else ''}"


def length(milliseconds: float) -> str:
    """Write a duration as pages do, by its two largest units."""
    if milliseconds < 1_000:
        return f"{_half_up(milliseconds, '1')} ms"
    if milliseconds < 60_000:
        seconds = milliseconds / 1_000
        return f"{_half_up(seconds, '0.1' if seconds < 10 else '1')} s"
    minutes, rest = divmod(int(milliseconds) // 1_000, 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def hour_of(instant: str) -> datetime:
    """The hour of an instant on the clock of this machine, which is the browser's."""
    return datetime.fromisoformat(instant).astimezone().replace(minute=0, second=0, microsecond=0)


def moment(instant: str) -> str:
    """Write an instant as pages do: to the millisecond, on the clock of the browser's machine."""
    local = datetime.fromisoformat(instant).astimezone().replace(tzinfo=None)
    return local.isoformat(sep=" ", timespec="milliseconds")


def milliseconds(since: str, until: str) -> float:
    """The time between two instants of an answer."""
    span = datetime.fromisoformat(until) - datetime.fromisoformat(since)
    return round(span.total_seconds() * 1_000)


def _half_up(value: float, step: str) -> str:
    return str(Decimal(value).quantize(Decimal(step), ROUND_HALF_UP))
