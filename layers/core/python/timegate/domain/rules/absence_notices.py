"""Notices of absences: the runs that tell a job's own channels that it has not succeeded."""

from datetime import datetime

from timegate.domain.execution.notices import VERSION
from timegate.domain.execution.run_document import as_text
from timegate.domain.jobs.demands import Precision, ResourceClass
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import ABSENCE_TOLD, NoticeMark, Occasion
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch
from timegate.domain.rules.rule import StreakCondition
from timegate.domain.rules.words import in_words
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, Origin, RunId, job_id_from
from timegate.domain.values.instants import rfc3339

_MARK_LENGTH = 16


def absence_notices(job: Job, watch: AbsenceWatch, *, now: datetime) -> tuple[Attempt, ...]:
    """Return the runs that tell of an absence, one for each channel that hears of it.

    Their ids come from the job, the success that the span counts from, and the channel.
    """
    hooks = [hook for hook in job.notifications if Occasion.ABSENT in hook.on]
    return tuple(_notice(job, watch, hook, now) for hook in hooks)


def _notice(job: Job, watch: AbsenceWatch, hook: Subscription, now: datetime) -> Attempt:
    about = f"absence\n{job.job_id}\n{rfc3339(watch.since)}".encode()
    mark = NoticeMark(
        # It tells of no run: its origin is that of one which no job has.
        origin=f"{Origin.FOLLOW_UP}{job_id_from(about)[:_MARK_LENGTH]}",
        attempt=1,
        occasion=Occasion.ABSENT,
        hook=hook.id,
    )
    run = RunId(
        job_id=job.job_id,
        origin=Origin.NOTIFICATION,
        scheduled_at=watch.over_at,
        about=str(mark),
    )
    state = first_state(now, now)
    return Attempt(
        tenant=job.tenant,
        id=AttemptId(run=run, number=1),
        state=state,
        job_version=job.timing.version,
        priority=job.timing.priority,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        due_at=now,
        created_at=now,
        watch_at=first_watch(state, now, now=now),
        opened_at=now,
        notice=_document(job, watch, run, now),
    )


def _document(job: Job, watch: AbsenceWatch, notice: RunId, now: datetime) -> str:
    text = in_words(StreakCondition.ABSENT, job.name, seconds=watch.after_seconds)
    return as_text(
        {
            "version": VERSION,
            "type": ABSENCE_TOLD,
            "notification_id": str(notice),
            "at": rfc3339(now),
            "job": {"job_id": job.job_id, "name": job.name},
            "text": text,
            "absence": {"since": rfc3339(watch.since), "for_seconds": watch.after_seconds},
        }
    )
