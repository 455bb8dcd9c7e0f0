"""The client's operations on event triggers."""

from collections.abc import Mapping
from typing import Any

from timegate.client.calling import ApiCall, PageCall, ask, change, get, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    EventTrigger,
    EventTriggerBody,
    EventTriggerPage,
    EventTriggerValidation,
    TriedEvent,
)
from timegate.client.sending import Calls


class EventTriggerCalls(Calls):
    """Operations on event triggers."""

    @listing
    def list_event_triggers(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[EventTriggerPage, EventTrigger]:
        """A page of the tenant's event triggers, by name."""
        return page("/v1/event-triggers", {"limit": limit, "cursor": cursor})

    @operation
    def get_event_trigger(self, event_trigger: str) -> ApiCall[EventTrigger]:
        """An event trigger, by its name; with the address of its web hook."""
        return get(_trigger(event_trigger))

    @operation
    def put_event_trigger(
        self, event_trigger: str, body: EventTriggerBody, *, version: int | None = None
    ) -> ApiCall[EventTrigger]:
        """Create a trigger or replace it; ``version``: only that one, 0: only if there is none."""
        path = _trigger(event_trigger)
        return change("PUT", path, body=body, version=version, creates=True)

    @operation
    def validate_event_trigger(
        self, event_trigger: str, body: EventTriggerBody
    ) -> ApiCall[EventTriggerValidation]:
        """Say what putting an event trigger would: what is wrong with it, and its defaults."""
        return ask(f"{_trigger(event_trigger)}/validate", body)

    @operation
    def delete_event_trigger(
        self, event_trigger: str, *, version: int | None = None
    ) -> ApiCall[EventTrigger]:
        """Forget a trigger, and the address of its web hook."""
        return change("DELETE", _trigger(event_trigger), version=version)

    @operation
    def pause_event_trigger(self, event_trigger: str) -> ApiCall[EventTrigger]:
        """Let events pass it by; what comes meanwhile starts nothing later."""
        return change("POST", f"{_trigger(event_trigger)}/pause")

    @operation
    def resume_event_trigger(self, event_trigger: str) -> ApiCall[EventTrigger]:
        """Let events reach it again."""
        return change("POST", f"{_trigger(event_trigger)}/resume")

    @operation
    def try_event_trigger(
        self, event_trigger: str, event: Mapping[str, Any]
    ) -> ApiCall[TriedEvent]:
        """Compare an event with a trigger, and show what it would send on; nothing starts."""
        return ask(f"{_trigger(event_trigger)}/try", {"event": event})


def _trigger(name: str) -> str:
    return f"/v1/event-triggers/{segment(name)}"
