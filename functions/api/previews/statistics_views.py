"""From the domain to JSON: a job's recent runs in numbers."""

from api.previews.preview_views import prospect_view
from api.values.views import View, instant_view
from timegate.domain.previews.run_statistics import RunStreak, Spread
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339
from timegate.usecases.previews.read_statistics import JobStatistics


def statistics_view(statistics: JobStatistics) -> View:
    """Recent runs of a job, and what it fires next."""
    found = statistics.found
    return {
        "job_id": statistics.job_id,
        "runs": found.runs,
        "is_partial": statistics.is_partial,
        "runs_by_state": {str(state): count for state, count in found.states.items()},
        "last_run": _run(found.last),
        "last_success": _run(found.last_success),
        "streak": _streak(found.streak),
        "duration_ms": _spread(found.duration),
        "lateness_ms": _spread(found.lateness),
        "next_fires": [prospect_view(each) for each in statistics.next_fires],
    }


def _run(last: Attempt | None) -> View | None:
    if last is None:
        return None
    return {
        "run_id": str(last.id.run),
        "state": last.state,
        "scheduled_at": rfc3339(last.id.run.scheduled_at),
        "started_at": instant_view(last.started_at),
        "ended_at": instant_view(last.ended_at),
    }


def _streak(streak: RunStreak | None) -> View | None:
    if streak is None:
        return None
    return {
        "outcome": "succeeded" if streak.succeeded else "failed",
        "count": streak.count,
        "since": rfc3339(streak.since.id.run.scheduled_at),
        "is_partial": streak.is_partial,
    }


def _spread(spread: Spread | None) -> View | None:
    if spread is None:
        return None
    return {"count": spread.count, "p50": spread.p50, "p95": spread.p95, "max": spread.longest}
