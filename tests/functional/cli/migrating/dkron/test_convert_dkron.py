"""``schedule convert --from dkron``: seconds, words, tildes and zones."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.functional.cli.converting import Converted, converted, entries, warned
from tests.functional.cli.migrating.dkron.jobs import job
from timegate.cli.migrating.dkron.jobs import read_dkron_jobs
from timegate.cli.migrating.entries import ScheduleEntry
from timegate.domain.recurrence.fires import fires_between

__all__ = ["converted"]

#: A night with a change of the clock, and the end of a month before it.
BEGIN = datetime(2026, 10, 24, 22, tzinfo=UTC)
HOURS = 8
NAME = "nightly-report"


def one(converted: Converted, schedule: str, *options: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """The one entry of a job with a schedule."""
    text = json.dumps([job(NAME, schedule=schedule, **changes)])
    (found,) = entries(converted("dkron", text, *options))
    return found


@pytest.mark.parametrize(
    ("schedule", "here"),
    [
        ("@manually", {"kind": "manual"}),
        ("@at 2027-06-01T09:00:00+02:00", {"kind": "at", "at": "2027-06-01T07:00:00.000Z"}),
        ("@every 1h30m", {"kind": "rate", "every_seconds": 5_400}),
        ("@minutely", {"kind": "cron", "cron": "0 * * * * *"}),
        ("@hourly", {"kind": "cron", "cron": "@hourly"}),
        (
            "*/10 0 9 */2 * 1",
            {"kind": "cron", "cron": "*/10 0 9 1-31/2 * 1", "timezone": "Europe/Berlin"},
        ),
        (
            "CRON_TZ=Asia/Tokyo 0 0 9 * * *",
            {"kind": "cron", "cron": "0 0 9 * * *", "timezone": "Asia/Tokyo"},
        ),
    ],
)
def test_words_and_patterns_become_schedules(
    converted: Converted, schedule: str, here: dict[str, Any]
) -> None:
    """Each keeps its instants."""
    assert one(converted, schedule)["here"]["job"]["schedule"] == here


def test_a_zone_beside_a_word_is_ignored_there(converted: Converted) -> None:
    """dkron puts it before patterns alone; the server's own is named by ``--timezone``."""
    daily = one(converted, "@daily")
    placed = one(converted, "@daily", "--timezone", "Asia/Tokyo")
    unzoned = one(converted, "0 0 9 * * *", timezone="")

    assert warned(daily)[:2] == ["zone_ignored", "timezone_assumed"]
    assert placed["here"]["job"]["schedule"]["timezone"] == "Asia/Tokyo"
    assert "timezone_assumed" not in warned(placed)
    assert warned(unzoned) == ["timezone_assumed"]


def test_a_tilde_has_the_value_of_the_name(converted: Converted) -> None:
    """The sum of the characters, within each field; a step goes on from there."""
    total = sum(map(ord, NAME))
    found = one(converted, "~ ~/15 ~ ~ ~ *")
    zoned = one(converted, "TZ=Europe/Berlin 0 ~ * * * *")
    expected = f"{total % 60} {total % 60}/15 {total % 24} {total % 28 + 1} {total % 12 + 1} *"

    assert found["here"]["job"]["schedule"]["cron"] == expected
    assert "tilde" in warned(found)
    assert zoned["here"]["job"]["schedule"]["cron"] == f"0 {total % 60} * * * *"


@pytest.mark.parametrize(
    "schedule",
    [
        "0 9 * * *",
        "0 0 9 * * 7",
        "0 0 9 * * L",
        "60 * * * * *",
        "@secondly",
        "",
        "@every",
        "0 0 ~~ * * *",
    ],
)
def test_what_dkron_refuses_is_refused(converted: Converted, schedule: str) -> None:
    """Five fields are one too few."""
    assert one(converted, schedule)["error"]["code"] == "invalid_cron"


def test_bounds_are_carried(converted: Converted) -> None:
    """Go's zero time is none."""
    found = one(
        converted,
        "0 0 9 * * *",
        starts_at="2026-12-01T00:00:00+01:00",
        expires_at="0001-01-01T00:00:00Z",
    )

    assert found["here"]["job"]["schedule"]["starts_at"] == "2026-11-30T23:00:00.000Z"
    assert "ends_at" not in found["here"]["job"]["schedule"]


def _matches(at: datetime, wanted: tuple[set[int], ...]) -> bool:
    """Tell if the clock of Berlin shows wanted numbers on the 25th."""
    local = at.astimezone(ZoneInfo("Europe/Berlin"))
    shown = (local.second, local.minute, local.hour)
    pairs = zip(shown, wanted, strict=True)
    return local.day == BEGIN.day + 1 and all(number in allowed for number, allowed in pairs)


@pytest.mark.parametrize(
    ("schedule", "second", "minute", "hour"),
    [
        ("*/20 30 2 * * *", {0, 20, 40}, {30}, {2}),
        ("5,50-52 */17 * * * *", {5, 50, 51, 52}, {0, 17, 34, 51}, set(range(24))),
        ("45/7 59 1-5/2 25 oct SUN", {45, 52, 59}, {59}, {1, 3, 5}),
        ("0 0 4 * * *", {0}, {0}, {4}),
    ],
)
def test_seconds_fire_as_they_do_there(
    schedule: str, second: set[int], minute: set[int], hour: set[int]
) -> None:
    """Each second of a night in which the clock is set back is tried."""
    text = json.dumps([job(NAME, schedule=schedule)])
    (read,) = read_dkron_jobs(text, timezone=None)
    assert isinstance(read, ScheduleEntry)
    end = BEGIN + timedelta(hours=HOURS)
    fires = list(fires_between(read.there, created_at=BEGIN, after=BEGIN, until=end))
    every = (BEGIN + timedelta(seconds=n + 1) for n in range(HOURS * 3600))
    expected = [at for at in every if _matches(at, (second, minute, hour))]

    assert fires == expected
    assert fires
