"""Logs of runs, as the use cases see them."""

from typing import Protocol

from timegate.domain.ledger.worker_log import BatchPosition, LogBatch
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId


class LogStore(Protocol):
    """Batches of lines, beside the runs they are about. Throttling raises ``Throttled``."""

    def append(self, batch: LogBatch) -> bool:
        """Store a batch, unless there is one at its place: ``False``."""

    def read(
        self, tenant: TenantId, run: RunId, *, after: BatchPosition | None, limit: int
    ) -> tuple[LogBatch, ...]:
        """The first ``limit`` batches of a run beyond a place, in order."""
