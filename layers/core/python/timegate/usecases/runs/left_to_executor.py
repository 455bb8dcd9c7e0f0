"""Cancelled runs whose target goes on alone: an executor stops it, for it alone may."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.restriction_check import has_begun, moved
from timegate.domain.runs.run import Attempt
from timegate.ports.stores import AttemptRef, RunStore


def left_to_executor(last: Attempt, runs: RunStore, *, now: datetime) -> Attempt | None:
    """Queue at once a waiting attempt that an executor cancels; ``None``: none needs to.

    One that was left to it before stays as it is. Its job, or its task of a DAG, says what goes on
    alone; where that is gone or damaged, no executor knows what to stop.
    """
    if not has_begun(last):
        return None
    (loaded,) = runs.load_all([AttemptRef(tenant=last.tenant, id=last.id)])
    if loaded.job is None or not loaded.job.action.goes_on_alone:
        return None
    if last.cancel_requested:
        return last
    return replace(moved(last, now, now=now), cancel_requested=True)
