"""Nothing that a tenant may do 500 times a second costs more than 50 ms: every operation is held.

Each is asked as its sample asks; those whose answers grow with what is stored are asked about the
most that one request may read. ``test_request_costs`` has the bodies that cost most.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import cache, partial
from time import process_time
from typing import Any

import boto3
import pytest
from botocore.parsers import create_parser

from api.http.table import ROUTES
from tests.functional.api.costs.test_request_costs import ALLOWED, TRIES, dag, route_of, task
from tests.support.api import Api, gateway_event, new_job
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.documents.sample_requests import sample_of
from tests.support.documents.sample_world import furnish
from tests.support.factories import TENANT, running
from tests.support.values.effort import least
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import from_item, to_item
from timegate.contracts.ledger import MAX_LEDGER_PAGE
from timegate.contracts.values.queries import MAX_PAGE
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.limits.request_rate import requests_counted
from timegate.domain.values.identity import DagRunId
from timegate.usecases.previews.forecast_load import MOST_JOBS

#: Operations whose callers have no rate: a heartbeat that is refused is a run that is lost.
RATED = [route for route in ROUTES if route.served_by == "api" and not route.asks_no_token]
TASKS = 500
SCOPES = "timegate/read timegate/write timegate/operate timegate/send timegate/admin"


def asked(api: Api, operation: str, path: str, query: str = "", body: str | None = None) -> float:
    """The processor time of a request, whatever it is answered."""
    route = route_of(operation)
    target = f"{path}?{query}" if query else path
    headers = {} if body is None else {"Content-Type": sample_of(route).media_type}
    claims = {"client_id": TENANT, "scope": SCOPES}
    event = gateway_event(route.method, target, body=body, headers=headers, claims=claims)
    began = process_time()
    answer = api.deliver(event)
    seconds = process_time() - began

    assert answer.status < 500
    return seconds


@pytest.mark.parametrize("operation", [route.operation for route in RATED])
def test_no_operation_costs_more_than_it_counts(api: Api, plain: float, operation: str) -> None:
    """A new one is held to it as soon as it has a route and a sample."""
    route = route_of(operation)
    sample = sample_of(route)
    furnish(api.world)
    counted = requests_counted(route.weight, len(sample.text or ""), route.bytes_for_one)
    allowed = ALLOWED * counted * plain
    ask = partial(asked, api, operation, sample.path, sample.query, sample.text)

    assert least(ask, TRIES, allowed) <= allowed


@cache
def reading() -> float:
    """Measure parsing an attempt of DynamoDB's answer; the engine in memory parses none."""
    fields = attempt_to_fields(running(), shards=ONE_SHARD, retention=timedelta(days=1))
    page = {"Items": [to_item(fields)] * 100, "Count": 100}
    text = json.dumps(page).encode()
    client = boto3.client("dynamodb", region_name="us-east-1")
    shape: Any = client.meta.service_model.operation_model("Query").output_shape
    parser, found = create_parser("json"), []
    for _ in range(5):
        began = process_time()
        read = parser.parse({"body": text, "headers": {}, "status_code": 200}, shape)
        for item in read["Items"]:
            from_item(item)
        found.append(process_time() - began)
    return min(found) / 100


def a_dag_run(api: Api) -> str:
    """The path of a run of 500 tasks that has begun."""
    made = api.send("POST", "/v1/dags", dag(*map(task, range(TASKS))))
    started = api.send("POST", f"{made.headers['location']}/runs")
    run = api.world.dag_runs.get(TENANT, DagRunId(started.body["dag_run_id"]))
    DagWorld(world=api.world, dags=api.world.dags).open(run)
    return str(started.headers["location"])


def a_dag(api: Api) -> str:
    """The path of a definition of 500 tasks."""
    made = api.send("POST", "/v1/dags", dag(*map(task, range(TASKS))))
    return str(made.headers["location"])


def a_tangled_dag(api: Api) -> str:
    """The path of a definition of 500 tasks, each joined to tasks anywhere."""
    pairs = {tuple(sorted((n % TASKS, n * 7_919 % 499))) for n in range(2_200)}
    lines = [{"source": f"t{a}", "target": f"t{b}"} for a, b in sorted(pairs) if a != b]
    tangled = {**dag(*map(task, range(TASKS))), "edges": lines[:2_000]}
    made = api.send("POST", "/v1/dags", tangled)
    return str(made.headers["location"])


def a_job(api: Api) -> str:
    """The path of a job that is planned each second."""
    return f"/v1/jobs/{api.create()['job_id']}"


