"""Filters of a tenant's jobs."""

from dataclasses import dataclass

from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.recurrence.schedule import ScheduleKind


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


def is_named(name: str, pattern: str) -> bool:
    """Tell if a pattern names it: a whole name, or the beginning of one before a final ``*``."""
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
