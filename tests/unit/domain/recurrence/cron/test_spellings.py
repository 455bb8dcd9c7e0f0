"""Spellings of zones, and bounds at the ends of the calendar."""

from datetime import UTC, datetime

import pytest

from tests.unit.domain.recurrence.schedules import cron, rate, utc
from timegate.domain.recurrence.fires import next_fire, preview
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.errors import InvalidInput

YEAR_ONE = datetime(1, 1, 1, tzinfo=UTC)
NOW = utc("2026-11-21 07:00")


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("utc", "UTC"),
        ("Utc", "UTC"),
        ("europe/berlin", "Europe/Berlin"),
        ("America/New York", "America/New_York"),
        ("Mars/Olympus", "one such as Europe/Berlin"),
    ],
)
def test_a_refused_zone_is_told_its_spelling(name: str, right: str) -> None:
    """The refusal names IANA's spelling, if there is one."""
    with pytest.raises(InvalidInput, match=f"Write {right}.$") as refused:
        load_zone(name)

    assert refused.value.code == "unknown_timezone"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
def test_a_schedule_may_begin_in_the_year_one(zone: str) -> None:
    """No offset of a zone leads outside the calendar."""
    for schedule in (cron("0 0 * * *", zone, starts_at=YEAR_ONE), rate(60, starts_at=YEAR_ONE)):
        (fire,) = preview(schedule, created_at=NOW, after=NOW, count=1)

        assert fire > NOW


@pytest.mark.parametrize("schedule", [rate(1, starts_at=YEAR_ONE), rate(315_360_000)], ids=str)
def test_the_first_instant_of_all_can_be_asked_for(schedule: Schedule) -> None:
    """The search may begin at the calendar's own beginning."""
    assert next_fire(schedule, created_at=NOW, after=YEAR_ONE) is not None
