"""Slots of simulated runs: those of its job, or of a key that its trigger or payload names."""

from typing import Any

from timegate.domain.limits.collapse import key_in
from timegate.domain.limits.overlap import name_within
from timegate.domain.limits.run_keys import stored_key
from timegate.domain.runs.run import Attempt, TriggerTerms
from timegate.domain.simulation.scenario import SimulatedJob
from timegate.domain.values.identity import Origin


def terms_of(job: SimulatedJob, payload: Any, named: str | None) -> TriggerTerms | None:  # noqa: ANN401
    """Return the terms of a triggered run that say whose slots it takes; ``None``: its job's.

    ``named``: the key that its trigger names, whatever the payload says.
    """
    key = named or _key_in(job, payload)
    return None if key is None else TriggerTerms(concurrency_key=key)


def slots_of(job: SimulatedJob, attempt: Attempt) -> str | None:
    """Return the key of the slots that a run takes; ``None`` if it needs none."""
    base = job.slot_key
    if base is None:
        return None
    if attempt.id.run.origin is Origin.TRIGGER:
        key = attempt.terms.concurrency_key if attempt.terms is not None else None
    else:
        key = _key_in(job, job.payload)
    return name_within(base, None if key is None else stored_key(key))


def _key_in(job: SimulatedJob, payload: Any) -> str | None:  # noqa: ANN401 - any JSON
    pointer = job.overlap.key_from
    return None if pointer is None else key_in(payload, pointer)
