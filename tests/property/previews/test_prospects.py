"""Previews against the planner: what is shown is what becomes of each instant."""

from dataclasses import replace
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import instants
from tests.property.restrictions.restriction_strategies import NAMES, calendars, rules
from tests.property.simulation.scenario_strategies import MOSTLY_OFTEN, schedules
from tests.support.simulation.simulating import one_job, simulated
from timegate.domain.ledger.ledger import Gap
from timegate.domain.previews.preview_instant import prospects
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.simulation import JobLedger, Scenario
from timegate.domain.simulation.scenario import created
from timegate.domain.values.instants import MILLISECOND, to_milliseconds


@settings(max_examples=some(80))
@given(data=st.data(), start=instants.map(lambda at: to_milliseconds(at.replace(microsecond=0))))
def test_a_preview_shows_what_becomes_of_each_instant(data: st.DataObject, start: datetime) -> None:
    """With nothing in the way: each run is due when it was said to be, and the rest is excluded."""
    schedule = replace(data.draw(schedules(start, 600, kinds=MOSTLY_OFTEN)), jitter_seconds=0)
    if schedule.is_recurring:
        schedule = replace(schedule, max_runs=data.draw(st.none() | st.integers(1, 9)))
    # Which heeds no calendar.
    is_immediate = schedule.kind is ScheduleKind.IMMEDIATE
    scenario = one_job(
        schedule=schedule,
        start=start,
        end=start + data.draw(st.integers(1, 12)) * (start.resolution * 3_600_000_000),
        created_at=start,
        anchored_at=start,
        calendar_rules=data.draw(st.just(()) if is_immediate else rules),
        calendars=tuple(data.draw(calendars(name, start)) for name in NAMES),
    )
    restrictions = Restrictions(calendars={each.name: each for each in scenario.calendars})
    after = start if schedule.is_recurring else start - MILLISECOND
    shown = {}
    for each in prospects(created(scenario.jobs[0]), after=after, restrictions=restrictions):
        if each.at >= scenario.end:
            break
        shown[each.at] = each.runs_at

    assert shown == became(simulated(scenario), scenario)


def became(ledger: JobLedger, scenario: Scenario) -> dict[datetime, datetime | None]:
    """Return each instant's due instant; ``None`` for those that calendars left out."""
    found: dict[datetime, datetime | None] = {}
    (job,) = scenario.jobs
    for row in ledger.rows:
        if isinstance(row, Gap):
            assert row.reason is Reason.EXCLUDED
            first = row.first - MILLISECOND
            fires = fires_between(
                job.schedule, created_at=job.anchored_at, after=first, until=row.last
            )
            found |= dict.fromkeys(fires)
        else:
            found[row.id.run.scheduled_at] = row.due_at
    return dict(sorted(found.items()))
