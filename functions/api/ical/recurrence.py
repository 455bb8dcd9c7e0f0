"""Repeating an event, by ``dateutil``, on the wall clock that its rules are written for."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from dateutil.rrule import rrule, rruleset, rrulestr

from api.ical.events import IcalEvent
from api.ical.refusal import InvalidIcal, excerpt
from api.ical.rules import as_meant
from api.ical.values import EventLength

#: Steps of all rules of a file together, from their beginnings on: a daily event since 1970 takes
#: 21,000.
MAX_STEPS = 200_000


class RecurrenceBudget:
    """Count of the starts that may still be examined."""

    def __init__(self, left: int = MAX_STEPS) -> None:
        self._left = left

    def take(self, event: IcalEvent) -> None:
        """One of them; raises ``InvalidIcal`` when there is none left."""
        self._left -= 1
        if self._left < 0:
            detail = f"Event {event.uid} repeats too often since {event.starts:%Y-%m-%d}."
            raise InvalidIcal("too_complex", detail)


def starts_of(
    event: IcalEvent, *, until: datetime, steps: RecurrenceBudget
) -> Iterator[tuple[datetime, EventLength]]:
    """Every start up to a time of the event's wall clock, with its length.

    Raises ``InvalidIcal`` for rules that cannot be followed.
    """
    lengths = {start: lasts for start, lasts in event.added if lasts is not None}
    for start in _rule_set(event):
        steps.take(event)
        if start > until:
            return
        if start not in event.left_out and start.date() not in event.days_left_out:
            yield start, lengths.get(start, event.lasts)


def _rule_set(event: IcalEvent) -> rruleset:
    every = rruleset()
    # The first is one, whether or not the rules name it.
    for start in chain([event.starts], (start for start, _ in event.added)):
        every.rdate(start)
    try:
        for text in event.rules:
            every.rrule(_rule(text, event))
        for text in event.rules_out:
            every.exrule(_rule(text, event))
    except (ValueError, TypeError) as error:
        detail = f"Event {event.uid}: a rule cannot be followed: {excerpt(error)}."
        raise InvalidIcal("unsupported_recurrence", detail) from error
    return every


def _rule(text: str, event: IcalEvent) -> rrule:
    meant = as_meant(text, event.starts, whole_days=event.whole_days)
    found = rrulestr(meant, dtstart=event.starts)
    if not isinstance(found, rrule):
        raise TypeError("it is more than one")
    return found
