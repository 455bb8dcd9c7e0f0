"""Long runs that end before they are done: by their job's limits, or because a caller asks."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.execution.executing import only, prepare
from tests.support.factories import after
from tests.support.targets.slicing import HOURS, RowTarget, go_on, recover, slicing
from timegate.domain.execution.call import Call
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.jobs.slices import LongRun
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.execution.cancel_run import cancel_run

BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="no")


@pytest.mark.parametrize(
    ("long_run", "reason", "slices"),
    [
        pytest.param(
            LongRun(max_duration_seconds=3600, max_slices=2),
            Reason.SLICES_EXHAUSTED,
            2,
            id="slices",
        ),
        pytest.param(LongRun(max_duration_seconds=30), Reason.DURATION_EXCEEDED, 1, id="duration"),
    ],
)
def test_a_run_that_goes_on_and_on_ends_some_time(
    long_run: LongRun, reason: Reason, slices: int
) -> None:
    """With its last checkpoint, so that a redrive goes on there."""
    world, target = slicing(RowTarget(rows=10**6, delay_seconds=40 * (slices == 1)))
    world.execute([prepare(world, long_run=long_run)])
    go_on(world, rounds=4)
    attempt = only(world)
    if slices == 1:
        # A delay beyond its end is not waited for, nor is its end: here it comes at once.
        world.clock.advance(27)
        recover(world, rounds=4)
        attempt = only(world)

    assert (attempt.state, attempt.reason) == (RunState.DEAD_LETTERED, reason)
    assert attempt.checkpoint is not None
    assert attempt.checkpoint.sequence == len(target.calls)


def test_a_slice_is_stopped_when_the_run_must_have_ended() -> None:
    """However long its own timeout is."""
    world, target = slicing()
    world.execute([prepare(world, timeout_seconds=30, long_run=LongRun(max_duration_seconds=30))])
    world.clock.advance(17)
    go_on(world)

    assert [call.deadline_at for call in target.calls] == [after(30), after(30)]


def test_a_cancel_between_two_slices_ends_the_run() -> None:
    """The next one does not begin."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS)])
    attempt = only(world)
    cancel_run(attempt.tenant, attempt.id.run, api_services(world), now=world.clock.now())
    go_on(world, rounds=3)

    assert (only(world).state, only(world).reason) == (
        RunState.CANCELLED,
        Reason.CANCEL_REQUESTED,
    )
    assert len(target.calls) == 1


def test_a_cancel_that_comes_while_a_slice_ends_is_heard() -> None:
    """It was asked of the worker, which had its answer already."""
    world, target = slicing()

    def cancel(_: Call) -> None:
        attempt = only(world)
        cancel_run(attempt.tenant, attempt.id.run, api_services(world), now=world.clock.now())

    target.interrupt = cancel
    world.execute([prepare(world, long_run=HOURS)])
    go_on(world, rounds=3)

    assert only(world).state is RunState.CANCELLED
    assert len(target.calls) == 1


@pytest.mark.parametrize("status", [JobStatus.PAUSED, JobStatus.CANCELLED], ids=str)
def test_what_is_under_way_ends_only_if_its_job_is_cancelled(status: JobStatus) -> None:
    """Pausing a job starts nothing new; it stops no work."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS)])
    job = world.jobs.get(only(world).tenant, only(world).id.run.job_id)
    timing = replace(job.timing, status=status, version=2, next_run_at=None)
    world.jobs.update(job, replace(job, timing=timing))
    go_on(world, rounds=5)
    ended = (RunState.SUCCEEDED, 4) if status is JobStatus.PAUSED else (RunState.CANCELLED, 1)

    assert (only(world).state, len(target.calls)) == ended
