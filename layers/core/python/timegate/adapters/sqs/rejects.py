"""The queue of messages and records that functions cannot read, kept for operators."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: Together well inside the 262,144 bytes that SQS takes even if every character is escaped: JSON
#: writes one as up to twelve bytes.
MAX_BODY_CHARACTERS = 20_000
MAX_REASON_CHARACTERS = 1_000


class SqsRejects:
    """A queue that no function reads and an alarm watches.

    ``most_characters``: a body's, of which the rest is cut off.
    """

    def __init__(
        self, client: "SQSClient", queue_url: str, *, most_characters: int = MAX_BODY_CHARACTERS
    ) -> None:
        self._client = client
        self._queue_url = queue_url
        self._most = most_characters

    def park(self, source: str, body: str, reason: str) -> None:
        """Store one, with where it came from and what was wrong."""
        reject = {
            "source": source,
            "reason": reason[:MAX_REASON_CHARACTERS],
            "body": body[: self._most],
        }
        self._client.send_message(QueueUrl=self._queue_url, MessageBody=json.dumps(reject))
