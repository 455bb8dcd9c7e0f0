"""Examples of events, made as the functions make them, of records that a night might leave."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.cloud_events.dag_run_transitions import dag_run_transition
from timegate.domain.cloud_events.job_changes import job_change
from timegate.domain.cloud_events.run_transitions import run_transition
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskReason
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.runs.run import Attempt, RunError
from timegate.domain.runs.run_states import Reason, RunState
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    FieldChange,
    Resource,
    ResourceKind,
    Stamp,
)
from timegate.domain.values.identity import (
    AttemptId,
    DagId,
    DagRunId,
    JobId,
    Origin,
    RunId,
)
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import TenantId

_TENANT = TenantId("acme")
_JOB = JobId("eadfdkfs2wis62jnxckgrj6upw")
_AT = datetime(2026, 11, 21, 7, tzinfo=UTC)
_STARTED, _ENDED = _AT + timedelta(milliseconds=120), _AT + timedelta(milliseconds=980)
_PLANNED = Attempt(
    tenant=_TENANT,
    id=AttemptId(run=RunId(job_id=_JOB, origin=Origin.SCHEDULE, scheduled_at=_AT), number=1),
    state=RunState.QUEUED,
    job_version=3,
    priority=Priority.NORMAL,
    resource_class=ResourceClass.SHORT,
    precision=Precision.SECOND,
    due_at=_AT,
    created_at=_AT - timedelta(minutes=10),
    watch_at=None,
)
_RUNNING = replace(_PLANNED, state=RunState.RUNNING, started_at=_STARTED, fence=1)
_FAILED = RunError(code="http_503", type="HttpError", message="never part of an event")
_ENDS: dict[RunState, dict[str, Any]] = {
    RunState.SUCCEEDED: {},
    RunState.FAILED: {"reason": Reason.PERMANENT, "error": _FAILED},
    RunState.TIMED_OUT: {"reason": Reason.AT_MOST_ONCE, "error": _FAILED},
    RunState.CANCELLED: {"reason": Reason.CANCEL_REQUESTED},
    RunState.DEAD_LETTERED: {"reason": Reason.RETRIES_EXHAUSTED, "error": _FAILED},
}
_DAG_RUN = DagRun(
    tenant=_TENANT,
    dag_run_id=DagRunId("wnvdpbqssolb2xx4qjk53vugfv"),
    dag_id=DagId("q3xk5pm2vtt4wzo7c6ydnfe2ba"),
    dag_version=2,
    status=DagRunStatus.OPENING,
    trigger=DagTrigger.JOB,
    scheduled_at=_AT,
    created_at=_STARTED,
    deadline_at=_AT + timedelta(hours=6),
    watch_at=None,
    tasks=5,
    parameters=Payload(),
    request_hash="",
    started_by=_PLANNED.id,
)
_CHANGES: dict[str, tuple[FieldChange, ...]] = {
    "createJob": (FieldChange(field="status", before=None, after="active"),),
    "updateJob": (FieldChange(field="schedule", before={}, after={}),),
    "pauseJob": (FieldChange(field="status", before="active", after="paused"),),
    "resumeJob": (FieldChange(field="status", before="paused", after="active"),),
    "cancelJob": (FieldChange(field="status", before="active", after="cancelled"),),
    "updateSchedule": (FieldChange(field="status", before="active", after="completed"),),
}


@cache
def examples() -> dict[str, dict[str, Any]]:
    """One event of each type, by name."""
    return {each.type.name: each.document("prod") for each in _events()}


def _events() -> Iterator[CloudEvent]:
    yield from filter(None, _runs())
    yield from filter(None, _dag_runs())
    yield from filter(None, map(_job, range(len(_CHANGES)), _CHANGES))


def _runs() -> Iterator[CloudEvent | None]:
    yield run_transition(None, _PLANNED, written_at=_AT)
    yield run_transition(RunState.QUEUED, _RUNNING, written_at=_AT)
    handed_back = replace(_RUNNING, state=RunState.QUEUED)
    yield run_transition(RunState.RUNNING, handed_back, written_at=_ENDED)
    retried = replace(_end(RunState.FAILED), reason=Reason.RETRIED)
    yield run_transition(RunState.RUNNING, retried, written_at=_ENDED)
    for state in _ENDS:
        yield run_transition(RunState.RUNNING, _end(state), written_at=_ENDED)
    skipped = replace(_PLANNED, state=RunState.SKIPPED, reason=Reason.LATE, ended_at=_ENDED)
    yield run_transition(RunState.QUEUED, skipped, written_at=_ENDED)


def _end(state: RunState) -> Attempt:
    return replace(_RUNNING, state=state, ended_at=_ENDED, **_ENDS[state])


def _dag_runs() -> Iterator[CloudEvent | None]:
    yield dag_run_transition(None, _DAG_RUN, written_at=_AT)
    reopened = replace(_DAG_RUN, status=DagRunStatus.REOPENING, revision=5, round=2)
    yield dag_run_transition(DagRunStatus.FAILED, reopened, written_at=_ENDED)
    ends = {
        DagRunStatus.SUCCEEDED: None,
        DagRunStatus.FAILED: TaskReason.FAIL_FAST,
        DagRunStatus.CANCELLED: TaskReason.DAG_CANCELLED,
        DagRunStatus.TIMED_OUT: TaskReason.DAG_TIMED_OUT,
    }
    for status, reason in ends.items():
        ended = replace(_DAG_RUN, status=status, reason=reason, revision=2, ended_at=_ENDED)
        yield dag_run_transition(DagRunStatus.RUNNING, ended, written_at=_ENDED)


def _job(number: int, operation: str) -> CloudEvent | None:
    at = _AT + timedelta(minutes=number)
    stamp = Stamp(subject="ops", operation=operation, request_id=f"request-{number}", at=at)
    entry = AuditEntry(
        tenant=_TENANT,
        resource=Resource(kind=ResourceKind.JOB, id=_JOB),
        stamp=stamp,
        changes=_CHANGES[operation],
        version=number + 1,
    )
    return job_change(entry)
