"""From values of the domain to JSON, field by field; values with words of their own say so here."""

import json
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from functools import cache, singledispatch
from typing import Any

from api.jobs.rate_views import rate_limit_view
from api.jobs.schedule_views import schedule_view
from api.values.views import View
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.definition import DEFINED
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import PayloadSchema
from timegate.value_classes import fields_of

#: Types of most values, which are JSON already.
_AS_THEY_ARE = frozenset({str, bool, int, float})
#: Its name heads a job.
_IN_ORDER = dict.fromkeys(["name", "description", *DEFINED])


def definition_view(job: Job) -> View:
    """Show all that the owner of a job says of it, but its payload, which is stored apart."""
    return {name: shown(job.defined(name)) for name in _IN_ORDER if name != "payload"}


def shown(value: object) -> Any:  # noqa: ANN401 - any JSON
    """Show a value: every field, and its type where it is one of a union."""
    kind = type(value)
    return value if value is None or kind in _AS_THEY_ARE else _way_of(kind)(value)  # type: ignore[arg-type]


@cache
def _way_of(kind: type) -> Callable[[Any], Any]:
    """Return what shows values of a type: it is found once."""
    own = _shown.dispatch(kind)
    return _field_by_field(kind) if own is _as_it_is and is_dataclass(kind) else own


def _field_by_field(kind: type) -> Callable[[Any], View]:
    names = [each.name for each in fields_of(kind)]
    has_type = hasattr(kind, "type")

    def show(value: Any) -> View:  # noqa: ANN401 - a value of the type
        fields = {name: shown(getattr(value, name)) for name in names}
        return {"type": value.type} | fields if has_type else fields

    return show


def _as_it_is(value: object) -> object:
    return value


#: Types with words of their own.
_shown = singledispatch(_as_it_is)


@_shown.register
def _(value: Mapping) -> View:  # type: ignore[type-arg]
    return {name: shown(each) for name, each in value.items()}


@_shown.register
def _(value: tuple) -> list[Any]:  # type: ignore[type-arg]
    return [shown(each) for each in value]


@_shown.register
def _(value: Subscription) -> View:
    """Show a channel and what it is told of beside one another."""
    return {**shown(value.channel), "on": shown(value.on)}


@_shown.register
def _(value: CalendarRule) -> View:
    """Show a rule without the options that it does not use."""
    values = {each.name: getattr(value, each.name) for each in fields_of(type(value))}
    return {name: each for name, each in values.items() if each is not None}


@_shown.register
def _(value: PayloadSchema) -> Any:  # noqa: ANN401 - any JSON
    """Show a schema as it was given."""
    return json.loads(value.text)


_shown.register(datetime, rfc3339)
_shown.register(RateLimit, rate_limit_view)
_shown.register(Schedule, schedule_view)
