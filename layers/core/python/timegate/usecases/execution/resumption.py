"""Resuming: what a target is told of the slices before, and which orders to go on are obeyed."""

from datetime import datetime
from math import ceil

from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Resume
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.jobs.slices import Continuation
from timegate.domain.runs.checkpoint import (
    Progress,
    check_checkpoint_size,
    check_progress,
    sequence_of,
)
from timegate.domain.values.errors import ContinueNotAllowed, InvalidInput
from timegate.ports.call_runner import TargetFailed
from timegate.usecases.runs.store_checkpoint import load_checkpoint
from timegate.usecases.services.execution_services import Claimed, Execution


def resumption(claimed: Claimed, execution: Execution) -> Resume | None:
    """Return slice and checkpoint of a long run; ``None`` for any other run.

    Headers of a web hook and events of functions have little room. So a large checkpoint is sent to
    them as a link, which is good until the run is stopped. Raises ``Throttled``.
    """
    attempt, last = claimed.attempt, claimed.attempt.checkpoint
    if claimed.job.slices_allowed is None and last is None:
        return None
    resume = Resume(slice=attempt.slices.ended + 1, sequence=sequence_of(last))
    if last is None:
        return resume
    if last.blob is not None and _takes_links(claimed.job.action):
        left = (claimed.lease.deadline_at - execution.clock.now()).total_seconds()
        link = execution.blobs.link(last.blob, seconds=max(ceil(left), 1))
        return Resume(slice=resume.slice, sequence=resume.sequence, link=link)
    text = load_checkpoint(last, execution.blobs)
    return Resume(slice=resume.slice, sequence=resume.sequence, checkpoint=text)


def _takes_links(action: Action) -> bool:
    return isinstance(action, WebhookAction) or action.silence_seconds is not None


def check_continuation(continuation: Continuation, job: Job, *, now: datetime) -> None:
    """Refuse an order to go on that cannot be obeyed; raises ``TargetFailed``, for good.

    To take it for a success would lose the work that is left.
    """
    try:
        refuse_continuation(continuation, job, now=now)
    except ContinueNotAllowed as refused:
        raise TargetFailed(_refusal(refused.code, str(refused))) from refused
    except InvalidInput as refused:
        raise TargetFailed(_refusal("invalid_continue", str(refused))) from refused


def refuse_continuation(continuation: Continuation, job: Job, *, now: datetime) -> None:
    """Raises ``ContinueNotAllowed``, or ``InvalidInput`` naming the field."""
    if job.slices_allowed is None:
        raise ContinueNotAllowed(job.job_id)
    if continuation.checkpoint is not None:
        check_checkpoint_size(continuation.checkpoint)
    if continuation.has_progress:
        percent, message = continuation.percent, continuation.message
        check_progress(Progress(percent=percent, message=message, at=now))


def _refusal(code: str, detail: str) -> Failure:
    return Failure(kind=FailureKind.PERMANENT, code=code, type="Continuation", message=detail)
