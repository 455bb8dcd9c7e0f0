"""The calendars and freezes of a document, and how each is read."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from enum import StrEnum
from functools import partial

from timegate.domain.calendars.calendar import (
    CALENDAR_NAME,
    MAX_CALENDARS,
    MAX_ENTRIES,
    WEEK,
    WEEKEND,
    Calendar,
    CalendarName,
    DailyWindow,
    DayRange,
    Period,
)
from timegate.domain.restrictions.freeze import (
    MAX_FREEZES,
    Freeze,
    FreezeKind,
    FreezeScope,
    ThawPolicy,
    freeze_id_for,
)
from timegate.domain.simulation.parsing.fields import Fields, instant, many, one_of, table, text
from timegate.domain.simulation.parsing.job_fields import MAX_TAGS, read_job_id
from timegate.domain.simulation.scenario import TENANT, CalendarEdit, SimulatedJob
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import YEARS

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?", re.ASCII)
#: What a calendar is, and what it becomes.
_Calendars = tuple[Calendar, tuple[CalendarEdit, ...]]


class Weekday(StrEnum):
    """Days of the week; the number of each is its place."""

    MON = "mon"
    TUE = "tue"
    WED = "wed"
    THU = "thu"
    FRI = "fri"
    SAT = "sat"
    SUN = "sun"


def read_calendars(value: object, path: str, *, start: datetime) -> tuple[_Calendars, ...]:
    """Calendars by their names, each as it is put to the API, and how it is edited."""
    named = table(partial(_edited_calendar, start=start), most=MAX_CALENDARS)(value, path)
    for name in named:
        if not CALENDAR_NAME.fullmatch(name):
            detail = "A calendar's name has 1 to 64 letters a to z, digits and dashes."
            raise InvalidInput(f"{path}.{name}", "invalid_format", detail)
    return tuple(named.values())


def read_freezes(value: object, path: str, *, jobs: Sequence[SimulatedJob]) -> tuple[Freeze, ...]:
    """Freezes of the tenant, of a tag or of one of the jobs."""
    return many(partial(_freeze, jobs=jobs), most=MAX_FREEZES)(value, path)


def _edited_calendar(value: object, path: str, *, start: datetime) -> _Calendars:
    given, name = Fields(value, path), CalendarName(path.rpartition(".")[2])
    edits = given.optional("edits", many(partial(_calendar_edit, name=name)), ())
    return _calendar(given, name, start), edits


def _calendar_edit(value: object, path: str, *, name: CalendarName) -> CalendarEdit:
    given = Fields(value, path)
    at = given.required("at", instant)
    calendar = given.required("calendar", partial(_replacement, name=name, at=at))
    given.done()
    return CalendarEdit(at=at, name=name, calendar=calendar, path=path)


def _replacement(value: object, path: str, *, name: CalendarName, at: datetime) -> Calendar | None:
    return None if value is None else _calendar(Fields(value, path), name, at)


def _calendar(given: Fields, name: CalendarName, at: datetime) -> Calendar:
    calendar = Calendar(
        tenant=TENANT,
        name=name,
        timezone=given.optional("timezone", text, "UTC"),
        description=given.optional("description", text, ""),
        tags=given.optional("tags", table(text, most=MAX_TAGS), {}),
        days=given.optional("days", many(_days, most=MAX_ENTRIES), ()),
        weekdays=given.optional("weekdays", read_weekdays, frozenset()),
        windows=given.optional("windows", many(_window, most=MAX_ENTRIES), ()),
        weekend=given.optional("weekend", read_weekdays, WEEKEND),
        periods=given.optional("periods", many(_period, most=MAX_ENTRIES), ()),
        updated_at=at,
    )
    given.done()
    return calendar


def _days(value: object, path: str) -> DayRange:
    given = Fields(value, path)
    first = given.required("first", _day)
    days = DayRange(first=first, last=given.optional("last", _day, first))
    given.done()
    return days


def read_weekdays(value: object, path: str) -> frozenset[int]:
    """Days of the week by their numbers; 0 is Monday."""
    names = many(one_of(Weekday))(value, path)
    return frozenset(list(Weekday).index(name) for name in names)


def _window(value: object, path: str) -> DailyWindow:
    given = Fields(value, path)
    window = DailyWindow(
        weekdays=given.optional("weekdays", read_weekdays, WEEK),
        opens=given.required("opens", _time_of_day),
        closes=given.required("closes", _time_of_day),
    )
    given.done()
    return window


def _period(value: object, path: str) -> Period:
    given = Fields(value, path)
    period = Period(start=given.required("start", instant), end=given.required("end", instant))
    given.done()
    return period


def _day(value: object, path: str) -> date:
    try:
        if isinstance(value, str) and _DAY.fullmatch(value):
            day = date.fromisoformat(value)
            if day.year in YEARS:
                return day
    except ValueError:
        pass  # 31 February, and what is no day at all: refused below.
    raise InvalidInput(path, "invalid_format", "It must be a day such as 2026-12-24.")


def _time_of_day(value: object, path: str) -> time:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise InvalidInput(path, "invalid_format", "It must be a time of day such as 22:30.")
    return time.fromisoformat(value)


def _freeze(value: object, path: str, *, jobs: Sequence[SimulatedJob]) -> Freeze:
    given = Fields(value, path)
    scope = given.required("scope", partial(_scope, jobs=jobs))
    starts_at, ends_at = given.required("from", instant), given.required("to", instant)
    thaw = given.optional("thaw", one_of(ThawPolicy), ThawPolicy.JOB)
    announced = min(starts_at, *(job.created_at for job in jobs))
    freeze = Freeze(
        tenant=TENANT,
        freeze_id=freeze_id_for(TENANT, scope, starts_at=starts_at, ends_at=ends_at, thaw=thaw),
        scope=scope,
        starts_at=starts_at,
        ends_at=ends_at,
        thaw=thaw,
        created_at=given.optional("created_at", instant, announced),
        lifted_at=given.optional("lifted_at", instant, None),
    )
    given.done()
    return freeze


def _scope(value: object, path: str, *, jobs: Sequence[SimulatedJob]) -> FreezeScope:
    given = Fields(value, path)
    kind = given.required("kind", one_of(FreezeKind))
    match kind:
        case FreezeKind.TENANT:
            scope = FreezeScope(kind=kind)
        case FreezeKind.TAG:
            key, tag = given.required("key", text), given.optional("value", _text_or_null, None)
            scope = FreezeScope(kind=kind, value=key if tag is None else f"{key}={tag}")
        case FreezeKind.JOB:
            scope = FreezeScope(kind=kind, value=job_named(given, jobs).job_id)
    given.done()
    return scope


def job_named(given: Fields, jobs: Sequence[SimulatedJob]) -> SimulatedJob:
    """One of the scenario's jobs, by its name or its id; the only one needs neither."""
    if "job" in given.given():
        field, wanted = "job", given.required("job", text)
        found = [job for job in jobs if job.name == wanted]
    elif "job_id" in given.given():
        field, wanted = "job_id", given.required("job_id", read_job_id)
        found = [job for job in jobs if job.job_id == wanted]
    elif len(jobs) == 1:
        return jobs[0]
    else:
        raise InvalidInput(given.path("job"), "missing", "Which of the jobs?")
    if not found:
        raise InvalidInput(given.path(field), "unknown_job", "The scenario has no such job.")
    return found[0]


def _text_or_null(value: object, path: str) -> str | None:
    return None if value is None else text(value, path)
