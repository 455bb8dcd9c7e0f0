"""Advice: what a job's definition, or its history, lets expect although nothing forbids it."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice

from timegate.domain.actions.web_addresses import secret_parameters
from timegate.domain.calendars.calendar_rule import CalendarAction
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.finish_by import finish_instant
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.jobs.retry import longest_delay
from timegate.domain.ledger.ledger import withdrawn_zone
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.zones.zone_clock import is_known
from timegate.domain.values.instants import MILLISECOND, milliseconds_between
from timegate.value_classes import dataclass

#: Deadlines of so many coming instants are looked at where they are times of the day, ...
INSTANTS_LOOKED_AT = 50
#: ... and of those that come so long after the next one: rare ones are dear to find.
LOOKED_AHEAD = timedelta(days=366)
#: Parameters of an address that one piece of advice names.
_NAMES_SHOWN = 5
_BY_HEADER = (
    "Name the secret's place in secret_headers instead, if the target takes it as a header."
)
_SIGNED = (
    "Name the place of a key in signing_secret instead, if the target takes requests that are"
    " signed with it."
)


class AdviceCode(StrEnum):
    """Stable: programs may depend on it."""

    #: Recent runs took longer than a run may take.
    USUALLY_TOO_LONG = "usually_too_long"
    #: A try may go on beyond the deadline.
    TIMEOUT_BEYOND_DEADLINE = "timeout_beyond_deadline"
    #: The last retry may begin after the deadline.
    RETRIES_BEYOND_DEADLINE = "retries_beyond_deadline"
    #: A run may begin after the deadline.
    START_BEYOND_DEADLINE = "start_beyond_deadline"
    #: A calendar may move the start of a run beyond the deadline.
    DEFERRAL_BEYOND_DEADLINE = "deferral_beyond_deadline"
    #: Every reader of the job can read a secret in an address of it.
    SECRET_IN_URL = "secret_in_url"  # noqa: S105 - a code, and no secret
    #: The job's stored payload was not found.
    PAYLOAD_LOST = "payload_lost"


@dataclass(frozen=True, kw_only=True, slots=True)
class JobAdvice:
    """One piece of it."""

    #: The field to look at.
    field: str
    code: AdviceCode
    #: For people; it may change.
    detail: str


def advise(
    job: Job, *, now: datetime, usual_ms: int | None = None, payload_lost: bool = False
) -> tuple[JobAdvice, ...]:
    """Point out deadlines that runs cannot, or may not, hold, and secrets in addresses.

    ``usual_ms``: what 95 of 100 recent runs do not exceed; ``None``: the definition alone counts.
    ``payload_lost``: its stored payload was not found.
    """
    span_ms = _shortest_span_ms(job, now)
    of_deadline = _of_deadline(job, span_ms, usual_ms) if span_ms is not None else ()
    of_payload = (_of_lost_payload(job),) if payload_lost else ()
    return (*of_payload, *of_deadline, *_of_secrets(job))


def _of_lost_payload(job: Job) -> JobAdvice:
    return JobAdvice(
        field="payload",
        code=AdviceCode.PAYLOAD_LOST,
        detail=f"The stored payload of {job.payload.size_bytes} bytes is lost, and runs that need"
        " it end as dead_lettered (payload_lost). Give it anew.",
    )


def _of_secrets(job: Job) -> Iterator[JobAdvice]:
    for field, names, remedy in _readable_secrets(job):
        shown = ", ".join(map(repr, names[:_NAMES_SHOWN]))
        if shown:
            yield JobAdvice(
                field=field,
                code=AdviceCode.SECRET_IN_URL,
                detail=f"Every reader of the job sees the values of {shown} in the query. {remedy}",
            )


def _readable_secrets(job: Job) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield addresses by their fields, names of secrets in their queries, and what to do."""
    yield "action.url", job.action.readable_secrets, _BY_HEADER
    for number, hook in enumerate(job.notifications):
        channel = hook.channel
        yield f"notifications.{number}.{channel.leads_by}", channel.action.readable_secrets, _SIGNED
    if job.before is not None:
        yield "before.url", secret_parameters(job.before.url), _SIGNED


