"""Schedules: one model per kind, so that a field which does not belong is unknown."""

from typing import Annotated, Any, Literal

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Instant
from timegate.domain.recurrence.schedule import (
    MAX_DATES,
    MAX_LINES_CHARACTERS,
    MAX_RUNS,
    CronDialect,
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.union.rules import MAX_MEMBERS, MIN_MEMBERS
from timegate.domain.recurrence.validation import MAX_JITTER_SECONDS
from timegate.domain.values.durations import MAX_SECONDS

_Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS), Duration()]
#: The rules of the domain bound both lists together.
_Dates = Annotated[list[Instant], Field(max_length=MAX_DATES)]
_Runs = Annotated[int, Field(ge=1, le=MAX_RUNS)]


class ScheduleModel(Contract):
    """A kind of schedule; each of its fields is one of the domain's."""

    def to_domain(self) -> Schedule:
        """Give it in the form in which it is stored; raises ``InvalidInput``."""
        return as_written(self.as_given())

    def as_given(self) -> Schedule:
        """Give it as it is spelt."""
        given: dict[str, Any] = {name: getattr(self, name) for name in self.model_fields_set}
        lists = {name: tuple(each) for name, each in given.items() if isinstance(each, list)}
        return Schedule(**given | lists | {"kind": ScheduleKind(given["kind"])})


class ImmediateSchedule(ScheduleModel):
    """Once, now."""

    kind: Literal["immediate"]


class AtSchedule(ScheduleModel):
    """Once, at an instant."""

    kind: Literal["at"]
    at: Instant


class DelaySchedule(ScheduleModel):
    """Once, so many seconds from now."""

    kind: Literal["delay"]
    delay_seconds: _Seconds


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


class WallTimes(ScheduleModel):
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


class CronMember(WallTimes):
    """Every time when the wall clock of a time zone matches a pattern."""

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


class CronSchedule(Recurring, CronMember):
    """Every time when the wall clock of a time zone matches a pattern."""


class RateMember(ScheduleModel):
    """Every so many seconds of real time."""

    kind: Literal["rate"]
    every_seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS), Duration()]


class RateSchedule(Recurring, RateMember):
    """Every so many seconds of real time."""


class RruleMember(WallTimes):
    """Every time of a recurrence rule (RFC 5545) on the wall clock of a time zone."""

    kind: Literal["rrule"]
    rrule: str = Field(
        min_length=1,
        max_length=MAX_LINES_CHARACTERS,
        description="A rule such as FREQ=MONTHLY;BYDAY=-1FR, counted from starts_at, which it "
        "needs; or the lines DTSTART, RRULE, EXDATE and RDATE of a calendar.",
    )
    exdates: _Dates = Field(default_factory=list, description="Instants that do not run.")
    rdates: _Dates = Field(default_factory=list, description="Instants that run as well.")


class RruleSchedule(Recurring, RruleMember):
    """Every time of a recurrence rule (RFC 5545) on the wall clock of a time zone."""


_Member = Annotated[CronMember | RateMember | RruleMember, Field(discriminator="kind")]


class UnionSchedule(Recurring, ScheduleModel):
    """Every instant of several recurring schedules; each instant runs once."""

    kind: Literal["union"]
    any_of: list[_Member] = Field(
        min_length=MIN_MEMBERS,
        max_length=MAX_MEMBERS,
        description="The schedules. Bounds and jitter stand beside any_of, for all of them.",
    )

    def as_given(self) -> Schedule:
        """Give it with its members as they are spelt."""
        members = tuple(member.as_given() for member in self.any_of)
        bounds = {name: getattr(self, name) for name in Recurring.model_fields}
        return Schedule(kind=ScheduleKind.UNION, any_of=members, **bounds)


class ManualSchedule(ScheduleModel):
    """Never by itself: triggers and other jobs start its runs."""

    kind: Literal["manual"]


ScheduleContract = Annotated[
    ImmediateSchedule
    | AtSchedule
    | DelaySchedule
    | CronSchedule
    | RateSchedule
    | RruleSchedule
    | UnionSchedule
    | ManualSchedule,
    Field(discriminator="kind"),
]


class ScheduledContract(Contract):
    """A schedule as a field, so that refusals name it."""

    schedule: ScheduleContract
