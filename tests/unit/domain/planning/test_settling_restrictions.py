"""Settling what a freeze held back, and what calendars leave out of what was missed."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import (
    NOW,
    after,
    calendar_factory,
    freeze_factory,
    timing_factory,
)
from timegate.domain.calendars.calendar import CalendarName, Period
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.catch_up import is_parked, planned_until, runs_after_thaw, settle
from timegate.domain.planning.plan import plan_runs
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import Freeze, ThawPolicy
from timegate.domain.restrictions.frozen_spans import FrozenSpan
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Reason

LOOK_AHEAD = timedelta(minutes=10)
SKIP, LATEST, ALL, JOB = (
    *(ThawPolicy.SKIP, ThawPolicy.LATEST),
    *(ThawPolicy.ALL, ThawPolicy.JOB),
)
CATCH_UP_TWO = CatchUp(policy=CatchUpPolicy.ALL, limit=2)


def frozen(thaw: ThawPolicy, *, first: float = 0, last: float = 3600) -> Restrictions:
    """A freeze of the tenant: an hour from NOW."""
    freeze = freeze_factory(starts_at=after(first), ends_at=after(last), thaw=thaw)
    return Restrictions(freezes=(freeze,))


def minutely(**fields: Any) -> Timing:  # noqa: ANN401 - the dataclass checks them
    """A job of every minute, whose next instant is NOW."""
    return timing_factory(anchored_at=after(-3600), **fields)


def settled(
    timing: Timing, restrictions: Restrictions, at: float
) -> tuple[float | None, list[tuple[Reason, int]], float] | None:
    """Return the job's next instant, its gaps, and the decided end, in seconds after NOW."""
    found = settle(timing, now=after(at), restrictions=restrictions, look_ahead=LOOK_AHEAD)
    if found is None:
        return None
    first, decided = found.timing.next_run_at, found.timing.decided_until
    assert decided is not None
    return (
        None if first is None else (first - NOW).total_seconds(),
        [(gap.reason, gap.count) for gap in found.gaps],
        (decided - NOW).total_seconds(),
    )


@pytest.mark.parametrize(
    ("thaw", "catch_up", "expected"),
    [
        pytest.param(SKIP, {}, (3600, [(Reason.FROZEN, 60)]), id="skip"),
        pytest.param(LATEST, {}, (3540, [(Reason.FROZEN, 59)]), id="latest"),
        pytest.param(ALL, {}, (0, []), id="all"),
        pytest.param(JOB, {"policy": CatchUpPolicy.SKIP}, (3600, [(Reason.FROZEN, 60)]), id="job"),
        pytest.param(
            JOB, {"policy": CatchUpPolicy.ALL, "limit": 2}, (3480, [(Reason.FROZEN, 58)]), id="two"
        ),
        pytest.param(
            JOB,
            {"policy": CatchUpPolicy.ALL, "window_seconds": 300},
            (3300, [(Reason.FROZEN, 55)]),
            id="window",
        ),
        pytest.param(ALL, {"policy": CatchUpPolicy.SKIP}, (0, []), id="not-the-jobs"),
    ],
)
def test_a_thaw_decides_what_runs(
    thaw: ThawPolicy, catch_up: dict[str, Any], expected: tuple[float, list[Any]]
) -> None:
    """The latest instants, as many as it lets; those before are a gap, and frozen is why."""
    timing = minutely(catch_up=CatchUp(**catch_up))

    assert settled(timing, frozen(thaw), 3600) == (*expected, 3599.999)


def test_a_thaw_is_decided_as_soon_as_it_is_within_the_look_ahead() -> None:
    """So that what it lets run is planned in time; before that the job is parked."""
    timing, restrictions = minutely(), frozen(SKIP)

    assert settled(timing, restrictions, 2999.999) is None
    assert settled(timing, restrictions, 3000) == (3600, [(Reason.FROZEN, 60)], 3599.999)
    parked = [
        is_parked(timing, now=after(at), restrictions=restrictions, look_ahead=LOOK_AHEAD)
        for at in (2999.999, 3000)
    ]
    assert parked == [True, False]


