"""A notification rule: of which jobs a tenant is told what, through which channels."""

import re
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import NewType

from timegate.domain.channels.channel import Channel
from timegate.domain.jobs.job_filter import Selection
from timegate.domain.restrictions.restrictions import LateBound
from timegate.domain.rules.quiet_hours import QuietHours
from timegate.domain.values.identity import JobId, job_id_from
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

RuleName = NewType("RuleName", str)

#: Form of a rule's name, which is its id.
RULE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
#: Rules of one tenant: each look reads all of them.
MAX_RULES = 50
#: Names of deleted rules that are remembered at once: each reader of the rules reads them as well.
MAX_DELETED_RULES = 1_000
#: Channels of one rule.
MAX_CHANNELS = 5
MAX_FAILURES_TOLD = 100
MIN_LATE_SECONDS, MAX_LATE_SECONDS = 60, 604_800


class StreakCondition(StrEnum):
    """Conditions of a streak: what a job began to do, and has not stopped doing."""

    FAILURES = "failures"
    DEAD_LETTER = "dead_letter"
    QUOTA = "quota_refused"
    LATE = "late"
    ABSENT = "absent"


@dataclass(frozen=True, kw_only=True, slots=True)
class Absence:
    """A span without success; with ``at``, judged once a day at that time."""

    #: ``None``: for as long as each job says itself.
    for_seconds: int | None = None
    #: ``HH:MM`` on the clock of ``timezone``; ``None``: at any time.
    at: str | None = None
    timezone: str = "UTC"
    #: Days on which it is judged; 0 is Monday.
    weekdays: frozenset[int] = frozenset(range(7))


@dataclass(frozen=True, kw_only=True, slots=True)
class When:
    """Conditions of a rule; one that is not named is not told of."""

    #: So many runs of a job failed in a row.
    failures_in_a_row: int | None = None
    #: A run was given up.
    dead_letter: bool = False
    #: A quota of the tenant refused a run.
    quota_refused: bool = False
    #: A run has not started so many seconds after it was due.
    late_after_seconds: int | None = None
    absent: Absence | None = None
    #: A streak that was told of has ended.
    recovered: bool = False

    @property
    def conditions(self) -> frozenset[StreakCondition]:
        """Return the conditions that open a streak."""
        asked = {
            StreakCondition.FAILURES: self.failures_in_a_row is not None,
            StreakCondition.DEAD_LETTER: self.dead_letter,
            StreakCondition.QUOTA: self.quota_refused,
            StreakCondition.LATE: self.late_after_seconds is not None,
            StreakCondition.ABSENT: self.absent is not None,
        }
        return frozenset(condition for condition, is_asked in asked.items() if is_asked)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A rule as stored."""

    tenant: TenantId
    name: RuleName
    description: str = ""
    #: Its own, not those of its jobs.
    tags: Mapping[str, str] = field(default_factory=dict)
    enabled: bool = True
    jobs: Selection = field(default_factory=Selection)
    when: When
    channels: tuple[Channel, ...]
    #: Messages of these hours are told in one message when they end; ``None``: at once.
    quiet_hours: QuietHours | None = None
    #: 1, and one more with every change; kept over a deletion. The store counts.
    version: int = 0
    #: Streaks from before are none of its.
    created_at: datetime
    updated_at: datetime
    #: Events from before, while it was not enabled, are none of its; ``None``: it always was. The
    #: store says so.
    enabled_at: datetime | None = None
    #: Since when it asks for this absence; ``None``: from its creation on. The store says so.
    absence_at: datetime | None = None

    def succeeding(self, before: "Rule") -> "Rule":
        """Return it as it takes the place of the one of its name; the store counts versions."""
        is_new = self.enabled and not before.enabled
        asks_anew = is_new or self.when.absent != before.when.absent
        return replace(
            self,
            created_at=before.created_at,
            enabled_at=self.updated_at if is_new else before.enabled_at,
            absence_at=self.updated_at if asks_anew else before.absence_at,
        )

    @property
    def tells_from(self) -> datetime:
        """Return the instant from which on it is told of what happens."""
        return self.enabled_at or self.created_at

    @property
    def awaits_from(self) -> datetime:
        """Return the instant from which on its times of day are judged."""
        return self.absence_at or self.created_at

    @property
    def rule_id(self) -> JobId:
        """Its computed id, which takes a job's place in the ids of its messages."""
        return rule_id_of(self.tenant, self.name)

    @property
    def late_bound(self) -> LateBound | None:
        """Return the bound beyond which it is told of runs; ``None``: it is not."""
        after = self.when.late_after_seconds
        if not self.enabled or after is None:
            return None
        return LateBound(after_seconds=after, jobs=self.jobs)

    def is_quiet(self, now: datetime) -> bool:
        """Tell if what it tells is held back now."""
        return self.quiet_hours is not None and self.quiet_hours.hold(now)


def rule_id_of(tenant: TenantId, name: str) -> JobId:
    """The id of the rule of a name: no job has it."""
    return job_id_from(f"rule\n{tenant}\n{name}".encode())
