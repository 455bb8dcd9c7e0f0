"""Schedules: one model per kind, so that a field which does not belong is unknown."""

from typing import Annotated, Literal

from pydantic import Field

from api.contracts.fields import MAX_SECONDS, Contract, Instant
from timegate.domain.recurrence import MAX_JITTER_SECONDS
from timegate.domain.schedule import DstPolicy, FoldPolicy, GapPolicy, Schedule, ScheduleKind

_Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]
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
    max_runs: _Runs | None = Field(None, description="Scheduled runs over the life of the job.")
    jitter_seconds: int = Field(
        0, ge=0, le=MAX_JITTER_SECONDS, description="Each run starts up to so much late."
    )


class CronSchedule(Recurring):
    """Whenever the wall clock of a time zone matches a pattern."""

    kind: Literal["cron"]
    cron: str = Field(
        min_length=1,
        max_length=255,
        description="Five fields, six with seconds first, seven with years last, or @daily and "
        "its like.",
    )
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

    def to_domain(self) -> Schedule:
        """As the domain knows it."""
        return Schedule(
            kind=ScheduleKind.CRON,
            cron=self.cron,
            timezone=self.timezone,
            dst=self.dst,
            gap=self.gap,
            fold=self.fold,
            starts_at=self.starts_at,
            ends_at=self.ends_at,
            max_runs=self.max_runs,
            jitter_seconds=self.jitter_seconds,
        )


class RateSchedule(Recurring):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: int = Field(ge=1, le=MAX_SECONDS)

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


ScheduleContract = Annotated[
    ImmediateSchedule | AtSchedule | DelaySchedule | CronSchedule | RateSchedule,
    Field(discriminator="kind"),
]
