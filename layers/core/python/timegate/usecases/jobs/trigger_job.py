"""Triggering: a run beside whatever the schedule says, now or at an instant of its own."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.day_quota import DayIsFull, day_of, day_quota
from timegate.domain.execution.triggers import PLAIN, KeyedRun, Trigger, TriggerKey, mark_from
from timegate.domain.jobs.job import Job
from timegate.domain.limits.collapse import Collapse
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import is_unsure
from timegate.domain.values.errors import Conflict, IdempotencyConflict
from timegate.domain.values.identity import JobId, Origin, RunId, key_of
from timegate.domain.values.instants import to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.jobs.change_job import refuse_cancelled
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.runs.attempt_of_trigger import attempt_of_trigger
from timegate.usecases.runs.like_run import like_run
from timegate.usecases.runs.read_window import with_window
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Triggering:
    """A job to trigger, and how."""

    tenant: TenantId
    job_id: JobId
    trigger: Trigger = PLAIN
    #: By which the request is known when it comes again; ``None``: it is not.
    key: TriggerKey | None = None
    #: The caller's trace, to which the run belongs; ``None``: the run has one of its own.
    trace: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerResult:
    """The attempts at the run as they are now."""

    attempts: tuple[Attempt, ...]
    #: An earlier request with the same key had triggered it.
    replayed: bool = False


def trigger_job(request: Triggering, services: ApiServices, *, now: datetime) -> TriggerResult:
    """Create a run and publish it if it is due now; repeated under its key, it meets that run.

    Paused and completed jobs can be triggered as well. Without data and key, triggers of one job
    within the same millisecond are one run. Raises ``JobNotFound``, ``JobIsCancelled``,
    ``InvalidInput``, ``RunNotFound``, ``PlaintextSecret``, ``DayIsFull`` where the run would not
    begin today, and ``IdempotencyConflict`` for a key that was used with another request.
    """
    known = _known(request, services, now)
    if known is not None:
        return _replayed(request, known, services)
    job = services.jobs.get(request.tenant, request.job_id)
    refuse_cancelled(job)
    request = replace(request, trigger=like_run(request.trigger, job, services))
    rule = request.trigger.rule(job.collapse)
    if rule is not None:
        return _collapsed(request, job, rule, services, now)
    attempt = _attempt(request, job, services, now)
    if not _is_stored(attempt, request.key, services):
        known = _known(request, services, now)
        # A key is forgotten before the run that it named.
        found = known or KeyedRun(run=attempt.id.run, request_hash=_hash(request))
        return _replayed(request, found, services)
    return _published(attempt, services)


def triggered_job(
    tenant: TenantId,
    reference: str,
    key: Callable[[JobId], TriggerKey],
    services: ApiServices,
    *,
    now: datetime,
) -> tuple[JobId, TriggerKey]:
    """Return the job that a reference names, and the key of the trigger or batch at that job.

    A repeated one is of the job that it triggered first: keys of triggers are the jobs' own.
    Raises ``JobNotFound``.
    """
    named = key_of(reference)
    former = services.jobs.former_jobs(tenant, named, now=now) if named is not None else ()
    for job_id in former:
        if services.runs.knows_key(tenant, job_id, key(job_id), now=now):
            return job_id, key(job_id)
    job_id = services.job_named(tenant, reference)
    return job_id, key(job_id)


def _published(attempt: Attempt, services: ApiServices) -> TriggerResult:
    """The new run, which is on its way."""
    if attempt.direct:
        # A duplicate needs no handling: publishing twice is harmless.
        publish_created([attempt], services.scheduling)
    services.telemetry.event(
        service_events.JOB_TRIGGERED, **of_run(attempt), run_id=str(attempt.id.run)
    )
    return TriggerResult(attempts=(attempt,))


def _collapsed(
    request: Triggering, job: Job, rule: Collapse, services: ApiServices, now: datetime
) -> TriggerResult:
    """Do as ``trigger_job`` does with a trigger that collapses with others."""
    # Imported here: most jobs have no rule, and each function pays for what it loads.
    from timegate.usecases.runs.collapse_trigger import (  # noqa: PLC0415
        collapse_trigger,
        to_collapse,
    )

    at = to_milliseconds(now)
    _refuse_beyond_day(request.tenant, services, due=rule.due_at(at, at), now=now)
    mark = request.key.mark if request.key is not None else mark_from(services.new_seed())
    run = RunId(job_id=job.job_id, origin=Origin.TRIGGER, scheduled_at=at, about=mark)
    collapsing = to_collapse(request.trigger, run, job, rule, services.blobs)
    wanted = replace(collapsing, trace=request.trace)
    attempt = collapse_trigger(wanted, services.runs, key=request.key, now=at)
    known = _known(request, services, now) if attempt is None else None
    if known is not None:
        return _replayed(request, known, services)
    if attempt is None:
        raise Conflict(f"Triggers of job {job.job_id} keep meeting; try again.")
    return _published(attempt, services)


def _attempt(request: Triggering, job: Job, services: ApiServices, now: datetime) -> Attempt:
    """The first attempt at the run, with its payload stored."""
    due = request.trigger.due_at(now)
    _refuse_beyond_day(request.tenant, services, due=due, now=now)
    run = RunId(
        job_id=job.job_id,
        origin=Origin.TRIGGER,
        scheduled_at=due,
        about=_mark(request, services),
    )
    attempt = attempt_of_trigger(request.trigger, run, job, services.blobs, now=now)
    return replace(attempt, trace=request.trace)


def _mark(request: Triggering, services: ApiServices) -> str:
    """Return what tells the run from others of its instant; nothing, where all are alike."""
    if request.key is not None:
        return request.key.mark
    return "" if request.trigger == PLAIN else mark_from(services.new_seed())


def _is_stored(attempt: Attempt, key: TriggerKey | None, services: ApiServices) -> bool:
    """Store the attempt; ``False``: its key names a run already."""
    if key is not None:
        return services.runs.insert_keyed(attempt, key)
    # An insert whose answer was lost meets itself and not a stranger.
    services.runs.insert_all([attempt])
    return True


def _known(request: Triggering, services: ApiServices, now: datetime) -> KeyedRun | None:
    if request.key is None:
        return None
    return services.runs.keyed_run(request.tenant, request.job_id, request.key, now=now)


def _replayed(request: Triggering, known: KeyedRun, services: ApiServices) -> TriggerResult:
    """The run that the key names, published if nothing on record says that it was."""
    if known.request_hash != _hash(request):
        raise IdempotencyConflict
    attempts = services.runs.attempts(request.tenant, known.run)
    publish_created([each for each in attempts[-1:] if is_unsure(each)], services.scheduling)
    return TriggerResult(attempts=with_window(attempts, services.runs), replayed=True)


def _hash(request: Triggering) -> str:
    return request.key.request_hash if request.key is not None else ""


def _refuse_beyond_day(
    tenant: TenantId, services: ApiServices, *, due: datetime, now: datetime
) -> None:
    """Refuse at once a run beyond the day's quota; claims decide about the last places."""
    quota = day_quota(services.tenants_at_hand.quotas(tenant, now=now), now)
    if quota is None or day_of(due) != quota.day:
        return
    used = services.runs.begun(tenant, quota.day)
    with refusals_told(tenant, services.telemetry):
        if used >= quota.limit:
            raise DayIsFull(limit=quota.limit, used=used, now=now)
