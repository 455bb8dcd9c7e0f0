"""Notices of absences: the runs that tell a job's own channels that it has not succeeded."""

from datetime import datetime

from timegate.domain.execution.notices import (
    mark_without_run,
    notice_id,
    notice_run,
    notice_text,
)
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import ABSENCE_TOLD, Occasion
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.rules.words import in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339


def absence_notices(job: Job, watch: AbsenceWatch, *, now: datetime) -> tuple[Attempt, ...]:
    """Return the runs that tell of an absence, one for each channel that hears of it.

    Their ids come from the job, the success that the span counts from, and the channel.
    """
    hooks = [hook for hook in job.notifications if Occasion.ABSENT in hook.on]
    return tuple(_notice(job, watch, hook, now) for hook in hooks)


def _notice(job: Job, watch: AbsenceWatch, hook: Subscription, now: datetime) -> Attempt:
    about = f"absence\n{job.job_id}\n{rfc3339(watch.since)}"
    mark = mark_without_run(about, Occasion.ABSENT, hook=hook.id)
    notice = notice_id(job.job_id, mark, scheduled_at=watch.over_at)
    told = {
        "job": {"job_id": job.job_id, "name": job.name},
        "text": in_words(StreakCondition.ABSENT, job.name, seconds=watch.after_seconds),
        "absence": {"since": rfc3339(watch.since), "for_seconds": watch.after_seconds},
    }
    return notice_run(
        job.tenant,
        notice,
        notice_text(ABSENCE_TOLD, notice, told, at=now),
        job_version=job.timing.version,
        priority=job.timing.priority,
        at=now,
        now=now,
    )
