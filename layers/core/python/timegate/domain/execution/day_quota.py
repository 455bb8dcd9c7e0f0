"""A tenant's quota of runs per day: what counts, on which day, and when there is room again."""

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

from timegate.domain.execution.quota_usage import Quota
from timegate.domain.limits.quotas import Quotas
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import Origin
from timegate.value_classes import dataclass

#: A task belongs to a DAG run that has been counted: half of one is worse than none. And what
#: tells of a run is none of its tenant's.
_UNCOUNTED = frozenset({Origin.TASK, Origin.NOTIFICATION})
#: So many runs of a day's quota are counted in one record ...
PART = 1_000
#: ... and in no more records than these.
MOST_PARTS = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class DayQuota:
    """So many runs may begin on a day."""

    #: In UTC.
    day: date
    limit: int

    @property
    def shares(self) -> list[int]:
        """Return the share of the quota that each record counts."""
        parts = min(max(1, -(-self.limit // PART)), MOST_PARTS)
        share, rest = divmod(self.limit, parts)
        return [share + (part < rest) for part in range(parts)]

    @property
    def explanation(self) -> str:
        """Explain a run that did not begin."""
        runs = "run" if self.limit == 1 else "runs"
        return f"the {self.limit} {runs} that the tenant may begin on {self.day} (UTC) had begun"


class Counted(StrEnum):
    """Result of a claim that counts."""

    HELD = "held"
    #: Another claim was before it, or the run has ended.
    LOST = "lost"
    #: The day has all the runs that it may.
    BEYOND = "beyond"


class DayIsFull(TimegateError):
    """The tenant has begun its quota of runs for today; tomorrow there is room again."""

    code = "quota_exceeded"
    quota = Quota.RUNS_PER_DAY

    def __init__(self, *, limit: int, used: int, now: datetime) -> None:
        super().__init__(
            f"The tenant has begun {used} of the {limit} runs that it may begin on"
            f" {day_of(now)} (UTC)."
        )
        self.limit = limit
        self.used = used
        self.retry_after_seconds = seconds_left(now)


def day_quota(quotas: Quotas, now: datetime) -> DayQuota | None:
    """Return the tenant's quota for today; ``None``: no limit, and no count."""
    limit = quotas.runs_per_day
    return None if limit is None else DayQuota(day=day_of(now), limit=limit)


def first_claim_counts(attempt: Attempt) -> bool:
    """Tell if the run begins, and counts, with its next claim: its fence counts its leases.

    Retries and slices of a run have a fence, and so has a run that is opened again.
    """
    return attempt.fence == 0 and attempt.id.run.origin not in _UNCOUNTED


def begins_on(attempt: Attempt, *, now: datetime) -> date:
    """The day on which a claim lets it begin: a worker holds it for a moment until it is due."""
    return day_of(max(now, attempt.due_at))


def day_of(instant: datetime) -> date:
    """The day in UTC."""
    return instant.astimezone(UTC).date()


def seconds_left(now: datetime) -> int:
    """Whole seconds until the next day begins, at least one."""
    midnight = datetime.combine(day_of(now) + timedelta(days=1), time(), UTC)
    return max(1, -int((now - midnight).total_seconds() // 1))
