"""Schedules are read from requests and from documents: both readings are the same.

Requests are read by contracts, documents of the command line without pydantic.
"""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tests.support.factories import NOW
from timegate.contracts.recurrence import ScheduleContract
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.simulation.parsing.job_fields import read_schedule
from timegate.domain.values.errors import InvalidInput

_CONTRACT: TypeAdapter[Any] = TypeAdapter(ScheduleContract)
_INSTANTS = ("2026-12-01T09:00:00Z", "2027-12-01T09:00:00+01:00", "2026-12-01T09:00:00", "x", None)
_MEMBERS = (
    {"kind": "cron", "cron": "0 9 * * *", "timezone": "Europe/Berlin"},
    {"kind": "rate", "every_seconds": 3600},
    {"kind": "rate", "every_seconds": 60, "jitter_seconds": 1},
    {"kind": "union", "any_of": []},
)
#: Values of each field, right and wrong.
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "at": st.sampled_from(_INSTANTS),
    "delay_seconds": st.sampled_from((0, 1.5, "PT5M", -1, 315_360_001, True, "5", None)),
    "cron": st.sampled_from(("0 9 * * *", "@daily", "rate(5 minutes)", "x", "", None, "9" * 300)),
    "dialect": st.sampled_from(("quartz", "timegate", "x", None)),
    "timezone": st.sampled_from(("Europe/Berlin", "UTC", "Nowhere", "", None)),
    "every_seconds": st.sampled_from((1, 60, 0, 1.0, 1.5, "PT1H", "60", True, 315_360_001)),
    "starts_at": st.sampled_from(_INSTANTS),
    "ends_at": st.sampled_from(_INSTANTS),
    "max_runs": st.sampled_from((1, 0, 1.0, 10**9, 10**9 + 1, True, None)),
    "dst": st.sampled_from(("interval", "fixed_times", "x", None)),
    "gap": st.sampled_from(("skip", "run_after", "x", None)),
    "fold": st.sampled_from(("first", "both", "x", None)),
    "jitter_seconds": st.sampled_from((0, 86_400, 86_401, "PT30S", 1.0, None)),
    "rrule": st.sampled_from(("FREQ=DAILY", "FREQ=MONTHLY;BYDAY=-1FR", "x", "", None)),
    "exdates": st.sampled_from(([], ["2026-12-01T09:00:00Z"], ["x"], "x", None)),
    "rdates": st.sampled_from(([], ["2026-12-02T09:00:00Z"], None)),
    "any_of": st.one_of(st.lists(st.sampled_from(_MEMBERS), max_size=9), st.none()),
    "every": st.just(60),
}
#: The field without which a kind names nothing.
_OWN = {
    "at": "at",
    "delay": "delay_seconds",
    "cron": "cron",
    "rate": "every_seconds",
    "rrule": "rrule",
    "union": "any_of",
}


@st.composite
def bodies(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a schedule as a caller writes it: its own field, and up to three others."""
    kind = draw(st.sampled_from(sorted(ScheduleKind)))
    names = draw(st.lists(st.sampled_from(sorted(_VALUES)), max_size=3, unique=True))
    chosen = [_OWN[kind], *names] if kind in _OWN else names
    return {"kind": str(kind), **{name: draw(_VALUES[name]) for name in chosen}}


def taken(schedule: Schedule) -> Schedule | None:
    """Return a schedule that the rules of the domain accept."""
    try:
        validate_schedule(schedule, now=NOW)
    except InvalidInput:
        return None
    return schedule


def of_request(body: dict[str, Any]) -> Schedule | None:
    """Return what a request with this schedule is about; none: it is refused."""
    try:
        return taken(_CONTRACT.validate_json(json.dumps(body)).to_domain())
    except (ValidationError, InvalidInput):
        return None


def of_document(body: dict[str, Any]) -> Schedule | None:
    """Return what a document with this schedule is about; none: it is refused."""
    try:
        return taken(read_schedule(body, "schedule"))
    except InvalidInput:
        return None


@given(body=bodies())
@example(body={"kind": "cron", "cron": "@daily", "starts_at": None, "max_runs": None})
@example(body={"kind": "cron", "cron": "@daily", "dst": None, "ends_at": None})
@example(body={"kind": "union", "any_of": list(_MEMBERS[:2])})
def test_a_schedule_means_the_same_in_a_request_and_in_a_document(body: dict[str, Any]) -> None:
    """Otherwise a simulation would show the course of another job."""
    assert of_document(body) == of_request(body)
