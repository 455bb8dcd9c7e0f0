"""The holder of a run says something of its work."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.ledger.worker_log import (
    Level,
    LogBatch,
    WorkerLine,
    check_batch_size,
    heard_at,
)
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.identity import RunId
from timegate.domain.values.redaction import redact
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import run_metrics
from timegate.usecases.pools.held_lease import held_lease
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class SentLine:
    """One line as it was sent."""

    #: By the speaker's clock; ``None``: now.
    at: datetime | None
    level: Level
    text: str


def post_log(
    tenant: TenantId,
    run: RunId,
    token: str,
    sequence: int,
    lines: Sequence[SentLine],
    services: WorkerServices,
) -> None:
    """Keep lines with their run; sent again under the same sequence, nothing changes.

    Only who holds the run now is heard: raises ``LeaseLost``, and ``InvalidInput``.
    """
    held = held_lease(tenant, run, token, services)
    if not held.is_current:
        raise LeaseLost(str(run))
    now = services.clock.now()
    spoken = tuple(
        WorkerLine(
            at=heard_at(line.at, earliest=held.claimed_at, now=now),
            level=line.level,
            text=redact(line.text),
        )
        for line in lines
    )
    check_batch_size(spoken)
    batch = LogBatch(
        tenant=tenant,
        attempt=held.stored.id,
        fence=held.claimed.lease.fence,
        sequence=sequence,
        lines=spoken,
        received_at=now,
    )
    new = services.logs.append(batch)
    services.telemetry.count(run_metrics.LOG_LINES_KEPT, len(spoken) if new else 0)
