"""Where messages and records nobody can act on are kept for a human."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: Well inside SQS's limit for a message, after JSON has escaped it.
MAX_BODY_CHARACTERS = 100_000


class SqsRejects:
    """A queue that no function reads and an alarm watches."""

    def __init__(self, client: "SQSClient", queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def park(self, source: str, body: str, reason: str) -> None:
        """Store one, with where it came from and what was wrong."""
        reject = {"source": source, "reason": reason, "body": body[:MAX_BODY_CHARACTERS]}
        self._client.send_message(QueueUrl=self._queue_url, MessageBody=json.dumps(reject))
