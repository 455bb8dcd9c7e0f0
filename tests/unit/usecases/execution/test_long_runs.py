"""Long runs: slice after slice, each going on where the last one stopped (R12)."""

import json
from datetime import timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW, after, attempt_factory, freeze_factory
from tests.support.targets.slicing import HOURS, RowTarget, go_on, recover, slicing
from timegate.domain.execution.call import Answer, Call, Resume
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.jobs.slices import Continuation, Slice, Slices
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.watch import MAX_LEASES
from timegate.ports.call_runner import TargetFailed

BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="no")


def test_a_slice_ends_with_its_checkpoint_and_the_next_one_is_due() -> None:
    """In one write: the same attempt is queued again, and that is no retry."""
    world, target = slicing()
    message = prepare(world, long_run=HOURS)

    assert world.execute([message]) == set()

    attempt = only(world)

    assert (attempt.state, attempt.lease, attempt.fence) == (RunState.QUEUED, None, 1)
    assert attempt.slices == Slices(
        ended=1, begun_at=NOW, last=Slice(started_at=NOW, ended_at=after(3), fence=1)
    )
    assert attempt.checkpoint is not None
    assert (attempt.checkpoint.sequence, attempt.checkpoint.inline) == (1, '{"row": 2}')
    assert attempt.progress is not None
    assert (attempt.progress.message, attempt.due_at) == ("row 2", after(3))
    assert attempt.watch_at == after(63)
    assert world.telemetry.counts["SlicesEnded"] == 1
    assert target.copied == [0, 1]


def test_a_run_goes_on_slice_after_slice_until_it_is_done() -> None:
    """Each is told which one it is and where to go on; nothing is done twice."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS)])
    go_on(world, rounds=5)

    assert target.copied == [*range(7)]
    assert [call.resume for call in target.calls] == [
        Resume(slice=1),
        *(
            Resume(slice=n + 1, sequence=n, checkpoint=json.dumps({"row": 2 * n}))
            for n in (1, 2, 3)
        ),
    ]
    assert [call.fence for call in target.calls] == [1, 2, 3, 4]
    assert {call.idempotency_key for call in target.calls} == {str(only(world).id.run)}
    assert (only(world).state, only(world).result, only(world).slices.ended) == (
        RunState.SUCCEEDED,
        "all copied",
        3,
    )


def test_the_order_to_go_on_needs_a_job_that_allows_it() -> None:
    """Taking it for a success would lose the work that is left."""
    world, target = slicing()
    target.invoke = lambda call: Answer(  # type: ignore[method-assign]
        text=str(call.attempt), continuation=Continuation()
    )
    world.execute([prepare(world)])
    attempt = only(world)

    assert (attempt.state, attempt.reason) == (RunState.FAILED, Reason.PERMANENT)
    assert attempt.error is not None
    assert attempt.error.code == "continue_not_allowed"


def test_a_checkpoint_that_is_too_large_fails_the_run() -> None:
    """For good: the same work would come to the same."""
    world, target = slicing()
    large = Continuation(checkpoint=json.dumps("x" * 300_000))
    target.invoke = lambda call: Answer(text=str(call), continuation=large)  # type: ignore[method-assign]
    world.execute([prepare(world, long_run=HOURS)])

    assert only(world).reason is Reason.PERMANENT
    assert world.blobs.blobs == {}


def test_a_large_checkpoint_lies_in_the_blob_store() -> None:
    """A web hook gets a link to it, good until it is stopped."""
    world, target = slicing()
    large = Continuation(checkpoint=json.dumps("x" * 3_000))
    answers = [Answer(text="", continuation=large), Answer(text="done")]
    seen: list[Call] = []

    def invoke(call: Call) -> Answer:
        seen.append(call)
        return answers.pop(0)

    target.invoke = invoke  # type: ignore[method-assign]
    world.execute([prepare(world, long_run=HOURS)])
    checkpoint = only(world).checkpoint
    go_on(world)

    assert checkpoint is not None
    assert (checkpoint.inline, checkpoint.size_bytes) == (None, 3_002)
    assert world.blobs.blobs == {checkpoint.blob: large.checkpoint}
    assert seen[1].resume == Resume(
        slice=2, sequence=1, link=f"memory://{checkpoint.blob}?seconds=30"
    )


def test_a_delay_is_waited_for() -> None:
    """In its queue, or in the table when it is further away than a queue can hold a message."""
    world, target = slicing(RowTarget(delay_seconds=1_200))
    world.execute([prepare(world, long_run=HOURS)])
    attempt = only(world)
    go_on(world)

    assert (attempt.state, attempt.due_at) == (RunState.WAITING, after(1_203))
    assert attempt.watch_at == after(603)
    assert len(target.calls) == 1

    recover(world, rounds=160)

    assert target.copied == [*range(7)]
    assert [call.deadline_at - NOW for call in target.calls][1] >= timedelta(seconds=1_203)


def test_a_retry_goes_on_at_the_last_checkpoint() -> None:
    """And counts its slices on: what is done stays done."""
    world, target = slicing()
    failures = [BROKEN]

    def fail_once(call: Call) -> None:
        if call.resume is not None and call.resume.slice == 2 and failures:
            raise TargetFailed(failures.pop())

    target.interrupt = fail_once
    world.execute([prepare(world, long_run=HOURS)])
    recover(world, rounds=10)
    first, second = world.attempts()

    assert target.copied == [0, 1, 2, 2, 3, 4, 5, 6]
    assert (first.state, first.reason, first.slices.ended) == (RunState.FAILED, Reason.RETRIED, 1)
    assert (second.state, second.slices.ended) == (RunState.SUCCEEDED, 3)
    assert second.slices.begun_at == first.slices.begun_at == NOW


@pytest.mark.parametrize("thaw", ThawPolicy, ids=str)
def test_a_freeze_holds_the_next_slice_back(thaw: ThawPolicy) -> None:
    """The policy of the thaw does not skip a run that has begun: it goes on afterwards."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS)])
    freeze = freeze_factory(starts_at=after(2), ends_at=after(400), thaw=thaw)
    world.restrictions.put_freeze(freeze.tenant, freeze, now=after(3))
    go_on(world)

    assert (only(world).due_at, len(target.calls)) == (after(400), 1)

    recover(world, rounds=20)

    assert target.copied == [*range(7)]


