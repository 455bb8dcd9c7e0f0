"""Logs of runs: an item for each batch, in a partition beside the runs of its job."""

from collections.abc import Mapping
from datetime import timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine, Query, first_rows
from timegate.adapters.dynamo.tables.keys import Key, log_key, log_pk, log_prefix
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.ledger.worker_log import BatchPosition, LogBatch
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.tenant import TenantId

#: Sorts after every number.
_BEYOND = "~"
_BATCH = Part(LogBatch, without=("tenant", "attempt"))


class DynamoLogStore:
    """In the table of runs; the stream's readers skip them, for they have no state."""

    def __init__(self, engine: Engine, *, table: str, retention_days: int) -> None:
        self._engine = engine
        self._table = table
        self._retention = timedelta(days=retention_days)

    def append(self, batch: LogBatch) -> bool:
        """Store a batch, unless there is one at its place."""
        (result,) = self._engine.write_each([Insert(table=self._table, fields=self._fields(batch))])
        return result.done

    def read(
        self, tenant: TenantId, run: RunId, *, after: BatchPosition | None, limit: int
    ) -> tuple[LogBatch, ...]:
        """The first batches of a run beyond a place, in order."""
        first = log_prefix(run) if after is None else f"{log_key(tenant, run, after).sk}{_BEYOND}"
        query = Query(
            table=self._table,
            of=log_pk(tenant, run.job_id),
            first=first,
            last=f"{log_prefix(run)}{_BEYOND}",
        )
        found = first_rows(self._engine, query, limit)
        return tuple(_batch(fields, tenant, run) for fields in found)

    def _fields(self, batch: LogBatch) -> dict[str, Plain]:
        key: Key = log_key(batch.tenant, batch.attempt.run, batch.place)
        return {
            "pk": key.pk,
            "sk": key.sk,
            "tenant": batch.tenant,
            "attempt": batch.attempt.number,
            **_BATCH.fields(batch),
            "expires_at": int((batch.received_at + self._retention).timestamp()),
        }


def _batch(fields: Mapping[str, Plain], tenant: TenantId, run: RunId) -> LogBatch:
    attempt = AttemptId(run=run, number=number(fields["attempt"]))
    return _BATCH.read(fields, tenant=tenant, attempt=attempt)
