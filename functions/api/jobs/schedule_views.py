"""Schedules as users see them."""

from collections.abc import Iterable
from datetime import datetime

from api.values.views import View
from timegate.domain.recurrence.kinds.kind import BOUNDS
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import rfc3339


def schedule_view(schedule: Schedule) -> View:
    """A schedule: its kind and the fields of that kind."""
    return _view(schedule, kind_of(schedule.kind).fields)


def _member_view(schedule: Schedule) -> View:
    """A schedule without its bounds; so it stands in a union."""
    fields = kind_of(schedule.kind).fields
    return _view(schedule, (name for name in fields if name not in BOUNDS))


def _view(schedule: Schedule, names: Iterable[str]) -> View:
    return {"kind": schedule.kind} | {name: _value(getattr(schedule, name)) for name in names}


def _value(value: object) -> object:
    match value:
        case datetime():
            return rfc3339(value)
        case Schedule():
            return _member_view(value)
        case tuple():
            return [_value(each) for each in value]
        case _:
            return value
