"""Schedules: one model per kind, so that a field which does not belong is unknown."""

from typing import Annotated, Literal

from pydantic import Field

from api.contracts.durations import Duration
from api.contracts.fields import MAX_SECONDS, Contract, Instant
from timegate.domain.recurrence import MAX_JITTER_SECONDS, MAX_LINES_CHARACTERS, as_written
from timegate.domain.schedule import (
    CronDialect,
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)

_Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS), Duration()]
#: The rules of the domain bound both lists together.
_Dates = Annotated[list[Instant], Field(max_length=1000)]
_Runs = Annotated[int, Field(ge=1, le=1_000_000_000)]


class ImmediateSchedule(Contract):
    """Once, now."""

    kind: Literal["immediate"]

    def to_domain(self) -> Schedule:
        """As the domain knows it."""
        return Schedule(kind=ScheduleKind.IMMEDIATE)


class AtSchedule(Contract):
    """Once, at an instant."""

    kind: Literal["at"]
    at: Instant

    def to_domain(self) -> Schedule:
        """As the domain knows it."""
        return Schedule(kind=ScheduleKind.AT, at=self.at)


class DelaySchedule(Contract):
    """Once, so many seconds from now."""

    kind: Literal["delay"]
    delay_seconds: _Seconds

    def to_domain(self) -> Schedule:
        """As the domain knows it."""
        return Schedule(kind=ScheduleKind.DELAY, delay_seconds=self.delay_seconds)


class Recurring(Contract):
    """Bounds of a schedule that recurs."""

    starts_at: Instant | None = Field(None, description="No fire before this instant.")
    ends_at: Instant | None = Field(None, description="No fire after this instant.")
    max_runs: _Runs | None = Field(
        None,
        description="So many scheduled runs begin at most; a skipped one gives its place back.",
    )
    jitter_seconds: Annotated[int, Field(ge=0, le=MAX_JITTER_SECONDS), Duration()] = Field(
        0, description="Each run starts up to so much late."
    )


class WallTimes(Recurring):
    """Times of the wall clock of a zone, and what they do when that clock is changed."""

    timezone: str = Field("UTC", min_length=1, max_length=64, description="An IANA name.")
    dst: DstPolicy | None = Field(
        None,
        description="Clock changes: an interval follows real time, fixed times run once a day; "
        "without it, all 24 hours or all 60 minutes are an interval.",
    )
    gap: GapPolicy = Field(
        GapPolicy.RUN_AFTER, description="A fixed local time that a day does not have."
    )
    fold: FoldPolicy = Field(
        FoldPolicy.FIRST, description="A fixed local time that a day has twice."
    )


class CronSchedule(WallTimes):
    """Whenever the wall clock of a time zone matches a pattern."""

    kind: Literal["cron"]
    cron: str = Field(
        min_length=1,
        max_length=255,
        description="Five fields, six with seconds first, seven with years last, or @daily and "
        "its like, as its dialect has them. rate(5 minutes), @every 5m and at(2026-12-01T09:00:00) "
        "become schedules of kind rate and at.",
    )
    dialect: CronDialect = Field(
        CronDialect.TIMEGATE,
        description="The program whose syntax it follows; in quartz and eventbridge Sunday is 1.",
    )

    def to_domain(self) -> Schedule:
        """As the domain knows it; raises ``InvalidInput`` for another spelling that is wrong."""
        schedule = Schedule(
            kind=ScheduleKind.CRON,
            cron=self.cron,
            dialect=self.dialect,
            timezone=self.timezone,
            dst=self.dst,
            gap=self.gap,
            fold=self.fold,
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            max_runs=self.max_runs,
            jitter_seconds=self.jitter_seconds,
        )
        return as_written(schedule)


class RateSchedule(Recurring):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS), Duration()]

    def to_domain(self) -> Schedule:
        """As the domain knows it."""
        return Schedule(
            kind=ScheduleKind.RATE,
            every_seconds=self.every_seconds,
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            max_runs=self.max_runs,
            jitter_seconds=self.jitter_seconds,
        )


class RruleSchedule(WallTimes):
    """Whenever the wall clock of a time zone shows a time of a recurrence rule (RFC 5545)."""

    kind: Literal["rrule"]
    rrule: str = Field(
        min_length=1,
        max_length=MAX_LINES_CHARACTERS,
        description="A rule such as FREQ=MONTHLY;BYDAY=-1FR, counted from starts_at, which it "
        "needs; or the lines DTSTART, RRULE, EXDATE and RDATE of a calendar.",
    )
    exdates: _Dates = Field(default_factory=list, description="Instants that do not run.")
    rdates: _Dates = Field(default_factory=list, description="Instants that run as well.")

    def to_domain(self) -> Schedule:
        """Give it in the form in which it is stored."""
        return as_written(
            Schedule(
                kind=ScheduleKind.RRULE,
                rrule=self.rrule,
                exdates=tuple(self.exdates),
                rdates=tuple(self.rdates),
                timezone=self.timezone,
                dst=self.dst,
                gap=self.gap,
                fold=self.fold,
                starts_at=self.starts_at,
                ends_at=self.ends_at,
                max_runs=self.max_runs,
                jitter_seconds=self.jitter_seconds,
            )
        )


ScheduleContract = Annotated[
    ImmediateSchedule | AtSchedule | DelaySchedule | CronSchedule | RateSchedule | RruleSchedule,
    Field(discriminator="kind"),
]
