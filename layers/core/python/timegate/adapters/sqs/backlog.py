"""How full the run queues are."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsBacklog:
    """Asks a queue for its approximate counts."""

    def __init__(self, client: "SQSClient", queue_urls: Mapping[str, str]) -> None:
        self._client = client
        self._queue_urls = queue_urls

    def is_idle(self, queue_key: str) -> bool:
        """No message is ready or in flight; delayed ones are of runs still to come."""
        attributes = self._client.get_queue_attributes(
            QueueUrl=self._queue_urls[queue_key],
            AttributeNames=[
                "ApproximateNumberOfMessages",
                "ApproximateNumberOfMessagesNotVisible",
            ],
        )["Attributes"]
        return all(int(count) == 0 for count in attributes.values())
