"""Ends of workers' runs: recorded under their fence, by the executor's own decisions."""

from timegate.domain.execution.call import Answer
from timegate.domain.jobs.retry import Failure
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.execution.hand_back import hand_back
from timegate.usecases.execution.keep_answer import keep_answer
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import (
    CallFailed,
    LetGo,
    Recorded,
    Stopped,
    Succeeded,
    let_go,
)
from timegate.usecases.pools.held_lease import HeldLease, held_lease
from timegate.usecases.services.worker_services import WorkerServices

#: A failure ends so, also one that is said after a request to cancel.
_ENDS_OF_FAILURE = frozenset(
    {RunState.FAILED, RunState.TIMED_OUT, RunState.DEAD_LETTERED, RunState.CANCELLED}
)
#: A release ends so where the run is not offered again: cancelled, or executed once at most.
_ENDS_OF_RELEASE = frozenset({RunState.CANCELLED, RunState.FAILED})
_OFFERED_AGAIN = frozenset({RunState.QUEUED, RunState.WAITING})


def complete_run(
    tenant: TenantId, run: RunId, token: str, answer: Answer, services: WorkerServices
) -> None:
    """The worker has done it; asked again, nothing changes. Raises ``LeaseLost``.

    A job under ``exactly_once`` keeps the answer although the lease was lost, and the worker that
    has the run now finds it.
    """
    held = held_lease(tenant, run, token, services)
    if held.ended_under_it and held.stored.state is RunState.SUCCEEDED:
        return
    ending = Succeeded(started_at=held.claimed_at, answer=answer)
    try:
        record(held, ending, services)
    except LeaseLost:
        now = services.clock.now()
        execution = services.execution(owner=held.claimed.lease.owner, pool=None, now=now)
        keep_answer(held.claimed, ending, execution)
        raise


def fail_run(
    tenant: TenantId, run: RunId, token: str, failure: Failure, services: WorkerServices
) -> None:
    """The worker could not do it: the job's retry policy decides. Raises ``LeaseLost``."""
    held = held_lease(tenant, run, token, services)
    if held.ended_under_it and held.stored.state in _ENDS_OF_FAILURE:
        return
    record(held, CallFailed(started_at=held.claimed_at, failure=failure), services)


def release_run(tenant: TenantId, run: RunId, token: str, services: WorkerServices) -> None:
    """The worker must stop: the run is offered again at once, and that is no failed attempt.

    One that was asked to stop is cancelled; one that may be executed once at most has failed.
    Raises ``LeaseLost``, and ``Throttled`` when nothing could be written.
    """
    held = held_lease(tenant, run, token, services)
    if _was_released(held):
        return
    if not held.is_current:
        raise LeaseLost(str(run))
    if held.stored.cancel_requested:
        record(held, Stopped(started_at=held.claimed_at), services)
        return
    ending = let_go(held.claimed, held.claimed_at)
    if not isinstance(ending, LetGo):
        record(held, ending, services)
        return
    now = services.clock.now()
    execution = services.execution(owner=held.claimed.lease.owner, pool=None, now=now)
    if not hand_back(held.claimed, execution):
        raise Throttled(f"Run {run} could not be released; its lease will expire.")


def record(held: HeldLease, ending: Recorded, services: WorkerServices) -> None:
    """Store an end; raises ``LeaseLost``."""
    if not held.is_current:
        raise LeaseLost(str(held.stored.id.run))
    now = services.clock.now()
    execution = services.execution(owner=held.claimed.lease.owner, pool=None, now=now)
    record_ending(held.claimed, ending, execution, services.completions())


def _was_released(held: HeldLease) -> bool:
    """Asked again: no worker has leased it since, and it has been handed back."""
    stored: Attempt = held.stored
    same = stored.fence == held.claimed.lease.fence
    ended = held.ended_under_it and stored.state in _ENDS_OF_RELEASE
    return same and (ended or (stored.state in _OFFERED_AGAIN and stored.releases > 0))
