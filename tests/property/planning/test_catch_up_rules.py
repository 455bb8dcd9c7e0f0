"""Outages, edits in the middle of them, and ``max_runs``, held against the documented rules."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.planning.catch_up_oracle import Edit, Expected, after_an_edit, after_an_outage
from tests.support.api import api_services
from tests.support.execution.restricting import live
from tests.support.factories import JOB_ID, NOW, TENANT, after
from tests.support.world import World
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
#: So long the planner ticks again, in seconds.
LATER = 900
periods = st.sampled_from([60_000, 97_000, 600_000])
bounds = st.none() | st.integers(1, 6)
graces = st.sampled_from([0, 1, 10, 60, 300])
windows = st.sampled_from([10, 90, 600, 3600])
limits = st.sampled_from([1, 2, 7, 1000])
# Fields that a policy does not use cannot be given.
policies = st.one_of(
    st.builds(CatchUp, policy=st.just(CatchUpPolicy.SKIP), grace_seconds=graces),
    st.builds(
        CatchUp,
        policy=st.just(CatchUpPolicy.LATEST),
        window_seconds=windows,
        grace_seconds=graces,
    ),
    st.builds(
        CatchUp,
        policy=st.just(CatchUpPolicy.ALL),
        limit=limits,
        window_seconds=windows,
        grace_seconds=graces,
    ),
).filter(lambda each: each.grace_seconds <= each.window_seconds)


@st.composite
def moments(draw: st.DrawFn, period: int, policy: CatchUp) -> int:
    """A moment at which some instant is as late as a bound allows, or a millisecond off."""
    late = draw(
        st.sampled_from([policy.grace_seconds, min(policy.window_seconds, 3600), 0]).map(
            lambda seconds: seconds * 1000
        )
        | st.integers(0, period)
    )
    instant = draw(st.integers(1, 12)) * period
    return max(instant + late + draw(st.sampled_from([-1, 0, 1])), 1)


@dataclass(frozen=True)
class Found:
    """Found records, in milliseconds after ``NOW``."""

    begun: list[int]
    gaps: dict[int, Reason]
    status: JobStatus


def rate(period: int, max_runs: int | None) -> Schedule:
    """Every so many milliseconds."""
    return Schedule(kind=ScheduleKind.RATE, every_seconds=period // 1000, max_runs=max_runs)


def milliseconds(instant: datetime) -> int:
    """After ``NOW``."""
    return (instant - NOW) // MILLISECOND


def a_world(period: int, policy: CatchUp, max_runs: int | None) -> World:
    """A job that is created at ``NOW``; a planner was there before it, and comes no more."""
    world = World()
    world.tick()
    world.add_job(
        schedule=rate(period, max_runs),
        anchored_at=NOW,
        created_at=NOW,
        updated_at=NOW,
        next_run_at=NOW + timedelta(milliseconds=period),
        catch_up=policy,
    )
    return world


def at(world: World, moment: int) -> None:
    """Set the clock."""
    world.clock.set(NOW + moment * MILLISECOND)


def found_in(world: World, named: list[int]) -> Found:
    """All records; ``named``: the instants of which gaps may be."""
    spans = [
        (milliseconds(gap.first), milliseconds(gap.last), gap.reason)
        for gap in world.tables.gaps.values()
    ]
    return Found(
        begun=[milliseconds(e.id.run.scheduled_at) for e in world.attempts() if e.fence > 0],
        gaps={
            each: reason for first, last, reason in spans for each in named if first <= each <= last
        },
        status=world.jobs.get(TENANT, JOB_ID).timing.status,
    )


def hold(expected: Expected, found: Found) -> None:
    """Assert all runs of a bounded job; of an unbounded one those that had time to begin."""
    begun = expected.begun if expected.completes else expected.begun[: len(found.begun)]

    assert begun == found.begun
    assert expected.gaps == found.gaps
    assert found.status is (JobStatus.COMPLETED if expected.completes else JobStatus.ACTIVE)


@settings(max_examples=some(100))
@given(data=st.data(), period=periods, policy=policies, max_runs=bounds)
def test_what_an_outage_missed_runs_as_the_documentation_says(
    data: st.DataObject, period: int, policy: CatchUp, max_runs: int | None
) -> None:
    """To the millisecond; the oldest that may run take the places of ``max_runs``."""
    until = data.draw(moments(period, policy))
    world = a_world(period, policy, max_runs)
    at(world, until)
    seconds = until / 1000 + LATER + (max_runs or 0) * period / 1000
    live(world, seconds)
    horizon = milliseconds(after(seconds))
    expected = after_an_outage(period, policy, max_runs=max_runs, until=until, horizon=horizon)
    found = found_in(world, list(range(period, horizon, period)))

    hold(expected, found)
    assert expected.completes or found.begun[-1] >= horizon - period - 120_000


@settings(max_examples=some(100))
@given(data=st.data(), period=periods, new_period=periods, policy=policies, max_runs=bounds)
def test_an_edit_in_an_outage_settles_by_the_old_version_first(
    data: st.DataObject, period: int, new_period: int, policy: CatchUp, max_runs: int | None
) -> None:
    """Its policy decides at the edit about what it named before; the new one begins there."""
    # The same rate is no change of schedule.
    assume(new_period != period)
    new_policy = data.draw(policies)
    edited_at = data.draw(moments(period, policy))
    until = edited_at + data.draw(moments(new_period, new_policy))
    edit = Edit(at=edited_at, period=new_period, policy=new_policy)
    world = a_world(period, policy, max_runs)
    at(world, edited_at)
    changes = JobChanges(schedule=rate(new_period, max_runs), catch_up=new_policy)
    update_job(REF, changes, api_services(world), now=world.clock.now())
    at(world, until)
    seconds = until / 1000 + LATER + (max_runs or 0) * new_period / 1000
    live(world, seconds)
    horizon = milliseconds(after(seconds))
    expected = after_an_edit(period, policy, edit, max_runs=max_runs, until=until, horizon=horizon)
    named = [
        *range(period, edited_at + 1, period),
        *range(edited_at + new_period, horizon, new_period),
    ]

    hold(expected, found_in(world, named))
