"""Long runs: what follows a slice, how long it may take, and when a run has gone on too long."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.slices import Continuation, LongRun, Slice
from timegate.domain.runs.checkpoint import Checkpoint, Progress, sequence_of
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.runs.run_states import check_transition
from timegate.domain.runs.watch import first_watch, looked_at_for_finish

#: A slot is kept so long beyond the instant at which the next slice is due: time for a backlog, and
#: for a lost message to be found. Then others have a right to it.
SLOT_HANDOVER = timedelta(minutes=5)


def next_slice(
    attempt: Attempt,
    continuation: Continuation,
    long_run: LongRun,
    *,
    started_at: datetime,
    checkpoint: Checkpoint | None,
    now: datetime,
) -> Attempt:
    """The same attempt, as it waits for its next slice; ``checkpoint``: what is stored of one.

    A delay that ends when the run must have ended is not waited for: the worker that claims it then
    ends it. It has disproved the deaths held against its leases so far.
    """
    due_at = now + timedelta(seconds=continuation.delay_seconds)
    ends_at = _ends_at(attempt, long_run)
    if ends_at is not None and due_at >= ends_at:
        due_at = now
    state = first_state(due_at, now)
    check_transition(attempt.state, state)
    progress = Progress(percent=continuation.percent, message=continuation.message, at=now)
    following = replace(
        attempt,
        state=state,
        due_at=due_at,
        watch_at=first_watch(state, due_at, now=now),
        direct=False,
        lease=None,
        releases=0,
        alone=0,
        frozen_since=None,
        progress=progress if continuation.has_progress else attempt.progress,
        checkpoint=checkpoint or attempt.checkpoint,
        slices=replace(
            attempt.slices, ended=attempt.slices.ended + 1, last=_ended(attempt, started_at, now)
        ),
    )
    return looked_at_for_finish(following, now=now)


def _ended(attempt: Attempt, started_at: datetime, now: datetime) -> Slice:
    slots = attempt.lease.slots if attempt.lease is not None else ()
    return Slice(started_at=started_at, ended_at=now, fence=attempt.fence, slots=slots)


def rebased(after: Attempt, *, before: Attempt, found: Attempt) -> Attempt:
    """The end of a slice, made of ``before``, as it is of the attempt as ``found``.

    A slice's last checkpoint comes after all that it reported on its way.
    """
    said, progress = after.checkpoint, after.progress
    if said is None or said == before.checkpoint:
        checkpoint = found.checkpoint
    else:
        checkpoint = replace(said, sequence=sequence_of(found.checkpoint) + 1)
    return replace(
        after,
        checkpoint=checkpoint,
        progress=found.progress if progress == before.progress else progress,
        cancel_requested=found.cancel_requested,
        replaced_by=found.replaced_by,
    )


def deadline(
    attempt: Attempt, long_run: LongRun | None, timeout_seconds: int, *, now: datetime
) -> datetime:
    """Return the instant at which an attempt claimed now is stopped: slice or run is over."""
    slice_ends = max(now, attempt.due_at) + timedelta(seconds=timeout_seconds)
    run_ends = _ends_at(attempt, long_run)
    return slice_ends if run_ends is None else min(slice_ends, run_ends)


def gone_on_too_long(attempt: Attempt, long_run: LongRun | None, *, now: datetime) -> Reason | None:
    """Return the reason for which a run may begin no other slice; ``None``: it may."""
    if long_run is not None and attempt.slices.ended >= long_run.max_slices:
        return Reason.SLICES_EXHAUSTED
    run_ends = _ends_at(attempt, long_run)
    return Reason.DURATION_EXCEEDED if run_ends is not None and run_ends <= now else None


def _ends_at(attempt: Attempt, long_run: LongRun | None) -> datetime | None:
    begun_at = attempt.slices.begun_at
    if long_run is None or begun_at is None:
        return None
    return begun_at + timedelta(seconds=long_run.max_duration_seconds)
