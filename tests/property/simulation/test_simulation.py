"""Simulating: every instant is accounted for, and as the use cases account for it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from hypothesis import given, settings

from tests.examples import some
from tests.property.restrictions.restriction_strategies import restricted
from tests.property.simulation.scenario_strategies import (
    JOB_ID,
    MOSTLY_OFTEN,
    bounded,
    crowded,
    scenarios,
)
from tests.support.simulation.replay import Replay
from tests.support.simulation.simulating import one_job, simulated
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.ledger.ledger import Gap
from timegate.domain.limits.slots import Slots
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import fires_between, names_instant, nominates
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import TERMINAL, Attempt, Reason
from timegate.domain.simulation import JobLedger, Scenario, Simulated, TimeSpan, simulate
from timegate.domain.values.instants import MILLISECOND, rfc3339


def epochs(scenario: Scenario) -> Iterator[tuple[Schedule, datetime, datetime]]:
    """Each schedule of the only job, given when, and the last instant at which it was in force."""
    (job,) = scenario.jobs
    end = min(job.cancelled_at or scenario.end, scenario.end - MILLISECOND)
    given = [(job.created_at, job.schedule)]
    for edit in job.edits:
        if edit.schedule != given[-1][1] and edit.at <= end:
            given.append((edit.at, edit.schedule))
    for (at, schedule), (until, _) in zip(given, [*given[1:], (end, None)], strict=True):
        yield schedule, at, until


def nominal(scenario: Scenario) -> list[datetime]:
    """Every instant that its job's schedule named while it was in force."""
    instants: set[datetime] = set()
    for schedule, given_at, until in epochs(scenario):
        after = given_at if schedule.is_recurring else given_at - MILLISECOND
        instants |= set(fires_between(schedule, created_at=given_at, after=after, until=until))
    return sorted(instants)


def covered(of_job: JobLedger, scenario: Scenario) -> Counter[datetime]:
    """Return the number of records of each instant."""
    schedules = {at: schedule for schedule, at, _ in epochs(scenario)}
    found: Counter[datetime] = Counter()
    for row in of_job.rows:
        if not isinstance(row, Gap):
            found[row.id.run.scheduled_at] += 1
            continue
        # The schedule that was in force before the gap was recorded.
        anchors = [
            at
            for at, schedule in schedules.items()
            if at < row.first or (at == row.first and not schedule.is_recurring)
        ]
        anchor = max(anchors)
        instants = list(
            fires_between(
                schedules[anchor],
                created_at=anchor,
                after=row.first - MILLISECOND,
                until=row.last,
            )
        )
        assert len(instants) == row.count
        found.update(instants)
    return found


@settings(max_examples=some(150))
@given(scenario=scenarios(edited=False, ends=False, most_minutes=2000))
def test_every_instant_is_in_one_record_or_at_the_end_undecided(scenario: Scenario) -> None:
    """Failures and pauses lose no instant and give none two records."""
    ledger = simulated(scenario)
    expected = nominal(scenario)
    found = covered(ledger, scenario)
    recorded = expected[: len(expected) - ledger.undecided]

    assert found == Counter(recorded)
    assert all(row.state in TERMINAL for row in ledger.rows if isinstance(row, Attempt))
    watched = not scenario.planner_outages and ledger.timing.status is not JobStatus.PAUSED
    assert ledger.undecided == 0 or not watched


@settings(max_examples=some(150))
@given(scenario=scenarios(ends=False))
def test_an_edit_leaves_no_instant_behind(scenario: Scenario) -> None:
    """Instants that the old schedule planned, and the new one does not name, are superseded."""
    ledger = simulated(scenario)
    expected = nominal(scenario)
    found = covered(ledger, scenario)
    missing = [instant for instant in expected if instant not in found]
    runs = {r.id.run.scheduled_at: r for r in ledger.rows if isinstance(r, Attempt)}

    assert set(found.values()) <= {1}
    assert missing == expected[len(expected) - len(missing) :]
    assert len(missing) == ledger.undecided
    # However late it was claimed, and whatever was given meanwhile.
    extra = found.keys() - set(expected)
    assert {runs[at].reason for at in extra} <= {Reason.SUPERSEDED, Reason.PAUSED}


