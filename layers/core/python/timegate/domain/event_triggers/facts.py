"""Facts of an event that triggers are fired by, wherever it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFacts:
    """An event: its identity, and all of it as JSON."""

    #: Source and id together are the event.
    source: str
    id: str
    #: Its attributes by name, and its ``data``.
    document: Mapping[str, Any]
