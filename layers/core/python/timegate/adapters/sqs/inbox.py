"""The queue an executor is fed from."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import LogEvent, Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: SQS's limit for one batch.
MAX_BATCH = 10
#: Tries at entries that SQS does not hide or delete for a fault of its own.
TRIES = 3


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

        An entry that is at fault has been deleted or has shown itself again. That is no error: its
        lease decides, and not its invisibility. A call that fails as a whole is none either, for
        the work that the messages stand for goes on.
        """
        hidden = [{"ReceiptHandle": each, "VisibilityTimeout": seconds} for each in receipts]
        self._each(self._client.change_message_visibility_batch, hidden, run_events.HIDE_FAILED)

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Delete messages; one that stays comes again, finds its run claimed, and is dropped."""
        deleted = [{"ReceiptHandle": each} for each in receipts]
        self._each(self._client.delete_message_batch, deleted, run_events.ACKNOWLEDGE_FAILED)

    def _each(self, call: Callable[..., Any], entries: Sequence[Any], failed: LogEvent) -> None:
        """Call for each batch of entries, and again for those that SQS is at fault for."""
        for start in range(0, len(entries), MAX_BATCH):
            batch = entries[start : start + MAX_BATCH]
            try:
                left = self._batch(call, [{"Id": str(n), **each} for n, each in enumerate(batch)])
            except (BotoCoreError, ClientError) as error:
                self._telemetry.event(failed, queue_url=self._queue_url, detail=str(error))
                continue
            if left:
                codes = ", ".join(sorted({each["Code"] for each in left}))
                self._telemetry.event(failed, queue_url=self._queue_url, detail=codes)

    def _batch(self, call: Callable[..., Any], entries: Sequence[Any]) -> Sequence[Any]:
        """Call for one batch; the failures that outlast ``TRIES``."""
        left: Sequence[Any] = ()
        for _ in range(TRIES):
            answer = call(QueueUrl=self._queue_url, Entries=entries)
            # The call succeeds although entries fail; the client repeats calls alone.
            left = [each for each in answer.get("Failed", ()) if not each.get("SenderFault", True)]
            names = {each["Id"] for each in left}
            entries = [each for each in entries if each["Id"] in names]
            if not entries:
                break
        return left
