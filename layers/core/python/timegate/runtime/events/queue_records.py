"""Queue messages in and out: readable ones become deliveries, the others are named as such."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.services.execution_services import Delivery
from timegate.value_classes import dataclass

Failures = dict[str, list[dict[str, str]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class MalformedMessage:
    """A message that no function can act on."""

    id: str
    receipt: str
    source: str
    body: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """A batch, sorted."""

    deliveries: tuple[Delivery, ...]
    malformed: tuple[MalformedMessage, ...]


def read_deliveries(event: dict[str, Any], queue_key: str, telemetry: Telemetry) -> Batch:
    """Sort a batch into what can be acted on and what cannot."""
    deliveries, malformed = [], []
    for record in event["Records"]:
        try:
            message = _read(record["body"], queue_key)
        except (TimegateError, ValueError, KeyError, RecursionError) as error:
            malformed.append(_malformed(record, error))
            telemetry.count(service_metrics.MESSAGES_REJECTED)
            telemetry.event(run_events.MESSAGE_REJECTED, queue=queue_key, detail=repr(error))
        else:
            deliveries.append(
                Delivery(
                    message=message,
                    id=record["messageId"],
                    receipt=record["receiptHandle"],
                    sent_at=_sent_at(record),
                )
            )
    return Batch(deliveries=tuple(deliveries), malformed=tuple(malformed))


def report(failed_ids: Sequence[str]) -> Failures:
    """The batch response: these messages are delivered again."""
    return {"batchItemFailures": [{"itemIdentifier": failed} for failed in failed_ids]}


def _read(body: str, queue_key: str) -> RunMessage:
    fields = json.loads(body)
    if not isinstance(fields, dict):
        raise Malformed("The body is no map.")
    # A later release may add a field of any type.
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    return RunMessage.from_fields(texts, queue_key=queue_key)


def _sent_at(record: dict[str, Any]) -> datetime | None:
    """Read when the queue took the message; it is for people alone, so nothing depends on it."""
    attributes = record.get("attributes")
    told = attributes.get("SentTimestamp") if isinstance(attributes, dict) else None
    milliseconds = told if isinstance(told, str) else ""
    if not re.fullmatch(r"[0-9]{1,13}", milliseconds):
        return None
    return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=int(milliseconds))


def _malformed(record: dict[str, Any], error: Exception) -> MalformedMessage:
    return MalformedMessage(
        id=record["messageId"],
        receipt=record["receiptHandle"],
        source=record.get("eventSourceARN", "unknown"),
        body=record["body"],
        reason=repr(error),
    )
