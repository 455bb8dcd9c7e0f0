"""From causes of runs to JSON: the run or event that triggered one, and the runs it triggered."""

from collections.abc import Sequence

from api.values.views import View
from timegate.domain.runs.parent import MatchedEvent, Parent
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


def matched_view(event: MatchedEvent | None) -> View | None:
    """Show the event that started a run, and the trigger that it matched."""
    if event is None:
        return None
    return {"event_trigger": event.event_trigger, "source": event.source, "id": event.id}


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
