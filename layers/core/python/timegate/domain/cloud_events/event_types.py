"""The register of event types: names, meanings, and the data that each carries."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from timegate.domain.cloud_events.event_data import DagRunData, JobData, RunData
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run_states import RunState
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class EventType:
    """A type of events: a name that never changes its meaning."""

    name: str
    #: One sentence for subscribers.
    meaning: str
    #: The type of its ``data``.
    data: type[RunData | DagRunData | JobData]

    def __str__(self) -> str:
        """Return the value of the attribute ``type``."""
        return self.name


def _run(name: str, meaning: str) -> EventType:
    return EventType(name=f"io.timegate.run.{name}", meaning=meaning, data=RunData)


def _dag_run(name: str, meaning: str) -> EventType:
    return EventType(name=f"io.timegate.dag_run.{name}", meaning=meaning, data=DagRunData)


def _job(name: str, meaning: str) -> EventType:
    return EventType(name=f"io.timegate.job.{name}", meaning=meaning, data=JobData)


RUN_PLANNED: Final = _run("planned", "An attempt was stored, and starts at its due instant.")
RUN_STARTED: Final = _run("started", "A worker claimed the attempt.")
RUN_RELEASED: Final = _run(
    "released",
    "The lease ended and the attempt is queued again: its slice ended, or its worker stopped.",
)
RUN_RETRIED: Final = _run("retried", "The attempt failed, and another attempt follows.")

#: The type of an attempt's end; one that another attempt follows is ``retried``.
RUN_ENDS: Mapping[RunState, EventType] = MappingProxyType(
    {
        RunState.SUCCEEDED: _run("succeeded", "The run succeeded."),
        RunState.FAILED: _run("failed", "The run failed, and no attempt follows."),
        RunState.TIMED_OUT: _run("timed_out", "The run timed out, and no attempt follows."),
        RunState.CANCELLED: _run("cancelled", "The run was cancelled."),
        RunState.SKIPPED: _run("skipped", "The run was not executed, for the reason in its data."),
        RunState.DEAD_LETTERED: _run(
            "dead_lettered", "The run was given up, and waits for a decision."
        ),
    }
)

DAG_RUN_STARTED: Final = _dag_run("started", "A DAG run was stored, and its tasks start.")
DAG_RUN_REOPENED: Final = _dag_run("reopened", "Tasks of an ended DAG run are run again.")
DAG_RUN_ENDS: Mapping[DagRunStatus, EventType] = MappingProxyType(
    {
        DagRunStatus.SUCCEEDED: _dag_run("succeeded", "The DAG run succeeded."),
        DagRunStatus.FAILED: _dag_run("failed", "The DAG run failed."),
        DagRunStatus.CANCELLED: _dag_run("cancelled", "The DAG run was cancelled."),
        DagRunStatus.TIMED_OUT: _dag_run("timed_out", "The DAG run timed out."),
    }
)

JOB_CREATED: Final = _job("created", "A job was created.")
JOB_UPDATED: Final = _job("updated", "The definition of a job was changed.")
JOB_COMPLETED: Final = _job("completed", "The last run of a job has ended, and none follows.")
#: The type of a change of a job's status.
JOB_CHANGES: Mapping[JobStatus, EventType] = MappingProxyType(
    {
        JobStatus.ACTIVE: _job("resumed", "A paused job was resumed."),
        JobStatus.PAUSED: _job("paused", "A job was paused, by a caller or by failures."),
        JobStatus.CANCELLED: _job("cancelled", "A job was cancelled, and never fires again."),
        JobStatus.COMPLETED: JOB_COMPLETED,
    }
)

#: Every type, by name.
EVENT_TYPES: Mapping[str, EventType] = MappingProxyType(
    {
        each.name: each
        for each in (
            *(RUN_PLANNED, RUN_STARTED, RUN_RELEASED, RUN_RETRIED, *RUN_ENDS.values()),
            *(DAG_RUN_STARTED, DAG_RUN_REOPENED, *DAG_RUN_ENDS.values()),
            *(JOB_CREATED, JOB_UPDATED, *JOB_CHANGES.values()),
        )
    }
)
