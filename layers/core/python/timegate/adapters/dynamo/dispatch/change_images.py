"""Stream records as transitions: what a write of an attempt, a DAG run or a job changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from timegate.adapters.dynamo.audit_trail.audit_items import entry_from_fields
from timegate.adapters.dynamo.audit_trail.creation_entries import creation_of
from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_from_fields
from timegate.adapters.dynamo.dispatch.images import attempt_from_image
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK, JOB_SK, job_of
from timegate.adapters.dynamo.tables.values import from_item
from timegate.domain.cloud_events.cloud_event import CloudEvent, is_of_the_past
from timegate.domain.cloud_events.dag_run_transitions import dag_run_transition
from timegate.domain.cloud_events.job_changes import job_change, job_completed
from timegate.domain.cloud_events.run_transitions import run_transition
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run_states import RunState
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.tenant import TenantId

Image = Mapping[str, Any]


def event_of_run_change(
    before: Image | None, after: Image, *, written_at: datetime
) -> CloudEvent | None:
    """Return the event of a change in the table of runs; raises ``Malformed``.

    ``None``: it is no transition, or history that an import stored.
    """
    event = _transition(before, after, written_at)
    return event if before else _unless_moved(event, written_at)


def _transition(before: Image | None, after: Image, written_at: datetime) -> CloudEvent | None:
    try:
        if after["sk"]["S"] == DAG_RUN_SK:
            status = DagRunStatus(before["status"]["S"]) if before else None
            run = dag_run_from_fields(from_item(after))
            return dag_run_transition(status, run, written_at=written_at)
        state = RunState(before["state"]["S"]) if before else None
        return run_transition(state, attempt_from_image(after), written_at=written_at)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise Malformed(f"The images show no transition: {error!r}") from error


def event_of_job_change(after: Image, *, is_new: bool, written_at: datetime) -> CloudEvent | None:
    """Return the event of a change in the table of jobs; raises ``Malformed``.

    The stream has no old images: entries of the audit trail say what changed. A job's own record
    says that it was created, if it is new and has that entry, or that it has completed. ``None``:
    it is no transition, or history that an import stored.
    """
    event = _job_change(after, is_new=is_new, written_at=written_at)
    return _unless_moved(event, written_at) if is_new else event


def _unless_moved(event: CloudEvent | None, written_at: datetime) -> CloudEvent | None:
    """Leave out what a new record says of long ago."""
    is_moved = event is not None and is_of_the_past(event, written_at=written_at)
    return None if is_moved else event


def _job_change(after: Image, *, is_new: bool, written_at: datetime) -> CloudEvent | None:
    try:
        if after["sk"]["S"] != JOB_SK:
            return job_change(entry_from_fields(from_item(after)))
        # A new job that has completed did so in another stage.
        if is_new or after["status"]["S"] != JobStatus.COMPLETED:
            entry = creation_of(from_item(after))
            return job_change(entry) if entry is not None else None
        tenant, version = TenantId(after["tenant"]["S"]), int(after["version"]["N"])
        return job_completed(tenant, job_of(after["pk"]["S"]), version, written_at=written_at)
    except Malformed:
        raise
    except (TimegateError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise Malformed(f"The image shows no change of a job: {error!r}") from error
