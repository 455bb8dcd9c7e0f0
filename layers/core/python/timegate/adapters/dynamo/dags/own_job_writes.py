"""A DAG's own job, within the transaction of its DAG."""

from collections.abc import Sequence

from timegate.adapters.dynamo.limits.tally import Tallying
from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.dynamo.tables.writes import Put, Write
from timegate.domain.execution.quota_usage import is_counted
from timegate.ports.dags import OwnJobWrite


class OwnJobWrites:
    """Writes of jobs that DAGs have, and how they count."""

    def __init__(self, runs: DynamoRunStore) -> None:
        self._runs = runs

    def of(self, own: OwnJobWrite | None) -> tuple[list[Write | Put], Sequence[Tallying]]:
        """Return the writes of a job and its count; nothing for a DAG without one."""
        if own is None:
            return [], ()
        return self._writes(own), [self._counted(own)]

    def _writes(self, own: OwnJobWrite) -> list[Write | Put]:
        if own.before is None:
            return self._runs.opening(own.after, own.attempts)
        return self._runs.job_writes.change(own.before, own.after, gap=own.gap, cuts=own.cuts)

    def _counted(self, own: OwnJobWrite) -> Tallying:
        counted = own.before is not None and is_counted(own.before.timing)
        counts = (counted, is_counted(own.after.timing))
        owner = (own.after.tenant, own.after.job_id)
        return Tallying(self._runs.job_tally, owner, counts=counts, limit=own.limit)
