"""Approvals of a tenant that wait, in the runs table."""

from collections.abc import Iterator, Sequence

from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_from_fields, dag_run_id_of
from timegate.adapters.dynamo.dag_runs.dag_task_items import APPROVAL_PARTS, task_from_fields
from timegate.adapters.dynamo.runs.tenant_index import TenantIndex
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, dag_run_key
from timegate.adapters.dynamo.tables.reading import Fields
from timegate.domain.operations.waiting_approvals import WaitingApproval, waiting_approval
from timegate.domain.values.errors import Malformed
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.approvals import ApprovalPage


class DynamoApprovalStore:
    """Approvals by tenant: entries of the index ``failures``, and the records that they name."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine, self._table = engine, table
        self._index = TenantIndex(
            engine, table=table, index="failures", parts=APPROVAL_PARTS, listing="approvals"
        )

    def list_waiting(self, tenant: TenantId, *, limit: int, cursor: str | None) -> ApprovalPage:
        """Approvals that wait, the latest first: a query for each partition, one read of them."""
        page = self._index.page(tenant, limit=limit, cursor=cursor)
        rows: list[WaitingApproval] = []
        damaged: list[tuple[str, str]] = []
        for task, run in self._records(tenant, page.rows):
            try:
                waits = waiting_approval(dag_run_from_fields(run), task_from_fields(task))
            except Malformed as error:
                damaged.append((f"{task['pk']} {task['sk']}", str(error)))
                continue
            rows += [waits] if waits is not None else []
        return ApprovalPage(rows=tuple(rows), damaged=tuple(damaged), cursor=page.cursor)

    def _records(
        self, tenant: TenantId, entries: Sequence[Fields]
    ) -> Iterator[tuple[Fields, Fields]]:
        """Read the tasks that entries name, and their DAG runs, as far as they are on record."""
        if not entries:
            return
        tasks = [Key(pk=str(each["pk"]), sk=str(each["sk"])) for each in entries]
        runs = [dag_run_key(tenant, dag_run_id_of(each)) for each in entries]
        wanted = list(dict.fromkeys([*tasks, *runs]))
        items = self._engine.get_all({self._table: wanted})[self._table]
        for task, run in zip(tasks, runs, strict=True):
            if task in items and run in items:
                yield items[task], items[run]
