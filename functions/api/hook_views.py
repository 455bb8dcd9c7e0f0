"""What users see of hooks: what is asked before a run, what follows it, and what triggered it."""

from collections.abc import Sequence
from typing import Any

from timegate.domain.runs.parent import Parent
from timegate.domain.runs.run import Attempt

View = dict[str, Any]


def parent_view(parent: Parent | None) -> View | None:
    """What triggered a run."""
    if parent is None:
        return None
    run = parent.attempt.run
    return {
        "run_id": str(run),
        "job_id": run.job_id,
        "attempt": parent.attempt.number,
        "state": parent.occasion,
        "depth": parent.depth,
    }


def triggered_view(triggered: Sequence[Attempt]) -> list[View]:
    """What a run triggered, as the last attempts show it."""
    return [
        {
            "run_id": str(last.id.run),
            "job_id": last.id.run.job_id,
            "by_attempt": last.parent.attempt.number if last.parent is not None else None,
            "state": last.state,
            "reason": last.reason,
        }
        for last in triggered
    ]
