"""Deadlines: as jobs define them, and as the attempts carry them that somebody has looked at."""

from timegate.adapters.dynamo.recurrence.schedule_items import (
    mapping,
    number,
    optional_number,
    text,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.finish_by import Finish, FinishBy
from timegate.domain.values.instants import compact, from_compact


def finish_by_to_field(finish_by: FinishBy | None) -> Plain:
    """Nothing for a job without a deadline."""
    if finish_by is None:
        return None
    fields: dict[str, Plain] = {
        "within_seconds": finish_by.within_seconds,
        "time": finish_by.time,
        "timezone": finish_by.timezone,
    }
    return {name: value for name, value in fields.items() if value is not None}


def finish_by_from_field(value: Plain) -> FinishBy | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    return FinishBy(
        within_seconds=optional_number(fields.get("within_seconds")),
        time=_optional_text(fields.get("time")),
        timezone=_optional_text(fields.get("timezone")),
    )


def finish_to_field(finish: Finish | None) -> Plain:
    """Nothing for an attempt without a deadline."""
    if finish is None:
        return None
    expected_at = finish.expected_at
    fields: dict[str, Plain] = {
        "by": compact(finish.by),
        "is_judged": finish.is_judged or None,
        "usual_ms": finish.usual_ms,
        "expected_at": compact(expected_at) if expected_at is not None else None,
        "will_be_late": finish.will_be_late or None,
        "missed": finish.missed or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def finish_from_field(value: Plain) -> Finish | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    expected_at = fields.get("expected_at")
    return Finish(
        by=from_compact(text(fields["by"])),
        is_judged=fields.get("is_judged") is True,
        usual_ms=number(fields["usual_ms"]) if "usual_ms" in fields else None,
        expected_at=from_compact(text(expected_at)) if expected_at is not None else None,
        will_be_late=fields.get("will_be_late") is True,
        missed=fields.get("missed") is True,
    )


def _optional_text(value: Plain) -> str | None:
    return text(value) if value is not None else None
