"""A fan-out as wide as may be, on DynamoDB: joined once, over several pages, in so many calls."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

from botocore.config import Config

from tests.contract.execution.test_call_counts import fill
from tests.support.dag_runs.dag_world import MemoryDags, MemoryExecutions
from tests.support.stores.contract_stores import Stores, dynamo_stores
from tests.support.stores.dynamodb_inside import client_inside
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import ACME, dag, task
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import Item, to_item
from timegate.adapters.memory.blob_store import MemoryBlobStore
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dags.definition import FanOut
from timegate.domain.dags.limits import MAX_FAN_OUT_WIDTH
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.open_dag_run import open_dag_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.dag_runs.tasks.end_task import end_tasks
from timegate.usecases.runs.store_payload import load_payload
from timegate.usecases.services.dag_start_services import Starting

PARTS = dag(
    (
        task("part", fan_out=FanOut(over="parameters.parts")),
        task("report", input='{"sum":{"$ref":"sum(tasks.part.result)"}}'),
    ),
    "part -> report",
)
#: Ends that a reader of the stream is shown at once, and items of a page: a thousand runs are
#: more than a megabyte, from which on DynamoDB makes pages and the emulator does not.
BATCH, PAGE = 100, 100


def started(stores: Stores, works: DagWorks) -> DagRun:
    """Started and opened."""
    starting = Starting(
        dags=works.dags, dag_runs=works.dag_runs, blobs=works.blobs, telemetry=works.telemetry
    )
    parameters = json.dumps({"parts": list(range(MAX_FAN_OUT_WIDTH))})
    wanted = Start(dag_id=PARTS.dag_id, key="first", parameters=parameters)
    run = start_dag_run(ACME, wanted, starting, now=works.clock.now())
    open_dag_run(run, works)
    return stores.dag_runs.get(ACME, run.dag_run_id)


def succeeded(works: DagWorks, attempt: Attempt) -> Attempt:
    """It answered its own payload."""
    now = works.clock.now()
    assert attempt.payload is not None
    begun = replace(attempt, state=RunState.RUNNING, fence=1, started_at=now)
    answer = load_payload(attempt.payload, works.blobs)
    return replace(end(begun, RunState.SUCCEEDED, now=now), result=answer)


def items(attempts: Sequence[Attempt]) -> Iterator[Item]:
    """Yield attempts as stored items."""
    for attempt in attempts:
        yield to_item(attempt_to_fields(attempt, shards=ONE_SHARD, retention=timedelta(days=30)))


def small_pages(params: dict[str, Any], **_: object) -> dict[str, Any]:
    """Page as early as with large items."""
    return {**params, "Limit": PAGE}


def test_a_thousand_members_join_once() -> None:
    """Three calls for a batch of ends, each heard of twice, and one reading of all at the end."""
    dags, telemetry = MemoryDags(), MemoryTelemetry()
    dags.add(PARTS)
    with closing(client_inside(Config())) as client:
        pages: Any = small_pages
        client.meta.events.register("provide-client-params.dynamodb.Query", pages)
        stores = dynamo_stores(client, "wide", shards=1)
        works = DagWorks(
            dag_runs=stores.dag_runs,
            dags=dags,
            events=stores.events,
            runs=stores.runs,
            jobs=stores.jobs,
            slots=stores.slots,
            blobs=MemoryBlobStore(),
            executions=MemoryExecutions(),
            clock=MemoryClock(PARTS.created_at),
            telemetry=telemetry,
        )
        run = started(stores, works)
        members = stores.dag_runs.attempts(run, key=TaskKey("part"))
        fill(client, "runs-wide", items(ended := [succeeded(works, each) for each in members]))
        batches = [ended[at : at + BATCH] for at in range(0, len(ended), BATCH)]
        with recorded(client) as calls:
            for batch in batches[:-1]:
                end_tasks([*batch, *batch], works)
        with recorded(client) as last:
            end_tasks(batches[-1], works)
            end_tasks(batches[-1], works)
        (report,) = stores.dag_runs.attempts(run, key=TaskKey("report"))
    begun = [event.fields["task"] for event in telemetry.named("task_started")]

    assert len(members) == MAX_FAN_OUT_WIDTH
    assert begun == ["part", "report"]
    assert report.payload is not None
    assert load_payload(report.payload, works.blobs) == '{"sum":499500}'
    assert calls == {"GetItem": 9, "BatchGetItem": 9, "UpdateItem": 9}
    assert last["Query"] <= 1 + MAX_FAN_OUT_WIDTH // PAGE + 1
    assert last.total() < 30
