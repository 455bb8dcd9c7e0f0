"""Policies of clock changes are refused where they can have no effect."""

import pytest

from tests.unit.domain.recurrence.schedules import cron
from tests.unit.domain.recurrence.test_validate_schedule import refusal
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy, Schedule


@pytest.mark.parametrize(
    ("schedule", "field"),
    [
        (cron("30 2 * * *", "UTC", gap=GapPolicy.SKIP), "gap"),
        (cron("30 2 * * *", "Etc/GMT+5", fold=FoldPolicy.BOTH), "fold"),
        (cron("30 2 * * *", "Zulu", dst=DstPolicy.INTERVAL), "dst"),
        (cron("0 * * * *", "Europe/Berlin", gap=GapPolicy.SKIP), "gap"),
        (cron("0 0-23 * * *", "Europe/Berlin", fold=FoldPolicy.BOTH), "fold"),
        (cron("30 2 * * *", "Europe/Berlin", dst=DstPolicy.INTERVAL, gap=GapPolicy.SKIP), "gap"),
    ],
    ids=str,
)
def test_a_policy_without_effect_is_refused(schedule: Schedule, field: str) -> None:
    """A clock that is never changed, and an interval, know no gap and no fold."""
    assert refusal(schedule) == (field, "without_effect")


@pytest.mark.parametrize(
    "schedule",
    [
        cron("0 * * * *", "Europe/Berlin", dst=DstPolicy.INTERVAL),
        cron("0 * * * *", "Europe/Berlin", dst=DstPolicy.FIXED, gap=GapPolicy.SKIP),
        cron("30 2 * * *", "Asia/Kathmandu", fold=FoldPolicy.BOTH),
        cron("30 2 * * *", "UTC"),
    ],
    ids=str,
)
def test_a_policy_that_can_have_an_effect_is_accepted(schedule: Schedule) -> None:
    """A zone without changes today may have some tomorrow; a word on dst may repeat the rule."""
    assert refusal(schedule) is None
