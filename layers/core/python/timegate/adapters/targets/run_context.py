"""Facts about the run for AWS targets (R6), beside the payload or in attributes."""

import json
from typing import Any

from timegate.adapters.targets import callbacks
from timegate.domain.execution.call import Call, Resume
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.runs.parent import Parent
from timegate.domain.values.instants import rfc3339

#: Characters that SQS refuses; within JSON they stand in texts alone.
_ESCAPED = {code: f"\\u{code:x}" for code in (0xFFFE, 0xFFFF)}


def context(call: Call) -> dict[str, str | int]:
    """The run, and what tells one call for it from another."""
    parent = call.parent
    return {
        "run_id": str(call.attempt.run),
        "idempotency_key": call.idempotency_key,
        "fence": call.fence,
        "attempt": call.attempt.number,
        "scheduled_at": rfc3339(call.scheduled_at),
        "traceparent": traceparent(call),
        **(_triggered_by(parent) if parent is not None else {}),
    }


def envelope(call: Call, *, api_url: str = "", most_bytes: int | None = None) -> str:
    """JSON of the payload with the run's context beside it.

    The payload is taken as it was given: reading and writing it again could make it longer, and
    its numbers others. ``api_url`` is where a target says how it goes that may call back. Where all
    has more than ``most_bytes``, ``parent`` is null: the context names the parent anyhow.
    """
    payload = call.payload if call.payload is not None else "null"
    about: dict[str, object] = {**context(call)}
    if call.callback is not None:
        about["callback"] = callbacks.told(call.callback, callbacks.callback_url(api_url, call))
    told = json.dumps(about)
    if call.resume is not None:
        told = f"{told[:-1]},{_resumption(call.resume)}}}"
    if call.parent is None:
        return _with_payload(payload, told)
    whole = _with_payload(payload, f'{told[:-1]},"parent":{call.parent.document}}}')
    if most_bytes is None or len(whole.encode()) <= most_bytes:
        return whole
    return _with_payload(payload, f'{told[:-1]},"parent":null}}')


def _with_payload(payload: str, told: str) -> str:
    return f'{{"payload":{payload},"timegate":{told}}}'


def _triggered_by(parent: Parent) -> dict[str, str]:
    return {"triggered_by": str(parent.attempt.run), "triggered_by_state": parent.occasion}


def _resumption(resume: Resume) -> str:
    """Members of an object: of a long run, the slice and the last checkpoint as it was given."""
    checkpoint = resume.checkpoint if resume.checkpoint is not None else "null"
    link = f',"checkpoint_link":{json.dumps(resume.link)}' if resume.link is not None else ""
    return (
        f'"slice":{resume.slice},"checkpoint_sequence":{resume.sequence},"checkpoint":{checkpoint}'
        f"{link}"
    )


def message_body(call: Call) -> str:
    """Return the payload as the body of a message of SQS; an empty object without one.

    JSON text may have any character but controls; SQS takes two of them only as escapes:
    https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
    """
    return call.payload.translate(_ESCAPED) if call.payload is not None else "{}"


def attributes(call: Call) -> dict[str, Any]:
    """The context as the attributes of a message of SQS or SNS."""
    return {name: _attribute(value) for name, value in context(call).items()}


def order(call: Call, *, group_id: str | None, is_fifo: bool) -> dict[str, str]:
    """Group and deduplication of a message of SQS or SNS.

    The runs of a job keep their order unless it names another group. A retry of an attempt that
    was heard after all is dropped by a FIFO target: it carries the same deduplication id.
    """
    if not is_fifo:
        return {"MessageGroupId": group_id} if group_id is not None else {}
    return {
        "MessageGroupId": group_id or call.attempt.run.job_id,
        "MessageDeduplicationId": call.idempotency_key,
    }


def _attribute(value: str | int) -> dict[str, str]:
    kind = "String" if isinstance(value, str) else "Number"
    return {"DataType": kind, "StringValue": str(value)}
