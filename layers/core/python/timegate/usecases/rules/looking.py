"""A look at a tenant's rules: what it uses, and what it found."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime

from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.messages import Event
from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.rules.streak import Streak, StreakId
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.clock import Clock
from timegate.ports.operations.dead_letters import FailureStore
from timegate.ports.rules import AbsenceStore, DamagedStreak, RuleMessages, RuleStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.ports.tenants.tenant_store import TenantStore
from timegate.value_classes import dataclass

#: Runs of one job that a look reads, latest first: what lies further back is not known.
MOST_READ = 500
_FIRST_PAGE, _NEXT_PAGE = 10, 100
Runs = Iterator[Attempt]


@dataclass(frozen=True, kw_only=True, slots=True)
class Looking:
    """Services of looks at rules."""

    rules: RuleStore
    messages: RuleMessages
    absences: AbsenceStore
    failures: FailureStore
    jobs: JobStore
    runs: RunStore
    #: Read before an absence is told: the jobs may run in another stage.
    tenants: TenantStore
    telemetry: Telemetry
    clock: Clock

    def awaited_from(self, tenant: TenantId) -> datetime | None:
        """Return since when a tenant's jobs are to succeed here; ``None``: they are not.

        Raises ``Throttled``.
        """
        return self.tenants.get(tenant).awaited_from(now=self.clock.now())


@dataclass(frozen=True, kw_only=True, slots=True)
class Occurrence:
    """A streak that begins or ends, and the event that tells of it."""

    rule: Rule
    #: Streak to be stored.
    streak: Streak
    #: Empty: it ends, and the rule does not tell of that.
    events: tuple[Event, ...]


@dataclass(kw_only=True, slots=True)
class RuleLook:
    """One look under way."""

    tenant: TenantId
    now: datetime
    looking: Looking
    rules: Sequence[Rule]
    held: Mapping[JobId, HeldEvents]
    occurrences: list[Occurrence] = field(default_factory=list)

    @property
    def ended(self) -> dict[StreakId, Occurrence]:
        """Return the streaks that this look ended; one of them may begin anew."""
        return {each.streak.id: each for each in self.occurrences if not each.streak.is_open}

    def asking(self, condition: StreakCondition) -> list[Rule]:
        """Return the rules that ask for a condition."""
        return [rule for rule in self.rules if condition in rule.when.conditions]

    def by_id(self) -> dict[JobId, Rule]:
        """Return the rules by their ids."""
        return {rule.rule_id: rule for rule in self.rules}

    def on_record(self, wanted: Collection[StreakId]) -> Mapping[StreakId, Streak | None]:
        """Return these streaks, ``None`` for those that never began.

        Unreadable ones are left out and reported: a look cannot know if it told of them.
        """
        found = self.looking.rules.streaks(self.tenant, wanted, now=self.now)
        known = {each.id: each for each in self.readable(found.values())}
        return {each: known.get(each) for each in wanted if each in known or each not in found}

    def readable(self, streaks: Iterable[Streak | DamagedStreak]) -> list[Streak]:
        """Return the streaks that could be read; the others are reported."""
        read: list[Streak] = []
        for each in streaks:
            if isinstance(each, DamagedStreak):
                detail = f"{each.position}: {each.reason}"
                report_damage(self.tenant, [detail], self.looking.telemetry)
            else:
                read.append(each)
        return read

    def runs_to_success(self, job_id: JobId, *, since: datetime, until: datetime) -> Runs:
        """Yield last attempts of a job's runs, latest instant first, and all that succeeded."""
        within = InstantRange(start=since, end=until)
        return runs_to_success(self.looking, self.tenant, job_id, within=within)

    def latest_runs(self, job_id: JobId, *, since: datetime | None = None) -> Runs:
        """Yield last attempts of a job's runs, latest instant first, page by page as taken."""
        within = InstantRange(start=since, end=self.now)
        return latest_runs(self.looking.runs, self.tenant, job_id, within=within)


def report_damage(tenant: TenantId, details: Iterable[str], telemetry: Telemetry) -> None:
    """Count records of rules that cannot be read, and log what is wrong with each."""
    for detail in details:
        telemetry.count(service_metrics.RECORDS_UNREADABLE)
        telemetry.event(service_events.RULES_UNREADABLE, tenant_id=tenant, detail=detail)


def runs_to_success(
    looking: Looking, tenant: TenantId, job_id: JobId, *, within: InstantRange
) -> Runs:
    """Yield last attempts of a job's runs, latest instant first, and all that succeeded.

    Runs that lie further back than a look reads are left out unless they succeeded.
    """
    read = 0
    for run in latest_runs(looking.runs, tenant, job_id, within=within):
        read, within = read + 1, replace(within, end=run.id.run.scheduled_at)
        yield run
    if read >= MOST_READ:
        yield from looking.absences.successes(tenant, job_id, within=within)


def latest_runs(runs: RunStore, tenant: TenantId, job_id: JobId, *, within: InstantRange) -> Runs:
    """Yield last attempts of a job's runs, latest instant first, page by page as taken."""
    cursor: str | None = None
    size, left = _FIRST_PAGE, MOST_READ
    while left > 0:
        page = runs.list_runs(tenant, job_id, limit=min(size, left), cursor=cursor, within=within)
        yield from page.rows
        cursor, left, size = page.cursor, left - size, _NEXT_PAGE
        if cursor is None:
            return
