"""Errors of events."""

from timegate.domain.values.errors import Conflict


class EventConflict(Conflict):
    """The tenant sent another event with this source and id."""

    code = "event_conflict"

    def __init__(self, source: str, event_id: str) -> None:
        super().__init__(
            f"Another event of {source} has the id {event_id}; an event keeps its content."
        )
