"""The next changes of a zone's clock, and what they do to a schedule."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.kinds.wall import WallKind
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.wall_times.pattern import WallPattern
from timegate.domain.recurrence.zones.clock_changes import clock_rule, is_interval
from timegate.domain.recurrence.zones.zone_clock import stretch_at
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.value_classes import dataclass

#: Most zones change their clocks twice a year; the next gap and fold lie within one.
_HORIZON_SECONDS = 400 * 86_400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


class ChangeKind(StrEnum):
    """Directions in which a clock is changed."""

    #: It is put forward: local times are skipped.
    GAP = "gap"
    #: It is set back: local times are shown twice.
    FOLD = "fold"


class ClockEffect(StrEnum):
    """Consequences of a change for the times of a schedule that it touches."""

    UNAFFECTED = "unaffected"
    REAL_TIME = "real_time"
    RUNS_AFTER = "runs_after"
    LEFT_OUT = "left_out"
    RUNS_ONCE = "runs_once"
    RUNS_TWICE = "runs_twice"


_SENTENCES = {
    ClockEffect.UNAFFECTED: "The schedule names no time within.",
    ClockEffect.REAL_TIME: "The schedule follows real time.",
    ClockEffect.RUNS_AFTER: "A time within runs once, at {end}.",
    ClockEffect.LEFT_OUT: "A time within does not run.",
    ClockEffect.RUNS_ONCE: "A time within runs once, the first time.",
    ClockEffect.RUNS_TWICE: "A time within runs both times.",
}
_SECOND_TIME = "A time within runs once, the second time."
_CHANGES = {
    ChangeKind.GAP: "The clock skips {times} on {day}.",
    ChangeKind.FOLD: "The clock shows {times} twice on {day}.",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockChange:
    """One change of the clock."""

    kind: ChangeKind
    at: datetime
    #: The skipped or repeated local times: from the first one up to the end, which is not one.
    local_from: datetime
    local_to: datetime
    effect: ClockEffect
    #: A time that runs once does so when the clock shows it again.
    is_second: bool = False
    #: Members of a union on whose clock it happens, counted from 0.
    any_of: tuple[int, ...] = ()

    @property
    def description(self) -> str:
        """Both in words: ``The clock skips 02:00 to 03:00 on Sun 2027-03-28. …``."""
        members = ", ".join(f"any_of.{number}" for number in self.any_of)
        times = f"{self.local_from:%H:%M} to {self.local_to:%H:%M}"
        change = _CHANGES[self.kind].format(times=times, day=f"{self.local_from:%a %Y-%m-%d}")
        sentence = _SECOND_TIME if self.is_second else _SENTENCES[self.effect]
        effect = sentence.format(end=f"{self.local_to:%H:%M}")
        return f"{members}: {change} {effect}" if members else f"{change} {effect}"

    def fields(self) -> dict[str, object]:
        """Name everything as plain text, for JSON."""
        return {
            "kind": self.kind,
            "at": rfc3339(self.at),
            "local_from": self.local_from.isoformat(timespec="seconds"),
            "local_to": self.local_to.isoformat(timespec="seconds"),
            "effect": self.effect,
            "any_of": list(self.any_of),
            "description": self.description,
        }


def next_clock_changes(schedule: Schedule, *, after: datetime) -> tuple[ClockChange, ...]:
    """Find the next gap and the next fold later than ``after``, in order of time.

    Changes before ``starts_at`` are over by then. Empty for kinds without a zone, for zones without
    changes within 400 days, and beyond ``ends_at``. A union has those of each member; members that
    meet one alike are named together.
    """
    if schedule.any_of:
        return _of_members(schedule, after)
    kind = kind_of(schedule.kind)
    if not isinstance(kind, WallKind):
        return ()
    found: dict[ChangeKind, ClockChange] = {}
    if schedule.starts_at is not None:
        # A change at the beginning itself may move its first instant.
        after = max(after, schedule.starts_at - _SECOND)
    for change in _changes(schedule, kind.pattern(schedule), (after - _EPOCH) // _SECOND):
        if schedule.ends_at is not None and change.at > schedule.ends_at:
            break
        found.setdefault(change.kind, change)
        if len(found) == len(ChangeKind):
            break
    return tuple(found.values())


def _of_members(union: Schedule, after: datetime) -> tuple[ClockChange, ...]:
    found: dict[ClockChange, list[int]] = {}
    for number, member in enumerate(union.members):
        for change in next_clock_changes(member, after=after):
            found.setdefault(change, []).append(number)
    changes = [replace(change, any_of=tuple(numbers)) for change, numbers in found.items()]
    return tuple(sorted(changes, key=lambda change: (change.at, change.any_of)))


def _changes(schedule: Schedule, pattern: WallPattern, start: int) -> Iterator[ClockChange]:
    position = start
    while position < start + _HORIZON_SECONDS:
        stretch = stretch_at(schedule.timezone, position)
        position = stretch.end
        walls = sorted((stretch.end + stretch.offset, stretch.end + stretch.next_offset))
        if walls[0] == walls[1]:
            continue
        kind = ChangeKind.GAP if stretch.next_offset > stretch.offset else ChangeKind.FOLD
        effect, is_second = _effect(schedule, pattern, kind, stretch.end, walls)
        yield ClockChange(
            kind=kind,
            at=_EPOCH + stretch.end * _SECOND,
            local_from=_wall(walls[0]),
            local_to=_wall(walls[1]),
            effect=effect,
            is_second=is_second,
        )


def _effect(
    schedule: Schedule, pattern: WallPattern, kind: ChangeKind, at: int, walls: list[int]
) -> tuple[ClockEffect, bool]:
    """Return the effect of a change, and whether a time of a fold runs the second time alone."""
    if next(pattern.walls_from(walls[0]), walls[1]) >= walls[1]:
        return ClockEffect.UNAFFECTED, False
    if is_interval(schedule, pattern):
        return ClockEffect.REAL_TIME, False
    rule = clock_rule(schedule, pattern)
    if kind is ChangeKind.GAP:
        return _of_gap(schedule, at, makes_up=rule.makes_up), False
    return _of_fold(schedule, at, walls[1] - walls[0])


def _of_gap(schedule: Schedule, at: int, *, makes_up: bool) -> ClockEffect:
    """Times of a gap run right after it, unless UNTIL or a date that is left out takes them."""
    if not makes_up:
        return ClockEffect.LEFT_OUT
    return ClockEffect.RUNS_AFTER if _named(schedule, at, at + 1) else ClockEffect.UNAFFECTED


def _of_fold(schedule: Schedule, at: int, length: int) -> tuple[ClockEffect, bool]:
    """Times of a fold run before the change, or again from it on, as the schedule names them.

    Bounds, UNTIL and dates that are left out take one of the two, or both, of what the pattern
    alone would name.
    """
    first = _named(schedule, at - length, at)
    again = {instant - timedelta(seconds=length) for instant in _named(schedule, at, at + length)}
    if first & again:
        return ClockEffect.RUNS_TWICE, False
    if first or again:
        return ClockEffect.RUNS_ONCE, not first
    return ClockEffect.UNAFFECTED, False


def _named(schedule: Schedule, first: int, last: int) -> set[datetime]:
    """Return the instants of a range that the schedule names; its end is not one of it."""
    begin, end = (_EPOCH + each * _SECOND - MILLISECOND for each in (first, last))
    return set(fires_between(schedule, created_at=_EPOCH, after=begin, until=end))


def _wall(seconds: int) -> datetime:
    return (_EPOCH + seconds * _SECOND).replace(tzinfo=None)
