"""The month of a calendar: each of its days is what the engine says of that day."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from infra.local.console.people import DEMO
from tests.e2e.console.browser import Visit
from tests.e2e.console.desk import Desk
from tests.e2e.console.reading import Reading
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.deep

PATH = "/v1/calendars/figures"
BERLIN = ZoneInfo("Europe/Berlin")
#: On its last Sunday clocks go forward.
FIRST, AFTER = datetime(2027, 3, 1, tzinfo=BERLIN), datetime(2027, 4, 1, tzinfo=BERLIN)
CALENDAR = {
    "timezone": "Europe/Berlin",
    "days": [{"first": "2027-03-05", "last": "2027-03-08"}],
    "weekdays": ["sun"],
    "windows": [
        {"weekdays": ["tue"], "opens": "09:00", "closes": "17:30"},
        {"weekdays": ["fri"], "opens": "22:00", "closes": "04:00"},
    ],
    "periods": [{"start": "2027-03-24T12:00:00+01:00", "end": "2027-03-25T06:00:00+01:00"}],
    "weekend": ["sat", "sun"],
}
#: Date, coverage, whether it is a business day, and the hours that are covered of a part.
Day = tuple[str, str, bool, tuple[str, ...]]
_CELLS = """
(cells) => cells.map((cell) => [
  Number(cell.querySelector(".tg-day-number").textContent),
  ["whole", "part", "none"].find((each) => cell.classList.contains(`tg-day-${each}`)),
  [...cell.querySelectorAll(".tg-day-entry")].map((entry) => entry.textContent),
])
"""


def test_each_day_of_a_month_is_what_the_engine_says_of_it(stack: Stack, visit: Visit) -> None:
    """Covered or not, by which hours, and a business day or none; clocks change in that month."""
    stack.api.put(PATH, json=CALENDAR).raise_for_status()
    visit.sign_in(DEMO)
    reading = Reading(stack, Desk(visit))
    reading.desk.go("/calendars/figures?month=2027-03")
    shown = list(drawn(visit))
    expected = list(judged(stack))

    assert shown == expected
    assert {coverage for _, coverage, _, _ in shown} == {"whole", "part", "none"}


def drawn(visit: Visit) -> Iterator[Day]:
    """Days of the month as the page shows them."""
    cells = visit.page.locator("main .tg-month td:not(.tg-day-outside)").evaluate_all(_CELLS)
    for number, coverage, entries in cells:
        hours = tuple(sorted(each for each in entries if " to " in each and ":" in each))
        business = "no business day" not in entries
        yield f"2027-03-{number:02}", coverage, business, hours if coverage == "part" else ()


def judged(stack: Stack) -> Iterator[Day]:
    """Days of the month as the engine judges their instants."""
    covered = list(spans(stack))
    day = FIRST
    while day < AFTER:
        ends = datetime.combine(day.date() + timedelta(days=1), time(), BERLIN)
        parts = [
            (max(begin, day), min(end, ends))
            for begin, end in covered
            if begin < ends and day < end
        ]
        whole = any((begin, end) == (day, ends) for begin, end in parts)
        hours = tuple(f"{clock(begin)} to {clock(end, ends)}" for begin, end in parts)
        coverage = "whole" if whole else "part" if parts else "none"
        noon = asked(stack, day.replace(hour=12))
        yield (
            f"{day:%Y-%m-%d}",
            coverage,
            noon["business_day"] is True,
            () if whole else tuple(sorted(hours)),
        )
        day = ends


def spans(stack: Stack) -> Iterator[tuple[datetime, datetime]]:
    """Stretches of the month that the calendar covers, from one change to the next."""
    at = FIRST.astimezone(UTC)
    while at < AFTER.astimezone(UTC):
        answer = asked(stack, at)
        until = datetime.fromisoformat(str(answer["until"]))
        if answer["covered"]:
            yield at.astimezone(BERLIN), until.astimezone(BERLIN)
        at = until


def asked(stack: Stack, at: datetime) -> dict[str, object]:
    """Return the engine's answer about an instant."""
    query = {"at": at.astimezone(UTC).isoformat()}
    body: dict[str, object] = stack.api.get(f"{PATH}/check", params=query).raise_for_status().json()
    return body


def clock(at: datetime, midnight: datetime | None = None) -> str:
    """A time of day; the midnight that ends it is 24:00."""
    return "24:00" if at == midnight else f"{at:%H:%M}"
