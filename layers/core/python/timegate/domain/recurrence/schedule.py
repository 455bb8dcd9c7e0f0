"""The schedule of a job: when it asks to run. ``timegate.domain.recurrence`` says what it means."""

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from timegate.value_classes import dataclass


class ScheduleKind(StrEnum):
    """Kinds of schedules."""

    #: Once, at creation.
    IMMEDIATE = "immediate"
    #: Once, at a timestamp.
    AT = "at"
    #: Once, so many seconds after creation.
    DELAY = "delay"
    #: Whenever the wall clock of a time zone matches a pattern.
    CRON = "cron"
    #: Every so many seconds of real time.
    RATE = "rate"
    #: Whenever the wall clock of a time zone shows a time of a recurrence rule (RFC 5545).
    RRULE = "rrule"
    #: Whenever one of several recurring schedules names an instant.
    UNION = "union"
    #: Never by itself: triggers and other jobs start its runs.
    MANUAL = "manual"


#: Scheduled runs of one job, at most.
MAX_RUNS = 1_000_000_000
#: Dates in ``exdates`` and ``rdates`` together, of all members of a union: each date costs 11
#: bytes of the job's record.
MAX_DATES = 1000
#: Text of an ``rrule``: a rule with the most dates, in lines of their own.
MAX_LINES_CHARACTERS = 60_000
#: Kinds that name one instant.
ONCE = frozenset({ScheduleKind.IMMEDIATE, ScheduleKind.AT, ScheduleKind.DELAY})
#: Kinds that may name more than one instant.
RECURRING = frozenset(ScheduleKind) - ONCE - {ScheduleKind.MANUAL}
#: Kinds that may be members of a union: those that recur, and are no union.
MEMBER_KINDS = RECURRING - {ScheduleKind.UNION}


class CronDialect(StrEnum):
    """Programs whose cron syntax an expression follows."""

    #: Vixie cron with seconds, years, and the special days of Quartz.
    TIMEGATE = "timegate"
    #: Five fields and nothing else.
    VIXIE = "vixie"
    #: Seconds first; weekdays from Sunday 1; ``?`` in one of the two day fields.
    QUARTZ = "quartz"
    #: Minutes first, years last; weekdays from Sunday 1; ``?`` in one of the two day fields.
    EVENTBRIDGE = "eventbridge"


class GapPolicy(StrEnum):
    """Treatment of a fixed local time on the day its zone jumps over it."""

    #: It runs once, at the first instant after the gap.
    RUN_AFTER = "run_after"
    #: That day has no such time, and no run.
    SKIP = "skip"


class FoldPolicy(StrEnum):
    """Treatment of a fixed local time on the day its zone shows it twice."""

    #: It runs once, the first time.
    FIRST = "first"
    #: It runs both times.
    BOTH = "both"


class DstPolicy(StrEnum):
    """Reading of wall-clock times when the clock is changed."""

    #: It fires whenever the clock shows a match: each real hour, or every N real minutes.
    INTERVAL = "interval"
    #: It names times of the day, each of which a day has once.
    FIXED = "fixed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """A kind, plus the fields that kind uses; the other fields keep their defaults.

    Every datetime is aware, in UTC, with millisecond precision. A field that does not belong to
    the kind is refused by ``recurrence.validate_schedule``.
    """

    kind: ScheduleKind
    #: ``at`` only: the instant.
    at: datetime | None = None
    #: ``delay`` only: seconds after creation, 0 or more.
    delay_seconds: float | None = None
    #: ``cron`` only: the expression, as its dialect writes it.
    cron: str | None = None
    #: ``cron`` only: see ``CronDialect``.
    dialect: CronDialect = CronDialect.TIMEGATE
    #: ``rrule`` only: a rule such as ``FREQ=MONTHLY;BYDAY=-1FR``, in its canonical form.
    rrule: str | None = None
    #: ``rrule`` only: instants that do not run, and instants that run as well. Whole seconds.
    exdates: tuple[datetime, ...] = ()
    rdates: tuple[datetime, ...] = ()
    #: ``union`` only: schedules of the other recurring kinds, without bounds and jitter. They name
    #: instants together; an instant that several name is one.
    any_of: tuple["Schedule", ...] = ()
    #: ``cron`` and ``rrule``: IANA name of the zone whose wall clock they are read on.
    timezone: str = "UTC"
    #: ``rate`` only: whole seconds between fires, 1 or more.
    every_seconds: int | None = None
    #: Recurring kinds: no fire before this instant. A rate with it has its first fire on it. An
    #: ``rrule`` needs it: it is counted from there, and takes from it the parts it leaves out.
    starts_at: datetime | None = None
    #: Recurring kinds: no fire after this instant; a fire exactly on it still happens.
    ends_at: datetime | None = None
    #: Recurring kinds: scheduled runs over the whole life of the job. The planner counts them.
    max_runs: int | None = None
    #: ``cron`` and ``rrule``: ``None`` leaves it to the times that they name: see ``is_interval``.
    dst: DstPolicy | None = None
    #: ``cron`` and ``rrule`` with fixed times only: see ``GapPolicy``.
    gap: GapPolicy = GapPolicy.RUN_AFTER
    #: ``cron`` and ``rrule`` with fixed times only: see ``FoldPolicy``.
    fold: FoldPolicy = FoldPolicy.FIRST
    #: Recurring kinds: each run starts up to this many seconds late, by a fixed amount per
    #: instant. Nominal instants do not move.
    jitter_seconds: int = 0

    @property
    def is_recurring(self) -> bool:
        """It may name more than one instant."""
        return self.kind in RECURRING

    @property
    def is_manual(self) -> bool:
        """It names no instant, and never ends."""
        return self.kind is ScheduleKind.MANUAL

    @property
    def runs_again(self) -> bool:
        """A run is followed by others: of its next instants, or of further triggers."""
        return self.is_recurring or self.is_manual

    @property
    def names_wall_times(self) -> bool:
        """It is read on the wall clock of its zone."""
        return self.kind in {ScheduleKind.CRON, ScheduleKind.RRULE}

    @property
    def members(self) -> tuple["Schedule", ...]:
        """Return each member of a union within the union's bounds, as a schedule of its own."""
        return tuple(
            replace(member, starts_at=self.starts_at, ends_at=self.ends_at)
            for member in self.any_of
        )

    @property
    def wall_timezone(self) -> str | None:
        """The zone of the wall clock it is read on; ``None`` without one, or with several."""
        if self.names_wall_times:
            return self.timezone
        zones = {member.timezone for member in self.any_of if member.names_wall_times}
        return zones.pop() if len(zones) == 1 else None

    @property
    def zone_of_days(self) -> str:
        """The zone by which a run's day is named: that of its wall clock, else UTC."""
        return self.wall_timezone or "UTC"
