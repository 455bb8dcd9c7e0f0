"""Delivery modes and kept answers, as jobs and attempts carry them."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.values.instants import compact, from_compact

Fields = Mapping[str, Plain]


def delivery_to_field(mode: DeliveryMode) -> str | None:
    """Return the mode if it differs from the default."""
    return mode if mode is not DeliveryMode.AT_LEAST_ONCE else None


def delivery_from_field(value: Plain) -> DeliveryMode:
    """Read a mode back; what is absent is the default."""
    return DeliveryMode(text(value)) if value is not None else DeliveryMode.AT_LEAST_ONCE


def answer_to_fields(answer: KeptAnswer | None) -> dict[str, Plain]:
    """Build the fields of an answer that no holder of the lease recorded."""
    if answer is None:
        return {}
    return {
        "answer": answer.text,
        "answer_fence": answer.fence,
        "answered_at": compact(answer.at),
    }


def answer_from_fields(fields: Fields) -> KeptAnswer | None:
    """Read a kept answer back."""
    if "answer_fence" not in fields:
        return None
    return KeptAnswer(
        text=text(fields["answer"]),
        fence=number(fields["answer_fence"]),
        at=from_compact(text(fields["answered_at"])),
    )
