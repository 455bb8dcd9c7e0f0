"""``schedule convert --from google``: patterns of Cloud Scheduler."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned
from tests.functional.cli.migrating.google.google_jobs import job, listed

__all__ = ["converted"]

Converted = Callable[..., Outcome]


def test_a_job_is_read_in_its_zone(converted: Converted) -> None:
    """Without one, and for the word utc, in UTC."""
    jobs = (job(timeZone=zone) for zone in (None, "utc", "Europe/Berlin"))
    outcome = converted("google", listed(*jobs))
    found = entries(outcome)

    assert outcome.code == 0
    assert [each["here"]["fires"][0] for each in found] == [
        "2026-11-23T06:00:00.000Z",
        "2026-11-23T06:00:00.000Z",
        "2026-11-23T05:00:00.000Z",
    ]
    assert [each["name"] for each in found] == ["report", "report 2", "report 3"]
    assert [warned(each) for each in found] == [[], [], ["clock_undocumented"]]


@pytest.mark.parametrize("pattern", ["0 0 1 * SAT", "0 0 1-31/2 JAN-MAR 7", "*/5 0,12 * * sun"])
def test_its_patterns_are_those_of_unix(converted: Converted, pattern: str) -> None:
    """Sunday is 0 and 7, and either day field is enough."""
    (found,) = entries(converted("google", listed(job(schedule=pattern))))

    assert found["here"]["job"]["schedule"]["cron"] == pattern
    assert found["error"] is None
    assert warned(found) == []


@pytest.mark.parametrize(("pattern", "warns"), [("0 0 */2 * 1", True), ("0 0 */2 * *", False)])
def test_a_star_with_a_step_beside_another_day_is_named(
    converted: Converted, pattern: str, *, warns: bool
) -> None:
    """Here it makes both fields necessary."""
    (found,) = entries(converted("google", listed(job(schedule=pattern))))

    assert ("day_or_weekday" in warned(found)) is warns


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        *[(each, "invalid_cron") for each in ("0 0 L * *", "0 0 ? * 1", "0 0 * * 1#2")],
        *[(each, "invalid_cron") for each in ("@daily", "", "0 0 0 * * *", "60 * * * *")],
        *[(each, "invalid_cron") for each in ("0 0 1W * *", "H 0 * * *", "٣ 0 * * *")],
        *[(each, "english_schedule") for each in ("every 24 hours", "1st mon of month 17:00")],
    ],
)
def test_what_google_does_not_take_is_refused(
    converted: Converted, pattern: str, code: str
) -> None:
    """Although a pattern here may have it; its schedules in words are no patterns."""
    (found,) = entries(converted("google", listed(job(schedule=pattern))))

    assert found["error"]["code"] == code


def test_a_zone_that_there_is_none_is_refused(converted: Converted) -> None:
    """And a job that is no object of one."""
    wrong, nothing = entries(converted("google", listed(job(timeZone="Mars/Base"), {})))

    assert wrong["error"]["code"] == "unknown_timezone"
    assert nothing["error"]["code"] == "invalid_cron"
