"""A worker ends a slice of its run: there is more to do, which its next worker does."""

from timegate.domain.jobs.slices import Continuation
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.execution.end_slice import end_slice
from timegate.usecases.execution.resumption import refuse_continuation
from timegate.usecases.execution.supervise_run import Sliced, Stopped
from timegate.usecases.pools.end_held_run import record
from timegate.usecases.pools.held_lease import HeldLease, held_lease
from timegate.usecases.services.worker_services import WorkerServices


def continue_run(
    tenant: TenantId,
    run: RunId,
    token: str,
    continuation: Continuation,
    services: WorkerServices,
) -> None:
    """Store the checkpoint and offer the next slice; asked again, nothing changes.

    A run that was asked to stop is cancelled. Raises ``LeaseLost``, ``ContinueNotAllowed`` and
    ``InvalidInput``.
    """
    held = held_lease(tenant, run, token, services)
    if _was_continued(held):
        return
    if not held.is_current:
        raise LeaseLost(str(run))
    refuse_continuation(continuation, held.claimed.job, now=services.clock.now())
    if held.stored.cancel_requested:
        record(held, Stopped(started_at=held.claimed_at), services)
        return
    sliced = Sliced(started_at=held.claimed_at, continuation=continuation)
    owner, now = held.claimed.lease.owner, services.clock.now()
    end_slice(held.claimed, sliced, services.execution(owner=owner, pool=None, now=now))


def _was_continued(held: HeldLease) -> bool:
    """Its slice has ended under this very lease, also when another worker has the next one.

    So has its run, where a caller had asked to cancel it.
    """
    last = held.stored.slices.last
    ended = last is not None and last.fence == held.claimed.lease.fence
    return ended or (held.ended_under_it and held.stored.state is RunState.CANCELLED)
