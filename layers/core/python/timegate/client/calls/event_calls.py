"""The client's operations on events."""

from collections.abc import Sequence

from timegate.client.calling import ApiCall, ask
from timegate.client.operation import operation
from timegate.client.schemas import EventContract, SentEvents
from timegate.client.sending import Calls


class EventCalls(Calls):
    """Events of a tenant."""

    @operation
    def send_events(self, events: EventContract | Sequence[EventContract]) -> ApiCall[SentEvents]:
        """Send a CloudEvent, or a batch of up to 100; repeating it changes nothing."""
        body = events if isinstance(events, dict) else list(events)
        return ask("/v1/events", body)
