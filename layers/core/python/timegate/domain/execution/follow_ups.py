"""Follow-ups: a run that another one's end triggers, whose id says which end that was."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.run_document import as_text, run_document
from timegate.domain.jobs.follow_up import MAX_DEPTH, FollowUp, Given
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.parent import Parent
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, job_id_from
from timegate.domain.values.payload import Filling, Payload

_MARK_LENGTH = 16


def following(job: Job, attempt: Attempt, occasion: Occasion) -> tuple[FollowUp, ...]:
    """Return the follow-ups of this end of a run of the job."""
    if attempt.reason is Reason.CHAIN_TOO_LONG:
        # It was cut here, and what follows every end would go on from it.
        return ()
    return tuple(each for each in job.then if occasion in each.occasions)


def triggered_run(parent: AttemptId, job_id: JobId, *, ended_at: datetime) -> RunId:
    """The run of a job that the end of an attempt triggers: the same for every caller."""
    mark = job_id_from(f"follow-up\n{parent}".encode())[:_MARK_LENGTH]
    return RunId(job_id=job_id, origin=Origin.FOLLOW_UP, scheduled_at=ended_at, about=mark)


def triggered(
    follow_up: FollowUp,
    timing: Timing,
    parent: Parent,
    *,
    trace: str | None = None,
    ended_at: datetime,
    now: datetime,
) -> Attempt:
    """The first attempt at the run that follows, due when its parent ended.

    It belongs to the trace of its parent. The stream publishes it; its claim judges if it may run.
    """
    # Readers of ends alone trigger runs.
    from timegate.domain.planning.plan import first_attempt, left_to_stream  # noqa: PLC0415

    run = triggered_run(parent.attempt, follow_up.job_id, ended_at=ended_at)
    first = left_to_stream(first_attempt(timing, Origin.FOLLOW_UP, ended_at, now=now), now=now)
    return replace(first, id=AttemptId(run=run, number=1), parent=parent, trace=trace)


def parent_of(follow_up: FollowUp, job: Job, attempt: Attempt, occasion: Occasion) -> Parent:
    """The end of an attempt, as what follows it is told."""
    document = {"job_id": job.job_id, **run_document(attempt, started_at=attempt.started_at)}
    inherits = follow_up.payload is Given.PARENT
    return Parent(
        attempt=attempt.id,
        occasion=occasion,
        depth=1 + (attempt.parent.depth if attempt.parent is not None else 0),
        document=as_text(document),
        gives=follow_up.payload,
        payload=payload_for(job, attempt) if inherits else None,
        filling=filling_of(job, attempt) if inherits else None,
    )


def payload_for(job: Job, attempt: Attempt) -> Payload:
    """Return a run's payload: its own, that of its parent, or that of its job."""
    return own_payload(attempt) or job.payload


def own_payload(attempt: Attempt) -> Payload | None:
    """Return the payload that its trigger, its redrive or its parent gave; ``None``: its job's."""
    given = attempt.parent.given if attempt.parent is not None else None
    return attempt.payload or given


def filling_of(job: Job, attempt: Attempt) -> Filling | None:
    """Return what fills the marks of a run's payload; ``None``: its texts hold none.

    A payload that a parent gave is filled as its parent's target got it, and never anew.
    """
    marks, payload, parent = job.payload_marks, attempt.payload, attempt.parent
    if payload is None and parent is not None and parent.given is not None:
        return parent.filling
    if not (marks is not None if payload is None else payload.marks):
        return None
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.jobs.rules.filled_payload import filling_for  # noqa: PLC0415

    return filling_for(job, attempt.id)


def keyed(job: Job, attempt: Attempt) -> Job:
    """Return the job as it governs a run, with the keys that its trigger or its payload names."""
    # Imported here: few jobs have keys of runs, and every function would pay for it.
    from timegate.domain.limits.run_keys import keys_of_run  # noqa: PLC0415

    named = attempt.terms.concurrency_key if attempt.terms is not None else None
    payload = payload_for(job, attempt)
    keys = keys_of_run(payload, job.overlap, job.rate_limit, named=named)
    return replace(job, run_keys=keys)


def is_too_deep(attempt: Attempt) -> bool:
    """Too many runs triggered one another until this one: jobs were changed into a cycle."""
    return attempt.parent is not None and attempt.parent.depth > MAX_DEPTH
