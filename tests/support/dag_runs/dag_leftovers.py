"""Runs of DAGs: one that opens, one that failed, and one that waits for an approval."""

from tests.support.factories import NOW, after
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    DagTrigger,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.run_identity import dag_run_id_for_key
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.values.identity import DagId, TaskKey
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId


def add_dag_run(
    world: World, tenant: TenantId, dag_id: DagId, key: str, status: DagRunStatus
) -> DagRun:
    """Add one whose first task failed, and whose second came to nothing."""
    run = _dag_run(tenant, dag_id, key, status)
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


def add_waiting_run(world: World, tenant: TenantId, dag_id: DagId) -> DagRun:
    """Add a DAG whose first task is an approval, and a run of it that waits for that."""
    gate = task("first", spec=WaitTask(kind=WaitKind.APPROVAL, seconds=3600))
    steps = (gate, task("second"))
    world.dags.create(dag(steps, "first -> second", tenant=tenant, dag_id=dag_id))
    run = _dag_run(tenant, dag_id, "waiting", DagRunStatus.RUNNING)
    first = TaskProgress(
        tenant=tenant,
        dag_run_id=run.dag_run_id,
        key=TaskKey("first"),
        state=TaskState.RUNNING,
        started_at=NOW,
        waits_until=after(3600),
    )
    second = TaskProgress(tenant=tenant, dag_run_id=run.dag_run_id, key=TaskKey("second"))
    world.dag_runs.create(run)
    world.dag_runs.open_tasks(run, [first, second])
    return run


def _dag_run(tenant: TenantId, dag_id: DagId, key: str, status: DagRunStatus) -> DagRun:
    return DagRun(
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
