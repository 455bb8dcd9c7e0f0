"""Filters of a tenant's jobs."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.identity import JobId
from timegate.value_classes import dataclass


class LastOutcome(StrEnum):
    """Outcomes of last runs that jobs are found by: failures alone are in an index."""

    FAILED = "failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class JobFilter:
    """Common properties of jobs; ``None``: anything."""

    status: JobStatus | None = None
    kind: ScheduleKind | None = None
    priority: Priority | None = None
    #: One that ends with ``*`` is the beginning of a name.
    name: str | None = None
    #: Every one of these keys with its value.
    tags: tuple[tuple[str, str], ...] = ()

    def matches(self, job: Job) -> bool:
        """Tell if the job is one of them."""
        timing = job.timing
        return (
            self.status in {None, timing.status}
            and self.kind in {None, timing.schedule.kind}
            and self.priority in {None, timing.priority}
            and (self.name is None or is_named(job.name, self.name))
            and all(job.tags.get(key) == value for key, value in self.tags)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Jobs of a rule: those that have all of this; every job if nothing is named."""

    job_id: JobId | None = None
    #: One that ends with ``*`` is the beginning of a name.
    name: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    def selects(self, job: Job) -> bool:
        """Tell if the job is one of them."""
        return (
            self.job_id in {None, job.job_id}
            and (self.name is None or is_named(job.name, self.name))
            and all(job.tags.get(key) == value for key, value in self.tags.items())
        )


def is_named(name: str, pattern: str) -> bool:
    """Tell if a pattern names it: a whole name, or the beginning of one before a final ``*``."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
