"""Streaks: what a job began to do and was told of, until it stops."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: A streak that nothing ended is forgotten, and told of anew if it goes on.
FORGOTTEN_AFTER = timedelta(days=90)
#: One of a job that runs seldom is kept for so many of its intervals, and so long at most.
_INTERVALS_KEPT, _LONGEST_KEPT = 4, timedelta(days=3_660)
#: An ended one is kept for failures that an index shows late; that of one late run, which a longer
#: bound may show again after days, is not.
ENDED_KEPT_FOR = timedelta(days=2)


@dataclass(frozen=True, kw_only=True, slots=True)
class StreakId:
    """One rule, one condition, one job."""

    rule_id: JobId
    condition: StreakCondition
    job_id: JobId
    #: The run that has it alone: one of a job that runs once; ``None``: any other streak.
    run: RunId | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Streak:
    """A streak as stored; it is changed by one conditional write."""

    tenant: TenantId
    id: StreakId
    job_name: str
    #: Runs that ended up to here are part of it, or of one before.
    until: datetime
    #: Runs of instants from here on may end it.
    runs_from: datetime
    told_at: datetime
    is_open: bool = True
    #: The run that began it; ``None``: the lack of one did.
    run: RunId | None = None
    revision: int = 1
    #: Its record is needed until then; ``None``: for as long as any other's.
    kept_until: datetime | None = None

    @property
    def forgotten_at(self) -> datetime:
        """Return the instant from which its record is gone."""
        is_late_run = self.id.condition is StreakCondition.LATE and self.id.run is not None
        is_kept = self.is_open or is_late_run
        at = self.told_at + (FORGOTTEN_AFTER if is_kept else ENDED_KEPT_FOR)
        return at if self.kept_until is None else max(at, self.kept_until)

    def is_of(self, rule: Rule) -> bool:
        """Tell if it belongs to the rule as it is now, and to none of its name from before."""
        return self.told_at >= rule.created_at

    def ended_by(self, attempt: Attempt, *, now: datetime) -> "Streak":
        """Return the streak after the run that ended it: one that began in time, or succeeded."""
        at = attempt.started_at if self.id.condition is StreakCondition.LATE else attempt.ended_at
        until = max(self.until, at or now)
        return replace(
            self,
            is_open=False,
            until=until,
            told_at=now,
            revision=self.revision + 1,
            kept_until=None,
        )


def keeps_until(now: datetime, interval: timedelta | None) -> datetime | None:
    """Return the instant until which an open streak is needed; ``None``: as any other.

    ``interval``: from one chance to end it to the next.
    """
    if interval is None:
        return None
    return now + min(_INTERVALS_KEPT * min(interval, _LONGEST_KEPT), _LONGEST_KEPT)


def opens_anew(streak: Streak | None, rule: Rule, ended_at: datetime) -> bool:
    """Tell if what ended then is part of no streak that was told of."""
    if streak is None or not streak.is_of(rule):
        return True
    return not streak.is_open and ended_at > streak.until
