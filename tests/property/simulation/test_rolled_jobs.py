"""Simulating jobs whose instants roll to business days, as the use cases plan them."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.property.simulation.scenario_strategies import JOB_ID
from tests.property.simulation.test_simulation import assert_as_the_use_cases_do
from tests.support.factories import NOW, TENANT
from tests.support.simulation.simulating import one_job
from timegate.domain.calendars.calendar import Calendar, CalendarName, DayRange
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.simulation import Edit, Pause

#: A Sunday.
START = datetime(2026, 4, 5, 7, tzinfo=UTC)
OFTEN = Schedule(kind=ScheduleKind.CRON, cron="*/20 * * * *")
BANK = Calendar(
    tenant=TENANT,
    name=CalendarName("bank"),
    days=(DayRange(first=date(2026, 4, 6), last=date(2026, 4, 6)),),
    updated_at=NOW,
)


def after(hours: float) -> datetime:
    """An instant of the scenario."""
    return START + timedelta(hours=hours)


@pytest.mark.parametrize("roll", Roll)
@pytest.mark.parametrize(
    "change",
    [
        {"pauses": (Pause(start=after(0.5), end=after(2.86)),)},
        {"pauses": (Pause(start=after(0.5), end=after(2.86), catch_up=True),)},
        {
            "edits": (
                Edit(
                    at=after(2.86), schedule=Schedule(kind=ScheduleKind.CRON, cron="*/30 * * * *")
                ),
            )
        },
        {},
    ],
    ids=["resumed", "caught_up", "edited", "created"],
)
def test_a_change_of_a_job_that_may_roll_backward_plans_it_at_once(
    roll: Roll, change: dict[str, object]
) -> None:
    """It is needed long before its instant: the change itself decides, and not the next tick."""
    scenario = one_job(
        start=START,
        end=after(4),
        schedule=OFTEN,
        created_at=START,
        anchored_at=START,
        job_id=JOB_ID,
        calendars=(BANK,),
        calendar_rules=(CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll),),
        tick_offset_seconds=44,
        **change,
    )
    assert_as_the_use_cases_do(scenario)
