"""Rules of a scenario: it contradicts nothing and is not too large."""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain, islice, pairwise

from timegate.domain.execution.triggers import check_key
from timegate.domain.jobs.finish_by import check_finish_by
from timegate.domain.jobs.rules.job_rules import (
    check_calendar_rules,
    check_jitter,
    check_recurrence,
)
from timegate.domain.jobs.rules.policy_rules import Policies, check_policies
from timegate.domain.limits.collapse import check_collapse
from timegate.domain.limits.overlap import check_overlap
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.simulation.checks.restriction_rules import check_restrictions
from timegate.domain.simulation.events.definitions import with_earlier
from timegate.domain.simulation.scenario import MAX_INSTANTS, Scenario, SimulatedJob, TimeSpan
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import MILLISECOND


def check_scenario(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> None:
    """Refuse what contradicts itself or is too much; raises ``InvalidInput`` naming the field."""
    if scenario.end <= scenario.start:
        _refuse("to", "ends_before_start", "It is not later than from.")
    _check_spans("planner.outages", scenario.planner_outages)
    _check_spans("executor.outages", scenario.executor_outages)
    _check_identities(scenario)
    check_restrictions(scenario)
    for job in scenario.jobs:
        try:
            _check_job(job, scenario)
        except InvalidInput as error:
            raise InvalidInput(f"{job.path}{error.field}", error.code, error.detail) from error
    _check_events(scenario)
    _check_size(scenario, most_instants)


def _check_events(scenario: Scenario) -> None:
    begin = max(job.created_at for job in scenario.jobs)
    for event in scenario.events:
        if not begin < event.at < scenario.end:
            detail = f"{event.id}: its instant is later than created_at and earlier than to."
            _refuse("events", "out_of_range", detail)
    for event, earlier in with_earlier(scenario.events):
        if earlier is not None and event.fingerprint != earlier.fingerprint:
            detail = f"{event.id}: another event has its source and id: this one would be refused."
            _refuse("events", "there_twice", detail)


def _check_identities(scenario: Scenario) -> None:
    for earlier, job in (
        (earlier, job)
        for number, job in enumerate(scenario.jobs)
        for earlier in scenario.jobs[:number]
    ):
        for field in ("name", "job_id"):
            if getattr(earlier, field) == getattr(job, field):
                _refuse(f"{job.path}{field}", "there_twice", "Another job has the same.")


def _check_job(job: SimulatedJob, scenario: Scenario) -> None:
    if job.created_at > scenario.start:
        _refuse("created_at", "out_of_range", "It is later than from.")
    if job.anchored_at > job.created_at:
        _refuse("anchored_at", "out_of_range", "It is later than created_at.")
    _check_durations(job)
    _check_schedule(job, job.schedule, now=job.created_at)
    check_overlap(job.overlap)
    check_finish_by(job.finish_by)
    check_calendar_rules(job.calendar_rules, field="calendar_rules")
    _check_pauses(job, scenario)
    _check_edits(job, scenario)
    if job.cancelled_at is not None:
        _check_within("cancelled_at", job.cancelled_at, job, scenario)
    check_collapse(job.collapse, field="collapse")
    _check_triggers(job, scenario)
    for number, at in enumerate(job.resumes):
        _check_within(f"resumes.{number}", at, job, scenario)
    if not job.outcomes:
        _refuse("outcomes", "too_short", "It names no outcome.")


def _check_schedule(job: SimulatedJob, schedule: Schedule, *, now: datetime) -> None:
    """Refuse a schedule that the job could not be given at ``now``."""
    validate_schedule(schedule, now=now)
    check_jitter(schedule, job.precision)
    check_policies(_policies(job, schedule))
    check_recurrence(
        schedule,
        pause_after_failures=job.pause_after_failures,
        absent_after_seconds=job.absent_after_seconds,
    )


def _policies(job: SimulatedJob, schedule: Schedule) -> Policies:
    """Return the policies that the scenario combines itself."""
    return Policies(
        schedule=schedule,
        catch_up=job.catch_up,
        overlap=job.overlap,
        calendars=job.calendar_rules,
    )


def _check_durations(job: SimulatedJob) -> None:
    if not job.run_seconds:
        _refuse("run_seconds", "too_short", "It names no duration.")
    limit = job.timeout_seconds
    if limit is not None and max(job.run_seconds) >= limit:
        _refuse("run_seconds", "exceeds_timeout", f"Runs of this job are stopped after {limit} s.")


def _check_spans(field: str, spans: tuple[TimeSpan, ...]) -> None:
    for number, span in enumerate(spans):
        if span.end <= span.start:
            _refuse(f"{field}.{number}.to", "ends_before_start", "It is not later than from.")


def _check_pauses(job: SimulatedJob, scenario: Scenario) -> None:
    for number, pause in enumerate(job.pauses):
        # A pause that begins with the job is that of a job taken up while it is paused.
        if number or pause.start != job.created_at:
            _check_within(f"pauses.{number}.from", pause.start, job, scenario)
        if pause.end is None and pause.catch_up:
            detail = "A pause without to is never resumed."
            _refuse(f"pauses.{number}.catch_up", "not_resumed", detail)
        if pause.end is not None and pause.end <= pause.start:
            _refuse(f"pauses.{number}.to", "ends_before_start", "It is not later than from.")
    for number, (pause, following) in enumerate(pairwise(job.pauses), start=1):
        if pause.end is None or following.start < pause.end:
            detail = "The pause before it has not ended then."
            _refuse(f"pauses.{number}.from", "overlapping", detail)


def _check_edits(job: SimulatedJob, scenario: Scenario) -> None:
    for number, edit in enumerate(job.edits):
        _check_within(f"edits.{number}.at", edit.at, job, scenario)
        try:
            _check_schedule(job, edit.schedule, now=edit.at)
        except InvalidInput as error:
            raise InvalidInput(f"edits.{number}.{error.field}", error.code, error.detail) from error
    for number, (edit, following) in enumerate(pairwise(job.edits), start=1):
        if following.at <= edit.at:
            _refuse(f"edits.{number}.at", "out_of_order", "It is not later than the one before.")


def _check_triggers(job: SimulatedJob, scenario: Scenario) -> None:
    for number, trigger in enumerate(job.triggers):
        _check_within(f"triggers.{number}.at", trigger.at, job, scenario)
        check_repeats(trigger.times, trigger.every_seconds, f"triggers.{number}")
        if trigger.key is not None and job.collapse is None:
            detail = "Nothing collapses: the job has no rule."
            _refuse(f"triggers.{number}.key", "without_effect", detail)
        field = f"triggers.{number}.concurrency_key"
        check_key(trigger.concurrency_key, job.overlap, field=field)


def check_repeats(times: int, every_seconds: float | None, path: str) -> None:
    """Refuse several occurrences without a span between them, and a span behind a single one."""
    if times > 1 and not every_seconds:
        _refuse(f"{path}.every_seconds", "missing", "It is required.")
    if times == 1 and every_seconds:
        detail = "It comes once; say how many times."
        _refuse(f"{path}.every_seconds", "without_effect", detail)


def _check_within(field: str, at: datetime, job: SimulatedJob, scenario: Scenario) -> None:
    if not job.created_at < at < scenario.end:
        _refuse(field, "out_of_range", "It must be later than created_at and earlier than to.")


def _check_size(scenario: Scenario, most: int) -> None:
    every = chain.from_iterable(_instants(job, scenario.end) for job in scenario.jobs)
    triggers = sum(each.times for job in scenario.jobs for each in job.triggers)
    triggers += len(scenario.events) * max(1, len(scenario.event_triggers) + len(scenario.waits))
    if sum(1 for _ in islice(every, most + 1)) + triggers > most:
        detail = f"It names more than {most} instants from created_at on."
        _refuse("to", "simulation_too_large", detail)


def _instants(job: SimulatedJob, end: datetime) -> Iterator[datetime]:
    """All instants of the schedules as they follow each other, whatever becomes of them."""
    schedules = [
        (job.created_at, job.anchored_at, job.schedule),
        *((edit.at, edit.at, edit.schedule) for edit in job.edits),
    ]
    ends = [*(start for start, _, _ in schedules[1:]), end]
    for (start, anchor, schedule), until in zip(schedules, ends, strict=True):
        yield from fires_between(
            schedule, created_at=anchor, after=start - MILLISECOND, until=until - MILLISECOND
        )


def _refuse(field: str, code: str, detail: str) -> None:
    raise InvalidInput(field, code, detail)
