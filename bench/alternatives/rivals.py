"""Programs that one would write instead, each a process: ``rivals poller|dynein ENDPOINT``.

``poller`` is the textbook: a table of due minutes is queried again and again, each item that is
due is claimed by a condition, called and marked. ``dynein`` is Airbnb's algorithm: a worker for
each shard queries what is overdue, marks it ``ACQUIRED``, sends it to a queue and deletes it;
consumers receive, call and delete.
"""

import sys
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any

import boto3
from botocore.config import Config

from infra.local.cloud import REGION

THREADS = 10
SHARDS = 4
#: Between two looks that found nothing.
_PAUSE_SECONDS = 0.2
_PAGE = 100
_BUCKET_SECONDS = 60
TABLE = {"poller": "bench-poller", "dynein": "bench-dynein"}
QUEUE = "bench-dynein"
ROOT = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}


def client(service: str, endpoint: str) -> Any:  # noqa: ANN401 - any service
    """Return a client with the account's own rights."""
    return boto3.client(  # type: ignore[call-overload]
        service,
        endpoint_url=endpoint,
        region_name=REGION,
        config=Config(max_pool_connections=2 * THREADS),
        **ROOT,
    )


def bucket(due: float) -> str:
    """Return the partition of what is due in a minute."""
    return f"{int(due // _BUCKET_SECONDS)}"


def call(url: str) -> None:
    """Call a target, as one would."""
    request = urllib.request.Request(url, data=b"{}", method="POST")  # noqa: S310 - of this bench
    with closing(urllib.request.urlopen(request, timeout=30)) as answer:  # noqa: S310 - as above
        answer.read()


def poll(endpoint: str) -> None:
    """Claim, call and mark what is due, until this process is ended."""
    table = client("dynamodb", endpoint)
    with ThreadPoolExecutor(THREADS) as pool:
        while True:
            now = time.time()
            partitions = {bucket(now - _BUCKET_SECONDS), bucket(now)}
            due = [item for each in partitions for item in _due(table, each, now)]
            if not due:
                time.sleep(_PAUSE_SECONDS)
            list(pool.map(lambda item: _run(table, item), due))


def _due(table: Any, partition: str, now: float) -> list[dict[str, Any]]:  # noqa: ANN401
    answer = table.query(
        TableName=TABLE["poller"],
        KeyConditionExpression="pk = :p AND sk <= :now",
        FilterExpression="#s = :waits",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={
            ":p": {"S": partition},
            ":now": {"S": f"{now:.3f}"},
            ":waits": {"S": "PENDING"},
        },
    )
    items: list[dict[str, Any]] = answer["Items"]
    return items


def _run(table: Any, item: dict[str, Any]) -> None:  # noqa: ANN401 - a client
    _mark(table, TABLE["poller"], item, "PENDING", "RUNNING")
    call(item["url"]["S"])
    _mark(table, TABLE["poller"], item, "RUNNING", "DONE")


def _mark(table: Any, name: str, item: dict[str, Any], before: str, after: str) -> None:  # noqa: ANN401
    table.update_item(
        TableName=name,
        Key={"pk": item["pk"], "sk": item["sk"]},
        UpdateExpression="SET #s = :after",
        ConditionExpression="#s = :before",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":before": {"S": before}, ":after": {"S": after}},
    )


def dynein(endpoint: str) -> None:
    """Dispatch each shard, and consume what was dispatched, until this process is ended."""
    table, queues = client("dynamodb", endpoint), client("sqs", endpoint)
    url = queues.get_queue_url(QueueName=QUEUE)["QueueUrl"]
    with ThreadPoolExecutor(SHARDS + THREADS) as pool:
        for shard in range(SHARDS):
            pool.submit(_forever, partial(_dispatch, table, queues, url, f"{shard}"))
        for _ in range(THREADS):
            pool.submit(_forever, partial(_consume, queues, url))


def _forever(step: Callable[[], bool]) -> None:
    while True:
        if not step():
            time.sleep(_PAUSE_SECONDS)


def _dispatch(table: Any, queues: Any, url: str, shard: str) -> bool:  # noqa: ANN401 - clients
    answer = table.query(
        TableName=TABLE["dynein"],
        KeyConditionExpression="pk = :p AND sk <= :now",
        FilterExpression="#s = :waits",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={
            ":p": {"S": shard},
            ":now": {"S": f"{time.time():.3f}"},
            ":waits": {"S": "SCHEDULED"},
        },
        Limit=_PAGE,
    )
    for item in answer["Items"]:
        _mark(table, TABLE["dynein"], item, "SCHEDULED", "ACQUIRED")
        queues.send_message(QueueUrl=url, MessageBody=item["url"]["S"])
        table.delete_item(TableName=TABLE["dynein"], Key={"pk": item["pk"], "sk": item["sk"]})
    return bool(answer["Items"])


def _consume(queues: Any, url: str) -> bool:  # noqa: ANN401 - a client
    received = queues.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=1)
    messages = received.get("Messages", [])
    for each in messages:
        call(each["Body"])
        queues.delete_message(QueueUrl=url, ReceiptHandle=each["ReceiptHandle"])
    return bool(messages)


if __name__ == "__main__":
    {"poller": poll, "dynein": dynein}[sys.argv[1]](sys.argv[2])
