"""From the preview of an edit to JSON."""

from collections.abc import Sequence

from api.shown import View
from timegate.domain.planning.movable_end import MovableEnd
from timegate.domain.previews.edit_preview import Moved
from timegate.domain.previews.forthcoming import Coming
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.usecases.previews.preview_edit import PreviewedEdit


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
    }


def _end(end: MovableEnd | None) -> View | None:
    return None if end is None else end.fields()


def _instants(instants: Sequence[Coming], limit: int) -> View:
    return {"count": len(instants), "first": [_coming(each) for each in instants[:limit]]}


def _moved(moved: Moved) -> View:
    return {"before": _coming(moved.before), "after": _coming(moved.after)}


def _coming(each: Coming) -> View:
    return {"at": rfc3339(each.instant), "runs_at": rfc3339(each.runs_at)}
