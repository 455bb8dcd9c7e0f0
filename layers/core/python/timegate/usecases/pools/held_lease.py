"""Leases that tokens speak for, and their present state."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.job import Job
from timegate.domain.pools.lease_token import LeaseToken, is_genuine, read_token
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import LeaseLost, Malformed
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef
from timegate.usecases.services.execution_services import Claimed, Delivery
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldLease:
    """A run that a worker holds, or held."""

    claimed: Claimed
    #: The attempt's record as it was read.
    stored: Attempt
    claimed_at: datetime
    #: Longest silence of a target that has accepted its run.
    silence: timedelta | None = None

    @property
    def is_current(self) -> bool:
        """Tell if the attempt still runs under this worker's lease."""
        stored = self.stored
        return stored.state is RunState.RUNNING and stored.fence == self.claimed.lease.fence

    @property
    def ended_under_it(self) -> bool:
        """The attempt has ended under this very lease: asked again, the same is answered."""
        return self.stored.ended_at is not None and self.stored.fence == self.claimed.lease.fence


def held_lease(
    tenant: TenantId, run: RunId, token_text: str, services: WorkerServices
) -> HeldLease:
    """Read what a token speaks for: one strongly consistent read.

    Raises ``LeaseLost`` for any token that was not issued for an attempt at this run, and
    ``Malformed`` to one that was where a record cannot be read.
    """
    token = read_token(token_text, run)
    attempt, job = _proven(token, tenant, run, services)
    lease = attempt.lease
    if lease is None or lease.fence != token.fence:
        lease = Lease(
            owner="", fence=token.fence, expires_at=token.claimed_at, deadline_at=token.claimed_at
        )
    claimed = Claimed(
        delivery=Delivery(message=RunMessage.of(attempt), id=str(attempt.id), receipt=""),
        attempt=replace(attempt, fence=token.fence),
        # An edit since the claim does not change how often the run may be executed.
        job=replace(job, delivery=attempt.delivery),
        lease=lease,
    )
    return HeldLease(
        claimed=claimed,
        stored=attempt,
        claimed_at=token.claimed_at,
        silence=(
            timedelta(seconds=token.callback.silence_seconds)
            if token.callback is not None
            else None
        ),
    )


def _proven(
    token: LeaseToken, tenant: TenantId, run: RunId, services: WorkerServices
) -> tuple[Attempt, Job]:
    """Read the attempt and the job of a token; raises as ``held_lease``."""
    ref = AttemptRef(tenant=tenant, id=AttemptId(run=run, number=token.attempt))
    (found,) = services.runs.load_all([ref])
    attempt, job = found.attempt, found.job
    key = attempt.lease_key if attempt is not None else found.damaged_key
    # Before anything is said of the records: a target that calls back shows nothing else.
    if not is_genuine(token, tenant, ref.id, key):
        raise LeaseLost(str(run))
    if found.unreadable is not None:
        raise Malformed(found.unreadable)
    if attempt is None or job is None:
        raise LeaseLost(str(run))
    return attempt, job
