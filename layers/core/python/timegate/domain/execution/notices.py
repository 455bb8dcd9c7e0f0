"""Notices: a notification is a run beside its job's own, whose id says what it is about."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.run_document import as_text, run_document
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.hook import Subscription, occasions_heard
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import NoticeMark, Occasion, hook_told
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.ledger.notice_words import notice_in_words
from timegate.domain.runs.finishing import finish_of
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.reserved_turns import late_since
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, job_id_from
from timegate.domain.values.instants import milliseconds_between, rfc3339
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId

#: Version of the document for channels; it grows when a field changes its meaning or goes.
VERSION = 1
#: Characters of a hash that stand for what a notice is about, where that is no run.
MARK_LENGTH = 16
TIMEOUT_SECONDS = 10
#: Over an hour and a half: what is told of an outage must outlast one.
RETRY = RetryPolicy(
    max_attempts=10, initial_delay_seconds=2.0, max_delay_seconds=1_800.0, breaker=None
)
#: Fields of its job's definition that a notice takes over; it says or defaults the others.
TAKEN_OVER = frozenset(
    {
        *("name", "description", "metadata", "tags", "schedule", "priority", "resource_class"),
        *("precision", "catch_up", "start_within_seconds", "calendars"),
    }
)


def listening(attempt: Attempt, job: Job | None) -> Attempt:
    """The attempt, knowing on which occasions its job wants it to be heard of, or followed."""
    if job is None or attempt.id.run.origin is Origin.NOTIFICATION:
        return attempt
    return replace(attempt, notify=heard_of(job), finish=finish_of(attempt, job))


def heard_of(job: Job) -> tuple[Occasion, ...]:
    """The occasions on which the job's runs are told of, or a job follows; in a fixed order.

    Outcomes hears of failures that may pause the job, and of the success that ends its trial.
    """
    occasions = {*occasions_heard(job.notifications), *(o for f in job.then for o in f.occasions)}
    if job.pause_after_failures is not None:
        occasions |= {Occasion.FAILED, Occasion.TIMED_OUT, Occasion.DEAD_LETTERED, Occasion.PAUSED}
        occasions |= {Occasion.SUCCEEDED} if job.timing.on_trial else set()
    return tuple(occasion for occasion in Occasion if occasion in occasions)


def notices(
    job: Job,
    attempt: Attempt,
    occasion: Occasion,
    *,
    at: datetime,
    now: datetime,
    cause: str | None = None,
) -> tuple[Attempt, ...]:
    """The runs that tell of an occasion ``at`` an instant, one for each hook that hears of it.

    The same for every maker, and however often: their ids come from the run, the attempt,
    the occasion and the hook. Only the next look at them counts from ``now``: a run that ended
    during an outage is told of after it. ``cause``: the run is late, and waits for this reason.
    """
    hooks = [hook for hook in job.notifications if hook.hears(occasion)]
    return tuple(
        _notice(job, attempt, occasion, hook, at=at, now=now, cause=cause) for hook in hooks
    )


def as_governed(job: Job | None, attempt: Attempt | None, *, console_url: str = "") -> Job | None:
    """The job as it governs this attempt: for a notice, one that calls its hook.

    ``None`` where no channel is left to tell. ``console_url``: where people read
    of the run; code that calls no target needs none.
    """
    if job is None or attempt is None or attempt.id.run.origin is not Origin.NOTIFICATION:
        return job
    told = hook_told(attempt.id.run.about)
    hook = next((each for each in job.notifications if each.id == told), None)
    if hook is None or attempt.notice is None:
        return None
    delivery = hook.channel.delivery(notice_in_words(attempt.notice, console_url))
    return job.reduced(
        TAKEN_OVER,
        {
            "action": delivery.action,
            "payload": Payload(inline=delivery.payload, size_bytes=len(delivery.payload.encode())),
            "timeout_seconds": TIMEOUT_SECONDS,
            "retry": RETRY,
        },
    )


def notice_id(job_id: JobId, about: object, *, scheduled_at: datetime) -> RunId:
    """Name the run of a notice by the job that governs it and by its mark."""
    return RunId(
        job_id=job_id, origin=Origin.NOTIFICATION, scheduled_at=scheduled_at, about=str(about)
    )


def mark_without_run(about: str, occasion: Occasion, *, hook: str) -> NoticeMark:
    """Mark a notice of an occasion that is no run's: its origin is that of one which no job has."""
    digest = job_id_from(about.encode())[:MARK_LENGTH]
    return NoticeMark(origin=f"{Origin.FOLLOW_UP}{digest}", attempt=1, occasion=occasion, hook=hook)


def notice_text(kind: str, notice: RunId, fields: Mapping[str, object], *, at: datetime) -> str:
    """Write the document of a notice: its version, type and id, then what it tells."""
    head = {
        "version": VERSION,
        "type": kind,
        "notification_id": str(notice),
        "at": rfc3339(at),
    }
    return as_text({**head, **fields})


def notice_run(
    tenant: TenantId,
    notice: RunId,
    text: str,
    *,
    job_version: int,
    at: datetime,
    now: datetime,
    priority: Priority = Priority.NORMAL,
    trace: str | None = None,
) -> Attempt:
    """Make the first attempt of a notice about something ``at`` an instant, made ``now``.

    Its retries count from the occasion. Only the next look at it counts from ``now``.
    """
    state = first_state(at, at)
    return Attempt(
        tenant=tenant,
        id=AttemptId(run=notice, number=1),
        state=state,
        job_version=job_version,
        priority=priority,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        due_at=at,
        created_at=now,
        watch_at=first_watch(state, at, now=now),
        opened_at=at,
        notice=text,
        trace=trace,
    )


def _notice(
    job: Job,
    attempt: Attempt,
    occasion: Occasion,
    hook: Subscription,
    *,
    at: datetime,
    now: datetime,
    cause: str | None,
) -> Attempt:
    about = attempt.id.run
    mark = NoticeMark(
        origin=f"{about.origin}{about.about}",
        # A deadline is the run's, whichever attempt it is told of with.
        attempt=attempt.opened_as if occasion.is_of_deadline else attempt.id.number,
        occasion=occasion,
        hook=hook.id,
    )
    notice = notice_id(about.job_id, mark, scheduled_at=about.scheduled_at)
    return notice_run(
        attempt.tenant,
        notice,
        _document(job, attempt, occasion, notice, at=at, cause=cause),
        job_version=job.timing.version,
        priority=job.timing.priority,
        at=at,
        now=now,
        trace=attempt.trace,
    )


def _document(
    job: Job,
    attempt: Attempt,
    occasion: Occasion,
    notice: RunId,
    *,
    at: datetime,
    cause: str | None,
) -> str:
    """Return the hook's body as JSON text (docs/guides/notifications.md)."""
    begins_late = occasion is Occasion.LATE and cause is None
    run = run_document(attempt, started_at=at if begins_late else attempt.started_at)
    if occasion is Occasion.LATE:
        lateness_ms = milliseconds_between(late_since(attempt), at)
        run |= {"lateness_ms": lateness_ms, "explanation": cause}
    of_job = occasion is Occasion.PAUSED
    told: dict[str, object] = {"job": {"job_id": job.job_id, "name": job.name}, "run": run}
    pause = job.timing.failure_pause
    if of_job and pause is not None:
        told["pause"] = {"by": "timegate", "reason": "failures", "failures": pause.failures}
    return notice_text(f"job.{occasion}" if of_job else f"run.{occasion}", notice, told, at=at)
