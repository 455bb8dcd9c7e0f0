"""Facts of an event that triggers are fired by, wherever it comes from."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from timegate.domain.dags.evaluation import Budget
from timegate.domain.event_triggers.projections import budget_of_event
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventFacts:
    """An event: its identity, and all of it as JSON."""

    #: Source and id together are the event.
    source: str
    id: str
    #: Its attributes by name, and its ``data``.
    document: Mapping[str, Any]
    #: Steps that its triggers may still take together to look up what they send on.
    budget: Budget = field(default_factory=budget_of_event, compare=False, repr=False)
