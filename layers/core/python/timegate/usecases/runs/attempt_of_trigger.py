"""The first attempt at a run of a trigger, with its payload stored."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from timegate.domain.execution.triggers import Trigger, check_key, check_tags
from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.rules.call_rules import check_fit, check_payload
from timegate.domain.planning.plan import first_attempt
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import looked_at_for_finish
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import Payload, json_text, merged
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.ports.blobs import BlobStore
from timegate.usecases.runs.store_payload import load_payload, store_run_payload
from timegate.value_classes import dataclass


def attempt_of_trigger(
    trigger: Trigger, run: RunId, job: Job, blobs: BlobStore, *, now: datetime
) -> Attempt:
    """The first attempt at a run of a trigger, with its payload stored; the run is not.

    Raises ``InvalidInput`` and ``PlaintextSecret``.
    """
    check_tags(trigger.tags)
    check_key(trigger.concurrency_key, job.overlap)
    payload = payload_of_trigger(trigger, run, job, blobs)
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


def payload_of_trigger(trigger: Trigger, run: RunId, job: Job, blobs: BlobStore) -> Payload | None:
    """Store the payload that a trigger gives its run; ``None``: it gives none, and writes nothing.

    Raises as ``checked_payload``.
    """
    checked = checked_payload(trigger, run, job, blobs)
    if checked is None:
        return None
    tenant, pointers = job.timing.tenant, job.key_pointers
    return store_run_payload(
        checked.text, tenant, job.job_id, blobs, pointers=pointers, marks=checked.marks
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedPayload:
    """A payload that a trigger gives its run, accepted and not stored."""

    #: JSON; ``None``: the run has none, whatever its job has.
    text: str | None
    #: Marks in it are filled.
    marks: bool


def checked_payload(
    trigger: Trigger, run: RunId, job: Job, blobs: BlobStore
) -> CheckedPayload | None:
    """Return the payload that a trigger gives its run; ``None``: it leaves the job's own.

    Raises ``InvalidInput`` for one that its target does not take, ``PayloadMismatch`` for one
    that its job's schema does not, and ``PlaintextSecret``.
    """
    marks, is_of_event = job.payload_marks, trigger.event is not None
    if trigger.payload_patch is not None:
        patch = trigger.payload_patch
        if marks is not None and is_of_event:
            patch = json.loads(as_data(json_text(patch)))
        text: str | None = patched(patch, load_payload(job.payload, blobs))
    elif isinstance(trigger.payload, Unset):
        if not job.payload.is_given:
            # A job without a payload leaves it to its triggers.
            check_fit(job, None)
        return None
    else:
        text = trigger.payload
        # Senders of events write data, and no marks.
        marks = None if is_of_event else marks
    check_payload(job.action, text, marks)
    check_fit(job, text, None if marks is None else AttemptId(run=run, number=1))
    return CheckedPayload(text=text, marks=marks is not None)


def as_data(text: str) -> str:
    """Return JSON that marks are filled in to this one: nothing in it is taken for a mark."""
    # Imported here: few jobs have marks in their payloads.
    from timegate.domain.jobs.rules.mark_grammar import escaped  # noqa: PLC0415

    return escaped(text)


def patched(patch: Mapping[str, Any], own: str | None) -> str:
    """Merge a patch into a payload, both as JSON; raises ``PlaintextSecret``."""
    whole = merged(None if own is None else json.loads(own), dict(patch))
    # A patch may complete a credential of which the job has the harmless half.
    refuse_plaintext(whole, "payload_patch")
    return json_text(whole)
