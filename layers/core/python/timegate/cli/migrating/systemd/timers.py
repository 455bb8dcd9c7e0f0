"""Timers of systemd: unit files, or one calendar event on each line.

Sources: systemd.timer(5), systemd.time(7).
"""

import re
from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from typing import Any

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UniqueNames,
    unconverted,
)
from timegate.cli.migrating.systemd.calendar_events import read_calendar_event, read_time_span
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_DIRECTIVE = re.compile(r"(?P<name>\w++)\s*+=(?P<value>.*+)")
_TRUE = frozenset({"1", "yes", "y", "true", "t", "on"})
_NOTHING = frozenset({"", "0", "no", "n", "false", "f", "off"})
#: A heading of ``systemctl cat``: the file of a unit, or one that is dropped into it.
_HEADING = re.compile(r"# /\S*[./](?:timer|service)(?P<drop_in>\.d/\S+\.conf)?")
_SPANS = frozenset({"OnUnitActiveSec", "OnUnitInactiveSec"})
_CLOCKS = frozenset({"OnClockChange", "OnTimezoneChange"})
_FROM_START = frozenset({"OnActiveSec", "OnBootSec", "OnStartupSec"})
_MAX_JITTER = 86_400


@dataclass(slots=True)
class _Timer:
    """The directives of a unit that concern all its triggers."""

    description: str = "timer"
    persistent: bool = False
    delay: Fraction = Fraction(0)
    #: One delay for all instants: ``FixedRandomDelay`` or ``RandomizedOffsetSec``.
    fixed: str = ""
    #: Line, directive and value.
    triggers: list[tuple[int, str, str]] = field(default_factory=list)


def read_timers(text: str, *, timezone: str | None) -> list[Read]:
    """Read each trigger of the timers in a file, in order.

    ``timezone`` is the zone of the machine. Raises ``InvalidInput`` naming the line of a wrong
    ``RandomizedDelaySec``.
    """
    names = UniqueNames()
    found: list[Read] = []
    for timer in _timers(text):
        _leave_out_first_starts(timer)
        for line, directive, value in timer.triggers:
            name = names.take(timer.description)
            read = _read(timer, name, line, (directive, value), timezone)
            found.append(names.noted(read))
    return found


def _leave_out_first_starts(timer: _Timer) -> None:
    """Drop triggers that, beside a period, only say when the first one begins."""
    if any(name == "OnUnitActiveSec" for _, name, _ in timer.triggers):
        timer.triggers = [each for each in timer.triggers if each[1] not in _FROM_START]


def _timers(text: str) -> Iterator[_Timer]:
    """Read units; each ``[Unit]`` begins one, and sections ``[Timer]`` add to one another.

    Where ``systemctl cat`` names files, each unit's file begins one, and files that are dropped
    into it change it. In a file without sections, each line is a calendar event.
    """
    if not any(line.strip() == "[Timer]" for line in text.split("\n")):
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip() and line.strip()[0] not in "#;":
                event = line.strip().removeprefix("OnCalendar=")
                yield _Timer(description=event, triggers=[(number, "OnCalendar", event)])
        return
    timer, has_headings = _Timer(), False
    for number, line in enumerate(text.split("\n"), start=1):
        heading = _HEADING.fullmatch(line.strip())
        has_headings = has_headings or heading is not None
        begins = line.strip() == "[Unit]" and not has_headings
        if (begins and timer.triggers) or (heading and not heading["drop_in"]):
            yield timer
            timer = _Timer()
        if directive := _DIRECTIVE.fullmatch(line.strip()):
            try:
                _take(timer, number, directive["name"], directive["value"].strip())
            except InvalidInput as refused:
                raise InvalidInput(f"line {number}", refused.code, refused.detail) from refused
    yield timer


def _take(timer: _Timer, line: int, name: str, value: str) -> None:
    match name:
        case "Description" if value:
            timer.description = value
        case "Persistent":
            timer.persistent = value.lower() in _TRUE
        case "RandomizedDelaySec":
            timer.delay = read_time_span(value)
        case "FixedRandomDelay" | "RandomizedOffsetSec":
            timer.fixed = name if value.lower() not in _NOTHING else ""
        case _ if name in _CLOCKS:
            timer.triggers = [each for each in timer.triggers if each[1] != name]
            if value.lower() in _TRUE:
                timer.triggers.append((line, name, value))
        case _ if name in {"OnCalendar", *_SPANS, *_FROM_START}:
            # An empty value takes back all of them, those of other directives too.
            kept = timer.triggers if value else [e for e in timer.triggers if e[1] in _CLOCKS]
            timer.triggers = [*kept, *([(line, name, value)] if value else [])]


