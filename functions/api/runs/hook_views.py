"""From hooks to JSON: the run that triggered a run, and the runs that it triggered."""

from collections.abc import Sequence

from api.values.views import View
from timegate.domain.runs.parent import Parent
from timegate.domain.runs.run import Attempt


def parent_view(parent: Parent | None) -> View | None:
    """Show the run that triggered a run."""
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
    """Show the runs that a run triggered, by their last attempts."""
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