def assert_as_the_use_cases_do(scenario: Scenario) -> World:
    """The same runs, at the same times, for the same reasons, and the same gaps."""
    found = simulate(scenario)
    replay = Replay(scenario)
    world = replay.run()

    assert records(found) == stored(world, scenario)
    assert sorted((rfc3339(r.at), r.code) for r in found.refused) == sorted(replay.refused)
    return world


@settings(max_examples=some(60))
@given(scenario=scenarios(most_minutes=180))
def test_the_use_cases_write_the_same_ledger(scenario: Scenario) -> None:
    """Any events of a job agree."""
    assert_as_the_use_cases_do(scenario)


@settings(max_examples=some(60))
@given(scenario=crowded())
def test_the_use_cases_let_runs_wait_skip_and_replace_each_other_as_simulated(
    scenario: Scenario,
) -> None:
    """Jobs whose runs contend for slots agree, and leave nothing in the slots' records."""
    world = assert_as_the_use_cases_do(scenario)

    assert {slots for slots in world.tables.slots.values() if slots != Slots()} == set()


@settings(max_examples=some(60))
@given(scenario=bounded())
def test_the_use_cases_give_back_the_places_of_skipped_runs_as_simulated(
    scenario: Scenario,
) -> None:
    """Runs that never began use none of the places of a job; those that began use one each."""
    assert_as_the_use_cases_do(scenario)
    (job,) = scenario.jobs
    ledger = simulated(scenario)
    began = [row for row in ledger.rows if isinstance(row, Attempt) and row.started_at]
    completed = ledger.timing.status is JobStatus.COMPLETED

    places = job.schedule.max_runs or 0
    # A run at the very end of the range is in none of its rows.
    beyond = nominates(job.schedule, created_at=job.anchored_at, instant=scenario.end)

    assert job.edits or len(began) <= places
    assert job.edits or not completed or len(began) >= places - beyond


@settings(max_examples=some(60))
@given(scenario=restricted(scenarios(least_minutes=90, most_minutes=240, kinds=MOSTLY_OFTEN)))
def test_the_use_cases_write_the_same_ledger_under_restrictions(scenario: Scenario) -> None:
    """Calendars, freezes and thaws agree."""
    assert_as_the_use_cases_do(scenario)


@settings(max_examples=some(40))
@given(scenario=restricted(crowded()))
def test_the_use_cases_restrict_jobs_that_contend_as_simulated(scenario: Scenario) -> None:
    """A run put off leaves the queue and joins it again; nothing is left in its record."""
    world = assert_as_the_use_cases_do(scenario)

    assert {slots for slots in world.tables.slots.values() if slots != Slots()} == set()


@settings(max_examples=some(100))
@given(scenario=restricted(scenarios(ends=False, most_minutes=1000, kinds=MOSTLY_OFTEN)))
def test_every_instant_is_in_one_record_under_restrictions(scenario: Scenario) -> None:
    """Pauses, edits and failures keep it so; an instant left out ahead has a record too."""
    ledger = simulated(scenario)
    expected = nominal(scenario)
    found = covered(ledger, scenario)
    missing = [instant for instant in expected if instant not in found]

    assert set(found.values()) <= {1}
    assert missing == expected[len(expected) - len(missing) :]
    assert len(missing) == ledger.undecided
    assert all(row.state in TERMINAL for row in ledger.rows if isinstance(row, Attempt))


