"""The routes of runs of DAGs."""

from api.contracts.dag_interventions import TaskCompletion, TaskRerun, TaskSkip
from api.contracts.dag_pictures import GanttQuery, RunGraphQuery
from api.contracts.dag_runs import NewDagRun
from api.contracts.listings import DagRunsQuery
from api.routes import dag_interventions, dag_run_pictures, dag_runs
from api.routes.route import Route
from api.routes.scope import Scope

DAG_RUNS = (
    Route(
        method="POST",
        path="/v1/dags/<dag_id>/runs",
        serve=dag_runs.start,
        operation="startDagRun",
        body=NewDagRun,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/dags/<dag_id>/runs",
        serve=dag_runs.list_page,
        operation="listDagRuns",
        query=DagRunsQuery,
    ),
    Route(
        method="GET",
        path="/v1/dag-runs/<dag_run_id>",
        serve=dag_runs.get,
        operation="getDagRun",
        weight=4,
    ),
    Route(
        method="POST",
        path="/v1/dag-runs/<dag_run_id>/cancel",
        serve=dag_runs.cancel,
        operation="cancelDagRun",
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dag-runs/<dag_run_id>/retry",
        serve=dag_runs.retry,
        operation="retryDagRun",
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dag-runs/<dag_run_id>/tasks/<task_key>/complete",
        serve=dag_interventions.complete,
        operation="completeDagTask",
        body=TaskCompletion,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dag-runs/<dag_run_id>/tasks/<task_key>/skip",
        serve=dag_interventions.skip,
        operation="skipDagTask",
        body=TaskSkip,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="POST",
        path="/v1/dag-runs/<dag_run_id>/tasks/<task_key>/rerun",
        serve=dag_interventions.rerun,
        operation="rerunDagTask",
        body=TaskRerun,
        body_is_optional=True,
        asks=Scope.OPERATE,
    ),
    Route(
        method="GET",
        path="/v1/dag-runs/<dag_run_id>/graph",
        serve=dag_run_pictures.graph,
        operation="drawDagRun",
        weight=4,
        query=RunGraphQuery,
    ),
    Route(
        method="GET",
        path="/v1/dag-runs/<dag_run_id>/gantt",
        serve=dag_run_pictures.gantt,
        operation="drawDagRunGantt",
        weight=4,
        query=GanttQuery,
    ),
)
