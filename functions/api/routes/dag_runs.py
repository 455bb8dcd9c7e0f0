"""Routes of runs of DAGs."""

import json
from http import HTTPStatus

from api.contracts.dag_runs import NewDagRun
from api.contracts.listings import DagRunsQuery
from api.dag_run_views import dag_run_row, dag_run_view
from api.exchange import Exchange, Reply
from api.headers import idempotency_key
from api.views import page_view
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import parse_dag_run_id
from timegate.domain.execution.day_quota import day_quota
from timegate.domain.values.identity import DagRunId, job_id_from
from timegate.usecases.dag_runs.interventions.steer_dag_run import cancel_dag_run, retry_dag_run
from timegate.usecases.dag_runs.reading.read_dag_runs import list_dag_runs, read_dag_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.services.dag_start_services import Starting


def start(exchange: Exchange) -> Reply:
    """Start a run of a DAG."""
    services = exchange.services
    asked = exchange.body().parse(NewDagRun) if exchange.has_body else NewDagRun()
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
    )
    quotas = services.tenants_at_hand.quotas(exchange.tenant, now=exchange.now)
    within = day_quota(quotas, exchange.now)
    run = start_dag_run(exchange.tenant, wanted, starting, now=exchange.now, within=within)
    headers = {"Location": f"/v1/dag-runs/{run.dag_run_id}"}
    if run.created_at != exchange.now:
        headers["Idempotency-Replayed"] = "true"
        return Reply(body=dag_run_row(run), headers=headers)
    return Reply(body=dag_run_row(run), headers=headers, status=HTTPStatus.ACCEPTED)


def list_page(exchange: Exchange) -> Reply:
    """List the runs of a DAG."""
    query = exchange.query(DagRunsQuery)
    page = list_dag_runs(
        exchange.tenant,
        exchange.dag_id,
        query.to_filter(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), dag_run_row))


def get(exchange: Exchange) -> Reply:
    """Read a DAG run with its tasks."""
    found = read_dag_run(exchange.tenant, dag_run_id_of(exchange), exchange.services)
    return Reply(body=dag_run_view(found))


def cancel(exchange: Exchange) -> Reply:
    """Stop a DAG run."""
    run = cancel_dag_run(
        exchange.tenant, dag_run_id_of(exchange), exchange.services, now=exchange.now
    )
    return Reply(body=dag_run_row(run))


def retry(exchange: Exchange) -> Reply:
    """Run again what failed."""
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