def test_what_one_tick_can_not_catch_up_is_left_to_the_next() -> None:
    """Simulation and planner take as many steps a tick, for a job hours behind."""
    start = datetime.fromisoformat("2026-11-21T00:00:00Z")
    outage = TimeSpan(start=start + timedelta(minutes=20), end=start + timedelta(hours=6))
    scenario = one_job(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=20),
        start=start,
        end=start + timedelta(hours=6, minutes=30),
        created_at=start,
        anchored_at=start,
        job_id=JOB_ID,
        planner_outages=(outage,),
    )
    assert_as_the_use_cases_do(scenario)
    runs = [row for row in simulated(scenario).rows if isinstance(row, Attempt)]
    belated = {run.created_at for run in runs if run.id.run.scheduled_at < outage.end}

    assert len([at for at in belated if at >= outage.end]) > 1


def records(found: Simulated) -> list[tuple[Any, ...]]:
    """Return the records in the order of jobs and instants."""
    return as_told(row for ledger in found.ledgers for row in ledger.rows)


def stored(world: World, scenario: Scenario) -> list[tuple[Any, ...]]:
    """The ledgers of the range as the stores hold it; the last attempt tells of its run."""
    attempts = sorted(world.attempts(), key=lambda attempt: attempt.id.number)
    last = {attempt.id.run: attempt for attempt in attempts}
    runs = [a for a in last.values() if a.id.run.scheduled_at < scenario.end]
    gaps = (within(gap, scenario) for gap in world.tables.gaps.values())
    return as_told([*runs, *(gap for each in gaps if each for gap in around_runs(each, runs))])


def around_runs(gap: Gap, runs: Sequence[Attempt]) -> list[Gap]:
    """A gap as readers see it: a run is the record of its instant."""
    of_job = [run for run in runs if run.id.run.job_id == gap.job_id]
    instants = sorted({run.id.run.scheduled_at for run in of_job})
    assert gap.naming is not None
    named = [at for at in instants if gap.first <= at <= gap.last and names_instant(gap.naming, at)]
    ends = [gap.first - MILLISECOND, *named, gap.last + MILLISECOND]
    spans = [
        series_between(gap.naming, first=begin + MILLISECOND, until=end - MILLISECOND)
        for begin, end in pairwise(ends)
    ]
    return [
        replace(gap, first=span.first, last=span.last, count=span.count) for span in spans if span
    ]


def within(gap: Gap, scenario: Scenario) -> Gap | None:
    """A gap that was recorded ahead, up to where the range or its schedule ends."""
    job = next(job for job in scenario.jobs if job.job_id == gap.job_id)
    if gap.last <= gap.recorded_at:
        return gap
    given = [(job.created_at, job.schedule)]
    for edit in job.edits:
        if edit.schedule != given[-1][1] and edit.at <= (job.cancelled_at or edit.at):
            given.append((edit.at, edit.schedule))
    number = max(n for n, (at, _) in enumerate(given) if at <= gap.recorded_at)
    (at, schedule), ends = given[number], [at for at, _ in given[number + 1 :][:1]]
    until = min([gap.last, scenario.end - MILLISECOND, *ends])
    instants = list(
        fires_between(schedule, created_at=at, after=gap.first - MILLISECOND, until=until)
    )
    if not instants:
        return None
    return replace(gap, last=instants[-1], count=len(instants))


def as_told(rows: Iterable[Attempt | Gap]) -> list[tuple[Any, ...]]:
    """Each record as far as both tell it."""
    return sorted(_gap(row) if isinstance(row, Gap) else _run(row) for row in rows)


def _run(run: Attempt) -> tuple[Any, ...]:
    return (
        run.id.run.job_id,
        rfc3339(run.id.run.scheduled_at),
        str(run.state),
        str(run.reason),
        rfc3339(run.created_at),
        run.started_at and rfc3339(run.started_at),
        run.ended_at and rfc3339(run.ended_at),
        run.job_version,
    )


def _gap(gap: Gap) -> tuple[Any, ...]:
    last, recorded_at = rfc3339(gap.last), rfc3339(gap.recorded_at)
    told = rfc3339(gap.first), "gap", str(gap.reason), last, str(gap.count), recorded_at
    return gap.job_id, *told, gap.job_version
