"""Claiming the next task of a DAG run where the one before it ended."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import TimegateError
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dag_runs.dag_run_services import DagWorks, InPlace
from timegate.usecases.dag_runs.tasks.end_in_place import end_in_place
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution

#: Outcomes meets the same, and parks the record or is shown it again.
_LEFT: tuple[type[Exception], ...] = (TimegateError, *DAMAGE)


def claim_next_task(
    ended: Attempt, execution: Execution, works: DagWorks, *, until: datetime
) -> Claimed | None:
    """Follow the end of a task, and claim the one that starts by it; ``None``: none is claimed.

    Outcomes does what cannot be done here. A run that started and was not claimed is published by
    the sweeper.
    """
    now = execution.clock.now()
    if now >= until or execution.must_stop(now) or not execution.may_begin(now, now=now):
        return None
    place = InPlace(admits=lambda job: _admits(job, ended, execution))
    try:
        end_in_place(ended, replace(works, in_place=place))
    except _LEFT as error:
        execution.telemetry.event(run_events.END_LEFT, **of_run(ended), detail=repr(error))
    return _claim(place.started[0], execution) if place.started else None


def _admits(job: Job, ended: Attempt, execution: Execution) -> bool:
    """Tell if its runs come through the same queue, at once, and have time for a whole try."""
    queue = f"{job.timing.priority}-{job.timing.resource_class}"
    ends_at = execution.clock.now() + timedelta(seconds=job.timeout_seconds)
    at_once = job.timing.offer is None and job.before is None
    return queue == ended.queue_key and at_once and ends_at <= execution.stops_at


def _claim(started: Attempt, execution: Execution) -> Claimed | None:
    delivery = Delivery(message=RunMessage.of(started), id="", receipt="")
    claims = claim_runs([delivery], execution.without_message())
    for failed in claims.failed:
        execution.telemetry.event(
            run_events.CLAIM_FAILED, code=getattr(failed.error, "code", None), messages=1
        )
    return claims.held[0] if claims.held else None
