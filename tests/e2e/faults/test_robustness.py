"""A fault on the deployed stack loses no run."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide


def executor(stack: Stack, key: str) -> str:
    """The function behind a queue."""
    name: str = json.loads(stack.outputs["ExecutorFunctionNames"])[key]
    return name


def test_a_killed_workers_run_is_finished_by_another(stack: Stack, recorder: Recorder) -> None:
    """SIGKILL in mid-run: the run ends on another worker, under a higher fence."""
    released = recorder.hold("killed")
    job = stack.create_job(
        name="killed",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("killed")},
        priority="high",
        timeout_seconds=60,
    )
    recorder.wait_for("killed", 1)

    assert stack.kill_workers(executor(stack, "high-short")) >= 1

    released.set()
    (run,) = stack.wait_for_runs(job["job_id"], 1, seconds=75)
    (attempt,) = stack.api.get(f"/v1/runs/{run['run_id']}").json()["attempts"]
    fences = [request.fence for request in recorder.requests("killed")]

    assert fences == [1, 2]
    assert attempt["fence"] == 2
    assert {r.headers["idempotency-key"] for r in recorder.requests("killed")} == {run["run_id"]}


def test_a_malformed_message_ends_among_the_rejects(stack: Stack, recorder: Recorder) -> None:
    """It goes through its dead-letter queue to where a human finds it, and blocks no other."""
    sqs = stack.aws("sqs")
    url = json.loads(stack.outputs["QueueUrls"])["low-short"]
    sqs.send_message(QueueUrl=url, MessageBody="this is no run")
    job = stack.create_job(
        name="neighbour",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("neighbour")},
        priority="low",
    )

    stack.wait_for_runs(job["job_id"], 1)
    wait_for_reject(stack, "this is no run")


def test_a_malformed_record_ends_among_the_rejects(stack: Stack, recorder: Recorder) -> None:
    """An unreadable stream record is parked, and the shard goes on."""
    stack.aws("dynamodb").put_item(
        TableName=stack.outputs["RunsTableName"],
        Item={
            "pk": {"S": "broken"},
            "sk": {"S": "record"},
            "state": {"S": "queued"},
            "direct": {"BOOL": False},
        },
    )
    job = stack.create_job(
        name="next in the stream",
        schedule={"kind": "delay", "delay_seconds": 4},
        action={"type": "webhook", "url": recorder.url("next-in-stream")},
    )

    stack.wait_for_runs(job["job_id"], 1)
    wait_for_reject(stack, "broken")


@pytest.mark.deep
def test_racing_planners_create_each_run_once(stack: Stack, recorder: Recorder) -> None:
    """Twenty ticks over the same shards at once: one run per instant, each executed once."""
    due = datetime.now(UTC) + timedelta(minutes=4)
    jobs = [
        stack.create_job(
            name=f"raced {number}",
            schedule={"kind": "at", "at": due.isoformat()},
            action={"type": "webhook", "url": recorder.url("raced")},
        )
        for number in range(10)
    ]
    with ThreadPoolExecutor(20) as pool:
        ticks = list(
            pool.map(
                lambda _: stack.invoke("PlannerFunctionName", {"shards": [0, 1, 2, 3]}), range(20)
            )
        )

    assert sum(tick["runs"] for tick in ticks) <= 10
    wait_until(
        lambda: all(len(stack.runs(job["job_id"])) == 1 for job in jobs) or None,
        seconds=75,
        what=lambda: [len(stack.runs(job["job_id"])) for job in jobs],
    )


def test_a_lost_message_is_published_again(stack: Stack, recorder: Recorder) -> None:
    """A run whose message vanished is found by the sweeper and executed.

    In a queue where nothing is left: what was published of a cancelled job comes all the same.
    """
    job = stack.create_job(
        name="lost",
        priority="critical",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("lost")},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    forget_execution(stack, job["job_id"], run["run_id"])

    def swept() -> bool | None:
        stack.invoke("SweeperFunctionName", {"shards": [0, 1, 2, 3]})
        return True if stack.runs(job["job_id"])[0]["state"] == "succeeded" else None

    # A message that happens to be in the queue puts the sweeper off, by its patience.
    wait_until(swept, seconds=150, what=lambda: stack.runs(job["job_id"]))
    assert len(recorder.requests("lost")) == 2


def forget_execution(stack: Stack, job_id: str, run_id: str) -> None:
    """Put a run back to where its message was lost: queued, due two minutes ago, unwatched.

    Every open shard is served, so any will do.
    """
    table = stack.outputs["RunsTableName"]
    dynamodb = stack.aws("dynamodb")
    pk = f"{stack.outputs['UserPoolClientId']}#{job_id}"
    (item,) = dynamodb.query(
        TableName=table,
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": pk}},
    )["Items"]
    past = datetime.now(UTC) - timedelta(seconds=100)
    compact = f"{past:%Y%m%dT%H%M%S}000Z"
    # A run that was stored before its job, at another instant, would be none of the job's.
    item.pop("untallied", None)
    item |= {
        "state": {"S": "queued"},
        "direct": {"BOOL": True},
        "created_at": {"S": compact},
        "due_at": {"S": compact},
        "watch_at": {"S": compact},
        "watch_bucket": {"S": f"{past:%Y%m%dT%H%M}#0"},
    }
    dynamodb.put_item(TableName=table, Item=item)
    assert run_id.startswith(job_id)


def wait_for_reject(stack: Stack, text: str) -> None:
    """Wait until a message that contains the text has been parked."""
    sqs = stack.aws("sqs")

    def receive() -> bool | None:
        received = sqs.receive_message(
            QueueUrl=stack.outputs["RejectedQueueUrl"], MaxNumberOfMessages=10, VisibilityTimeout=0
        )
        return any(text in message["Body"] for message in received.get("Messages", [])) or None

    wait_until(receive, seconds=40, what=lambda: f"no reject with {text!r}")
