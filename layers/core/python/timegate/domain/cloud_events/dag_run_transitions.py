"""Transitions of DAG runs as events."""

from datetime import datetime

from timegate.domain.cloud_events.cloud_event import CloudEvent, without_none
from timegate.domain.cloud_events.event_types import (
    DAG_RUN_ENDS,
    DAG_RUN_REOPENED,
    DAG_RUN_STARTED,
    EventType,
)
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.values.instants import rfc3339


def dag_run_transition(
    before: DagRunStatus | None, after: DagRun, *, written_at: datetime
) -> CloudEvent | None:
    """Return the event of a write of a DAG run; ``None``: the write is no transition."""
    kind = _type_of(before, after.status)
    if kind is None:
        return None
    started, ended = after.started_by, after.ended_at
    time = after.created_at if kind is DAG_RUN_STARTED else ended
    return CloudEvent(
        tenant=after.tenant,
        type=kind,
        subject=f"dag-runs/{after.dag_run_id}",
        time=time or written_at,
        data=without_none(
            dag_run_id=after.dag_run_id,
            dag_id=after.dag_id,
            dag_version=after.dag_version,
            status=after.status.value,
            trigger=after.trigger.value,
            round=after.round,
            tasks=after.tasks,
            scheduled_at=rfc3339(after.scheduled_at),
            started_by_run_id=str(started.run) if started is not None else None,
            ended_at=rfc3339(ended) if ended is not None else None,
            reason=after.reason.value if after.reason is not None else None,
        ),
        # Each change of the status has a revision of its own.
        occurrence=str(after.revision),
    )


def _type_of(before: DagRunStatus | None, after: DagRunStatus) -> EventType | None:
    if before is after:
        return None
    if before is None:
        return DAG_RUN_STARTED
    if after is DagRunStatus.REOPENING:
        return DAG_RUN_REOPENED
    return DAG_RUN_ENDS.get(after)
