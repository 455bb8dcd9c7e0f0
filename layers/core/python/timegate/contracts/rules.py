"""Notification rules, as they are asked for."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from timegate.contracts.calendars import WEEKDAYS, Weekdays, weekday_numbers
from timegate.contracts.channels import ChannelContract
from timegate.contracts.jobs.listings import CalendarsQuery, RangeQuery
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Description, Labels, Name
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS
from timegate.domain.rules.quiet_hours import QuietHours, QuietWindow
from timegate.domain.rules.rule import (
    MAX_CHANNELS,
    MAX_FAILURES_TOLD,
    MAX_LATE_SECONDS,
    MIN_LATE_SECONDS,
    Absence,
    Rule,
    RuleName,
    When,
)
from timegate.domain.values.identity import JOB_REFERENCE, JobId
from timegate.domain.values.tenant import TenantId

_MAX_WINDOWS = 21
#: Hours and minutes of a day.
HOUR = r"^([01]\d|2[0-3]):[0-5]\d$"
Hour = Annotated[str, StringConstraints(pattern=HOUR)]
Zone = Annotated[str, Field(min_length=1, max_length=64, description="An IANA name.")]
_EVERY_DAY = Field(
    default_factory=lambda: list(WEEKDAYS), min_length=1, description="Every day unless given."
)


class SelectionContract(Contract):
    """Jobs of a rule: those that have all of this; every job if nothing is given."""

    job_id: str | None = Field(
        default=None, pattern=JOB_REFERENCE, description="One job: its id, or key:<key>."
    )
    name: Name | None = Field(
        default=None, description="Jobs of this name, or with names that begin so before a final *."
    )
    tags: Labels = Field(default_factory=dict, description="Jobs with each of these tags.")

    def to_domain(self) -> Selection:
        """Return the domain's value."""
        job_id = JobId(self.job_id) if self.job_id is not None else None
        return Selection(job_id=job_id, name=self.name, tags=self.tags)


class AbsenceContract(Contract):
    """A span without success that is told of."""

    for_seconds: (
        Annotated[int, Field(ge=MIN_ABSENT_SECONDS, le=MAX_ABSENT_SECONDS), Duration()] | None
    ) = Field(
        None,
        description="No run of the job has succeeded for so long; null: for its own"
        " absent_after_seconds.",
    )
    at: Hour | None = Field(
        None, description="HH:MM: judged once a day at this time; null: all the time."
    )
    timezone: Zone = "UTC"
    weekdays: Weekdays = _EVERY_DAY

    def to_domain(self) -> Absence:
        """Return the domain's value."""
        return Absence(
            for_seconds=self.for_seconds,
            at=self.at,
            timezone=self.timezone,
            weekdays=weekday_numbers(self.weekdays),
        )


class WhenContract(Contract):
    """Conditions of a rule; one that is not given is not told of."""

    failures_in_a_row: int | None = Field(
        None, ge=1, le=MAX_FAILURES_TOLD, description="So many runs of a job failed in a row."
    )
    dead_letter: bool = Field(default=False, description="A run was given up.")
    quota_refused: bool = Field(default=False, description="A quota refused a run.")
    late_after_seconds: (
        Annotated[int, Field(ge=MIN_LATE_SECONDS, le=MAX_LATE_SECONDS), Duration()] | None
    ) = Field(None, description="A run waits so long after it was due.")
    absent: AbsenceContract | None = Field(None, description="No run has succeeded for long.")
    recovered: bool = Field(
        default=False, description="The first success after a streak that was told of."
    )

    def to_domain(self) -> When:
        """Return the domain's value."""
        return When(**self.as_domain())


class QuietWindowContract(Contract):
    """The same hours of several days."""

    weekdays: Weekdays = _EVERY_DAY
    opens: Hour
    closes: Hour = Field(
        description="No longer part of it; not later than opens: on the following day."
    )

    def to_domain(self) -> QuietWindow:
        """Return the domain's value."""
        return QuietWindow(
            weekdays=weekday_numbers(self.weekdays), opens=self.opens, closes=self.closes
        )


class QuietHoursContract(Contract):
    """Hours of the week in which messages are held back; one message tells of them then."""

    timezone: Zone = "UTC"
    windows: list[QuietWindowContract] = Field(min_length=1, max_length=_MAX_WINDOWS)

    def to_domain(self) -> QuietHours:
        """Return the domain's value."""
        return QuietHours(**self.as_domain())


class RuleBody(Contract):
    """A notification rule: of which jobs whom it tells what."""

    description: Description = ""
    tags: Labels = Field(default_factory=dict, description="Of the rule itself.")
    enabled: bool = True
    jobs: SelectionContract = Field(default_factory=SelectionContract)
    when: WhenContract
    channels: list[ChannelContract] = Field(min_length=1, max_length=MAX_CHANNELS)
    quiet_hours: QuietHoursContract | None = None

    def to_domain(self, tenant: TenantId, name: str, *, now: datetime) -> Rule:
        """Return the domain's value."""
        return Rule(
            tenant=tenant,
            name=RuleName(name),
            description=self.description,
            tags=self.tags,
            enabled=self.enabled,
            jobs=self.jobs.to_domain(),
            when=self.when.to_domain(),
            channels=tuple(each.to_domain() for each in self.channels),
            quiet_hours=self.quiet_hours.to_domain() if self.quiet_hours is not None else None,
            created_at=now,
            updated_at=now,
        )


class RulesQuery(CalendarsQuery):
    """A list of notification rules; a tenant has no more than a page of them."""


class RuleMessagesQuery(RangeQuery):
    """Messages of a notification rule, by the instants at which they were made."""
