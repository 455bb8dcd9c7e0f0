"""From messages of a notification rule to JSON."""

import json

from api.runs.notification_views import channel_view, delivery_view
from api.values.views import View
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.messages import events_of
from timegate.domain.values.instants import rfc3339
from timegate.usecases.rules.read_messages import ToldMessage


def message_view(told: ToldMessage) -> View:
    """Show a message, and how far its delivery came."""
    return {
        "notification_id": str(told.last.id.run),
        "told_at": rfc3339(told.last.id.run.scheduled_at),
        "channel": channel_view(told.channel),
        "message": json.loads(told.last.notice or "null"),
        **delivery_view(told.last),
    }


def held_view(held: HeldEvents) -> View:
    """Show events that wait for the end of quiet hours."""
    return {"events": [*events_of(held.events)], "more": held.more}