def test_nothing_is_planned_into_a_freeze() -> None:
    """Up to its start, which is frozen; a job that stands in it plans nothing."""
    later = frozen(SKIP, first=300)
    plan = plan_runs(minutely(), now=NOW, until=after(600), restrictions=later)
    inside = plan_runs(minutely(), now=NOW, until=after(600), restrictions=frozen(SKIP))

    assert [run.due_at for run in plan.attempts] == [after(60 * n) for n in range(5)]
    assert plan.next_run_at == after(300)
    assert (inside.attempts, inside.next_run_at) == ((), NOW)


def test_what_thaws_runs_when_the_freeze_ends() -> None:
    """Each under its own instant; what follows, at its own."""
    restrictions = frozen(JOB)
    timing = minutely(catch_up=CATCH_UP_TWO)
    found = settle(timing, now=after(3000), restrictions=restrictions, look_ahead=LOOK_AHEAD)
    assert found is not None
    plan = plan_runs(found.timing, now=after(3000), until=after(3660), restrictions=restrictions)

    assert [(run.id.run.scheduled_at, run.due_at) for run in plan.attempts] == [
        (after(3480), after(3600)),
        (after(3540), after(3600)),
        (after(3600), after(3600)),
        (after(3660), after(3660)),
    ]


def test_what_was_missed_before_a_freeze_is_decided_apart() -> None:
    """An outage that began before it and ended after it: missed, frozen, missed."""
    timing = minutely(catch_up=CatchUp(policy=CatchUpPolicy.SKIP))
    restrictions = frozen(SKIP, first=600, last=1200)
    found = []
    for _ in range(3):
        done = settle(timing, now=after(1860.001), restrictions=restrictions, look_ahead=LOOK_AHEAD)
        assert done is not None
        found += [(gap.reason, gap.count) for gap in done.gaps]
        timing = done.timing

    assert found == [(Reason.MISSED_WINDOW, 10), (Reason.FROZEN, 10), (Reason.MISSED_WINDOW, 11)]
    assert timing.next_run_at == after(1860)


def test_decided_runs_go_on_up_to_the_next_freeze() -> None:
    """A freeze holds back what has not been decided, not what has."""
    timing = minutely(next_run_at=after(540), decided_until=after(599.999))
    later = frozen(SKIP, first=0, last=600)
    both = Restrictions(
        freezes=(*later.freezes, *frozen(SKIP, first=900, last=1200).freezes),
    )

    assert planned_until(timing, after(2000), now=after(600), restrictions=later) == after(2000)
    assert planned_until(timing, after(2000), now=after(600), restrictions=both) == after(899.999)


CLOSED = calendar_factory(
    name=CalendarName("closed"),
    weekdays=frozenset(),
    periods=(Period(start=after(600), end=after(1200)),),
)
RULES = (CalendarRule(calendar="closed"),)


def closed(*freezes: Freeze) -> Restrictions:
    """Closed from the tenth minute to the twentieth."""
    return Restrictions(freezes=freezes, calendars={"closed": CLOSED})


@pytest.mark.parametrize(
    ("catch_up", "expected"),
    [
        pytest.param(
            CatchUp(policy=CatchUpPolicy.SKIP),
            (
                1860,
                [(Reason.MISSED_WINDOW, 10), (Reason.EXCLUDED, 10), (Reason.MISSED_WINDOW, 11)],
            ),
            id="skip",
        ),
        pytest.param(
            CatchUp(policy=CatchUpPolicy.ALL, limit=12),
            (540, [(Reason.MISSED_WINDOW, 9)]),
            id="counts-what-may-run",
        ),
        pytest.param(CatchUp(), (0, []), id="all"),
    ],
)
def test_of_what_was_missed_calendars_still_leave_out(
    catch_up: CatchUp, expected: tuple[float, list[Any]]
) -> None:
    """With their own reason, and without counting against what may be caught up."""
    timing = minutely(calendars=RULES, catch_up=catch_up)

    assert settled(timing, closed(), 1860.001) == (*expected, 1800)


