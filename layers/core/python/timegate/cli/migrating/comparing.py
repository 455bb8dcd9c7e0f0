"""Both readings of an entry, side by side."""

from datetime import datetime, timedelta

from timegate.cli.migrating.clock_policies import faithful
from timegate.cli.migrating.entries import (
    Read,
    ScheduleEntry,
    UnconvertedEntry,
    checked,
    schedule_json,
)
from timegate.client import JsonObject
from timegate.domain.recurrence.clock_notes import next_clock_changes
from timegate.domain.recurrence.fires import fires_between, preview
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.instants import MILLISECOND, rfc3339

#: Fires this near to a change of the clock may depend on it.
_NEAR = timedelta(hours=27)
#: Differences of a day that are enough to see what happens.
_MAX_SHOWN = 3


def compared(read: Read, *, start: datetime, count: int, keep: bool) -> JsonObject:
    """Compare one entry from ``start`` on; ``keep``: under policies that imitate the other side."""
    if isinstance(read, UnconvertedEntry):
        return _refused(read)
    schedule = faithful(read.schedule, read.there) if keep else read.schedule
    valid = checked(read, schedule, now=start)
    if isinstance(valid, UnconvertedEntry):
        return _refused(valid)
    changes = _clock_changes(read, schedule, start)
    warnings = [{"code": note.code, "detail": note.detail} for note in read.notes]
    here, there = (_fires(each, start, count) for each in (schedule, read.there))
    return {
        **_place(read),
        "there": {"description": describe(read.there), "fires": there},
        "here": {
            "description": describe(schedule),
            "fires": here,
            "job": {"schedule": schedule_json(schedule), **read.job},
        },
        "warnings": warnings + changes,
        "differs": bool(changes) or here != there,
        "error": None,
    }


def _refused(read: UnconvertedEntry) -> JsonObject:
    return {
        **_place(read),
        "there": None,
        "here": None,
        "warnings": [],
        "differs": False,
        "error": {"code": read.code, "detail": read.detail},
    }


def _place(read: Read) -> JsonObject:
    return {"name": read.name, "line": read.line, "text": read.text}


def _fires(schedule: Schedule, start: datetime, count: int) -> list[str]:
    after = start if schedule.is_recurring else start - MILLISECOND
    found = preview(schedule, created_at=start, after=after, count=count)
    return [rfc3339(fire) for fire in found]


def _clock_changes(
    read: ScheduleEntry, schedule: Schedule, start: datetime
) -> list[dict[str, str]]:
    """Name each next change of the clock that the two sides meet differently."""
    warnings = []
    for change in next_clock_changes(schedule, after=start):
        here, there = (
            set(
                fires_between(
                    each, created_at=start, after=change.at - _NEAR, until=change.at + _NEAR
                )
            )
            for each in (schedule, read.there)
        )
        if here != there:
            day = f"{change.local_from:%a %Y-%m-%d}"
            only_there, only_here = _named(there - here), _named(here - there)
            detail = (
                f"The clock changes on {day}. Only there: {only_there}. Only here: {only_here}. "
                f"To keep it: {_advice(read)}."
            )
            warnings.append({"code": "clock_change", "detail": detail})
    return warnings


def _named(fires: set[datetime]) -> str:
    shown = [f"{fire:%H:%M} UTC" for fire in sorted(fires)[:_MAX_SHOWN]]
    more = [f"{len(fires) - _MAX_SHOWN} more"] if len(fires) > _MAX_SHOWN else []
    return ", ".join(shown + more) or "none"


def _advice(read: ScheduleEntry) -> str:
    """Name the policies, as ``gap: skip``."""
    ours, kept = schedule_json(read.schedule), schedule_json(faithful(read.schedule, read.there))
    return ", ".join(f"{name}: {value}" for name, value in kept.items() if name not in ours)
