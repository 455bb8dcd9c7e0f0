"""Jobs that start a DAG of two tasks."""

from collections.abc import Callable
from typing import Any

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import due, stored
from tests.support.factories import TENANT
from tests.support.world import World, delivery
from tests.unit.domain.dags.definitions import dag, tasks
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_identity import dag_run_id_for_attempt
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import Overlap
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.tenant import TenantId

ME = TenantId(TENANT)
ETL = dag(tasks("extract", "load"), "extract -> load", tenant=ME)


def with_dag() -> DagWorld:
    """A world with the DAG in it."""
    world = World()
    world.dags.create(ETL)
    return DagWorld(world=world, dags=world.dags)


def begun(dag_world: DagWorld, name: str = "a", **fields: Any) -> tuple[Attempt, DagRun]:  # noqa: ANN401
    """A run of a job that starts the DAG, as it is once its message was received; its DAG run."""
    overlap = fields.pop("overlap", Overlap())
    job = {"action": DagAction(dag_id=ETL.dag_id), **fields}
    attempt = due(dag_world.world, name, overlap, **job)
    receive(dag_world, attempt)
    return stored(dag_world.world, attempt), opened(dag_world, attempt)


def receive(dag_world: DagWorld, attempt: Attempt) -> set[str]:
    """An executor receives its message; what is to come again."""
    return dag_world.world.execute([delivery(RunMessage.of(attempt))])


def opened(dag_world: DagWorld, attempt: Attempt) -> DagRun:
    """The DAG run of an attempt, opened as its execution would."""
    dag_run_id = dag_run_id_for_attempt(attempt.tenant, attempt.id)
    dag_world.open(dag_world.dag_runs.get(attempt.tenant, dag_run_id))
    return dag_world.dag_runs.get(attempt.tenant, dag_run_id)


def ends(state: RunState) -> Callable[[str, int, int], RunState]:
    """Every task ends like this."""
    return lambda *_: state
