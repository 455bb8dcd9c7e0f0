"""The first attempt at a run of a trigger, with its payload stored."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.domain.execution.triggers import Trigger, check_key, check_tags
from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.job import Job
from timegate.domain.planning.plan import first_attempt
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import looked_at_for_finish
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import Payload, check_payload_size, json_text, merged
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.ports.blobs import BlobStore
from timegate.usecases.runs.store_payload import load_payload, store_run_payload


def attempt_of_trigger(
    trigger: Trigger, run: RunId, job: Job, blobs: BlobStore, *, now: datetime
) -> Attempt:
    """The first attempt at a run of a trigger, with its payload stored; the run is not.

    Raises ``InvalidInput`` and ``PlaintextSecret``.
    """
    check_tags(trigger.tags)
    check_key(trigger.concurrency_key, job.overlap)
    payload = payload_of_trigger(trigger, job, blobs)
    return attempt_with_payload(trigger, run, job, payload, now=now)


def attempt_with_payload(
    trigger: Trigger,
    run: RunId,
    job: Job,
    payload: Payload | None,
    *,
    now: datetime,
    due_at: datetime | None = None,
) -> Attempt:
    """The first attempt at a run; ``due_at``: if it is due at another instant than its id's."""
    due = due_at or run.scheduled_at
    first = first_attempt(job.timing, Origin.TRIGGER, run.scheduled_at, now=now, due_at=due)
    attempt = replace(
        first,
        id=AttemptId(run=run, number=1),
        payload=payload,
        terms=trigger.terms(due),
        priority=trigger.priority or first.priority,
    )
    return looked_at_for_finish(attempt, now=now)


def payload_of_trigger(trigger: Trigger, job: Job, blobs: BlobStore) -> Payload | None:
    """Store the payload that a trigger gives its run; ``None``: it gives none, and writes nothing.

    Raises ``InvalidInput`` for one that its target does not take, and ``PlaintextSecret``.
    """
    if trigger.payload_patch is not None:
        text: str | None = patched(trigger.payload_patch, load_payload(job.payload, blobs))
    elif isinstance(trigger.payload, Unset):
        return None
    else:
        text = trigger.payload
    job.action.check_payload(text)
    job.action.check_size(check_payload_size(text or ""))
    return store_run_payload(text, job.timing.tenant, job.job_id, blobs, pointers=job.key_pointers)


def patched(patch: Mapping[str, Any], own: str | None) -> str:
    """Merge a patch into a payload, both as JSON; raises ``PlaintextSecret``."""
    whole = merged(None if own is None else json.loads(own), dict(patch))
    # A patch may complete a credential of which the job has the harmless half.
    refuse_plaintext(whole, "payload_patch")
    return json_text(whole)
