"""The payload of a triggered run: checked as its job's is, and stored before the run."""

import json
from collections.abc import Mapping
from typing import Any

from timegate.domain.execution.triggers import Trigger
from timegate.domain.jobs.definition import Unset
from timegate.domain.jobs.job import Job
from timegate.domain.values.payload import Payload, check_payload_size, json_text, merged
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.ports.blobs import BlobStore
from timegate.usecases.runs.store_payload import load_payload, store_payload


def payload_of_trigger(trigger: Trigger, job: Job, blobs: BlobStore) -> Payload | None:
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
