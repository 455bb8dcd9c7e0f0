"""From the domain to JSON: deadlines of runs, and advice about jobs."""

from collections.abc import Iterable
from typing import Any

from timegate.domain.previews.advice import JobAdvice
from timegate.domain.runs.finishing import margin_ms, outlook
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339


def finish_view(attempt: Attempt) -> dict[str, Any] | None:
    """The deadline of a run, and how the run stands to it."""
    finish = attempt.finish
    if finish is None:
        return None
    expected_at = finish.expected_at
    return {
        "at": rfc3339(finish.by),
        "outlook": outlook(attempt, finish),
        "usual_duration_ms": finish.usual_ms,
        "expected_at": rfc3339(expected_at) if expected_at is not None else None,
        "margin_ms": margin_ms(attempt, finish),
    }


def advice_view(advice: Iterable[JobAdvice]) -> list[dict[str, str]]:
    """What a job's owner may want to change."""
    return [{"field": each.field, "code": each.code, "detail": each.detail} for each in advice]
