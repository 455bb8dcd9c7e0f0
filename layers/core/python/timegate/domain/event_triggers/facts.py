"""Facts of an event that triggers are fired by, wherever it comes from."""

from collections.abc import Mapping
from typing import Any

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFacts:
    """An event: its identity, and all of it as JSON."""

    #: Source and id together are the event.
    source: str
    id: str
    #: Its attributes by name, and its ``data``.
    document: Mapping[str, Any]
