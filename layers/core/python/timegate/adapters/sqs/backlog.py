"""Lengths of the run queues."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from botocore.exceptions import BotoCoreError, ClientError

from timegate.domain.runs.watch import QueueDepth
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_READY: Literal["ApproximateNumberOfMessages"] = "ApproximateNumberOfMessages"
_IN_FLIGHT: Literal["ApproximateNumberOfMessagesNotVisible"] = (
    "ApproximateNumberOfMessagesNotVisible"
)


class SqsBacklog:
    """Asks a queue for its approximate counts."""

    def __init__(
        self, client: "SQSClient", queue_urls: Mapping[str, str], telemetry: Telemetry
    ) -> None:
        self._client = client
        self._queue_urls = queue_urls
        self._telemetry = telemetry

    def load(self, queue_key: str) -> QueueDepth:
        """Its messages that are ready or in flight; delayed ones are of runs still to come.

        A queue that does not answer counts as one with messages: their runs are looked at again,
        and all others now.
        """
        url = self._queue_urls[queue_key]
        try:
            attributes = self._client.get_queue_attributes(
                QueueUrl=url, AttributeNames=[_READY, _IN_FLIGHT]
            )["Attributes"]
        except (BotoCoreError, ClientError) as error:
            self._telemetry.event(run_events.BACKLOG_UNKNOWN, queue_url=url, detail=str(error))
            return QueueDepth.READY
        if int(attributes[_READY]) > 0:
            return QueueDepth.READY
        return QueueDepth.IN_FLIGHT if int(attributes[_IN_FLIGHT]) > 0 else QueueDepth.IDLE
