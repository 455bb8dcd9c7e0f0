"""Jobs that become manual: what the use cases and a simulation make of the runs planned before."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.simulation.scenario_strategies import moments, scenarios
from tests.property.simulation.test_simulation import assert_as_the_use_cases_do
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.simulation import Edit, Scenario


@st.composite
def becoming_manual(draw: st.DrawFn) -> Scenario:
    """A job that an edit makes manual, half a second from all that happens to it."""
    scenario = draw(scenarios(most_minutes=120, ends=False, edited=False))
    (job,) = scenario.jobs
    minutes = int((scenario.end - scenario.start).total_seconds() // 60)
    at = draw(moments(scenario.start, minutes)).replace(microsecond=500_000)
    edit = Edit(at=at, schedule=Schedule(kind=ScheduleKind.MANUAL))
    job = replace(job, edits=(edit,), catch_up=CatchUp())
    return replace(scenario, jobs=(job,))


@settings(max_examples=some(60))
@given(scenario=becoming_manual())
def test_a_job_that_becomes_manual_is_simulated_as_it_fares(scenario: Scenario) -> None:
    """Its planned runs are superseded, and the end of none of them completes it."""
    world = assert_as_the_use_cases_do(scenario)
    (job,) = world.tables.jobs.values()

    assert job.timing.status is not JobStatus.COMPLETED
