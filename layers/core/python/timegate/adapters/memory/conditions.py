"""The conditions of the stores, in memory: what ``dynamo/expressions.py`` says to DynamoDB."""

from dataclasses import replace
from datetime import datetime

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.domain.execution.long_run import rebased
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.runs.checkpoint import Report, sequence_of
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.reserved_turns import current_pace
from timegate.domain.runs.run import Attempt, RunState, reason_of_stop
from timegate.domain.runs.suspects import alone_when_released
from timegate.domain.values.errors import CheckpointOutdated
from timegate.ports.claims import Claim


def job_as_read(tables: MemoryTables, read: Timing) -> Job | None:
    """The job, unless somebody edited it or moved it on since it was read."""
    job = tables.jobs.get((read.tenant, read.job_id))
    if job is None or _job_marks(job.timing) != _job_marks(in_milliseconds(read)):
        return None
    return job


def _job_marks(timing: Timing) -> tuple[object, ...]:
    """Whoever writes a job changes one of these."""
    return timing.version, timing.next_run_at, timing.runs_planned, timing.decided_until


def holds_lease(stored: Attempt, ours: Attempt) -> bool:
    """Nobody ended it, queued it again or leased it since we did."""
    return stored.state is RunState.RUNNING and stored.fence == ours.fence


def ended_by_us(stored: Attempt, ended: Attempt) -> bool:
    """Our own end, already written: the answer to it was lost on its way."""
    ended = in_milliseconds(ended)
    return (stored.state, stored.fence, stored.ended_at) == (
        ended.state,
        ended.fence,
        ended.ended_at,
    )


def claimed_by_us(stored: Attempt, lease: Lease) -> bool:
    """Our own claim, already written: the answer to it was lost on its way."""
    return stored.state is RunState.RUNNING and stored.lease == in_milliseconds(lease)


def claimable_as_read(stored: Attempt, read: Attempt) -> bool:
    """The expiry tells a lease that was renewed after it was read, under the same fence."""
    read = in_milliseconds(read)
    marks = (read.state, read.fence, read.lease and read.lease.expires_at)
    return marks == (stored.state, stored.fence, stored.lease and stored.lease.expires_at)


def read_marks(attempt: Attempt) -> tuple[object, ...]:
    """What changes whenever anybody writes the attempt."""
    attempt = in_milliseconds(attempt)
    expires_at = attempt.lease.expires_at if attempt.lease is not None else None
    return (
        attempt.state,
        attempt.fence,
        expires_at,
        attempt.lease and attempt.lease.handed_over_at,
        attempt.cancel_requested,
        attempt.watch_at,
        attempt.duplicates_prevented,
        attempt.kept_answer is not None,
        sequence_of(attempt.checkpoint),
        attempt.progress and attempt.progress.at,
    )


def with_end(stored: Attempt, ended: Attempt) -> Attempt:
    """An end writes these and leaves the rest, such as a cancel request, as it is."""
    return replace(
        stored,
        state=ended.state,
        dag_run=ended.dag_run or stored.dag_run,
        started_at=ended.started_at,
        ended_at=ended.ended_at,
        reason=reason_of_stop(ended.reason, stored.replaced_by),
        error=ended.error,
        # An item has no room for an empty one.
        result=ended.result or None,
        stored_result=ended.stored_result,
        explanation=ended.explanation,
        watch_at=ended.watch_at,
    )


def with_lease(stored: Attempt, claim: Claim) -> Attempt:
    """A claim writes these, and ends the creator's duty to publish."""
    pace = current_pace(claim.attempt)
    return replace(
        stored,
        state=RunState.RUNNING,
        job_version=claim.job_version,
        lease=claim.lease,
        fence=claim.lease.fence,
        delivery=claim.delivery,
        alone=claim.alone,
        lease_key=claim.attempt.lease_key,
        notify=claim.notify,
        slices=replace(stored.slices, begun_at=claim.begins_at or stored.slices.begun_at),
        direct=False,
        watch_at=claim.watch_at or stored.watch_at,
        due_at=claim.attempt.due_at if pace is not None else stored.due_at,
        pace=pace or stored.pace,
        finish=claim.attempt.finish,
    )


def with_report(stored: Attempt, report: Report) -> Attempt:
    """A heartbeat writes these; raises ``CheckpointOutdated`` unless the sequence grows."""
    report, before = in_milliseconds(report), stored.checkpoint
    checkpoint = report.checkpoint or before
    if report.checkpoint is not None and before is not None:
        repeated = report.checkpoint == before
        if not repeated and report.checkpoint.sequence <= before.sequence:
            raise CheckpointOutdated(str(stored.id), report.checkpoint.sequence)
    return replace(stored, progress=report.progress or stored.progress, checkpoint=checkpoint)


def with_slice(stored: Attempt, before: Attempt, after: Attempt) -> Attempt:
    """The end of a slice writes these."""
    after = rebased(after, before=before, found=stored)
    return replace(
        stored,
        state=after.state,
        due_at=after.due_at,
        watch_at=after.watch_at,
        direct=False,
        lease=None,
        releases=0,
        alone=0,
        frozen_since=None,
        progress=after.progress,
        checkpoint=after.checkpoint,
        slices=after.slices,
    )


def released_by_us(stored: Attempt, ours: Attempt, state: RunState) -> bool:
    """Our own release, already written: the answer to it was lost on its way."""
    marks = (stored.state, stored.fence, stored.releases)
    return marks == (state, ours.fence, ours.releases + 1)


def with_release(stored: Attempt, ours: Attempt, state: RunState, watch_at: datetime) -> Attempt:
    """A release writes these: the image of a queued one means "publish me"."""
    return replace(
        stored,
        state=state,
        lease=None,
        direct=False,
        watch_at=watch_at,
        releases=ours.releases + 1,
        alone=alone_when_released(ours),
    )
