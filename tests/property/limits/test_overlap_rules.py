"""Runs that skip and replace each other, on the stores, against the documented rule."""

from datetime import datetime, timedelta

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.limits.overlap_oracle import Course, forbidding, has_ties, replacing
from tests.property.simulation.scenario_strategies import JOB_ID
from tests.support.factories import NOW
from tests.support.simulation.replay import Replay
from tests.support.simulation.simulating import changed, one_job
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation import Scenario, TimeSpan, simulate

SECOND = timedelta(seconds=1)
durations = st.lists(st.sampled_from([30, 75, 91, 150, 170, 310]), min_size=1, max_size=4)
periods = st.sampled_from([60, 67, 85, 110])
slots = st.sampled_from([1, 1, 2, 3])


def seconds(at: datetime) -> int:
    """After ``NOW``; runs begin and end on whole ones."""
    return round((at - NOW) / SECOND)


def scenario_of(schedule: Schedule, overlap: Overlap, takes: list[int], until: int) -> Scenario:
    """A job whose runs take so long."""
    return one_job(
        schedule=schedule,
        created_at=NOW,
        anchored_at=NOW,
        start=NOW,
        end=NOW + timedelta(seconds=until),
        job_id=JOB_ID,
        overlap=overlap,
        run_seconds=tuple(map(float, takes)),
    )


def begun_in(attempts: list[Attempt]) -> list[Course]:
    """The runs that began, as they stand on record."""
    found = []
    for run in attempts:
        if run.fence == 0:
            continue
        assert run.started_at is not None
        assert run.ended_at is not None
        by = run.replaced_by.scheduled_at if run.replaced_by is not None else None
        is_stopped = run.state is RunState.CANCELLED
        assert (run.reason is Reason.REPLACED) is is_stopped
        found.append(
            Course(
                due=seconds(run.id.run.scheduled_at),
                start=seconds(run.started_at),
                end=seconds(run.ended_at),
                replaced_by=seconds(by) if by is not None and is_stopped else None,
            )
        )
    return found


def simulated_in(scenario: Scenario) -> list[Attempt]:
    """The runs of its simulation."""
    (ledger,) = simulate(scenario).ledgers
    return [row for row in ledger.rows if isinstance(row, Attempt)]


def played(scenario: Scenario) -> World:
    """The world in which it has happened."""
    return Replay(scenario).run()


@settings(max_examples=some(40))
@given(period=periods, takes=durations, most=slots, count=st.integers(2, 9))
def test_a_replaced_run_ends_at_its_heartbeat_and_names_the_run_that_asked(
    period: int, takes: list[int], most: int, count: int
) -> None:
    """The oldest in the way stops, another begins at that moment; simulated as on the stores."""
    due = [period * number for number in range(1, count + 1)]
    expected = replacing(due, takes, most)
    assume(not has_ties(expected, due))
    schedule = Schedule(
        kind=ScheduleKind.RATE,
        every_seconds=period,
        ends_at=NOW + timedelta(seconds=due[-1]),
    )
    overlap = Overlap(policy=OverlapPolicy.REPLACE, max_concurrent=most)
    scenario = scenario_of(schedule, overlap, takes, due[-1] + 1)

    assert expected == begun_in(played(scenario).attempts())
    assert expected == begun_in(simulated_in(scenario))


@settings(max_examples=some(40))
@given(period=periods, takes=durations, most=slots, max_runs=st.integers(1, 6))
def test_runs_that_find_no_slot_give_their_places_back(
    period: int, takes: list[int], most: int, max_runs: int
) -> None:
    """The bound's number begins: later runs take the places of skipped ones."""
    due = [period * number for number in range(1, 40)]
    every = forbidding(due, takes, most)
    assume(not has_ties(every, due))
    expected = every[:max_runs]
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=period, max_runs=max_runs)
    overlap = Overlap(policy=OverlapPolicy.FORBID, max_concurrent=most)
    scenario = scenario_of(schedule, overlap, takes, expected[-1].end + 300)
    world = played(scenario)
    runs = world.attempts()
    (job,) = world.tables.jobs.values()

    assert expected == begun_in(runs)
    assert job.timing.status is JobStatus.COMPLETED
    assert {run.reason for run in runs if run.fence == 0} <= {Reason.OVERLAP}


@settings(max_examples=some(40))
@given(
    period=periods,
    limit=st.sampled_from([1, 45, 200]),
    first=st.integers(1, 400),
    length=st.integers(1, 900),
    max_runs=st.integers(1, 6),
)
@example(period=67, limit=1, first=1, length=299, max_runs=1)
def test_runs_that_come_too_late_give_their_places_back(
    period: int, limit: int, first: int, length: int, max_runs: int
) -> None:
    """Executors are down; the bound is reached by runs that begin in time, each of them."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=period, max_runs=max_runs)
    until = first + length + (max_runs + 5) * period + 1200
    down = TimeSpan(
        start=NOW + timedelta(seconds=first), end=NOW + timedelta(seconds=first + length)
    )
    scenario = changed(
        scenario_of(schedule, Overlap(), [0], until),
        start_within_seconds=limit,
        executor_outages=(down,),
    )
    world = played(scenario)
    runs = world.attempts()
    begun = begun_in(runs)
    late = [run for run in runs if run.fence == 0]
    gaps = world.tables.gaps.values()
    (job,) = world.tables.jobs.values()

    assert len(begun) == max_runs
    assert job.timing.status is JobStatus.COMPLETED
    assert all(run.start - run.due <= limit for run in begun)
    assert {run.reason for run in late} | {gap.reason for gap in gaps} <= {Reason.LATE}
    assert all(run.ended_at - run.due_at > limit * SECOND for run in late if run.ended_at)
    assert all(gap.recorded_at - gap.last > limit * SECOND for gap in gaps)
    # Oldest first: none is passed over.
    found = [run.id.run.scheduled_at for run in runs] + [gap.last for gap in gaps]
    assert sorted(map(seconds, found)) == [period * (n + 1) for n in range(len(found))]
    assert sum(gap.count for gap in gaps) == len(gaps)
    # A bound costs a job no more than the instants that would have come too late without it.
    assert begun[-1].start <= first + length + 120 + max_runs * period
