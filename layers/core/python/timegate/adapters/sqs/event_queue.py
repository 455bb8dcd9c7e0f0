"""The queue of CloudEvents that are to be sent."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from timegate.adapters.sqs.publisher import MAX_BATCH, refusals
from timegate.ports.dispatch.cloud_events import Document
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsEventQueue:
    """Sends one message for each event, ten a call: a bus refuses events one by one."""

    def __init__(self, client: "SQSClient", queue_url: str, telemetry: Telemetry) -> None:
        self._client = client
        self._queue_url = queue_url
        self._telemetry = telemetry

    def add_all(self, documents: Sequence[Document]) -> list[bool]:
        """Keep events; ``False`` where the queue did not take one.

        The first call that fails is the last: its caller has other work than to wait for SQS.
        """
        taken: set[int] = set()
        for start in range(0, len(documents), MAX_BATCH):
            try:
                taken |= self._send(documents, range(start, min(start + MAX_BATCH, len(documents))))
            except (BotoCoreError, ClientError) as error:
                self._tell(str(error))
                break
        return [index in taken for index in range(len(documents))]

    def _send(self, documents: Sequence[Document], places: range) -> set[int]:
        answer = self._client.send_message_batch(
            QueueUrl=self._queue_url,
            Entries=[
                {
                    "Id": str(index),
                    "MessageBody": json.dumps(documents[index], separators=(",", ":")),
                    # SQS fair queues: a tenant's burst does not hold up the quiet ones.
                    "MessageGroupId": documents[index]["tenant"],
                }
                for index in places
            ],
        )
        refused = refusals(answer)
        if refused is not None:
            self._tell(refused)
        return {int(each["Id"]) for each in answer.get("Successful", [])}

    def _tell(self, detail: str) -> None:
        self._telemetry.event(run_events.SEND_FAILED, queue_url=self._queue_url, detail=detail)