def _read(
    timer: _Timer, name: str, line: int, trigger: tuple[str, str], timezone: str | None
) -> Read:
    directive, value = trigger
    text = value if directive == "OnCalendar" else f"{directive}={value}"
    try:
        if directive == "OnCalendar":
            schedule, notes = _on_calendar(timer, value, timezone)
        else:
            schedule, notes = _on_span(timer, directive, value)
        there = as_there(schedule, Source.SYSTEMD)
    except InvalidInput as refused:
        return unconverted(name, line, text, refused)
    return ScheduleEntry(
        name=name,
        line=line,
        text=text,
        schedule=schedule,
        there=there,
        notes=(*notes, *_delay_notes(timer, schedule), *_notes_of_triggers(timer)),
        job=_job(timer),
    )


def _delay_notes(timer: _Timer, schedule: Schedule) -> Iterator[Note]:
    if timer.delay > schedule.jitter_seconds:
        detail = f"RandomizedDelaySec is cut to {schedule.jitter_seconds} seconds."
        yield Note(code="random_delay", detail=detail)
    if timer.fixed:
        detail = f"{timer.fixed} gives all instants one delay; a job's differ from one to the next."
        yield Note(code="fixed_delay", detail=detail)


def _notes_of_triggers(timer: _Timer) -> Iterator[Note]:
    if len(timer.triggers) > 1:
        detail = (
            "Triggers of one unit start it once where they meet, and never beside itself; here each"
            " is a job of its own. Write their schedules as a union for one job."
        )
        yield Note(code="several_triggers", detail=detail)


def _on_calendar(
    timer: _Timer, value: str, timezone: str | None
) -> tuple[Schedule, tuple[Note, ...]]:
    event = read_calendar_event(value)
    zone = event.timezone or timezone
    notes: tuple[Note, ...] = ()
    if zone is None:
        notes = (
            Note(
                code="timezone_assumed",
                detail="systemd reads the machine's zone; UTC is assumed. Name it by --timezone.",
            ),
        )
    schedule = Schedule(
        kind=ScheduleKind.CRON,
        cron=event.cron,
        timezone=zone or "UTC",
        jitter_seconds=_jitter(timer),
    )
    return schedule, notes


def _on_span(timer: _Timer, directive: str, value: str) -> tuple[Schedule, tuple[Note, ...]]:
    if directive in _CLOCKS:
        detail = f"{directive} names no instant: nothing here follows that machine's clock."
        raise InvalidInput("schedule", "relative", detail)
    if directive != "OnUnitActiveSec":
        whence = "the end of the last run" if directive == "OnUnitInactiveSec" else "a start"
        detail = f"{directive} counts from {whence} on that machine; nothing here does."
        raise InvalidInput("schedule", "relative", detail)
    seconds = read_time_span(value)
    if seconds.denominator != 1 or seconds < 1:
        detail = "A rate has whole seconds, 1 or more."
        raise InvalidInput("schedule.every_seconds", "out_of_range", detail)
    note = Note(
        code="relative",
        detail="systemd counts from the last activation, a rate from its anchor: no drift here.",
    )
    schedule = Schedule(
        kind=ScheduleKind.RATE,
        every_seconds=int(seconds),
        jitter_seconds=min(_jitter(timer), int(seconds)),
    )
    return schedule, (note,)


def _jitter(timer: _Timer) -> int:
    return min(int(timer.delay), _MAX_JITTER)


def _job(timer: _Timer) -> dict[str, Any]:
    """Map ``Persistent``: without it systemd runs nothing that it missed, with it the last one.

    A unit that is still at work is left running, and not started again.
    """
    catch_up = {"policy": "latest" if timer.persistent else "skip"}
    return {"overlap": {"policy": "forbid"}, "catch_up": catch_up}
