"""From notifications of a run to JSON."""

import json
from collections.abc import Sequence

from api.runs.run_views import run_row
from api.values.views import View
from timegate.domain.channels.channel import Channel
from timegate.domain.runs.run import Attempt
from timegate.usecases.runs.read_notifications import ShownNotification


def notifications_view(told: Sequence[ShownNotification]) -> View:
    """Show the notifications of a run."""
    return {"items": [_told_view(each) for each in told], "next_cursor": None}


def _told_view(told: ShownNotification) -> View:
    return {
        "notification_id": str(told.last.id.run),
        "run_attempt": told.mark.attempt,
        "on": told.mark.occasion,
        "channel": channel_view(told.channel),
        "message": json.loads(told.last.notice or "null"),
        **delivery_view(told.last),
    }


def delivery_view(last: Attempt) -> View:
    """Show how far the delivery of a notification came."""
    row = run_row(last)
    return {name: row[name] for name in _DELIVERY}


def channel_view(channel: Channel | None) -> View | None:
    """Show a channel that is told something; ``None``: it is not told any more."""
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
