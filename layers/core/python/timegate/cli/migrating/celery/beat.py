"""Entries of ``beat_schedule``, as JSON that writes other values by their ``repr``.

Sources: Celery 5, ``schedules.py`` and its page about periodic tasks.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from timegate.cli.migrating.celery.patterns import pattern_of_fields
from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UniqueNames,
    told,
    unconverted,
)
from timegate.cli.reading.json_lines import lines_of_members
from timegate.declaring.json_reading import read_json
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.recurrence.zones.zone_clock import load_zone, never_changes
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_CRONTAB = re.compile(r"<crontab: (?P<fields>.{1,2000}) \((?P<order>[\w/]{1,20})\)>", re.DOTALL)
#: The order of the fields in a ``repr``; older releases put the weekday third.
_ORDERS = {"m/h/dM/MY/d": (0, 1, 2, 3, 4), "m/h/d/dM/MY": (0, 1, 3, 4, 2)}
#: A field that is a list or a set: ``[0, 30]``, ``{'mon', 'fri'}``.
_COLLECTION = re.compile(r"[\[{(](?P<items>[^\[\]{}()]*+)[\]})]")
_DELTA = re.compile(r"(?:datetime\.)?timedelta\((?P<parts>[\w=., ]{0,200})\)")
_PART = re.compile(r"(days|seconds|microseconds)=(\d{1,12})")
_FREQUENCY = re.compile(
    r"<freq: (?P<number>\d{1,9}(?:\.\d{1,2})?) (?P<unit>second|minute|hour|day)s?>"
)
#: A ``repr`` rounds an interval to hundredths of its unit: it may be so much longer or shorter.
_ROUNDED_BY = Fraction(1, 200)
_UNITS = {
    "days": Fraction(86_400),
    "seconds": Fraction(1),
    "microseconds": Fraction(1, 1_000_000),
}
_FREQUENCIES = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400}
_READ = frozenset({"task", "schedule", "args", "kwargs"})


@dataclass(frozen=True, slots=True)
class BeatEntry:
    """One periodic task, as it is written."""

    name: str
    line: int
    content: Mapping[str, Any]


def read_beat(text: str, *, timezone: str | None) -> list[Read]:
    """Read the schedule of every entry, in order; ``timezone`` is that of the application.

    Raises ``InvalidInput`` for what is no ``beat_schedule`` in JSON.
    """
    return [read for _, read in each_beat_entry(text, timezone=timezone)]


def each_beat_entry(text: str, *, timezone: str | None) -> list[tuple[BeatEntry, Read]]:
    """Return the entries of a file with their schedules, as ``read_beat``."""
    try:
        found = read_json(text)
        lines = lines_of_members(text)
    except (ValueError, RecursionError) as error:
        detail = f"It is no beat_schedule in JSON: {error}."
        raise InvalidInput("file", "invalid_json", detail) from error
    if not isinstance(found, dict):
        raise InvalidInput("file", "invalid_json", "A beat_schedule is an object of entries.")
    names = UniqueNames()
    entries = [
        BeatEntry(name, line, content if isinstance(content, dict) else {})
        for (name, content), line in zip(found.items(), lines, strict=True)
    ]
    return [
        (entry, names.noted(_read(entry, names.take(entry.name), timezone))) for entry in entries
    ]


def _read(entry: BeatEntry, name: str, timezone: str | None) -> Read:
    given = entry.content.get("schedule")
    text = "" if given is None else str(given)
    try:
        schedule, notes = _scheduled(given, text, timezone)
        there = as_there(schedule, Source.CELERY)
    except InvalidInput as refused:
        return unconverted(name, entry.line, text, refused)
    return ScheduleEntry(
        name=name,
        line=entry.line,
        text=text,
        schedule=schedule,
        there=there,
        notes=(*notes, *_losses(entry.content)),
        # Beat sends a task that came due while it was down, once.
        job={"catch_up": {"policy": "latest"}},
    )


def _scheduled(given: object, text: str, timezone: str | None) -> tuple[Schedule, tuple[Note, ...]]:
    if crontab := _CRONTAB.fullmatch(text):
        return _of_crontab(crontab, timezone)
    if frequency := _FREQUENCY.fullmatch(text):
        seconds, notes = _of_frequency(frequency)
    else:
        seconds, notes = _seconds(given, text), ()
    if seconds.denominator != 1 or seconds < 1:
        detail = "A rate has whole seconds, 1 or more."
        raise InvalidInput("schedule.every_seconds", "out_of_range", detail)
    detail = "Celery counts from the last time it sent the task, a rate from its anchor."
    rate = Schedule(kind=ScheduleKind.RATE, every_seconds=int(seconds))
    return rate, (Note(code="relative", detail=detail), *notes)


def _of_frequency(frequency: re.Match[str]) -> tuple[Fraction, tuple[Note, ...]]:
    """Return the seconds of an interval, and a note where its ``repr`` stands for several.

    Hundredths of a minute tell whole seconds apart; those of an hour or a day do not.
    """
    size = _FREQUENCIES[frequency["unit"]]
    shown, spread = Fraction(frequency["number"]) * size, _ROUNDED_BY * size
    seconds = shown if shown.denominator == 1 else Fraction(round(shown))
    if abs(seconds - shown) > spread:
        return shown, ()
    least, most = ceil(shown - spread), floor(shown + spread)
    if least == most:
        return seconds, ()
    detail = (
        f"Its repr is rounded: the interval is {least} to {most} seconds, and {seconds} are taken."
        " Write its seconds as a number."
    )
    return seconds, (Note(code="rounded", detail=detail),)


def _of_crontab(crontab: re.Match[str], timezone: str | None) -> tuple[Schedule, tuple[Note, ...]]:
    fields = _COLLECTION.sub(_joined, crontab["fields"]).split()
    order = _ORDERS.get(crontab["order"])
    if order is None or len(fields) != len(order):
        detail = f"{crontab[0]!r} is no crontab of five fields."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    zone = timezone or "UTC"
    load_zone(zone)
    cron = pattern_of_fields([fields[at] for at in order])
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron, timezone=zone)
    return schedule, tuple(_notes_of_zone(timezone))


def _joined(found: re.Match[str]) -> str:
    return ",".join(item.strip().strip("'\"") for item in found["items"].split(",") if item.strip())


def _notes_of_zone(timezone: str | None) -> Iterator[Note]:
    if timezone is None:
        detail = "Celery reads it in the application's timezone; UTC is assumed. Name it."
        yield Note(code="timezone_assumed", detail=detail)
    elif not never_changes(timezone):
        detail = (
            "Celery does not publish what becomes of a time that a clock change skips or repeats;"
            " here it runs once."
        )
        yield Note(code="clock_undocumented", detail=detail)


def _seconds(given: object, text: str) -> Fraction:
    """Read a number, or the ``repr`` of a timedelta."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return Fraction(given)
    if delta := _DELTA.fullmatch(text):
        parts = [part.strip() for part in delta["parts"].split(",")]
        found = [_PART.fullmatch(part) for part in parts]
        if all(found):
            return sum((_UNITS[part[1]] * int(part[2]) for part in found if part), Fraction(0))
    if text.startswith("<solar"):
        detail = "It follows the sun, which nothing here does."
        raise InvalidInput("schedule", "solar", detail)
    detail = "Its schedule is no number, crontab, timedelta or interval, as repr writes them."
    raise InvalidInput("schedule", "invalid_schedule", detail)


def _losses(content: Mapping[str, Any]) -> Iterator[Note]:
    options = content.get("options")
    lost = [name for name, value in content.items() if value and name not in {*_READ, "options"}]
    if isinstance(options, dict):
        lost += [f"options.{name}" for name, value in options.items() if value is not None]
    elif options:
        lost.append("options")
    if lost:
        yield Note(code="not_carried", detail=f"Not carried over: {told(lost)}.")
