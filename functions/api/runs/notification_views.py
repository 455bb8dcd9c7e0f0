"""From notifications of a run to JSON."""

import json
from collections.abc import Sequence

from api.runs.run_views import run_row
from api.values.views import View
from timegate.domain.channels.channel import Channel
from timegate.usecases.runs.read_notifications import ShownNotification


def notifications_view(told: Sequence[ShownNotification]) -> View:
    """Show the notifications of a run."""
    return {"items": [_told_view(each) for each in told], "next_cursor": None}


def _told_view(told: ShownNotification) -> View:
    row = run_row(told.last)
    return {
        "notification_id": row.pop("run_id"),
        "run_attempt": told.mark.attempt,
        "on": told.mark.occasion,
        "channel": _channel_view(told.channel),
        "message": json.loads(told.last.notice or "null"),
        **{name: row[name] for name in _DELIVERY},
    }


def _channel_view(channel: Channel | None) -> View | None:
    return {"type": channel.type, "address": channel.address} if channel is not None else None


#: How far its delivery came.
_DELIVERY = (
    "attempt",
    "state",
    "due_at",
    "started_at",
    "ended_at",
    "error",
    "reason",
    "explanation",
)
