"""Requests to settle dead letters in bulk, as a part of their operation's item."""

from collections.abc import Mapping

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import listed, optional_text, text
from timegate.adapters.dynamo.runs.items.dead_letter_items import (
    correction_from_field,
    correction_to_field,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.operations.operation import Settlement
from timegate.domain.runs.run import Reason
from timegate.domain.values.identity import JobId, RunId

Fields = Mapping[str, Plain]


def settlement_to_fields(task: Settlement) -> dict[str, Plain]:
    """``None`` where nothing is said."""
    letters = task.letters
    return {
        "job_id": letters.job_id,
        "reason": letters.reason,
        "error_code": letters.error_code,
        "start": written(letters.start),
        "end": written(letters.end),
        "runs": [str(run) for run in task.runs] or None,
        "payload": correction_to_field(task.payload),
        "fresh": task.fresh or None,
        "note": task.note,
    }


def settlement_from_fields(fields: Fields) -> Settlement:
    """Read it back; raises what a damaged item makes its reader raise."""
    job_id, reason = fields.get("job_id"), fields.get("reason")
    return Settlement(
        letters=DeadLetterFilter(
            job_id=JobId(text(job_id)) if job_id is not None else None,
            reason=Reason(text(reason)) if reason is not None else None,
            error_code=optional_text(fields.get("error_code")),
            start=optional_instant(fields.get("start")),
            end=optional_instant(fields.get("end")),
        ),
        runs=tuple(RunId.parse(text(run)) for run in listed(fields.get("runs"))),
        payload=correction_from_field(fields.get("payload")),
        fresh=fields.get("fresh") is True,
        note=optional_text(fields.get("note")),
    )
