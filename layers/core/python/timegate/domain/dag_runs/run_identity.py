"""Origins and ids of DAG runs, and ids of the runs of their tasks: computed, as all ids are."""

import re
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from timegate.domain.values.identity import (
    AttemptId,
    DagId,
    DagRunId,
    JobId,
    Origin,
    RunId,
    TaskKey,
    job_id_from,
    parse_job_id,
)
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: How the id of a task's run ends: its round, its key, and its place in a fan-out.
_MARK = re.compile(r"([1-9]\d{0,2})-([a-z][a-z0-9_-]{0,39})-(0|[1-9]\d{0,3})", re.ASCII)


class DagTrigger(StrEnum):
    """Origins of a DAG run."""

    MANUAL = "manual"
    #: A run of a job whose action is ``dag``.
    JOB = "job"
    EVENT = "event"


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRunRef:
    """Tenant and id of a stored DAG run."""

    tenant: TenantId
    id: DagRunId


def dag_run_id_for_key(tenant: TenantId, dag_id: DagId, key: str) -> DagRunId:
    """The id of the run that this tenant starts of this DAG under a key: always the same."""
    return DagRunId(job_id_from(f"dag run\n{tenant}\n{dag_id}\n{key}".encode()))


def dag_run_id_for_attempt(tenant: TenantId, attempt: AttemptId) -> DagRunId:
    """The id of the DAG run that does the work of an attempt at a job's run: always the same.

    The id does not name the DAG: a job that names another one meanwhile starts no second run.
    """
    return DagRunId(job_id_from(f"dag run of\n{tenant}\n{attempt}".encode()))


def dag_run_id_for_event(tenant: TenantId, dag_id: DagId, event_id: str) -> DagRunId:
    """The id of the run that an event starts of this DAG: always the same."""
    return DagRunId(job_id_from(f"dag run on event\n{tenant}\n{dag_id}\n{event_id}".encode()))


def own_dag_run_trace(tenant: TenantId, dag_run_id: DagRunId) -> str:
    """The trace of a DAG run that nothing with a trace started."""
    return sha256(f"trace\n{tenant}\n{dag_run_id}".encode()).hexdigest()[:32]


def parse_dag_run_id(text: str) -> DagRunId | None:
    """The id when ``text`` has the shape of one; ``None`` means no such DAG run can exist."""
    parsed = parse_job_id(text)
    return DagRunId(parsed) if parsed is not None else None


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskRunMark:
    """The task, round and member of a task's run."""

    dag_run_id: DagRunId
    key: TaskKey
    round: int
    #: Number of a fan-out's member, from 0.
    index: int = 0

    def run_id(self, scheduled_at: datetime) -> RunId:
        """The id of the run, of a DAG run that is scheduled at this instant.

        The DAG run is what a job is to other runs: its runs lie together.
        """
        return RunId(
            job_id=JobId(self.dag_run_id),
            origin=Origin.TASK,
            scheduled_at=scheduled_at,
            about=f"{self.round}-{self.key}-{self.index}",
        )


def task_run_mark(run: RunId) -> TaskRunMark | None:
    """Return the mark of a task's run; ``None`` for a run of no task."""
    match = _MARK.fullmatch(run.about) if run.origin is Origin.TASK else None
    if match is None:
        return None
    return TaskRunMark(
        dag_run_id=DagRunId(run.job_id),
        key=TaskKey(match[2]),
        round=int(match[1]),
        index=int(match[3]),
    )