def _of_deadline(job: Job, span_ms: int, usual_ms: int | None) -> Iterator[JobAdvice]:
    span = f"the shortest time to a deadline is {span_ms / 1000:g} s"
    if usual_ms is not None and usual_ms > span_ms:
        yield JobAdvice(
            field="finish_by",
            code=AdviceCode.USUALLY_TOO_LONG,
            detail=f"95 of 100 recent runs took up to {usual_ms / 1000:g} s; {span}.",
        )
    field, seconds = _longest_try(job)
    if seconds * 1000 > span_ms:
        yield JobAdvice(
            field=field,
            code=AdviceCode.TIMEOUT_BEYOND_DEADLINE,
            detail=f"A run may take {seconds} s; {span}.",
        )
    retried = _last_retry_seconds(job)
    if retried is not None and retried * 1000 > span_ms:
        yield JobAdvice(
            field="retry.window_seconds",
            code=AdviceCode.RETRIES_BEYOND_DEADLINE,
            detail=f"The last retry may begin after {retried:g} s; {span}.",
        )
    yield from _of_start(job.timing, span_ms, span)


def _of_start(timing: Timing, span_ms: int, span: str) -> Iterator[JobAdvice]:
    starts = {
        "start_within_seconds": timing.start_within_seconds or 0,
        "schedule.jitter_seconds": timing.schedule.jitter_seconds,
    }
    for field, seconds in starts.items():
        if seconds * 1000 > span_ms:
            yield JobAdvice(
                field=field,
                code=AdviceCode.START_BEYOND_DEADLINE,
                detail=f"A run may begin {seconds} s after its instant; {span}.",
            )
    for number, rule in enumerate(timing.calendars):
        if rule.action is CalendarAction.DEFER:
            yield JobAdvice(
                field=f"calendars.{number}.action",
                code=AdviceCode.DEFERRAL_BEYOND_DEADLINE,
                detail="A deferred run begins later; its deadline counts from its instant.",
            )


def _shortest_span_ms(job: Job, now: datetime) -> int | None:
    """Milliseconds from an instant to its deadline, the least of the coming instants'."""
    finish_by, schedule = job.finish_by, job.timing.schedule
    if finish_by is None:
        return None
    if finish_by.within_seconds is not None:
        return finish_by.within_seconds * 1000
    zone = finish_by.timezone or schedule.wall_timezone or "UTC"
    if withdrawn_zone(schedule) is not None or not is_known(zone):
        return None
    spans = (
        milliseconds_between(at, finish_instant(finish_by, zone, after=at))
        for at in islice(_coming(job.timing, now), INSTANTS_LOOKED_AT)
    )
    return min(spans, default=None)


def _longest_try(job: Job) -> tuple[str, int]:
    """The field that bounds the work of one try, and its seconds."""
    if job.long_run is not None:
        return "long_run.max_duration_seconds", job.long_run.max_duration_seconds
    return "timeout_seconds", job.timeout_seconds


def _coming(timing: Timing, now: datetime) -> Iterator[datetime]:
    schedule, anchor = timing.schedule, timing.anchored_at
    first = next_fire(schedule, created_at=anchor, after=now - MILLISECOND)
    if first is None:
        return
    yield first
    yield from fires_between(schedule, created_at=anchor, after=first, until=first + LOOKED_AHEAD)


def _last_retry_seconds(job: Job) -> float | None:
    """Seconds from the first start to the last retry's, at the longest; ``None``: none follows."""
    retry = job.retry
    if retry.max_attempts == 1 or job.delivery is DeliveryMode.AT_MOST_ONCE:
        return None
    tries = retry.max_attempts - 1
    longest = sum(longest_delay(retry, n) for n in range(1, retry.max_attempts))
    latest = longest + tries * job.timeout_seconds
    return latest if retry.window_seconds is None else min(latest, retry.window_seconds)
