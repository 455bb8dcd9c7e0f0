"""What holders of runs say, in memory."""

from timegate.adapters.memory.tables import in_milliseconds
from timegate.domain.ledger.worker_log import LogBatch, Place
from timegate.domain.values.identity import RunId
from timegate.domain.values.tenant import TenantId


class MemoryLogStore:
    """The twin of ``DynamoLogStore``."""

    def __init__(self) -> None:
        self._batches: dict[tuple[TenantId, RunId], dict[Place, LogBatch]] = {}

    def append(self, batch: LogBatch) -> bool:
        """Store a batch, unless there is one at its place."""
        run = self._batches.setdefault((batch.tenant, batch.attempt.run), {})
        stored = in_milliseconds(batch)
        return run.setdefault(batch.place, stored) is stored

    def read(
        self, tenant: TenantId, run: RunId, *, after: Place | None, limit: int
    ) -> tuple[LogBatch, ...]:
        """The first batches of a run beyond a place, in order."""
        found = sorted(self._batches.get((tenant, run), {}).items())
        beyond = [batch for place, batch in found if after is None or place > after]
        return tuple(beyond[:limit])
