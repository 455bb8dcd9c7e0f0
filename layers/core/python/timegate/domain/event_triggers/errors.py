"""Errors about event triggers."""

from timegate.domain.values.errors import Conflict, NotFound, VersionMismatch


class EventTriggerNotFound(NotFound):
    """The tenant has no event trigger of this name."""

    code = "event_trigger_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no event trigger {name}.")


class EventTriggerVersionMismatch(VersionMismatch):
    """The caller asked for a version of the event trigger that is not the stored one."""

    def __init__(self, name: str, version: int) -> None:
        Conflict.__init__(self, f"Event trigger {name} is at version {version}.")


class TooManyEventTriggers(Conflict):
    """The tenant has as many event triggers as it may have."""

    code = "too_many_event_triggers"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A tenant may have {limit} event triggers; delete one.")
