"""The queue that holds looks until their instants."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from timegate.adapters.sqs.publisher import refusals
from timegate.domain.dispatch.looks import ShardLook
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsLookQueue:
    """Sends a minute's looks in one call: there are fewer than SQS takes in a batch, ten."""

    def __init__(self, client: "SQSClient", queue_url: str, telemetry: Telemetry) -> None:
        self._client = client
        self._queue_url = queue_url
        self._telemetry = telemetry

    def send_all(self, looks: Sequence[ShardLook], *, now: datetime) -> int:
        """Send looks, each delayed to its instant; how many were accepted."""
        try:
            answer = self._client.send_message_batch(
                QueueUrl=self._queue_url,
                Entries=[
                    {
                        "Id": str(number),
                        "MessageBody": json.dumps(look.fields(), separators=(",", ":")),
                        "DelaySeconds": look.delay_seconds(now),
                    }
                    for number, look in enumerate(looks)
                ],
            )
        except (BotoCoreError, ClientError) as error:
            # The client has retried already; the next tick asks for the looks of its own minute.
            self._telemetry.event(run_events.LOOKS_NOT_SENT, detail=str(error))
            return 0
        refused = refusals(answer)
        if refused is not None:
            self._telemetry.event(run_events.LOOKS_NOT_SENT, detail=refused)
        return len(answer.get("Successful", []))
