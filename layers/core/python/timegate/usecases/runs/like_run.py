"""Triggers that run an earlier run again, as a run of its own."""

from dataclasses import replace

from timegate.domain.execution.follow_ups import filling_of, own_payload
from timegate.domain.execution.triggers import Trigger
from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.job import Job
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.runs.run import Attempt, TriggerTerms
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import OWN_RUNS
from timegate.domain.values.payload import Payload
from timegate.usecases.runs.attempt_of_trigger import as_data, patched
from timegate.usecases.runs.store_payload import load_payload
from timegate.usecases.services.api_services import ApiServices


def like_run(trigger: Trigger, job: Job, services: ApiServices) -> Trigger:
    """Return the trigger with the payload, priority, tags and key of the run that it names.

    The trigger's own come first, and its patch is merged into the run's payload. A run without a
    payload of its own leaves the job's, as it is now. Raises ``InvalidInput`` for a run of another
    job and for one that tells of a run, ``RunNotFound`` and ``PlaintextSecret``.
    """
    run = trigger.like
    if run is None:
        return trigger
    if run.job_id != job.job_id:
        detail = f"It is a run of another job: trigger {run.job_id}."
        raise InvalidInput("like_run_id", "contradictory", detail)
    if run.origin not in OWN_RUNS:
        detail = "It tells of a run of the job: name the run that it tells of."
        raise InvalidInput("like_run_id", "contradictory", detail)
    last = services.runs.attempts(job.timing.tenant, run)[-1]
    terms = last.terms or TriggerTerms()
    alike = replace(
        trigger,
        like=None,
        priority=trigger.priority or terms.priority,
        tags=trigger.tags or terms.tags,
        concurrency_key=_key_like(trigger, job, terms),
    )
    if not isinstance(trigger.payload, Unset):
        return alike
    own = own_payload(last)
    if own is None:
        return alike
    # A trigger may have given it no payload at all, which is not the job's.
    text = _text_like(last, own, job, services)
    patch = trigger.payload_patch
    return replace(
        alike, payload=text if patch is None else patched(patch, text), payload_patch=None
    )


def _text_like(last: Attempt, own: Payload, job: Job, services: ApiServices) -> str | None:
    """Return a run's payload as JSON text: its job fills marks in it anew, and data stays data."""
    text = load_payload(own, services.blobs)
    if text is None or (own.marks and job.payload_marks is not None):
        return text
    filling = filling_of(job, last)
    if filling is not None:
        # Its target got it filled: a parent gave it, or its job fills no marks by now.
        from timegate.domain.jobs.rules.filled_payload import filled_for  # noqa: PLC0415

        text = filled_for(filling, job.tenant, text)
    return text if job.payload_marks is None else as_data(text)


def _key_like(trigger: Trigger, job: Job, terms: TriggerTerms) -> str | None:
    """Return the key of slots that the run had, as far as its job has slots by now."""
    has_slots = job.overlap.policy is not OverlapPolicy.ALLOW
    return trigger.concurrency_key or (terms.concurrency_key if has_slots else None)
