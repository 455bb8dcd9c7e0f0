"""A worker's heartbeat: it holds on for another lease, and hears whether it should."""

from datetime import datetime

from timegate.domain.runs.checkpoint import Progress, Report, check_progress, sequence_of
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.execution.supervise_run import CallFailed, heartbeat, too_long
from timegate.usecases.pools.end_held_run import record
from timegate.usecases.pools.held_lease import held_lease
from timegate.usecases.runs.store_checkpoint import store_checkpoint
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Heard:
    """Answer to a worker's heartbeat."""

    lease_expires_at: datetime
    cancel_requested: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """Progress that a worker reports with a heartbeat; fields left out stay as they are."""

    percent: float | None = None
    message: str | None = None
    #: JSON text of where the next worker begins.
    checkpoint: str | None = None


def heartbeat_run(
    tenant: TenantId, run: RunId, token: str, said: Said, services: WorkerServices
) -> Heard:
    """Renew a lease and store what is said, in one write.

    Raises ``LeaseLost``, also when the run has used its time and ends so, and ``InvalidInput``.
    """
    held = held_lease(tenant, run, token, services)
    if not held.is_current:
        raise LeaseLost(str(run))
    now = services.clock.now()
    if now >= held.claimed.lease.deadline_at:
        failure = too_long(held.claimed)
        record(held, CallFailed(started_at=held.claimed_at, failure=failure), services)
        raise LeaseLost(str(run))
    length = held.silence or services.lease_length
    owner = held.claimed.lease.owner
    execution = services.execution(owner=owner, pool=None, now=now, lease_length=length)
    report = _report(said, held.stored, services, now)
    by_target = held.silence is not None
    cancelled = heartbeat(held.claimed, execution, now=now, report=report, by_target=by_target)
    return Heard(lease_expires_at=now + length, cancel_requested=cancelled)


def _report(said: Said, stored: Attempt, services: WorkerServices, now: datetime) -> Report:
    progress = checkpoint = None
    if said.percent is not None or said.message is not None:
        progress = Progress(percent=said.percent, message=said.message, at=now)
        check_progress(progress)
    if said.checkpoint is not None:
        sequence = sequence_of(stored.checkpoint) + 1
        checkpoint = store_checkpoint(
            said.checkpoint, stored, sequence=sequence, blobs=services.blobs, now=now
        )
    return Report(progress=progress, checkpoint=checkpoint)
