"""Drawing a DAG run: as its graph with states, or over time."""

from datetime import datetime

from timegate.domain.dag_runs.pictures.gantt import Gantt, gantt_of
from timegate.domain.dag_runs.progress import DagRun, TaskState
from timegate.domain.dags.drawing import Drawing, drawing_of
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices

#: Attempts that are read for a chart: a few megabytes, and as many calls. The chart shows tasks
#: beyond them by their own records.
MOST_DRAWN = 5_000


def draw_graph(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices
) -> tuple[DagRun, Drawing]:
    """The graph that a DAG run keeps to, and the states of its tasks; raises ``DagRunNotFound``."""
    run = services.dag_runs.get(tenant, dag_run_id)
    dag = services.dags.version(tenant, run.dag_id, run.dag_version)
    done = {task.key: task.state.value for task in services.dag_runs.tasks(tenant, dag_run_id)}
    states = {task.key: done.get(task.key, TaskState.PENDING.value) for task in dag.tasks}
    return run, drawing_of(dag, states)


def draw_gantt(
    tenant: TenantId, dag_run_id: DagRunId, services: ApiServices, *, now: datetime
) -> Gantt:
    """A DAG run over time; raises ``DagRunNotFound``."""
    run = services.dag_runs.get(tenant, dag_run_id)
    dag = services.dags.version(tenant, run.dag_id, run.dag_version)
    tasks = {task.key: task for task in services.dag_runs.tasks(tenant, dag_run_id)}
    attempts = services.dag_runs.first_attempts(run, at_most=MOST_DRAWN)
    return gantt_of(dag, run, tasks, attempts, now=now, is_cut=len(attempts) >= MOST_DRAWN)
