"""Trying an event trigger: what an event would start, without starting it."""

import json
from typing import Any

from timegate.domain.event_triggers.event_trigger import EventTrigger
from timegate.domain.event_triggers.facts import EventFacts
from timegate.domain.event_triggers.projections import sent_on
from timegate.domain.events.matching import StepBudget, matches
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """Result of comparing an event with a trigger."""

    matches: bool
    #: Data that it would send on; ``None`` as well where it does not match.
    data: Any = None


def try_event_trigger(trigger: EventTrigger, event: EventFacts) -> Tried:
    """Compare an event with a trigger, paused or not.

    Raises ``InvalidInput`` for an event that takes too much, and as ``sent_on``.
    """
    if not matches(json.loads(trigger.pattern), event.document, StepBudget()):
        return Tried(matches=False)
    return Tried(matches=True, data=sent_on(trigger.starts, event.document))
