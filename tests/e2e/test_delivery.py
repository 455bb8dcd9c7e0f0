"""Delivery modes on the deployed stack, whose workers are killed, stopped and confused."""

import json
import os
import signal
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from infra.local.webhook_target import Recorder
from tests.e2e.test_robustness import executor
from tests.support.stack import Stack, wait_until

#: The local stage's leases, with the sweeper's patience.
LEASE_SECONDS = 15 + 10


def start(stack: Stack, recorder: Recorder, name: str, *, priority: str, delivery: str) -> str:
    """A job whose target does not answer before it is told to; its id."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url(name)},
        priority=priority,
        delivery=delivery,
        timeout_seconds=60,
    )
    recorder.wait_for(name, 1)
    return str(job["job_id"])


def run_of(stack: Stack, job_id: str) -> dict[str, Any]:
    """Its only run, with attempts."""
    (run,) = stack.runs(job_id)
    read: dict[str, Any] = stack.api.get(f"/v1/runs/{run['run_id']}").json()
    return read


def look_at_once(stack: Stack, job_id: str) -> None:
    """Let the sweeper look at a run now, instead of ninety seconds after it was due.

    Every open shard is served, so any will do.
    """
    past = datetime.now(UTC) - timedelta(seconds=60)
    dynamodb, table = stack.aws("dynamodb"), stack.outputs["RunsTableName"]
    pk = f"{stack.outputs['UserPoolClientId']}#{job_id}"
    (item,) = dynamodb.query(
        TableName=table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": pk}},
    )["Items"]
    dynamodb.update_item(
        TableName=table,
        Key={"pk": item["pk"], "sk": item["sk"]},
        UpdateExpression="SET watch_at = :at, watch_bucket = :bucket",
        ExpressionAttributeValues={
            ":at": {"S": f"{past:%Y%m%dT%H%M%S}000Z"},
            ":bucket": {"S": f"{past:%Y%m%dT%H%M}#0"},
        },
    )
    stack.invoke("SweeperFunctionName", {"shards": [0, 1, 2, 3]})


def test_a_killed_workers_run_is_not_executed_again(stack: Stack, recorder: Recorder) -> None:
    """At most once: SIGKILL in mid-run, and the record says that its worker died."""
    released = recorder.hold("once")
    job_id = start(stack, recorder, "once", priority="low", delivery="at_most_once")

    assert stack.kill_workers(executor(stack, "low-short")) >= 1

    released.set()
    time.sleep(LEASE_SECONDS)
    look_at_once(stack, job_id)
    wait_until(
        lambda: run_of(stack, job_id)["state"] == "failed" or None,
        seconds=20,
        what=lambda: run_of(stack, job_id),
    )
    run = run_of(stack, job_id)

    assert (run["reason"], run["error"]["code"]) == ("worker_died", "worker_died")
    assert len(recorder.requests("once")) == 1


def test_a_stopped_workers_run_goes_on(stack: Stack, recorder: Recorder) -> None:
    """SIGTERM in mid-run: handed back and begun anew, under the next fence and not as a death.

    The local cloud stops its processes like this; Lambda sends no signal in mid-run.
    """
    released = recorder.hold("stopped")
    job_id = start(stack, recorder, "stopped", priority="critical", delivery="at_least_once")
    workers = stack.workers(executor(stack, "critical-short"))
    for pid in workers:
        os.kill(pid, signal.SIGTERM)
    wait_until(
        lambda: run_of(stack, job_id)["attempts"][0]["releases"] == 1 or None,
        seconds=30,
        what=lambda: run_of(stack, job_id),
    )
    for pid in workers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    # A worker that is about to end may be offered the message once more.
    recorder.wait_for("stopped", 2, seconds=150)
    released.set()
    stack.wait_for_runs(job_id, 1)
    (attempt,) = run_of(stack, job_id)["attempts"]

    assert [request.fence for request in recorder.requests("stopped")] == [1, 2]
    assert (attempt["fence"], attempt["releases"]) == (2, 1)


def test_a_duplicate_message_of_exactly_once_is_counted(stack: Stack, recorder: Recorder) -> None:
    """Delivered again while the run works, and once more when it has ended: one request."""
    released = recorder.hold("exactly")
    job_id = start(stack, recorder, "exactly", priority="high", delivery="exactly_once")
    run = run_of(stack, job_id)
    scheduled = run["run_id"].split(".s")[1]
    fields = {
        "tenant": stack.outputs["UserPoolClientId"],
        "attempt": f"{run['run_id']}.1",
        "due_at": scheduled,
        "precision": "second",
    }
    url = json.loads(stack.outputs["QueueUrls"])["high-short"]

    def prevented(count: int) -> bool | None:
        return run_of(stack, job_id)["duplicates_prevented"] == count or None

    stack.aws("sqs").send_message(QueueUrl=url, MessageBody=json.dumps(fields))
    wait_until(lambda: prevented(1), seconds=30, what=lambda: run_of(stack, job_id))
    released.set()
    stack.wait_for_runs(job_id, 1)
    stack.aws("sqs").send_message(QueueUrl=url, MessageBody=json.dumps(fields))
    wait_until(lambda: prevented(2), seconds=30, what=lambda: run_of(stack, job_id))

    assert len(recorder.requests("exactly")) == 1
