"""Triggering: a run beside whatever the schedule says, now or at an instant of its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from timegate.domain.execution.day_quota import DayIsFull, day_of, day_quota
from timegate.domain.execution.triggers import (
    PLAIN,
    KeyedRun,
    Trigger,
    TriggerKey,
    check_tags,
    mark_from,
)
from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.job import Job
from timegate.domain.planning.plan import first_attempt
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import is_unsure, looked_at_for_finish
from timegate.domain.values.errors import IdempotencyConflict
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId
from timegate.domain.values.payload import Payload, check_payload_size, json_text, merged
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.telemetry import service_events
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.jobs.change_job import refuse_cancelled
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.runs.store_payload import load_payload, store_payload
from timegate.usecases.services.api_services import ApiServices


@dataclass(frozen=True, kw_only=True, slots=True)
class Triggering:
    """A job to trigger, and how."""

    tenant: TenantId
    job_id: JobId
    trigger: Trigger = PLAIN
    #: By which the request is known when it comes again; ``None``: it is not.
    key: TriggerKey | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Triggered:
    """The attempts at the run as they are now."""

    attempts: tuple[Attempt, ...]
    #: An earlier request with the same key had triggered it.
    replayed: bool = False


def trigger_job(request: Triggering, services: ApiServices, *, now: datetime) -> Triggered:
    """Create a run and publish it if it is due now; repeated under its key, it meets that run.

    Paused and completed jobs can be triggered as well. Without data and key, triggers of one job
    within the same millisecond are one run. Raises ``JobNotFound``, ``JobIsCancelled``,
    ``InvalidInput``, ``PlaintextSecret``, ``DayIsFull`` where the run would not begin today, and
    ``IdempotencyConflict`` for a key that was used with another request.
    """
    known = _known(request, services)
    if known is not None:
        return _replayed(request, known, services, now)
    job = services.jobs.get(request.tenant, request.job_id)
    refuse_cancelled(job)
    attempt = _attempt(request, job, services, now)
    if not _is_stored(attempt, request.key, services):
        known = _known(request, services)
        # A key is forgotten before the run that it named.
        found = known or KeyedRun(run=attempt.id.run, request_hash=_hash(request))
        return _replayed(request, found, services, now)
    if attempt.direct:
        # A duplicate needs no handling: publishing twice is harmless.
        publish_created([attempt], services.scheduling, now=now)
    services.telemetry.event(
        service_events.JOB_TRIGGERED, tenant_id=request.tenant, run_id=str(attempt.id.run)
    )
    return Triggered(attempts=(attempt,))


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
    return attempt_of_trigger(request.trigger, run, job, services, now=now)


def attempt_of_trigger(
    trigger: Trigger, run: RunId, job: Job, services: ApiServices, *, now: datetime
) -> Attempt:
    """The first attempt at a run of a trigger, with its payload stored; the run is not.

    Raises ``InvalidInput`` and ``PlaintextSecret``.
    """
    check_tags(trigger.tags)
    due = run.scheduled_at
    payload = _payload_of(trigger, job, services.blobs)
    first = first_attempt(job.timing, Origin.TRIGGER, due, now=now)
    attempt = replace(
        first,
        id=AttemptId(run=run, number=1),
        payload=payload,
        terms=trigger.terms(due),
        priority=trigger.priority or first.priority,
    )
    return looked_at_for_finish(attempt, now=now)


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


def _known(request: Triggering, services: ApiServices) -> KeyedRun | None:
    if request.key is None:
        return None
    return services.runs.keyed_run(request.tenant, request.job_id, request.key)


def _replayed(
    request: Triggering, known: KeyedRun, services: ApiServices, now: datetime
) -> Triggered:
    """The run that the key names, published if nothing on record says that it was."""
    if known.request_hash != _hash(request):
        raise IdempotencyConflict
    attempts = services.runs.attempts(request.tenant, known.run)
    publish_created(
        [each for each in attempts[-1:] if is_unsure(each)], services.scheduling, now=now
    )
    return Triggered(attempts=attempts, replayed=True)


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


def _payload_of(trigger: Trigger, job: Job, blobs: BlobStore) -> Payload | None:
    """Store the payload that a trigger gives its run; ``None``: it gives none, and writes nothing.

    Raises ``InvalidInput`` for one that its target does not take, and ``PlaintextSecret``.
    """
    if trigger.payload_patch is not None:
        text: str | None = _patched(trigger.payload_patch, load_payload(job.payload, blobs))
    elif isinstance(trigger.payload, Unset):
        return None
    else:
        text = trigger.payload
    job.action.check_payload(text)
    job.action.check_size(check_payload_size(text or ""))
    return store_payload(text, job.timing.tenant, job.job_id, blobs)


def _patched(patch: Mapping[str, Any], own: str | None) -> str:
    whole = merged(None if own is None else json.loads(own), dict(patch))
    # A patch may complete a credential of which the job has the harmless half.
    refuse_plaintext(whole, "payload_patch")
    return json_text(whole)
