"""Absence: a job says within which span it is to succeed, and a watch keeps that in mind."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.values.identity import AbsenceRef
from timegate.value_classes import dataclass

#: Spans without a success, of jobs and of rules.
MIN_ABSENT_SECONDS, MAX_ABSENT_SECONDS = 600, 34_560_000
#: A watch is looked at this often at least: the success it counts from is on record then.
LONGEST_REST = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class AbsenceWatch:
    """One record for each job that says within which span it is to succeed."""

    ref: AbsenceRef
    after_seconds: int
    #: The job succeeded then, as far as looks know; or its span began then.
    since: datetime
    #: Its channels were told of this absence.
    told: bool = False
    #: The job's version that began it, and how many looks there were since.
    version: int
    step: int = 0

    @property
    def over_at(self) -> datetime:
        """Return the instant at which the job is absent, unless it succeeds before."""
        return self.since + timedelta(seconds=self.after_seconds)

    def succeeded(self, at: datetime) -> "AbsenceWatch":
        """Return the watch after a success: its span begins anew."""
        return replace(self, since=at, told=False)

    def next_look(self, now: datetime) -> datetime:
        """Return the instant of the look that follows one of ``now``.

        A success after an absence that was told of is seen within its own span.
        """
        span = timedelta(seconds=self.after_seconds)
        return min(now + span if self.told else self.over_at, now + LONGEST_REST)


def awaited_within(job: Job | None) -> int | None:
    """Return the seconds within which a job is to succeed now; ``None``: it is not awaited.

    A job that failures paused is silent against its owner's will; one that a caller paused is not.
    """
    if job is None or job.absent_after_seconds is None:
        return None
    timing = job.timing
    is_awaited = timing.status is JobStatus.ACTIVE or timing.paused_itself
    return job.absent_after_seconds if is_awaited else None


def watch_begun(job: Job, seconds: int) -> AbsenceWatch:
    """Return the watch over a job that is awaited from its last change on."""
    return AbsenceWatch(
        ref=AbsenceRef(tenant=job.tenant, job_id=job.job_id),
        after_seconds=seconds,
        since=job.updated_at,
        version=job.timing.version,
    )
