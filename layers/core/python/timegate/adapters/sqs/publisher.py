"""The way into the run queues."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from timegate.ports.dispatch.messaging import Delayed
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

#: SQS's limit for one batch.
MAX_BATCH = 10
#: Tries at entries that a batch refused, before the caller hears of it.
TRIES = 3
_PAUSE_SECONDS = 0.05

Indexed = tuple[int, Delayed]


class SqsPublisher:
    """Sends run messages, ten a call and queue by queue."""

    def __init__(
        self,
        client: "SQSClient",
        queue_urls: Mapping[str, str],
        *,
        telemetry: Telemetry,
        trace_header: Callable[[], str | None] = lambda: None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._queue_urls = queue_urls
        self._telemetry = telemetry
        self._trace_header = trace_header
        self._pause = pause

    def publish_all(self, messages: Sequence[Delayed]) -> list[bool]:
        """Send messages; ``False`` where a queue refused, after retries."""
        by_queue: dict[str, list[Indexed]] = defaultdict(list)
        for indexed in enumerate(messages):
            by_queue[indexed[1].message.queue_key].append(indexed)
        sent: set[int] = set()
        for queue_key, members in by_queue.items():
            for start in range(0, len(members), MAX_BATCH):
                batch = members[start : start + MAX_BATCH]
                sent |= self._send(self._queue_urls[queue_key], batch)
        return [index in sent for index in range(len(messages))]

    def _send(self, queue_url: str, batch: Sequence[Indexed]) -> set[int]:
        """Send one batch, the refused entries again; the positions that were accepted."""
        sent: set[int] = set()
        waiting = dict(batch)
        refused: str | None = None
        for attempt in range(TRIES):
            self._pause(_PAUSE_SECONDS * attempt)
            try:
                answer = self._client.send_message_batch(
                    QueueUrl=queue_url,
                    Entries=[self._entry(index, m) for index, m in waiting.items()],
                )
            except (BotoCoreError, ClientError) as error:
                # The client has retried already. These stay unsent; who called decides what next.
                refused = str(error)
                break
            accepted = {int(entry["Id"]) for entry in answer.get("Successful", [])}
            sent |= accepted
            waiting = {i: m for i, m in waiting.items() if i not in accepted}
            refused = refusals(answer)
            if not waiting:
                break
        if refused is not None:
            self._telemetry.event(run_events.SEND_FAILED, queue_url=queue_url, detail=refused)
        return sent

    def _entry(self, index: int, delayed: Delayed) -> Any:  # noqa: ANN401 - a boto3 request member
        message = delayed.message
        entry: dict[str, Any] = {
            "Id": str(index),
            "MessageBody": json.dumps(message.fields(), separators=(",", ":")),
            "DelaySeconds": delayed.delay_seconds,
            # SQS fair queues: a tenant's burst does not hold up the quiet ones.
            "MessageGroupId": message.tenant,
        }
        header = self._trace_header()
        if header:
            entry["MessageSystemAttributes"] = {
                "AWSTraceHeader": {"DataType": "String", "StringValue": header}
            }
        return entry


def refusals(answer: Mapping[str, Any]) -> str | None:
    """Return how many entries of a batch SQS refused, and its codes; ``None``: none."""
    refused = answer.get("Failed", ())
    if not refused:
        return None
    codes = ", ".join(sorted({each["Code"] for each in refused}))
    return f"{len(refused)} refused: {codes}"
