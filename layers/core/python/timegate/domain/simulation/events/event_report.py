"""Events and waits of a simulation as JSON."""

from typing import Any

from timegate.domain.simulation.events.definitions import EventRow, MetTrigger, WaitRow
from timegate.domain.values.instants import rfc3339


def event_view(row: EventRow) -> dict[str, Any]:
    """Return an event, and everything that it meets."""
    event = row.event
    return {
        "at": rfc3339(event.at),
        "id": event.id,
        "source": event.source,
        "type": event.type,
        "met": [_met(each) for each in row.triggers],
    }


def wait_view(row: WaitRow) -> dict[str, Any]:
    """Return a wait, and the event that ends it."""
    wait, event = row.wait, row.event
    return {
        "name": wait.name,
        "type": wait.awaited.type,
        "correlation": wait.correlation,
        "from": rfc3339(wait.begun_at),
        "to": None if wait.until is None else rfc3339(wait.until),
        "met_at": None if event is None else rfc3339(max(event.at, wait.begun_at)),
        "event": None if event is None else event.id,
    }


def _met(met: MetTrigger) -> dict[str, Any]:
    return {
        "name": met.name,
        "job": met.job,
        "scheduled_at": None if met.run is None else rfc3339(met.run.scheduled_at),
        "code": None if met.error is None else met.error.code,
        "detail": None if met.error is None else str(met.error),
    }
