"""``rate(…)``, ``at(…)`` and ``@every`` where a cron expression is expected."""

import json
import re
from pathlib import Path

import pytest

from tests.unit.domain.recurrence.schedules import cron, rate, utc
from timegate.domain.recurrence.schedule import CronDialect, Schedule
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339

PAGE = (Path(__file__).parents[5] / "docs" / "concepts" / "schedules.md").read_text()
SECTION = PAGE.partition("### Rates and instants written as cron")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| `([^`]+)` \| ([\w/]*) ?\| (.+) \|$", SECTION, re.MULTILINE)
NUMBER_OF_ROWS = 8


def shown(schedule: Schedule) -> dict[str, object]:
    """The kind and its own field."""
    match schedule.kind:
        case "rate":
            return {"kind": "rate", "every_seconds": schedule.every_seconds}
        case "at" if schedule.at is not None:
            return {"kind": "at", "at": rfc3339(schedule.at)}
        case kind:
            return {"kind": kind}


@pytest.mark.parametrize(("text", "zone", "becomes"), ROWS, ids=str)
def test_each_documented_spelling_becomes_its_kind(text: str, zone: str, becomes: str) -> None:
    """Or is refused, as the page says; what it becomes is a valid schedule."""
    assert len(ROWS) == NUMBER_OF_ROWS
    if becomes.startswith("refused"):
        with pytest.raises(InvalidInput, match="whole seconds"):
            as_written(cron(text, zone or "UTC"))
        return
    found = as_written(cron(text, zone or "UTC"))
    validate_schedule(found, now=utc("2026-11-21 07:00"))

    assert shown(found) == json.loads(becomes.strip("`"))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("rate(1 minute)", 60),
        ("rate(1 minutes)", 60),
        ("RATE( 2 hours )", 7200),
        ("rate(3650 days)", 315_360_000),
        ("@every 1s", 1),
        ("@every 1.5h", 5400),
        ("@every 1500ms500ms", 2),
        ("@EVERY 2000000µs", 2),
    ],
)
def test_intervals(text: str, seconds: int) -> None:
    """In any case of letters, with every unit."""
    assert as_written(cron(text)) == rate(seconds)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("rate(0 minutes)", "1 to 315360000 seconds"),
        ("rate(3651 days)", "1 to 315360000 seconds"),
        ("rate(5 seconds)", "such as rate(5 minutes)"),
        ("rate(5)", "such as rate(5 minutes)"),
        ("rate(1.5 hours)", "such as rate(5 minutes)"),
        ("@every", "such as @every 1h30m"),
        ("@every 5", "such as @every 1h30m"),
        ("@every 5d", "such as @every 1h30m"),
        ("@every 5m x", "such as @every 1h30m"),
        ("@every 500ms", "whole seconds"),
        ("@every 0s", "1 to 315360000 seconds"),
        ("at(2026-12-01)", "such as at(2026-12-01T09:00:00)"),
        ("at(2026-12-01T09:00:00Z)", "such as at(2026-12-01T09:00:00)"),
        ("at(2026-02-30T09:00:00)", "such as at(2026-12-01T09:00:00)"),
        ("at(1969-12-31T23:59:59)", "the years 1970 to 2099"),
        ("at(2100-01-01T00:00:00)", "the years 1970 to 2099"),
    ],
)
def test_another_spelling_that_is_wrong_is_refused(text: str, named: str) -> None:
    """With an example of the right one."""
    with pytest.raises(InvalidInput) as refused:
        as_written(cron(text))

    assert (refused.value.field, refused.value.code) == ("schedule.cron", "invalid_cron")
    assert named in refused.value.detail


def test_an_instant_before_1970_in_utc_is_refused() -> None:
    """Although its local year is 1970."""
    with pytest.raises(InvalidInput, match="from 1970 on"):
        as_written(cron("at(1970-01-01T00:00:00)", "Europe/Berlin"))


def test_an_unknown_zone_of_an_instant_is_refused() -> None:
    """By its own field."""
    with pytest.raises(InvalidInput) as refused:
        as_written(cron("at(2026-12-01T09:00:00)", "Mars/Olympus"))

    assert (refused.value.field, refused.value.code) == ("schedule.timezone", "unknown_timezone")


def test_the_dialect_is_used_up() -> None:
    """A rate has none."""
    assert as_written(cron("rate(5 minutes)", dialect=CronDialect.EVENTBRIDGE)) == rate(300)


@pytest.mark.parametrize("schedule", [cron("0 9 * * *"), rate(60)], ids=["cron", "rate"])
def test_other_schedules_stay_as_they_are(schedule: Schedule) -> None:
    """The same object."""
    assert as_written(schedule) is schedule


def test_a_field_that_the_kind_does_not_use_is_refused() -> None:
    """A zone changes nothing about a rate."""
    schedule = as_written(cron("rate(5 minutes)", "Europe/Berlin"))
    with pytest.raises(InvalidInput) as refused:
        validate_schedule(schedule, now=utc("2026-11-21 07:00"))

    assert (refused.value.field, refused.value.code) == ("schedule.timezone", "not_for_this_kind")
