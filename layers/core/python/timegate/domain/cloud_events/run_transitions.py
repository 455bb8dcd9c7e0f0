"""Transitions of attempts as events."""

from datetime import datetime

from timegate.domain.cloud_events.cloud_event import CloudEvent, without_none
from timegate.domain.cloud_events.event_types import (
    RUN_ENDS,
    RUN_PLANNED,
    RUN_RELEASED,
    RUN_RETRIED,
    RUN_STARTED,
    EventType,
)
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.runs.run import TERMINAL, Attempt
from timegate.domain.runs.run_states import Reason, RunState
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import rfc3339

#: States in which an attempt waits for a worker: a step between them tells subscribers nothing.
PENDING = frozenset({RunState.WAITING, RunState.QUEUED})


def run_transition(
    before: RunState | None, after: Attempt, *, written_at: datetime
) -> CloudEvent | None:
    """Return the event of a write of an attempt; ``None``: the write is no transition.

    ``before`` is the state that it had, ``None`` of a new attempt. Notifications have no events:
    they are about runs, and a rule that they reach would tell of itself.
    """
    kind = _type_of(before, after)
    if kind is None or after.id.run.origin is Origin.NOTIFICATION:
        return None
    return CloudEvent(
        tenant=after.tenant,
        type=kind,
        subject=f"runs/{after.id.run}",
        time=_time_of(kind, after) or written_at,
        data=_data_of(after),
        # An attempt ends once; it is claimed and released once under each fence.
        occurrence=f"{after.id.number}\n{after.fence}",
        trace=after.any_trace,
    )


def _type_of(before: RunState | None, after: Attempt) -> EventType | None:
    state = after.state
    if before in TERMINAL or before is state:
        return None
    if state in TERMINAL:
        return RUN_RETRIED if after.reason is Reason.RETRIED else RUN_ENDS[state]
    if state is RunState.RUNNING:
        return RUN_STARTED
    if before is None:
        return RUN_PLANNED
    return None if before in PENDING else RUN_RELEASED


def _time_of(kind: EventType, after: Attempt) -> datetime | None:
    if kind is RUN_PLANNED:
        return after.created_at
    if kind is RUN_RELEASED:
        return None
    return after.started_at if kind is RUN_STARTED else after.ended_at


def _data_of(after: Attempt) -> dict[str, object]:
    run, error = after.id.run, after.error
    mark = task_run_mark(run)
    started, ended = after.started_at, after.ended_at
    return without_none(
        run_id=str(run),
        attempt=after.id.number,
        state=after.state.value,
        origin=run.origin.name.lower(),
        job_id=run.job_id if mark is None else None,
        dag_run_id=mark.dag_run_id if mark is not None else None,
        task_key=mark.key if mark is not None else None,
        job_version=after.job_version,
        priority=after.priority.value,
        resource_class=after.resource_class.value,
        scheduled_at=rfc3339(run.scheduled_at),
        due_at=rfc3339(after.due_at),
        started_at=rfc3339(started) if started is not None else None,
        ended_at=rfc3339(ended) if ended is not None else None,
        fence=after.fence,
        reason=after.reason.value if after.reason is not None else None,
        error_code=error.code if error is not None else None,
    )
