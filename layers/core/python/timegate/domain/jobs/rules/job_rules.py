"""Rules of a definition as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum

from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.calendars.calendar import CALENDAR_NAME
from timegate.domain.calendars.calendar_rule import CalendarMode, CalendarRule
from timegate.domain.jobs.condition import check_condition_limits
from timegate.domain.jobs.demands import MAX_TIMEOUT_SECONDS, Precision
from timegate.domain.jobs.finish_by import check_finish_by
from timegate.domain.jobs.follow_up import check_follow_ups
from timegate.domain.jobs.hook import check_hooks
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.rules.calendar_rule_checks import check_business_rules
from timegate.domain.jobs.rules.call_rules import check_payload_marks, check_payload_schema
from timegate.domain.jobs.rules.error_patterns import ERROR_PATTERN
from timegate.domain.jobs.slices import check_long_run
from timegate.domain.limits.collapse import check_collapse
from timegate.domain.limits.overlap import check_overlap
from timegate.domain.limits.rate_limit import RATE_KEY
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import own_job_id
from timegate.value_classes import fields_of

#: A short executor lives 90 s and a long one 900 s; claiming, recording and shutting down take
#: their share.
#: A holder by heartbeats may take as long as a day.
MAX_WORKER_TIMEOUT_SECONDS = 86_400
#: A page of a hundred jobs must fit into one response, and every write bills the whole item.
MAX_TEXT_BYTES = 16 * 1024
#: Each is looked up wherever an instant of the job is judged.
MAX_CALENDAR_RULES = 5


def check_limits(job: Job) -> None:
    """Refuse parts that do not go together; raises ``InvalidInput`` naming the field."""
    _check_timeout(job)
    check_jitter(job.timing.schedule, job.timing.precision)
    _check_retry(job.retry)
    check_overlap(job.overlap)
    check_collapse(job.collapse)
    _check_long_run(job)
    _check_rate_limit(job)
    check_finish_by(job.finish_by)
    check_payload_marks(job.payload_marks)
    check_payload_schema(job.payload_schema)
    has_deadline = job.finish_by is not None
    check_recurrence(
        job.timing.schedule,
        pause_after_failures=job.pause_after_failures,
        absent_after_seconds=job.absent_after_seconds,
    )
    check_hooks(
        job.notifications,
        job.late_after_seconds,
        has_deadline=has_deadline,
        pauses=job.pause_after_failures is not None,
        is_awaited=job.awaits_success,
        decides=_is_of_dag(job),
    )
    check_follow_ups(job.then, job.job_id)
    _check_condition(job)
    check_calendar_rules(job.timing.calendars)
    size = sum(len(text.encode()) for text in _texts(job))
    if size > MAX_TEXT_BYTES:
        raise InvalidInput(
            "job",
            "definition_too_large",
            f"Without its payload it has {size} bytes; the limit is {MAX_TEXT_BYTES}.",
        )


def _is_of_dag(job: Job) -> bool:
    """Tell if it is the job of a DAG, which the DAG governs."""
    action = job.action
    return isinstance(action, DagAction) and job.job_id == own_job_id(job.tenant, action.dag_id)


def check_jitter(schedule: Schedule, precision: Precision) -> None:
    """Refuse a spread of starts to the millisecond; raises ``InvalidInput`` naming the field."""
    if schedule.jitter_seconds and precision is Precision.SUBSECOND:
        detail = "A job of precision subsecond starts on its instant; spread it or make it exact."
        raise InvalidInput("schedule.jitter_seconds", "not_for_this_precision", detail)


def check_calendar_rules(rules: Sequence[CalendarRule], *, field: str = "calendars") -> None:
    """Refuse rules that contradict each other; raises ``InvalidInput`` naming ``field``."""
    if len(rules) > MAX_CALENDAR_RULES:
        raise InvalidInput(field, "too_long", f"A job may name {MAX_CALENDAR_RULES} calendars.")
    seen: dict[str, CalendarMode] = {}
    for number, rule in enumerate(rules):
        named = f"{field}.{number}.calendar"
        if not CALENDAR_NAME.fullmatch(rule.calendar):
            detail = "A calendar's name has 1 to 64 letters a to z, digits and dashes."
            raise InvalidInput(named, "invalid_format", detail)
        if seen.setdefault(rule.calendar, rule.mode) is not rule.mode:
            detail = "The job leaves out what it covers, and keeps to it: it would never run."
            raise InvalidInput(named, "contradictory", detail)
        if len(seen) <= number:
            raise InvalidInput(named, "repeated", "The calendar is named twice.")
    check_business_rules(rules, field=field)


def _check_timeout(job: Job) -> None:
    works_on = job.action.silence_seconds is not None or job.action.is_followed
    if job.timing.offer is not None or works_on:
        if job.timeout_seconds > MAX_WORKER_TIMEOUT_SECONDS:
            who = "a worker" if job.timing.offer is not None else "a target that works on by itself"
            detail = f"A run of {who} may take {MAX_WORKER_TIMEOUT_SECONDS} s."
            raise InvalidInput("timeout_seconds", "too_large", detail)
        return
    resource_class = job.timing.resource_class
    limit = MAX_TIMEOUT_SECONDS[resource_class]
    if job.timeout_seconds > limit:
        raise InvalidInput(
            "timeout_seconds",
            "too_large",
            f"A run of class {resource_class} may take {limit} s.",
        )


def check_recurrence(
    schedule: Schedule, *, pause_after_failures: int | None, absent_after_seconds: int | None
) -> None:
    """Refuse fields about runs in a row beside a schedule that names one instant.

    Raises ``InvalidInput`` naming the field.
    """
    if schedule.is_recurring:
        return
    if pause_after_failures is not None:
        detail = "Its schedule does not recur, so it never has failed runs in a row."
        raise InvalidInput("pause_after_failures", "not_for_this_schedule", detail)
    if absent_after_seconds is not None and not schedule.is_manual:
        detail = "Its schedule names one instant: no success is awaited after it."
        raise InvalidInput("absent_after_seconds", "not_for_this_schedule", detail)


def _check_condition(job: Job) -> None:
    check_condition_limits(job.before)
    if job.before is not None and job.timing.precision is Precision.SUBSECOND:
        detail = "A job of precision subsecond starts on its instant, and asks no condition first."
        raise InvalidInput("before", "not_for_this_precision", detail)


def _check_long_run(job: Job) -> None:
    if job.long_run is None:
        return
    if not job.action.may_continue:
        detail = "Its target does not answer, so it could never order to go on."
        raise InvalidInput("long_run", "not_for_this_action", detail)
    check_long_run(job.long_run, timeout_seconds=job.timeout_seconds)


def _check_rate_limit(job: Job) -> None:
    limit = job.rate_limit
    if limit is None:
        return
    if job.rate_key is None:
        detail = "Its workers come when they have time; overlap bounds how many at once."
        raise InvalidInput("rate_limit", "not_for_this_action", detail)
    if limit.key is not None and not RATE_KEY.fullmatch(limit.key):
        detail = "A key has 1 to 64 letters, digits, dots, dashes and underscores."
        raise InvalidInput("rate_limit.key", "invalid_format", detail)


def _check_retry(retry: RetryPolicy) -> None:
    if retry.initial_delay_seconds > retry.max_delay_seconds:
        raise InvalidInput(
            "retry.initial_delay_seconds",
            "too_large",
            f"It is longer than max_delay_seconds ({retry.max_delay_seconds:g}).",
        )
    _check_patterns(retry)


def _check_patterns(retry: RetryPolicy) -> None:
    for field, patterns in (("retry_on", retry.retry_on), ("give_up_on", retry.give_up_on)):
        if any(not ERROR_PATTERN.fullmatch(pattern) for pattern in patterns):
            detail = "An error is named by its code, such as http_409, http_5xx or timeout."
            raise InvalidInput(f"retry.{field}", "invalid_format", detail)
    both = sorted(set(retry.retry_on) & set(retry.give_up_on))
    if both:
        detail = f"give_up_on names {both[0]} as well."
        raise InvalidInput("retry.retry_on", "repeated", detail)


def _texts(job: Job) -> Iterator[str]:
    yield job.name
    yield job.description
    yield from job.retry.retry_on
    yield from job.retry.give_up_on
    written = (job.action, job.tags, job.metadata, job.before, job.payload_schema)
    for part in (*written, *job.notifications):
        yield from _texts_in(part)


def _texts_in(part: object) -> Iterator[str]:
    """Every text that a caller wrote into a part of a job; a choice among few is none."""
    match part:
        case Enum():
            return
        case str():
            yield part
        case Mapping():
            for name, value in part.items():
                yield from (*_texts_in(name), *_texts_in(value))
        case _ if is_dataclass(part):
            for field in fields_of(type(part)):
                yield from _texts_in(getattr(part, field.name))
        case _:
            return
