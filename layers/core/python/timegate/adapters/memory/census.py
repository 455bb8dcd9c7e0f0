"""Everything that waits, in memory."""

from collections.abc import Iterator

from timegate.adapters.memory.tables import MemoryTables
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import AttemptId, JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.shards import Resident


class MemoryCensus:
    """The twin of ``DynamoCensus``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def residents(self) -> Iterator[Resident]:
        """All jobs and runs that wait, in no order."""
        with self._tables.lock:
            return iter([*self._jobs(), *self._runs()])

    def move(self, resident: Resident, shards: Placement) -> bool:
        """Let it wait at the same time in the shard that ``shards`` names; ``False``: not there."""
        tenant, seen = TenantId(resident.pk), (resident.minute, resident.shard)
        with self._tables.lock:
            if resident.index == "due":
                job_id = JobId(resident.sk)
                bucket, at = self._tables.due.get((tenant, job_id), (None, None))
                if bucket != seen or at is None:
                    return False
                self._tables.due[tenant, job_id] = ((seen[0], shards.shard_of(job_id)), at)
                return True
            attempt = AttemptId.parse(resident.sk)
            stored = self._tables.attempts[tenant, attempt]
            is_there = self._tables.watch.get((tenant, attempt)) == seen
            if not is_there or stored.state is not RunState.WAITING:
                return False
            shard = shards.shard_of(attempt.run.job_id)
            self._tables.show((tenant, attempt), (seen[0], shard))
            return True

    def _jobs(self) -> Iterator[Resident]:
        for (tenant, job_id), ((minute, shard), at) in self._tables.due.items():
            yield Resident(
                index="due",
                pk=tenant,
                sk=job_id,
                minute=minute,
                shard=shard,
                at=at,
            )

    def _runs(self) -> Iterator[Resident]:
        for (tenant, attempt_id), (minute, shard) in self._tables.watch.items():
            attempt = self._tables.attempts[tenant, attempt_id]
            if attempt.watch_at is not None:
                yield Resident(
                    index="watch",
                    pk=tenant,
                    sk=str(attempt_id),
                    minute=minute,
                    shard=shard,
                    at=attempt.watch_at,
                )
