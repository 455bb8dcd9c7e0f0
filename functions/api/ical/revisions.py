"""Revisions of an event: a file may hold several, of which the latest counts."""

from collections.abc import Sequence

from icalendar import Component


def latest(components: Sequence[Component]) -> list[Component]:
    """Leave out events of which the file holds a later ``SEQUENCE``, in the order of the file.

    Events that share a UID at one ``SEQUENCE`` are different ones, which careless programs write.
    """
    newest: dict[tuple[str, str], int] = {}
    for each in components:
        newest[_identity(each)] = max(_sequence(each), newest.get(_identity(each), 0))
    return [
        each
        for each in components
        if not each.get("UID") or _sequence(each) == newest[_identity(each)]
    ]


def _identity(component: Component) -> tuple[str, str]:
    occurrence = component.get("RECURRENCE-ID")
    return str(component.get("UID", "")), "" if occurrence is None else str(occurrence.dt)


def _sequence(component: Component) -> int:
    try:
        return max(0, int(component.get("SEQUENCE", 0)))
    except (TypeError, ValueError):
        return 0
