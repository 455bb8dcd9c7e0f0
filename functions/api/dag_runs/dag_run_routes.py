"""Routes of runs of DAGs."""

import json
from http import HTTPStatus

from api.dag_runs import dag_run_answers
from api.dag_runs.dag_run_views import dag_run_row, dag_run_view
from api.http.exchange import Exchange, Reply
from api.http.headers import caller_trace, idempotency_key
from api.http.route import Scope, route
from api.values.views import page_view
from timegate.contracts.dag_runs import NewDagRun
from timegate.contracts.jobs.listings import DagRunsQuery
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import parse_dag_run_id
from timegate.domain.execution.day_quota import day_quota
from timegate.domain.values.identity import DagRunId, job_id_from
from timegate.usecases.dag_runs.interventions.steer_dag_run import cancel_dag_run, retry_dag_run
from timegate.usecases.dag_runs.reading.read_dag_runs import list_dag_runs, read_dag_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.services.dag_start_services import Starting


@route(
    "POST",
    "/v1/dags/<dag_id>/runs",
    operation="startDagRun",
    asks=Scope.OPERATE,
    body=NewDagRun,
    body_is_optional=True,
    answer=dag_run_answers.DagRunRow,
    success={
        202: "The DAG run that was started.",
        200: "The Idempotency-Key was used before with these parameters: it as it is now.",
    },
    refusals=(404, 409),
    request_headers=("Idempotency-Key", "traceparent"),
    answer_headers=("Location", "Idempotency-Replayed"),
)
def start(exchange: Exchange) -> Reply:
    """Start a run of a DAG.

    Under the DAG as it is now. With an Idempotency-Key the same request gives the same run. With a
    traceparent it belongs to the caller's trace.
    """
    services = exchange.services
    asked = exchange.optional_body().parse(NewDagRun)
    parameters = json.dumps(asked.parameters, separators=(",", ":"), ensure_ascii=False)
    key = idempotency_key(exchange)
    starting = Starting(
        dags=services.dags,
        dag_runs=services.dag_runs,
        blobs=services.blobs,
        telemetry=services.telemetry,
    )
    wanted = Start(
        dag_id=exchange.dag_id,
        key=f"key {key}" if key is not None else f"seed {job_id_from(services.new_seed())}",
        parameters=parameters,
        trace=caller_trace(exchange),
    )
    quotas = services.tenants_at_hand.quotas(exchange.tenant, now=exchange.now)
    within = day_quota(quotas, exchange.now)
    run = start_dag_run(exchange.tenant, wanted, starting, now=exchange.now, within=within)
    headers = {"Location": f"/v1/dag-runs/{run.dag_run_id}"}
    reply = Reply(body=dag_run_row(run), headers=headers, status=HTTPStatus.ACCEPTED)
    return reply.unless(replayed=run.created_at != exchange.now)


@route(
    "GET",
    "/v1/dags/<dag_id>/runs",
    operation="listDagRuns",
    query=DagRunsQuery,
    answer=dag_run_answers.DagRunPage,
    success={200: "A page of its runs."},
    refusals=(404,),
)
def list_page(exchange: Exchange) -> Reply:
    """List the runs of a DAG.

    Newest first, without their tasks.
    """
    query = exchange.query(DagRunsQuery)
    page = list_dag_runs(
        exchange.tenant, exchange.dag_id, query.to_filter(), exchange.services, **query.paging
    )
    return Reply(body=page_view(query.leading_on(page), dag_run_row))


@route(
    "GET",
    "/v1/dag-runs/<dag_run_id>",
    operation="getDagRun",
    weight=4,
    answer=dag_run_answers.DagRun,
    success={200: "The DAG run and its tasks."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a DAG run with its tasks.

    With each task, and why it stands as it does.
    """
    found = read_dag_run(exchange.tenant, dag_run_id_of(exchange), exchange.services)
    return Reply(body=dag_run_view(found))


@route(
    "POST",
    "/v1/dag-runs/<dag_run_id>/cancel",
    operation="cancelDagRun",
    asks=Scope.OPERATE,
    answer=dag_run_answers.DagRunRow,
    success={200: "The DAG run, stopped or about to be."},
    refusals=(404, 409),
)
def cancel(exchange: Exchange) -> Reply:
    """Stop a DAG run.

    No task of it starts any more, and those that work are asked to stop.
    """
    run = cancel_dag_run(
        exchange.tenant, dag_run_id_of(exchange), exchange.services, now=exchange.now
    )
    return Reply(body=dag_run_row(run))


@route(
    "POST",
    "/v1/dag-runs/<dag_run_id>/retry",
    operation="retryDagRun",
    asks=Scope.OPERATE,
    answer=dag_run_answers.DagRunRow,
    success={202: "The DAG run, about to go on."},
    refusals=(404, 409),
)
def retry(exchange: Exchange) -> Reply:
    """Run again what failed.

    Failed tasks, and those skipped for them, run in another round.
    """
    run = retry_dag_run(
        exchange.tenant, dag_run_id_of(exchange), exchange.services, now=exchange.now
    )
    return Reply(body=dag_run_row(run), status=HTTPStatus.ACCEPTED)


def dag_run_id_of(exchange: Exchange) -> DagRunId:
    """The DAG run in the path; text that is no id raises ``DagRunNotFound``, as an unknown one."""
    text = exchange.path["dag_run_id"]
    dag_run_id = parse_dag_run_id(text)
    if dag_run_id is None:
        raise DagRunNotFound(text)
    return dag_run_id
