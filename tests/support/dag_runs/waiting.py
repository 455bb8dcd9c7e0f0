"""DAGs with a task that waits, and the looks that end it."""

from datetime import timedelta

from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs


def sleep(seconds: int) -> Task:
    """A task that sleeps."""
    return task("wait", spec=WaitTask(kind=WaitKind.SLEEP, seconds=seconds))


def approval(seconds: int | None = 600, **fields: object) -> Task:
    """A task that a person decides."""
    spec = WaitTask(kind=WaitKind.APPROVAL, seconds=seconds, **fields)  # type: ignore[arg-type]
    return task("wait", spec=spec)


def then(wait: Task, **fields: object) -> Dag:
    """The wait, and a task after its success."""
    return dag(
        (wait, task("b", input='{"$ref":"tasks.wait.result","default":null}')),
        "wait -> b",
        **fields,
    )


def look(dag_world: DagWorld, run: DagRun, seconds: float) -> None:
    """The sweeper looks at it after so many seconds, and outcomes follows."""
    dag_world.world.clock.advance(seconds)
    look_at_dag_runs([DagRunRef(tenant=run.tenant, id=run.dag_run_id)], dag_world.works)
    dag_world.follow()


def sweep(dag_world: DagWorld, run: DagRun, seconds: float) -> None:
    """The sweeper finds it after so many seconds, puts its next look off, and has it looked at."""
    now = dag_world.world.clock.now() + timedelta(seconds=seconds)
    ref = DagRunRef(tenant=run.tenant, id=run.dag_run_id)
    assert dag_world.dag_runs.touch(ref, now=now, watch_at=now + LOOK_AFTER) is not None
    look(dag_world, run, seconds)


def watched(dag_world: DagWorld, run: DagRun) -> timedelta | None:
    """The span from now to the next look at it."""
    at = dag_world.dag_runs.get(run.tenant, run.dag_run_id).watch_at
    return None if at is None else at - dag_world.world.clock.now()
