"""From forecasts to JSON."""

from api.shown import View
from timegate.domain.previews.load.advice import Advice
from timegate.domain.previews.load.forecast import QueueLoad, Range, at_minute
from timegate.domain.values.instants import rfc3339
from timegate.usecases.previews.forecast_load import Forecast

#: Of an advice; all are counted.
_JOBS_NAMED = 20


def forecast_view(found: Forecast) -> View:
    """The load of each queue, minute by minute."""
    span = found.span
    return {
        "from": rfc3339(at_minute(span.first)),
        "until": rfc3339(at_minute(span.behind)),
        "jobs": {"read": found.read, "due": found.due, "damaged": len(found.damaged)},
        "queues": [
            _queue(each, span, found.advice.get((each.name, each.is_pool))) for each in found.rows
        ],
        "next_cursor": found.cursor,
    }


def _queue(queue: QueueLoad, span: Range, advice: Advice | None) -> View:
    return {
        "queue": queue.name,
        "is_pool": queue.is_pool,
        "runs": sum(queue.counts),
        "busiest": [
            {"at": rfc3339(at_minute(minute)), "runs": queue.counts[minute - span.first]}
            for minute in queue.busiest
        ],
        "minutes": list(queue.counts),
        "advice": None if advice is None else _advice(advice),
    }


def _advice(advice: Advice) -> View:
    return {
        "at": rfc3339(at_minute(advice.minute)),
        "runs_before": advice.before,
        "runs_after": advice.after,
        "jitter_seconds": advice.jitter_seconds,
        "job_count": len(advice.jobs),
        "jobs": [
            {"job_id": each.job.job_id, "name": each.job.name} for each in advice.jobs[:_JOBS_NAMED]
        ],
    }
