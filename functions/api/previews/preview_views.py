"""From previews and forecasts to JSON."""

import json
from collections.abc import Sequence

from api.previews.cost_views import cost_view
from api.values.views import View, instant_view
from timegate.domain.planning.movable_end import MovableEnd
from timegate.domain.previews.edit_preview import Moved
from timegate.domain.previews.forthcoming import Coming
from timegate.domain.previews.load.advice import JitterAdvice
from timegate.domain.previews.load.forecast import MinuteRange, QueueLoad, at_minute
from timegate.domain.previews.preview_instant import Prospect
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.usecases.previews.forecast_load import Forecast
from timegate.usecases.previews.preview_edit import FirstPayloads, PreviewedEdit
from timegate.usecases.previews.preview_schedule import Preview

#: Jobs named in an advice; all are counted.
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


def _queue(queue: QueueLoad, span: MinuteRange, advice: JitterAdvice | None) -> View:
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


def _advice(advice: JitterAdvice) -> View:
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


def edit_preview_view(found: PreviewedEdit, *, limit: int) -> View:
    """Every count, and the first ``limit`` instants of each list."""
    preview = found.preview
    return {
        "version": found.version,
        "status": found.status,
        "from": rfc3339(found.window.start + MILLISECOND),
        "until": rfc3339(found.window.end),
        "compared_until": rfc3339(preview.compared_until),
        "instants": {"before": preview.runs_before, "after": preview.runs_after},
        "gained": _instants(preview.gained, limit),
        "lost": _instants(preview.lost, limit),
        "moved": {
            "count": len(preview.moved),
            "first": [_moved(each) for each in preview.moved[:limit]],
        },
        "stored": {"adopted": found.adopted, "superseded": found.superseded},
        "description": {"before": found.old_description, "after": found.new_description},
        "end": {"before": _end(found.old_end), "after": _end(found.new_end)},
        "cost": {"before": cost_view(found.old_cost), "after": cost_view(found.new_cost)},
        "payload": None if found.payloads is None else _payloads(found.payloads),
    }


def _payloads(found: FirstPayloads) -> View:
    return {
        "before": json.loads(found.before or "null"),
        "after": json.loads(found.after or "null"),
    }


def _end(end: MovableEnd | None) -> View | None:
    return None if end is None else end.fields()


def _instants(instants: Sequence[Coming], limit: int) -> View:
    return {"count": len(instants), "first": [_coming(each) for each in instants[:limit]]}


def _moved(moved: Moved) -> View:
    return {"before": _coming(moved.before), "after": _coming(moved.after)}


def _coming(each: Coming) -> View:
    return {"at": rfc3339(each.instant), "runs_at": rfc3339(each.runs_at)}


def preview_view(shown: Preview) -> View:
    """The next instants of a schedule, and which of them would run."""
    return {
        "fires": [rfc3339(each.at) for each in shown.prospects],
        "instants": [prospect_view(each) for each in shown.prospects],
        "description": shown.description,
        "clock_changes": [change.fields() for change in shown.clock_changes],
        "end": None if shown.end is None else shown.end.fields(),
    }


def prospect_view(prospect: Prospect) -> View:
    """An instant to come, and what calendars make of it."""
    return {
        "at": rfc3339(prospect.at),
        "outcome": str(prospect.outlook),
        "runs_at": instant_view(prospect.runs_at),
    }