def test_a_dead_worker_of_a_slice_repeats_only_that_slice() -> None:
    """Its lease expires, and another one goes on at the last checkpoint."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS)])
    died: list[Call] = []

    def die_once(call: Call) -> None:
        if call.resume is not None and call.resume.slice == 2 and not died:
            died.append(call)
            raise KeyboardInterrupt

    target.interrupt = die_once
    with pytest.raises(KeyboardInterrupt):
        go_on(world)
    recover(world, rounds=20)

    assert target.copied == [0, 1, 2, 2, 3, 4, 5, 6]
    assert only(world).state is RunState.SUCCEEDED


def test_slices_are_no_deaths() -> None:
    """However many: only leases that no worker ended count, and anew after each slice."""
    world, target = slicing(RowTarget(rows=2 * (MAX_LEASES + 3)))
    world.execute([prepare(world, long_run=HOURS)])
    go_on(world, rounds=MAX_LEASES + 3)

    assert (only(world).state, only(world).deaths) == (RunState.SUCCEEDED, 1)
    assert len(target.calls) == MAX_LEASES + 3


def test_a_run_that_may_be_executed_once_goes_on_as_well() -> None:
    """Each of its slices is executed at most once."""
    world, target = slicing()
    world.execute([prepare(world, long_run=HOURS, delivery=DeliveryMode.AT_MOST_ONCE)])
    go_on(world, rounds=5)

    assert target.copied == [*range(7)]
    assert only(world).state is RunState.SUCCEEDED


def test_a_run_without_long_runs_pays_nothing() -> None:
    """Its record says nothing of slices, and its target is told nothing."""
    world, target = slicing()
    seen: list[Call] = []
    target.invoke = lambda call: seen.append(call) or Answer(text="ok")  # type: ignore[method-assign, func-returns-value]
    world.execute([prepare(world, attempt_factory())])

    assert seen[0].resume is None
    assert only(world).slices == Slices()
