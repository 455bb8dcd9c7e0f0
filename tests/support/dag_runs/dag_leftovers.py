"""Runs of DAGs: one that opens, one that failed, and two that wait."""

from dataclasses import replace

from tests.support.event_triggers.triggering import key_of, secret_of
from tests.support.factories import NOW, after
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import DagTrigger, dag_run_id_for_key
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import EventKey
from timegate.domain.values.identity import DagId, TaskKey
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import EventWaiter

APPROVAL = WaitTask(kind=WaitKind.APPROVAL, seconds=3600)
#: The key of the sample event.
ORDER = EventKey(type="com.example.order.paid", correlation="4711")
PAYMENT = WaitTask(
    kind=WaitKind.EVENT,
    seconds=3600,
    event=AwaitedEvent(type=ORDER.type, correlation='"4711"'),
)


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


def add_waiting_run(
    world: World, tenant: TenantId, dag_id: DagId, wait: WaitTask = APPROVAL
) -> DagRun:
    """Add a DAG whose first task waits, for an approval say, and a run of it.

    Links decide the approval; the tenant's key signs them.
    """
    if wait.kind is WaitKind.APPROVAL:
        wait = replace(wait, link_secret=secret_of(tenant))
        world.hook_secrets.texts[tenant, secret_of(tenant)] = key_of(tenant)
    steps = (task("first", spec=wait), task("second"))
    world.dags.create(dag(steps, "first -> second", tenant=tenant, dag_id=dag_id))
    run = _dag_run(tenant, dag_id, "waiting", DagRunStatus.RUNNING)
    first = TaskProgress(
        tenant=tenant,
        dag_run_id=run.dag_run_id,
        key=TaskKey("first"),
        state=TaskState.RUNNING,
        started_at=NOW,
        waits_until=after(3600),
        asks=wait.kind is WaitKind.APPROVAL,
        correlation=ORDER.correlation if wait.event is not None else None,
    )
    second = TaskProgress(tenant=tenant, dag_run_id=run.dag_run_id, key=TaskKey("second"))
    world.dag_runs.create(run)
    world.dag_runs.open_tasks(run, [first, second])
    if wait.event is not None:
        waiter = EventWaiter(dag_run_id=run.dag_run_id, task=first.key, round=1)
        world.events.wait(tenant, ORDER, waiter, forget_at=after(7200))
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
