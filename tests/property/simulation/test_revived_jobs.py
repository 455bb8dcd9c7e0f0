"""Simulating jobs that used up their ``max_runs``, and are given another schedule."""

from datetime import datetime, timedelta

import pytest

from tests.property.simulation.scenario_strategies import JOB_ID
from tests.property.simulation.test_simulation import assert_as_the_use_cases_do
from tests.support.factories import NOW
from tests.support.simulation.simulating import one_job, simulated
from timegate.domain.ledger.ledger import Gap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason
from timegate.domain.simulation import Edit, TimeSpan


def after(minutes: float) -> datetime:
    """An instant of the scenario."""
    return NOW + timedelta(minutes=minutes)


@pytest.mark.parametrize("outage", [(), (TimeSpan(start=after(1), end=after(6)),)])
@pytest.mark.parametrize("ends_at", [None, after(5)])
def test_instants_beyond_max_runs_are_left_behind(
    ends_at: datetime | None, outage: tuple[TimeSpan, ...]
) -> None:
    """The edit records them, as the use cases do."""
    minutely = Schedule(kind=ScheduleKind.RATE, every_seconds=60, max_runs=3, ends_at=ends_at)
    scenario = one_job(
        start=NOW,
        end=after(30),
        schedule=minutely,
        created_at=NOW,
        anchored_at=NOW,
        job_id=JOB_ID,
        edits=(
            Edit(at=after(10.4), schedule=Schedule(kind=ScheduleKind.CRON, cron="*/9 * * * *")),
        ),
        executor_outages=outage,
    )
    assert_as_the_use_cases_do(scenario)
    left_out = [row for row in simulated(scenario).rows if isinstance(row, Gap)]

    assert [(gap.reason, gap.first) for gap in left_out] == [(Reason.MAX_RUNS, after(4))]
    assert left_out[0].last == (ends_at or after(10))
