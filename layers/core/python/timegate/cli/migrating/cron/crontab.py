"""Crontabs of users, and those of the system, which name a user on each line.

Source: crontab(5) of Vixie cron and of cronie.
"""

import re
from collections.abc import Iterator
from dataclasses import field

from timegate.cli.migrating.clock_policies import as_there
from timegate.cli.migrating.entries import (
    Note,
    Read,
    ScheduleEntry,
    Source,
    UnconvertedEntry,
    UniqueNames,
)
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import CronDialect, Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_VARIABLE = re.compile(r"(?P<name>[A-Za-z_]\w*+|\"[^\"]++\"|'[^']++')\s*+=(?P<value>.*+)")
#: A user's name; a program's has a path.
_USER = re.compile(r"[A-Za-z_][\w.@+-]*+\$?", re.ASCII)
_ASSIGNED = re.compile(r"[A-Za-z_]\w*+=\S*+")
_MINUTES = re.compile(r"\d{1,4}", re.ASCII)
#: The program, up to a ``%`` without an odd backslash, and its input.
_COMMAND = re.compile(r"(?P<program>(?:[^%\\]|\\.|\\\Z)*+)(?P<given>%)?", re.DOTALL)
#: Variables that cron itself reads.
_OF_CRON = frozenset({"CRON_TZ", "MAILTO", "MAILFROM", "RANDOM_DELAY"})
_FIELDS = 5
_MINUTE = 60
_MAX_JITTER = 86_400


@dataclass(slots=True)
class _State:
    """Settings that earlier lines make for later ones."""

    timezone: str | None
    variables: dict[str, str] = field(default_factory=dict)
    comment: str = ""
    names: UniqueNames = field(default_factory=UniqueNames)


def read_crontab(text: str, *, timezone: str | None, system: bool) -> list[Read]:
    """Read each line that runs something, in order.

    ``timezone`` is the zone of the machine's clock; ``CRON_TZ`` overrides it for the lines below.
    ``system``: a user stands before each command.
    """
    state = _State(timezone=timezone)
    return list(_read_lines(text, state, system=system))


def _read_lines(text: str, state: _State, *, system: bool) -> Iterator[Read]:
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if not stripped:
            state.comment = ""
        elif stripped.startswith("#"):
            comment = stripped.lstrip("# \t").strip("-=* \t")
            # A line that was switched off describes nothing.
            state.comment = state.comment if _is_schedule(comment) else comment or state.comment
        elif variable := _VARIABLE.fullmatch(stripped):
            state.comment = ""
            state.variables[_unquoted(variable["name"])] = _unquoted(variable["value"].strip())
        else:
            yield _read_line(stripped, number, state, system=system)
            state.comment = ""


def _read_line(line: str, number: int, state: _State, *, system: bool) -> Read:
    size = 1 if line.startswith("@") else _FIELDS
    parts = line.removeprefix("-").split(maxsplit=size + system)
    text = " ".join(parts[:size])
    user = parts[size] if system and len(parts) > size else ""
    command = parts[size + system] if len(parts) > size + system else ""
    name = state.names.take(state.comment or _name_of(command))
    try:
        return state.names.noted(_entry(text, number, name, state, command=command, user=user))
    except InvalidInput as refused:
        code, detail = refused.code, refused.detail
        if text.lower() == "@reboot":
            code, detail = "reboot", "@reboot names no instant: nothing here starts with a machine."
        return UnconvertedEntry(name=name, line=number, text=text, code=code, detail=detail)


def _entry(
    text: str, number: int, name: str, state: _State, *, command: str, user: str
) -> ScheduleEntry:
    if not command:
        detail = f"A line has {_FIELDS} fields, or an alias, and then its command."
        raise InvalidInput("schedule.cron", "incomplete_line", detail)
    parse_cron(text, CronDialect.VIXIE)
    if user and not _USER.fullmatch(user):
        detail = f"{user!r} is no user: leave out --system for the crontab of one."
        raise InvalidInput("user", "no_user", detail)
    zone = state.variables.get("CRON_TZ") or state.timezone
    delay, delay_notes = _random_delay(state)
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=text, timezone=zone or "UTC", jitter_seconds=delay
    )
    program, percent_notes = _without_percent(command)
    columns = _notes_of_columns(command) if not user else ()
    notes = (*_notes(state, zone), *delay_notes, *percent_notes, *columns)
    return ScheduleEntry(
        name=name,
        line=number,
        text=text,
        schedule=schedule,
        there=as_there(schedule, Source.CRONTAB),
        notes=notes,
        command=program,
        user=user,
        environment={n: v for n, v in state.variables.items() if n not in _OF_CRON},
    )


def _notes(state: _State, zone: str | None) -> Iterator[Note]:
    if zone is None:
        yield Note(
            code="timezone_assumed",
            detail="cron reads the machine's clock; UTC is assumed. Name its zone by --timezone.",
        )
    if mailto := state.variables.get("MAILTO"):
        yield Note(
            code="mailto",
            detail=f"cron mails the output to {mailto}. Here notifications tell of ends.",
        )
    if "TZ" in state.variables:
        yield Note(
            code="tz_of_command",
            detail="TZ is the command's zone and not the schedule's, as in cron.",
        )


def _notes_of_columns(command: str) -> Iterator[Note]:
    if command.split(maxsplit=1)[0] == "root":
        detail = "Its command begins with root, as lines of /etc/crontab do: --system reads a user."
        yield Note(code="user_column", detail=detail)


def _random_delay(state: _State) -> tuple[int, list[Note]]:
    """Read ``RANDOM_DELAY`` of cronie, in minutes, as jitter."""
    written = state.variables.get("RANDOM_DELAY", "0")
    if _MINUTES.fullmatch(written) and int(written) * _MINUTE <= _MAX_JITTER:
        return int(written) * _MINUTE, []
    detail = f"RANDOM_DELAY is {written!r}: it is left out."
    return 0, [Note(code="random_delay", detail=detail)]


def _without_percent(command: str) -> tuple[str, list[Note]]:
    """End the command at its first ``%``: cron gives the rest to it as input."""
    found = _COMMAND.match(command)
    program, given = found.group("program", "given") if found else (command, None)
    notes = [
        Note(
            code="standard_input",
            detail="% begins the command's standard input, which is left out.",
        )
    ]
    return program.strip().replace("\\%", "%"), notes if given else []


def _is_schedule(comment: str) -> bool:
    parts = comment.split()
    text = " ".join(parts[: 1 if comment.startswith("@") else _FIELDS])
    try:
        parse_cron(text, CronDialect.VIXIE)
    except InvalidInput:
        return False
    return True


def _name_of(command: str) -> str:
    """Find the program: the first word that sets no variable."""
    words = [word for word in command.split() if not _ASSIGNED.fullmatch(word)]
    return words[0].rsplit("/", 1)[-1] if words else ""


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text
