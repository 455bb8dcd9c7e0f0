"""Health of a stage: facts that its records tell, and the judgement on them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.dispatch.shards import OpenShards
from timegate.value_classes import dataclass

#: A shard is behind from here on: a tick a minute leaves two to five.
TICK_BEHIND = timedelta(minutes=6)
#: Nothing moves in a shard that far behind.
TICK_SILENT = timedelta(minutes=15)
#: The auditor comes every five minutes, and one that crashed costs its share one tick.
AUDIT_SILENT = timedelta(minutes=20)
#: A finding is a problem of the present for so long: a person has looked at it by then.
FINDING_HOLDS = timedelta(hours=1)


class HealthStatus(StrEnum):
    """The worst of a stage's problems."""

    HEALTHY = "healthy"
    #: Runs are late, or it cannot be told.
    DEGRADED = "degraded"
    #: Runs are not being planned or looked after, or records are missing.
    UNHEALTHY = "unhealthy"


class ProblemCode(StrEnum):
    """Kinds of problems of a stage, each by a stable code."""

    NO_SHARD_OPEN = "no_shard_open"
    PLANNER_BEHIND = "planner_behind"
    PLANNER_SILENT = "planner_silent"
    SWEEPER_BEHIND = "sweeper_behind"
    SWEEPER_SILENT = "sweeper_silent"
    AUDIT_SILENT = "audit_silent"
    INSTANTS_UNACCOUNTED = "instants_unaccounted"
    RECORDS_LOST = "records_lost"
    ALARM_ON = "alarm_on"
    METRICS_UNKNOWN = "metrics_unknown"


#: Problems with which a stage is no more than degraded.
LIGHT = frozenset(
    {
        ProblemCode.PLANNER_BEHIND,
        ProblemCode.SWEEPER_BEHIND,
        ProblemCode.AUDIT_SILENT,
        ProblemCode.ALARM_ON,
        ProblemCode.METRICS_UNKNOWN,
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class HealthProblem:
    """One thing that is wrong, in words, and what to do about it."""

    code: ProblemCode
    detail: str
    remedy: str
    #: Section of the runbooks.
    runbook: str

    @property
    def status(self) -> HealthStatus:
        """Return the best status that a stage with this problem has."""
        return HealthStatus.DEGRADED if self.code in LIGHT else HealthStatus.UNHEALTHY


@dataclass(frozen=True, kw_only=True, slots=True)
class ShardTicks:
    """Progress of the planner, the sweeper and the auditor in one shard."""

    shard: int
    opened_at: datetime
    #: Every minute before it was found empty; ``None``: no tick came yet.
    planned_to: datetime | None = None
    swept_to: datetime | None = None
    #: When the present round over the table began.
    audit_began_at: datetime | None = None
    audited: AuditVerdict | None = None

    def planner_lag(self, now: datetime) -> timedelta:
        """Return the age of the oldest minute that is left to plan."""
        return now - (self.planned_to or self.opened_at)

    def sweeper_lag(self, now: datetime) -> timedelta:
        """Return the age of the oldest minute that is left to sweep."""
        return now - (self.swept_to or self.opened_at)

    def audit_lag(self, now: datetime) -> timedelta:
        """Return the age of the last audit."""
        return now - (self.audited.at if self.audited is not None else self.opened_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class LaneState:
    """The queue of a lane, as it was measured last; ``None``: it was not."""

    lane: str
    waiting: float | None
    oldest_seconds: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class StageAlarm:
    """An alarm that is on."""

    name: str
    meaning: str
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class StageHealth:
    """Everything that is known of a stage at one instant."""

    at: datetime
    #: ``None``: no tick has opened any yet.
    open_shards: OpenShards | None
    ticks: Sequence[ShardTicks]
    #: ``None``: the metrics could not be read.
    lanes: Sequence[LaneState] | None
    alarms: Sequence[StageAlarm] = ()

    @property
    def verdicts(self) -> tuple[AuditVerdict, ...]:
        """Return the auditor's last word on each share that it came to."""
        return tuple(each.audited for each in self.ticks if each.audited is not None)


def status_of(problems: Sequence[HealthProblem]) -> HealthStatus:
    """Return the worst status of some problems."""
    found = {each.status for each in problems}
    worst = (HealthStatus.UNHEALTHY, HealthStatus.DEGRADED)
    return next((each for each in worst if each in found), HealthStatus.HEALTHY)
