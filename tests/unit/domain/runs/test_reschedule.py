"""A run that has not ended may be moved, and counts from its new instant."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, running
from timegate.domain.limits.rate_reservation import Pace
from timegate.domain.operations.reschedule import NotReschedulable, rescheduled
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.errors import RunIsFinished
from timegate.domain.values.identity import Origin

PENDING = attempt_factory(due_at=after(60))
PACED = Pace(key="k", since=NOW, turn_at=after(60), fence=0, missed=0)


@pytest.mark.parametrize(
    ("seconds", "state"), [(600, RunState.QUEUED), (600.001, RunState.WAITING)]
)
def test_a_run_is_queued_where_its_queue_can_hold_it(seconds: float, state: RunState) -> None:
    """Ten minutes ahead; beyond that the sweeper queues it."""
    moved = rescheduled(PENDING, after(seconds), now=NOW)

    assert (moved.state, moved.due_at, moved.direct) == (state, after(seconds), False)
    assert moved.watch_at is not None


def test_a_run_that_has_not_begun_counts_from_its_new_instant() -> None:
    """Deadline, retry window and lateness; and it asks for its turn anew."""
    held = replace(PENDING, pace=PACED, frozen_since=NOW)
    moved = rescheduled(held, after(7200), now=NOW)

    assert moved.opened_at == after(7200)
    assert (moved.pace, moved.frozen_since, moved.lateness) == (None, None, None)
    assert (moved.id, moved.rescheduled_from) == (PENDING.id, after(60))


def test_the_next_try_of_a_run_that_began_is_put_off_and_nothing_else() -> None:
    """Its retry window and its deadline count from where they did."""
    retry = replace(PENDING, id=attempt_id(2), state=RunState.WAITING, fence=1, fenced_from=1)
    moved = rescheduled(retry, after(7200), now=NOW)

    assert (moved.due_at, moved.opened_at) == (after(7200), retry.opened_at)


def test_the_same_instant_changes_nothing() -> None:
    """A repeated request writes nothing."""
    assert rescheduled(PENDING, PENDING.due_at, now=NOW) is PENDING


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(running(), id="at work"),
        pytest.param(replace(PENDING, cancel_requested=True), id="asked to stop"),
        pytest.param(attempt_factory(id=attempt_id(origin=Origin.TASK)), id="task"),
        pytest.param(attempt_factory(id=attempt_id(origin=Origin.NOTIFICATION)), id="notification"),
    ],
)
def test_others_are_refused(attempt: Attempt) -> None:
    """Their holder, or their maker, says when they are due."""
    with pytest.raises(NotReschedulable):
        rescheduled(attempt, after(7200), now=NOW)


@pytest.mark.parametrize("state", sorted(TERMINAL))
def test_an_end_is_final(state: RunState) -> None:
    """A run that ended is tried again, not moved."""
    with pytest.raises(RunIsFinished):
        rescheduled(replace(PENDING, state=state), after(7200), now=NOW)
