"""DAG runs and their tasks as items."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.attempt_items import error_from_field, error_to_field
from timegate.adapters.dynamo.job_items import optional_instant, written
from timegate.adapters.dynamo.keys import bucket, dag_run_key, task_key
from timegate.adapters.dynamo.reading import reader_of
from timegate.adapters.dynamo.result_items import (
    stored_result_from_field,
    stored_result_to_field,
)
from timegate.adapters.dynamo.schedule_items import (
    listed,
    mapping,
    number,
    optional_number,
    optional_text,
    payload_from_fields,
    payload_to_fields,
    text,
)
from timegate.adapters.dynamo.values import Plain
from timegate.domain.dag.definition import TaskKey
from timegate.domain.dag.limits import MAX_TIMEOUT_SECONDS
from timegate.domain.dag.progress import (
    DagRun,
    DagRunStatus,
    DagTrigger,
    Members,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag.run_identity import DagRunId
from timegate.domain.errors import Malformed
from timegate.domain.identity import AttemptId, DagId, JobId
from timegate.domain.instants import compact, from_compact
from timegate.domain.tenant import TenantId

Fields = Mapping[str, Plain]

#: The stream filter of outcomes lets through what has a follow-up.
FOLLOW_DAG = "dag"


def dag_run_to_fields(run: DagRun, *, shards: int, retention: timedelta) -> dict[str, Plain]:
    """The whole item of a DAG run, index attributes included."""
    key = dag_run_key(run.tenant, run.dag_run_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": run.tenant,
        "dag_id": run.dag_id,
        "dag_version": run.dag_version,
        "trigger": run.trigger,
        "scheduled_at": compact(run.scheduled_at),
        "created_at": compact(run.created_at),
        "tasks": run.tasks,
        "parameters": payload_to_fields(run.parameters),
        "request_hash": run.request_hash,
        "started_by": str(run.started_by) if run.started_by is not None else None,
        "tokens": run.tokens or None,
        **places_fields(run),
        **status_fields(run, shards=shards, retention=retention),
    }


def status_fields(run: DagRun, *, shards: int, retention: timedelta) -> dict[str, Plain]:
    """What changes with its status."""
    watch_at = run.watch_at
    return {
        "status": run.status,
        "round": run.round,
        "opened_as": run.opened_as,
        "is_told": run.is_told or None,
        "revision": run.revision,
        "repeats": run.repeats or None,
        "stops_as": run.stops_as,
        "reason": run.reason,
        "ended_at": written(run.ended_at),
        "deadline_at": compact(run.deadline_at),
        "expires_at": forgotten_at(run, retention=retention),
        "watch_at": written(watch_at),
        "watch_bucket": (
            bucket(watch_at, JobId(run.dag_run_id), shards) if watch_at is not None else None
        ),
        "follow": FOLLOW_DAG if run.follow else None,
    }


def places_fields(run: DagRun) -> dict[str, Plain]:
    """Which tasks have ended; DynamoDB has no empty sets."""
    return {"ended": run.ended or None, "failed": run.failed or None}


def forgotten_at(run: DagRun, *, retention: timedelta) -> int:
    """When a DAG run's records are forgotten.

    As long after its latest end as any run's, and so much later that one which is tried again
    on its last day keeps what its tasks have done.
    """
    kept = run.deadline_at + retention + timedelta(seconds=MAX_TIMEOUT_SECONDS)
    return int(kept.timestamp())


@reader_of("DAG run")
def dag_run_from_fields(fields: Fields) -> DagRun:
    """Read a DAG run back; raises ``Malformed``."""
    stops_as, reason = fields.get("stops_as"), fields.get("reason")
    return DagRun(
        tenant=TenantId(text(fields["tenant"])),
        dag_run_id=dag_run_id_of(fields),
        dag_id=DagId(text(fields["dag_id"])),
        dag_version=number(fields["dag_version"]),
        status=DagRunStatus(text(fields["status"])),
        trigger=DagTrigger(text(fields["trigger"])),
        scheduled_at=from_compact(text(fields["scheduled_at"])),
        created_at=from_compact(text(fields["created_at"])),
        deadline_at=from_compact(text(fields["deadline_at"])),
        watch_at=optional_instant(fields.get("watch_at")),
        tasks=number(fields["tasks"]),
        parameters=payload_from_fields(mapping(fields.get("parameters"))),
        request_hash=text(fields["request_hash"]),
        started_by=_attempt(fields.get("started_by")),
        is_told=fields.get("is_told") is True,
        round=number(fields["round"]),
        opened_as=number(fields["opened_as"]),
        revision=number(fields["revision"]),
        ended=_places(fields.get("ended")),
        failed=_places(fields.get("failed")),
        repeats=_places(fields.get("repeats")),
        stops_as=DagRunStatus(text(stops_as)) if stops_as is not None else None,
        reason=TaskReason(text(reason)) if reason is not None else None,
        ended_at=optional_instant(fields.get("ended_at")),
        tokens=_tokens(fields.get("tokens")),
        follow="follow" in fields,
    )


def _attempt(value: Plain) -> AttemptId | None:
    return AttemptId.parse(text(value)) if value is not None else None


def dag_run_id_of(fields: Fields) -> DagRunId:
    """Whose partition the item lies in."""
    return DagRunId(text(fields["pk"]).rpartition("#")[2])


def task_to_fields(task: TaskProgress, *, expires_at: int) -> dict[str, Plain]:
    """The whole item of a task of a DAG run."""
    key = task_key(task.tenant, task.dag_run_id, task.key)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": task.tenant,
        "job_version": task.job_version,
        "expires_at": expires_at,
        "tokens": task.tokens or None,
        **decided_fields(task),
        **task_state_fields(task),
    }


def decided_fields(task: TaskProgress) -> dict[str, Plain]:
    """Which edges are decided, and how."""
    return {"satisfied": task.satisfied or None, "unsatisfied": task.unsatisfied or None}


def task_state_fields(task: TaskProgress) -> dict[str, Plain]:
    """What changes with its state; the ends of members are counted apart."""
    members = task.members
    return {
        "task_state": task.state,
        "round": task.round,
        "width": members.width if members is not None else None,
        "is_complete": members.is_complete if members is not None else None,
        "started_at": written(task.started_at),
        "ended_at": written(task.ended_at),
        "attempts": task.attempts or None,
        "reason": task.reason,
        "error": error_to_field(task.error),
        "result": task.result or None,
        "stored_result": stored_result_to_field(task.stored_result),
    }


@reader_of("task")
def task_from_fields(fields: Fields) -> TaskProgress:
    """Read a task back; raises ``Malformed``."""
    return TaskProgress(
        tenant=TenantId(text(fields["tenant"])),
        dag_run_id=dag_run_id_of(fields),
        key=TaskKey(text(fields["sk"]).partition("#")[2]),
        state=TaskState(text(fields["task_state"])),
        round=number(fields["round"]),
        satisfied=_places(fields.get("satisfied")),
        unsatisfied=_places(fields.get("unsatisfied")),
        job_version=optional_number(fields.get("job_version")),
        members=_members(fields),
        started_at=optional_instant(fields.get("started_at")),
        ended_at=optional_instant(fields.get("ended_at")),
        attempts=number(fields.get("attempts", 0)),
        reason=optional_text(fields.get("reason")),
        error=error_from_field(fields.get("error")),
        result=optional_text(fields.get("result")),
        stored_result=stored_result_from_field(fields.get("stored_result")),
        tokens=_tokens(fields.get("tokens")),
    )


def _members(fields: Fields) -> Members | None:
    if "width" not in fields:
        return None
    return Members(
        width=number(fields["width"]),
        is_complete=fields.get("is_complete") is True,
        succeeded=_places(fields.get("members_succeeded")),
        failed=_places(fields.get("members_failed")),
    )


def _places(value: Plain) -> frozenset[int]:
    if value is None:
        return frozenset()
    if isinstance(value, frozenset):
        return value
    raise Malformed(f"{value!r} is no set of numbers.")


def _tokens(value: Plain) -> tuple[str, ...]:
    """In the order in which they came; a request that was repeated has left its own twice."""
    return tuple(dict.fromkeys(text(each) for each in listed(value))) if value else ()


def row_fields(run: DagRun, pk: str, sk: str, *, expires_at: int) -> dict[str, Plain]:
    """Its row in the list of its DAG's runs."""
    return {"pk": pk, "sk": sk, "dag_run_id": run.dag_run_id, "expires_at": expires_at}


def looked_at(watch_at: datetime, dag_run_id: DagRunId, *, shards: int) -> dict[str, str]:
    """Where and when it is looked at again."""
    return {
        "watch_at": compact(watch_at),
        "watch_bucket": bucket(watch_at, JobId(dag_run_id), shards),
    }