def test_an_instant_that_was_put_off_and_missed_is_of_one_gap_with_those_behind_it() -> None:
    """The last instant of the closed time would have run when that ended."""
    timing = minutely(
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=420),
        next_run_at=after(180),
        calendars=(CalendarRule(calendar="closed", action=CalendarAction.DEFER),),
        catch_up=CatchUp(policy=CatchUpPolicy.SKIP),
    )
    done = settle(timing, now=after(1860), restrictions=closed())
    assert done is not None

    assert [(gap.reason, gap.first, gap.last, gap.count) for gap in done.gaps] == [
        (Reason.MISSED_WINDOW, after(180), after(180), 1),
        (Reason.EXCLUDED, after(600), after(600), 1),
        (Reason.MISSED_WINDOW, after(1020), after(1440), 2),
    ]


def test_of_what_was_frozen_calendars_still_leave_out() -> None:
    """An instant that would not have run in any case was not held back."""
    freeze = freeze_factory(thaw=SKIP)

    assert settled(minutely(calendars=RULES), closed(freeze), 3600) == (
        3600,
        [(Reason.FROZEN, 10), (Reason.EXCLUDED, 10), (Reason.FROZEN, 40)],
        3599.999,
    )


def test_gaps_are_stored_a_transaction_at_a_time() -> None:
    """Ninety of them; the rest is decided next."""
    periods = tuple(Period(start=after(120 * n), end=after(120 * n + 60)) for n in range(100))
    calendar = calendar_factory(name=CalendarName("closed"), weekdays=frozenset(), periods=periods)
    restrictions = Restrictions(calendars={"closed": calendar})
    timing = minutely(calendars=RULES, catch_up=CatchUp(policy=CatchUpPolicy.SKIP))
    gaps: list[int] = []
    for _ in range(3):
        done = settle(timing, now=after(12_060), restrictions=restrictions)
        assert done is not None
        assert done.timing.decided_until is not None
        timing = done.timing
        gaps.append(len(done.gaps))

    assert gaps == [90, 90, 20]
    assert settle(timing, now=after(12_060), restrictions=restrictions) is None


def test_what_is_put_off_to_a_time_to_come_was_not_missed() -> None:
    """A planner that comes in time for the moment it was put off to plans it for that."""
    sunday = Schedule(kind=ScheduleKind.CRON, cron="0 9 * * 0")
    weekends = calendar_factory(timezone="UTC")
    rules = (CalendarRule(calendar="weekends", action="defer"),)  # type: ignore[arg-type]
    due, until = after(26 * 3600), after(50 * 3600)
    timing = timing_factory(
        schedule=sunday,
        next_run_at=due,
        calendars=rules,
        catch_up=CatchUp(policy=CatchUpPolicy.SKIP),
    )
    restrictions = Restrictions(calendars={"weekends": weekends})
    now = due + timedelta(hours=3)
    plan = plan_runs(timing, now=now, until=now, restrictions=restrictions)

    assert settle(timing, now=now, restrictions=restrictions) is None
    assert [(run.id.run.scheduled_at, run.due_at) for run in plan.attempts] == [(due, until)]


def test_a_job_whose_last_instants_are_frozen_is_completed_by_their_settlement() -> None:
    """Nothing is left that could complete it."""
    ending = Schedule(kind=ScheduleKind.RATE, every_seconds=60, ends_at=after(600))
    done = settle(
        minutely(schedule=ending), now=after(3600), restrictions=frozen(SKIP), look_ahead=LOOK_AHEAD
    )

    assert done is not None
    assert (done.timing.status, done.timing.next_run_at) == (JobStatus.COMPLETED, None)


@pytest.mark.parametrize(
    ("thaw", "at", "expected"),
    [
        pytest.param(SKIP, 3540, False, id="skip"),
        pytest.param(LATEST, 3480, False, id="not-the-latest"),
        pytest.param(LATEST, 3540, True, id="the-latest"),
        pytest.param(ALL, 0, True, id="all"),
        pytest.param(ALL, -600, True, id="due-before-and-late"),
        pytest.param(JOB, 3480, True, id="second-last"),
        pytest.param(JOB, 3420, False, id="third-last"),
    ],
)
def test_an_instant_that_was_due_in_a_freeze_is_judged_when_that_has_ended(
    thaw: ThawPolicy, at: float, expected: bool
) -> None:
    """The planner would have decided it alike after the freeze."""
    span = FrozenSpan(start=NOW, end=after(3600), thaw=thaw)
    timing = minutely(catch_up=CATCH_UP_TWO)

    assert runs_after_thaw(timing, after(at), span, frozen(thaw)) is expected
