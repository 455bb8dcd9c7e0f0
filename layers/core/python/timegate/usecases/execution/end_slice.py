"""Ending a slice: its checkpoint is stored, and the run's next slice scheduled, by one write."""

from functools import partial

from timegate.domain.execution.long_run import SLOT_HANDOVER, next_slice
from timegate.domain.runs.checkpoint import Checkpoint, sequence_of
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import LeaseLost, Throttled, TimegateError
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.supervise_run import Sliced
from timegate.usecases.limits.overlap_claims import renew_slot
from timegate.usecases.runs.store_checkpoint import store_checkpoint
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.services.retry_until_deadline import patiently


def end_slice(claimed: Claimed, sliced: Sliced, execution: Execution) -> None:
    """Queue the next slice of the same attempt; raises ``LeaseLost``, ``Throttled``.

    The record is the event: the stream publishes it, so this slice's message has done its duty.
    The run's slot, if it has one, stays its own: a slice that is about to come is no gap.
    """
    after = _after(claimed, sliced, execution)
    write = partial(execution.runs.end_slice, claimed.attempt, after)
    try:
        ended = write()
    except Throttled:
        ended = patiently(write, execution)
    if not ended:
        raise LeaseLost(str(claimed.attempt.id))
    _keep_slot(claimed, after, execution)
    _report(claimed, after, execution)


def _after(claimed: Claimed, sliced: Sliced, execution: Execution) -> Attempt:
    long_run = claimed.job.slices_allowed
    if long_run is None:
        raise ValueError("a run that may not go on has no slices")
    return next_slice(
        claimed.attempt,
        sliced.continuation,
        long_run,
        started_at=sliced.started_at,
        checkpoint=_checkpoint(claimed.attempt, sliced, execution),
        now=execution.clock.now(),
    )


def _checkpoint(attempt: Attempt, sliced: Sliced, execution: Execution) -> Checkpoint | None:
    text = sliced.continuation.checkpoint
    if text is None:
        return None
    store = partial(
        store_checkpoint,
        text,
        attempt,
        sequence=sequence_of(attempt.checkpoint) + 1,
        blobs=execution.blobs,
        now=execution.clock.now(),
    )
    try:
        return store()
    except Throttled:
        return patiently(store, execution)


def _keep_slot(claimed: Claimed, after: Attempt, execution: Execution) -> None:
    """Only now that the attempt cannot be taken for one that works: its next claim takes it over.

    Never raises: a slot that could not be kept ends with the lease, and the slice stands in line.
    """
    try:
        expires_at = after.due_at + SLOT_HANDOVER
        renew_slot(claimed, execution, now=execution.clock.now(), expires_at=expires_at)
    except TimegateError as error:
        execution.telemetry.event(run_events.SLOT_NOT_KEPT, **of_run(after), code=error.code)


def _report(claimed: Claimed, after: Attempt, execution: Execution) -> None:
    execution.telemetry.count(run_metrics.SLICES_ENDED)
    execution.telemetry.event(
        run_events.SLICE_ENDED,
        **of_run(after),
        fence=claimed.lease.fence,
        slices=after.slices.ended,
        checkpoint=sequence_of(after.checkpoint),
        due_at=after.due_at,
    )
