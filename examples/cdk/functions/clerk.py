"""The clerk: it books each run that succeeded, as the stage's bus tells of it."""

import json
import os
from typing import Any

import boto3


def handle(event: dict[str, Any], _: object) -> None:
    """Book one event."""
    boto3.client("sqs").send_message(QueueUrl=os.environ["BOOKS"], MessageBody=json.dumps(event))
