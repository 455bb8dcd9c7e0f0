"""Lengths of the run queues."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from timegate.domain.runs.watch import QueueDepth

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_READY: Literal["ApproximateNumberOfMessages"] = "ApproximateNumberOfMessages"
_IN_FLIGHT: Literal["ApproximateNumberOfMessagesNotVisible"] = (
    "ApproximateNumberOfMessagesNotVisible"
)


class SqsBacklog:
    """Asks a queue for its approximate counts."""

    def __init__(self, client: "SQSClient", queue_urls: Mapping[str, str]) -> None:
        self._client = client
        self._queue_urls = queue_urls

    def load(self, queue_key: str) -> QueueDepth:
        """Its messages that are ready or in flight; delayed ones are of runs still to come."""
        attributes = self._client.get_queue_attributes(
            QueueUrl=self._queue_urls[queue_key], AttributeNames=[_READY, _IN_FLIGHT]
        )["Attributes"]
        if int(attributes[_READY]) > 0:
            return QueueDepth.READY
        return QueueDepth.IN_FLIGHT if int(attributes[_IN_FLIGHT]) > 0 else QueueDepth.IDLE
