"""Processor time of the relay for a record, in milliseconds: ``python -m bench.scale.relay_cpu``.

The real reading of images, use case, publisher and log lines; the client builds and signs each
request, and sends none.
"""

import contextlib
import json
import os
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import boto3
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.httpsession import URLLib3Session

from tests.support.factories import after, attempt_factory
from timegate.adapters.dynamo.dispatch.images import attempt_from_image
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import to_item
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.usecases.dispatch.relay_runs import relay_runs

RECORDS = 100
ROUNDS = 50


class _Body:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self) -> list[bytes]:
        """Return the whole body."""
        return [self._content]


def _answer(_: URLLib3Session, request: AWSPreparedRequest) -> AWSResponse:
    assert isinstance(request.body, (bytes, str))
    asked: dict[str, Any] = json.loads(request.body)
    done = [
        {"Id": entry["Id"], "MessageId": "m", "MD5OfMessageBody": ""} for entry in asked["Entries"]
    ]
    content = json.dumps({"Successful": done, "Failed": []}).encode()
    return AWSResponse(request.url, 200, HTTPHeaders(), _Body(content))


def main() -> None:
    """Measure and report."""
    client = boto3.client(
        "sqs",
        "us-east-1",
        aws_access_key_id="key",
        aws_secret_access_key="secret",  # noqa: S106 - nothing is sent
    )
    queues = {attempt_factory().queue_key: "https://sqs.us-east-1.amazonaws.com/1/queue"}
    images = [_image(after(60 + number / 10)) for number in range(RECORDS)]
    with (
        patch.dict(os.environ, POWERTOOLS_SERVICE_NAME="relay", POWERTOOLS_METRICS_NAMESPACE="x"),
        patch.object(URLLib3Session, "send", _answer),
        Path(os.devnull).open("w") as nowhere,
        contextlib.redirect_stdout(nowhere),
    ):
        telemetry = LambdaTelemetry()
        publisher = SqsPublisher(client, queues, telemetry=telemetry)
        _relay(images, publisher, telemetry)
        began = time.process_time()
        for _ in range(ROUNDS):
            _relay(images, publisher, telemetry)
        spent = time.process_time() - began
    sys.stdout.write(f"{1000 * spent / ROUNDS / RECORDS:.3f} ms a record\n")


def _image(due_at: datetime) -> dict[str, Any]:
    attempt = attempt_factory(due_at=due_at)
    return to_item(attempt_to_fields(attempt, shards=ONE_SHARD, retention=timedelta(days=30)))


def _relay(
    images: list[dict[str, Any]], publisher: SqsPublisher, telemetry: LambdaTelemetry
) -> None:
    attempts = [attempt_from_image(image) for image in images]
    relay_runs(attempts, publisher, telemetry, now=after(0), lead_seconds=1)


if __name__ == "__main__":
    main()
