"""Usage of tenants' quotas, and refusals of one thing too many."""

from enum import StrEnum

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.values.errors import Conflict
from timegate.value_classes import dataclass


class Quota(StrEnum):
    """Quotas of things that a tenant may have, or begin."""

    #: Jobs that may still run: active and paused ones.
    JOBS = "jobs"
    #: DAGs that are not deleted.
    DAGS = "dags"
    #: Runs that begin on one day.
    RUNS_PER_DAY = "runs_per_day"


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """A tenant's usage of its quotas, as the store counts."""

    jobs: int = 0
    dags: int = 0
    #: Runs that have begun today, in UTC; ``None``: they are not counted.
    runs_per_day: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Tallied:
    """Counts of one quota: all numbers only grow but for a correction."""

    #: Creations, record by record.
    records: tuple[int, ...]
    ended: int

    @property
    def made(self) -> int:
        """Return the number of creations."""
        return sum(self.records)

    @property
    def used(self) -> int:
        """Return the number of records that should exist."""
        return self.made - self.ended


class QuotaExceeded(Conflict):
    """The tenant has as many of something as it may have."""

    code = "quota_exceeded"

    def __init__(self, quota: Quota, *, limit: int, used: int) -> None:
        super().__init__(
            f"The tenant has {used} {quota} of the {limit} it may have; remove one that is over."
        )
        self.quota = quota
        self.limit = limit
        self.used = used


def is_counted(timing: Timing) -> bool:
    """Tell if a job uses up the quota, and a tally counts it."""
    return job_counts(timing.status) and not timing.untallied


def job_counts(status: JobStatus) -> bool:
    """Tell if a job uses up the quota: not once nothing of its schedule runs any more."""
    return status in {JobStatus.ACTIVE, JobStatus.PAUSED}
