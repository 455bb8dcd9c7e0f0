"""One schedule of another program, and the schedule it becomes here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: The longest name of a job.
_MAX_NAME = 200
#: Names that a note tells.
_MOST_TOLD = 20
#: Names up to here stay whole in front of a number of nine digits.
_LONGEST_NUMBERED = 190


class Source(StrEnum):
    """Programs whose schedules are read."""

    CRONTAB = "crontab"
    QUARTZ = "quartz"
    EVENTBRIDGE = "eventbridge"
    KUBERNETES = "kubernetes"
    SYSTEMD = "systemd"
    GOOGLE = "google"
    GITHUB = "github"
    DKRON = "dkron"
    CELERY = "celery"


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """One thing that its owner should know, with a stable code."""

    code: str
    detail: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ScheduleEntry:
    """A schedule that was read."""

    name: str
    #: From 1, in the file.
    line: int
    #: The schedule as it is written there.
    text: str
    #: Here, with the default policies for clock changes.
    schedule: Schedule
    #: The same with the other program's policies for clock changes.
    there: Schedule
    notes: tuple[Note, ...] = ()
    #: Other fields of a job that the entry determines.
    job: Mapping[str, Any] = field(default_factory=dict)
    #: Crontab only: what runs, as whom, and in which environment.
    command: str = ""
    user: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class UnconvertedEntry:
    """An entry that cannot be converted, and why."""

    name: str
    line: int
    text: str
    code: str
    detail: str


def unconverted(name: str, line: int, text: str, refused: InvalidInput) -> UnconvertedEntry:
    """Return the entry that a refusal leaves unconverted."""
    return UnconvertedEntry(
        name=name, line=line, text=text, code=refused.code, detail=refused.detail
    )


#: In the order of the file.
Read = ScheduleEntry | UnconvertedEntry


def schedule_json(schedule: Schedule) -> dict[str, object]:
    """Write a schedule as the API takes it: its kind, and what differs from the defaults."""
    written: dict[str, object] = {"kind": str(schedule.kind)}
    for each in fields(schedule):
        value = getattr(schedule, each.name)
        if each.name != "kind" and value != each.default:
            written[each.name] = _plain(value)
    return written


def checked(entry: ScheduleEntry, schedule: Schedule, *, now: datetime) -> Read:
    """Return an entry, or why the API refuses what becomes its schedule from ``now`` on."""
    try:
        validate_schedule(schedule, now=now)
    except InvalidInput as refused:
        return UnconvertedEntry(
            name=entry.name,
            line=entry.line,
            text=entry.text,
            code=refused.code,
            detail=refused.detail,
        )
    return entry


def part_of(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return an object in an object of another program; an absent one is empty.

    Raises ``InvalidInput`` with code ``wrong_type``.
    """
    value = given.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(name, "wrong_type", f"{name} must be an object.")
    return value


def whole_number(given: Mapping[str, Any], name: str, default: int = 0) -> int:
    """Return a number of 0 or more; raises ``InvalidInput`` with code ``wrong_type``."""
    value = given.get(name)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidInput(name, "wrong_type", f"{name} must be a whole number, 0 or more.")
    return value


def told(names: Sequence[str]) -> str:
    """Write names in a row, the first ones of a long one."""
    more = len(names) - _MOST_TOLD
    return ", ".join(names[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")


class UniqueNames:
    """Names of jobs that are each given once: a second ``backup`` is ``backup 2``."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        #: Notes of names that are given in part.
        self._cut: dict[str, Note] = {}
        #: The last number behind a beginning: a long file may have one name throughout.
        self._numbers: Counter[str] = Counter()

    def take(self, wanted: str) -> str:
        """Give a name that can be a job's."""
        printable = "".join(char for char in wanted if char.isprintable()).strip()
        base = printable[:_MAX_NAME].strip() or "schedule"
        name = base
        while name in self._given:
            name = self._numbered(base)
        self._given.add(name)
        if not name.startswith(printable):
            kept = f"a job's has {_MAX_NAME} at most, and the rest is left out."
            detail = f"Its name has {len(printable)} characters: {kept}"
            self._cut[name] = Note(code="name_cut", detail=detail)
        return name

    def noted(self, read: Read) -> Read:
        """Return an entry under a name that was taken, with a note if its name was cut."""
        cut = self._cut.get(read.name)
        if cut is None or isinstance(read, UnconvertedEntry):
            return read
        return replace(read, notes=(*read.notes, cut))

    def _numbered(self, base: str) -> str:
        # Long names that end differently have one beginning in front of a number.
        beginning = base[:_LONGEST_NUMBERED]
        self._numbers[beginning] += 1
        suffix = f" {self._numbers[beginning] + 1}"
        return base[: _MAX_NAME - len(suffix)] + suffix


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return rfc3339(value)
    return str(value) if isinstance(value, StrEnum) else value
