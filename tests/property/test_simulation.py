"""Simulating: every instant is accounted for, and as the use cases account for it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings

from tests.property.scenario_strategies import JOB_ID, scenarios
from tests.support.replay import Replay
from tests.support.world import World
from timegate.domain.instants import MILLISECOND, rfc3339
from timegate.domain.job import JobStatus
from timegate.domain.ledger import Gap
from timegate.domain.recurrence import fires_between
from timegate.domain.run import TERMINAL, Attempt, Reason
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.domain.simulation import Scenario, Simulated, Span, simulate


def epochs(scenario: Scenario) -> Iterator[tuple[Schedule, datetime, datetime]]:
    """Each schedule of the job, given when, and the last instant at which it was in force."""
    end = min(scenario.cancelled_at or scenario.end, scenario.end - MILLISECOND)
    given = [(scenario.created_at, scenario.schedule)]
    for edit in scenario.edits:
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


def covered(simulated: Simulated, scenario: Scenario) -> Counter[datetime]:
    """How many records each instant has."""
    schedules = {at: schedule for schedule, at, _ in epochs(scenario)}
    found: Counter[datetime] = Counter()
    for row in simulated.rows:
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


@settings(max_examples=150)
@given(scenario=scenarios(edited=False, ends=False, most_minutes=2000))
def test_every_instant_is_in_one_record_or_at_the_end_undecided(scenario: Scenario) -> None:
    """Whatever fails and whoever pauses: no instant is lost, and none has two records."""
    simulated = simulate(scenario)
    expected = nominal(scenario)
    found = covered(simulated, scenario)
    recorded = expected[: len(expected) - simulated.undecided]

    assert found == Counter(recorded)
    assert all(row.state in TERMINAL for row in simulated.rows if isinstance(row, Attempt))
    watched = not scenario.planner_outages and simulated.timing.status is not JobStatus.PAUSED
    assert simulated.undecided == 0 or not watched


@settings(max_examples=150)
@given(scenario=scenarios(ends=False))
def test_an_edit_leaves_no_instant_behind(scenario: Scenario) -> None:
    """What the old schedule had planned ahead, and the new one does not name, is superseded."""
    simulated = simulate(scenario)
    expected = nominal(scenario)
    found = covered(simulated, scenario)
    missing = [instant for instant in expected if instant not in found]
    runs = {r.id.run.scheduled_at: r.reason for r in simulated.rows if isinstance(r, Attempt)}

    assert set(found.values()) <= {1}
    assert missing == expected[len(expected) - len(missing) :]
    assert len(missing) == simulated.undecided
    assert {runs[extra] for extra in found.keys() - set(expected)} <= {
        Reason.SUPERSEDED,
        Reason.PAUSED,
    }


@settings(max_examples=60)
@given(scenario=scenarios(most_minutes=180))
def test_the_use_cases_write_the_same_ledger(scenario: Scenario) -> None:
    """The same runs, at the same times, for the same reasons, and the same gaps."""
    simulated = simulate(scenario)
    replay = Replay(scenario)

    assert ledger(simulated.rows) == stored(replay.run(), scenario)
    assert [(rfc3339(r.at), r.code) for r in simulated.refused] == replay.refused


def test_what_one_tick_can_not_catch_up_is_left_to_the_next() -> None:
    """As many steps a tick in the simulation as in the planner, for a job hours behind."""
    start = datetime.fromisoformat("2026-11-21T00:00:00Z")
    outage = Span(start=start + timedelta(minutes=20), end=start + timedelta(hours=6))
    scenario = Scenario(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=20),
        start=start,
        end=start + timedelta(hours=6, minutes=30),
        created_at=start,
        anchored_at=start,
        job_id=JOB_ID,
        planner_outages=(outage,),
    )
    simulated = simulate(scenario)
    runs = [row for row in simulated.rows if isinstance(row, Attempt)]
    belated = {run.created_at for run in runs if run.id.run.scheduled_at < outage.end}

    assert ledger(simulated.rows) == stored(Replay(scenario).run(), scenario)
    assert len([at for at in belated if at >= outage.end]) > 1


def ledger(rows: Iterable[Attempt | Gap]) -> list[tuple[Any, ...]]:
    """What a record says, in the order of instants."""
    return sorted(_gap(row) if isinstance(row, Gap) else _run(row) for row in rows)


def stored(world: World, scenario: Scenario) -> list[tuple[Any, ...]]:
    """The ledger of the range as the stores hold it."""
    runs = [a for a in world.attempts() if a.id.run.scheduled_at < scenario.end]
    return ledger([*runs, *world.tables.gaps.values()])


def _run(run: Attempt) -> tuple[Any, ...]:
    return (
        rfc3339(run.id.run.scheduled_at),
        str(run.state),
        str(run.reason),
        rfc3339(run.created_at),
        run.started_at and rfc3339(run.started_at),
        run.ended_at and rfc3339(run.ended_at),
    )


def _gap(gap: Gap) -> tuple[Any, ...]:
    last, recorded_at = rfc3339(gap.last), rfc3339(gap.recorded_at)
    return rfc3339(gap.first), "gap", str(gap.reason), last, gap.count, gap.job_version, recorded_at
