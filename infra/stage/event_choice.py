"""Events of a stage: if it has a bus of them, and which of them it sends."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from timegate.domain.cloud_events.sampling import InvalidSampling, Sampling

#: A function's variables have 4 KB together.
_LONGEST = 1_500


class EventsError(ValueError):
    """The context says of events what cannot be."""


@dataclass(frozen=True, kw_only=True)
class EventChoice:
    """Choices of a stage's events."""

    #: The stack has a bus, and every transition is told on it.
    on: bool = False
    #: JSON of the rules, as functions read them; empty: every event is sent.
    sampling: str = ""


def event_choice(context: Callable[[str], object]) -> EventChoice:
    """Read ``events`` and ``eventSampling``; raises ``EventsError``."""
    switch, rules = context("events") or "off", context("eventSampling")
    if switch not in {"on", "off"}:
        raise EventsError(f"events: {switch!r} is neither on nor off")
    if rules in (None, ""):
        return EventChoice(on=switch == "on")
    # ``cdk.json`` may say it as a list.
    text = rules if isinstance(rules, str) else json.dumps(rules)
    try:
        Sampling.parse(text)
    except InvalidSampling as error:
        raise EventsError(f"eventSampling: {error}") from error
    short = json.dumps(json.loads(text), separators=(",", ":"))
    if len(short) > _LONGEST:
        raise EventsError(f"eventSampling: {len(short)} characters are more than {_LONGEST}")
    if switch == "off":
        raise EventsError("eventSampling: events are off; set events=on as well")
    return EventChoice(on=True, sampling=short)
