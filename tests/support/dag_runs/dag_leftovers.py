"""Runs of a DAG that came to something: one that opens, and one that failed."""

from tests.support.factories import NOW, after
from tests.support.world import World
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    DagTrigger,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.run_identity import dag_run_id_for_key
from timegate.domain.values.identity import DagId, TaskKey
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId


def add_dag_run(
    world: World, tenant: TenantId, dag_id: DagId, key: str, status: DagRunStatus
) -> DagRun:
    """Add one whose first task failed, and whose second came to nothing."""
    run = DagRun(
        tenant=tenant,
        dag_run_id=dag_run_id_for_key(tenant, dag_id, f"key {key}"),
        dag_id=dag_id,
        dag_version=1,
        status=status,
        trigger=DagTrigger.MANUAL,
        scheduled_at=NOW,
        created_at=NOW,
        deadline_at=after(3600),
        watch_at=None,
        tasks=2,
        parameters=Payload(),
        request_hash="hash",
    )
    states = {"first": TaskState.FAILED, "second": TaskState.SKIPPED}
    world.dag_runs.create(run)
    world.dag_runs.open_tasks(
        run,
        [
            TaskProgress(tenant=tenant, dag_run_id=run.dag_run_id, key=TaskKey(key), state=state)
            for key, state in states.items()
        ],
    )
    return run
