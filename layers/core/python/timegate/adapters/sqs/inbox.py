"""The queue an executor is fed from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: SQS's limit for one batch.
MAX_BATCH = 10


class SqsInbox:
    """Receives messages beside an event source, and hides those that are worked on."""

    def __init__(self, client: "SQSClient", queue_url: str, telemetry: Telemetry) -> None:
        self._client = client
        self._queue_url = queue_url
        self._telemetry = telemetry

    def receive(self, limit: int, hidden_seconds: int) -> dict[str, Any]:
        """Take up to ten messages that are ready, as an event source hands them over.

        Does not wait for any. A call that fails brings none: Lambda takes what is left.
        """
        try:
            answer = self._client.receive_message(
                QueueUrl=self._queue_url,
                MaxNumberOfMessages=min(limit, MAX_BATCH),
                VisibilityTimeout=hidden_seconds,
                WaitTimeSeconds=0,
                MessageSystemAttributeNames=["SentTimestamp"],
            )
        except (BotoCoreError, ClientError) as error:
            self._telemetry.event(
                run_events.RECEIVE_FAILED, queue_url=self._queue_url, detail=str(error)
            )
            return {"Records": []}
        return {
            "Records": [
                {
                    "messageId": each["MessageId"],
                    "receiptHandle": each["ReceiptHandle"],
                    "body": each["Body"],
                    "attributes": each.get("Attributes", {}),
                }
                for each in answer.get("Messages", [])
            ]
        }

    def hide(self, receipts: Sequence[str], *, seconds: int) -> None:
        """Keep messages invisible for ``seconds`` from now.

        An entry that SQS refuses has been deleted or has shown itself again. Either way its lease
        decides, not its invisibility, so that is no error; nor is a call that fails as a whole a
        reason to abandon the work that the messages stand for.
        """
        for start in range(0, len(receipts), MAX_BATCH):
            batch = receipts[start : start + MAX_BATCH]
            try:
                self._client.change_message_visibility_batch(
                    QueueUrl=self._queue_url,
                    Entries=[
                        {"Id": str(n), "ReceiptHandle": receipt, "VisibilityTimeout": seconds}
                        for n, receipt in enumerate(batch)
                    ],
                )
            except (BotoCoreError, ClientError) as error:
                self._telemetry.event(
                    run_events.HIDE_FAILED, queue_url=self._queue_url, detail=str(error)
                )

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Delete messages; one that stays comes again, finds its run claimed, and is dropped."""
        for start in range(0, len(receipts), MAX_BATCH):
            batch = receipts[start : start + MAX_BATCH]
            try:
                self._client.delete_message_batch(
                    QueueUrl=self._queue_url,
                    Entries=[
                        {"Id": str(n), "ReceiptHandle": receipt} for n, receipt in enumerate(batch)
                    ],
                )
            except (BotoCoreError, ClientError) as error:
                self._telemetry.event(
                    run_events.ACKNOWLEDGE_FAILED, queue_url=self._queue_url, detail=str(error)
                )
