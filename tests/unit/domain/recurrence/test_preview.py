"""Previews: the first few fires."""

import pytest

from tests.unit.domain.recurrence.schedules import LONG_AGO, at, cron, rate, utc, written
from timegate.domain.recurrence.fires import preview
from timegate.domain.recurrence.schedule import Schedule

START = utc("2026-11-21 07:00")


def shown(schedule: Schedule, count: int) -> list[str]:
    return [
        written(instant)
        for instant in preview(schedule, created_at=START, after=START, count=count)
    ]


def test_a_preview_shows_as_many_fires_as_asked() -> None:
    """From the first after the start on."""
    expected = ["2026-11-21 08:00", "2026-11-21 09:00", "2026-11-21 10:00"]

    assert expected == shown(cron("@hourly"), 3)


@pytest.mark.parametrize(
    ("max_runs", "expected"),
    [pytest.param(2, 2, id="fewer"), pytest.param(3, 3, id="as many"), (4, 3), (None, 3)],
)
def test_max_runs_counts_from_the_first_one_shown(max_runs: int | None, expected: int) -> None:
    """A preview is of a job that has not run yet."""
    assert expected == len(shown(rate(60, max_runs=max_runs), 3))


def test_a_schedule_that_ends_is_shown_to_its_end() -> None:
    """The preview ends with the schedule's last instant."""
    ends = utc("2026-11-21 09:00")

    assert shown(cron("@hourly", ends_at=ends), 9) == ["2026-11-21 08:00", "2026-11-21 09:00"]


def test_a_preview_of_nothing() -> None:
    """None asked for, or none left."""
    assert shown(cron("@hourly"), 0) == []
    assert shown(at(LONG_AGO), 5) == []
