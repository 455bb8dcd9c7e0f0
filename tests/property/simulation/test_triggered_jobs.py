"""Jobs that callers trigger: the use cases make of it what a simulation does."""

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.restrictions.restriction_strategies import restricted
from tests.property.simulation.scenario_strategies import crowded, moments
from tests.property.simulation.test_simulation import assert_as_the_use_cases_do
from timegate.domain.limits.collapse import Collapse, CollapseMode
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import Slots
from timegate.domain.simulation import Scenario, SimulatedJob
from timegate.domain.simulation.scenario import SimulatedTrigger

RULES = [
    *(None, Collapse(span_seconds=70), Collapse(span_seconds=40, max_wait_seconds=50)),
    *(Collapse(mode=CollapseMode.FIRST, span_seconds=70), Collapse(mode=CollapseMode.SINGLE)),
]
#: Triggers come between the instants of all else.
APART = timedelta(milliseconds=250)


@st.composite
def triggered(draw: st.DrawFn, plain: st.SearchStrategy[Scenario]) -> Scenario:
    """A scenario whose jobs are triggered as well, some by triggers that collapse."""
    scenario = draw(plain)
    minutes = int((scenario.end - scenario.start).total_seconds() // 60)
    within = moments(scenario.start, minutes)
    return replace(scenario, jobs=tuple(_triggered(draw, within, job) for job in scenario.jobs))


def _triggered(
    draw: st.DrawFn, within: st.SearchStrategy[datetime], job: SimulatedJob
) -> SimulatedJob:
    rule, instants = draw(st.sampled_from(RULES)), sorted(draw(st.sets(within, max_size=6)))
    keys = st.sampled_from(["a", "b", None] if rule is not None else [None])
    has_slots = job.overlap.policy is not OverlapPolicy.ALLOW
    slots = st.sampled_from(["a", "b", None] if has_slots else [None])
    triggers = tuple(
        SimulatedTrigger(at=at + APART, key=draw(keys), concurrency_key=draw(slots))
        for at in instants
    )
    pointer = draw(st.sampled_from(["/customer", None])) if has_slots else None
    return replace(
        job,
        triggers=triggers,
        collapse=rule,
        overlap=replace(job.overlap, key_from=pointer),
        payload=draw(st.sampled_from([{"customer": "a"}, {"customer": "a" * 2000}, None])),
    )


@settings(max_examples=some(60))
@given(scenario=triggered(crowded()))
def test_the_use_cases_trigger_jobs_that_contend_as_simulated(scenario: Scenario) -> None:
    """Runs of triggers wait, skip, replace and stand for each other, and leave no slot behind."""
    world = assert_as_the_use_cases_do(scenario)

    assert {slots for slots in world.tables.slots.values() if slots != Slots()} == set()


@settings(max_examples=some(40))
@given(scenario=triggered(restricted(crowded())))
def test_the_use_cases_restrict_triggered_jobs_as_simulated(scenario: Scenario) -> None:
    """A freeze puts runs of triggers off, and calendars leave them alone."""
    assert_as_the_use_cases_do(scenario)
