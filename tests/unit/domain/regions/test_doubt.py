"""Doubt: what another region may have begun, from both sides of each boundary."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, attempt_factory, timing_factory
from timegate.domain.regions.doubt import (
    FENCE_STEP,
    fenced_off,
    is_in_doubt,
    names_lost_instants,
)
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import AttemptId, OperationId, Origin, RunId

TICK = timedelta(milliseconds=1)
BEFORE, AFTER = NOW - TICK, NOW


def attempt(origin: Origin = Origin.SCHEDULE, *, number: int = 1, **fields: Any) -> Attempt:  # noqa: ANN401
    """A queued attempt whose run is of a time in the old region."""
    made = attempt_factory()
    about = "" if origin in {Origin.SCHEDULE, Origin.TRIGGER} else "x"
    run = RunId(job_id=made.id.run.job_id, origin=origin, scheduled_at=BEFORE, about=about)
    usual: dict[str, Any] = {"state": RunState.QUEUED, "due_at": BEFORE, "created_at": BEFORE}
    return replace(made, id=AttemptId(run=run, number=number), **(usual | fields))


@pytest.mark.parametrize("origin", Origin)
@pytest.mark.parametrize("number", [1, 2])
def test_what_the_old_region_stored_is_in_doubt_if_it_was_due_in_its_time(
    origin: Origin, number: int
) -> None:
    """Runs of every origin are in doubt; a run due after that time had not begun."""
    assert is_in_doubt(attempt(origin, number=number), NOW)
    assert not is_in_doubt(attempt(origin, number=number, due_at=AFTER), NOW)
    assert not is_in_doubt(attempt(origin, number=number), None)


@pytest.mark.parametrize("state", RunState)
def test_an_end_on_record_is_in_no_doubt(state: RunState) -> None:
    """Only what is open is."""
    is_open = state in {RunState.WAITING, RunState.QUEUED, RunState.RUNNING}

    assert is_in_doubt(attempt(state=state), NOW) is is_open


@pytest.mark.parametrize(
    ("origin", "doubted"),
    [
        # Announced there, and stored here.
        (Origin.SCHEDULE, True),
        # It follows an end of that time.
        (Origin.FOLLOW_UP, True),
        (Origin.NOTIFICATION, True),
        # Callers ask for it here.
        (Origin.TRIGGER, False),
    ],
)
def test_what_this_region_stores_for_that_time_is_in_doubt(origin: Origin, doubted: bool) -> None:
    """Unless it is another attempt, or an operation asked for it."""
    made = attempt(origin, created_at=AFTER)

    assert is_in_doubt(made, NOW) is doubted
    assert not is_in_doubt(replace(made, due_at=AFTER), NOW)
    assert not is_in_doubt(attempt(origin, number=2, created_at=AFTER), NOW)
    assert not is_in_doubt(replace(made, operation=OperationId("o" * 26)), NOW)


def test_a_task_of_a_dag_run_of_that_time_is_in_doubt_until_it_is_repeated() -> None:
    """It is due when it is stored, and the end before it may have started it there."""
    task = attempt(Origin.TASK, created_at=AFTER, due_at=AFTER)
    later = replace(task, id=replace(task.id, run=replace(task.id.run, scheduled_at=AFTER)))

    assert is_in_doubt(task, NOW)
    assert not is_in_doubt(later, NOW)
    assert not is_in_doubt(attempt(Origin.TASK, number=2, created_at=AFTER, due_at=AFTER), NOW)


def test_fences_go_on_beyond_those_of_the_old_region() -> None:
    """So a target that remembers the highest one refuses it."""
    assert fenced_off(attempt(fence=3)).fence == 3 + FENCE_STEP


def test_instants_of_that_time_without_a_run_are_lost_to_this_region() -> None:
    """Not those of a job that was made or changed here."""
    job = replace(timing_factory(), next_run_at=BEFORE, anchored_at=BEFORE)

    assert names_lost_instants(job, NOW)
    assert not names_lost_instants(job, None)
    assert not names_lost_instants(replace(job, next_run_at=AFTER), NOW)
    assert not names_lost_instants(replace(job, next_run_at=None), NOW)
    assert not names_lost_instants(replace(job, anchored_at=AFTER), NOW)