def many_jobs(api: Api) -> str:
    """The path of a page of jobs with large payloads and all their tags."""
    tags = {f"k{n}": "v" * 200 for n in range(20)}
    for number in range(MAX_PAGE):
        api.create(name=f"j{number}", tags=tags, payload={"text": "x" * 3_000})
    return "/v1/jobs"


def rules(api: Api) -> str:
    """The path of a forecast of rules, each of which names each second, but one."""
    for left_out in range(2):
        schedule = {
            "kind": "rrule",
            "rrule": "FREQ=SECONDLY",
            "starts_at": "2026-11-22T07:00:00Z",
            "exdates": [f"2026-12-01T00:00:0{left_out}Z"],
        }
        api.create(schedule=schedule)
    return "/v1/forecast"


def dense_jobs(api: Api) -> str:
    """The path of a forecast of jobs that have a run in each minute, and a common peak."""
    for number in range(MAX_PAGE):
        cron = f"{number % 60} * * * * *" if number % 2 else f"* {number % 3}-23 * * *"
        zone = ("Europe/Berlin", "UTC", "Asia/Tokyo")[number % 3]
        api.create(schedule={**LATER, "cron": cron, "timezone": zone})
    return "/v1/forecast"


def equal_jobs(api: Api) -> str:
    """The path of a forecast of as many jobs as it reads, of one schedule."""
    for number in range(MOST_JOBS // 100):
        body = {"jobs": [new_job(name=f"{number} {n}", schedule=HOURLY) for n in range(100)]}
        assert api.send("POST", "/v1/jobs/bulk", body).status < 300
    return "/v1/forecast"


#: Nothing of it is due soon: a creation stores no runs.
LATER = {"kind": "cron", "starts_at": "2026-11-22T00:00:00Z"}
HOURLY = {**LATER, "cron": "0 * * * *", "timezone": "Europe/Berlin"}
_YEAR = "from=2026-11-21T00:00:00Z&to=2027-11-21T00:00:00Z"
#: By operation: what it is about, the end of its path, its query, and the items that it reads.
#: A definition is one item, whose graph lies in the blob store where it is large.
LARGE: dict[str, tuple[Callable[[Api], str], str, str, int]] = {
    "getDag": (a_dag, "", "", 1),
    "drawDag": (a_dag, "/graph", "format=mermaid", 1),
    "getDagRun": (a_dag_run, "", "", 2 * TASKS),
    "drawDagRun": (a_dag_run, "/graph", "format=dot", 2 * TASKS),
    "drawDagRunGantt": (a_dag_run, "/gantt", "format=text", 2 * TASKS),
    "drawDagPicture": (a_dag, "/graph.svg", "", 1),
    "drawDagPicture tangled": (a_tangled_dag, "/graph.svg", "", 1),
    "drawDagRunPicture": (a_dag_run, "/graph.svg", "", 2 * TASKS),
    "drawDagRunGanttPicture": (a_dag_run, "/gantt.svg", "", 2 * TASKS),
    "readLedger": (a_job, "/ledger", f"{_YEAR}&limit={MAX_LEDGER_PAGE}", MAX_LEDGER_PAGE),
    "explainInstant": (a_job, "/explain", "at=2126-02-28T00:00:00Z", 10),
    "listRuns": (a_job, "/runs", f"limit={MAX_PAGE}", MAX_PAGE),
    "listJobs": (many_jobs, "", f"limit={MAX_PAGE}", MAX_PAGE),
    "forecastLoad": (equal_jobs, "", "", MOST_JOBS),
    "forecastLoad of dense jobs": (dense_jobs, "", "", MAX_PAGE),
    "forecastLoad of rules": (rules, "", "", 2),
}


@pytest.mark.parametrize("operation", LARGE)
def test_the_most_that_a_request_reads_costs_no_more_than_it_counts(
    api: Api, plain: float, operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing DynamoDB's answers is added: the engine in memory keeps plain values."""
    # Describing answers this large takes longer than making them.
    monkeypatch.setattr(api, "watch", _unwatched)
    make, end, query, items = LARGE[operation]
    operation = operation.partition(" ")[0]
    allowed = ALLOWED * route_of(operation).weight * plain - reading() * items
    ask = partial(asked, api, operation, make(api) + end, query)

    assert least(ask, TRIES, allowed) <= allowed


def _unwatched(*_: Any) -> None:  # noqa: ANN401 - as an exchange is told
    """No process looks."""
