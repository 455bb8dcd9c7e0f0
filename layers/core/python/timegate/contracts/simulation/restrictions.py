"""Calendars, freezes and notification rules of a scenario."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from timegate.contracts.calendars import CalendarBody
from timegate.contracts.restrictions import TagScope, TenantScope
from timegate.contracts.rules import QuietHoursContract, SelectionContract, WhenContract
from timegate.contracts.simulation.jobs import JOB_ID
from timegate.contracts.values.fields import Contract, Instant
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze, FreezeScope, ThawPolicy, freeze_id_for
from timegate.domain.rules.rule import Rule, RuleName
from timegate.domain.rules.rule_checks import check_telling
from timegate.domain.simulation import MAX_LIST, CalendarEdit
from timegate.domain.simulation.scenario import TENANT
from timegate.domain.values.errors import InvalidInput


class CalendarEditContract(Contract):
    """A calendar is replaced, or deleted."""

    at: Instant
    calendar: CalendarBody | None = Field(description="In its place; null: it is deleted.")

    def replacement(self, name: str) -> Calendar | None:
        """Return the calendar that is put in its place."""
        given = self.calendar
        return None if given is None else given.to_domain(TENANT, name, now=self.at)


class SimulatedCalendarContract(CalendarBody):
    """A calendar, and what becomes of it."""

    edits: list[CalendarEditContract] = Field(default_factory=list, max_length=MAX_LIST)

    def begun(self, name: str, *, start: datetime) -> Calendar:
        """Return the calendar as it is in the beginning."""
        return self.to_domain(TENANT, name, now=start)

    def edited(self, name: str) -> tuple[CalendarEdit, ...]:
        """Return the edits, in their order."""
        return tuple(
            CalendarEdit(
                at=edit.at,
                name=name,
                calendar=edit.replacement(name),
                path=f"calendars.{name}.edits.{number}",
            )
            for number, edit in enumerate(self.edits)
        )


class SimulatedJobScope(Contract):
    """One of the scenario's jobs; the only one needs neither name nor id."""

    kind: Literal["job"]
    job: str | None = Field(None, description="Its name in the scenario.")
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = None


class SimulatedFreezeContract(Contract):
    """A span in which nothing of its scope starts."""

    scope: Annotated[TenantScope | TagScope | SimulatedJobScope, Field(discriminator="kind")]
    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")
    thaw: ThawPolicy = ThawPolicy.JOB
    created_at: Instant | None = Field(
        None, description="Known from then on; from the beginning, unless given."
    )
    lifted_at: Instant | None = Field(None, description="It ends then, and no planner knew before.")

    def freeze(self, scope: FreezeScope, *, earliest: datetime) -> Freeze:
        """Return the freeze; unless it says so, it is known before it starts and from earliest."""
        return Freeze(
            tenant=TENANT,
            freeze_id=freeze_id_for(
                TENANT, scope, starts_at=self.start, ends_at=self.end, thaw=self.thaw
            ),
            scope=scope,
            starts_at=self.start,
            ends_at=self.end,
            thaw=self.thaw,
            created_at=self.created_at or min(self.start, earliest),
            lifted_at=self.lifted_at,
        )


class SimulatedRuleContract(Contract):
    """A notification rule; its channels are none of a scenario's."""

    jobs: SelectionContract = Field(default_factory=SelectionContract)
    when: WhenContract
    quiet_hours: QuietHoursContract | None = None

    def rule(self, name: str, *, created_at: datetime) -> Rule:
        """Return the rule; raises ``InvalidInput`` naming the field."""
        rule = Rule(
            tenant=TENANT,
            name=RuleName(name),
            jobs=self.jobs.to_domain(),
            when=self.when.to_domain(),
            quiet_hours=None if self.quiet_hours is None else self.quiet_hours.to_domain(),
            channels=(),
            version=1,
            created_at=created_at,
            updated_at=created_at,
        )
        try:
            check_telling(rule)
        except InvalidInput as refused:
            parts = ("rules", name, *([] if refused.field == "name" else [refused.field]))
            raise InvalidInput(".".join(parts), refused.code, refused.detail) from refused
        return rule
