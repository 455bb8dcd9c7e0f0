"""DAG runs as items."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.recurrence.schedule_items import (
    listed,
    mapping,
    number,
    payload_from_fields,
    payload_to_fields,
    text,
)
from timegate.adapters.dynamo.tables.keys import bucket, dag_run_key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    DagTrigger,
    TaskReason,
)
from timegate.domain.dags.limits import MAX_TIMEOUT_SECONDS
from timegate.domain.dispatch.shards import Placement
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId, DagId, DagRunId, JobId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]

#: The stream filter of outcomes lets through what has a follow-up.
FOLLOW_DAG = "dag"


def dag_run_to_fields(run: DagRun, *, shards: Placement, retention: timedelta) -> dict[str, Plain]:
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


def status_fields(run: DagRun, *, shards: Placement, retention: timedelta) -> dict[str, Plain]:
    """Build the fields that change with the status."""
    watch_at = run.watch_at
    return {
        "status": run.status,
        "round": run.round,
        "opened_as": run.opened_as,
        "is_told": run.is_told or None,
        "asked_rounds": run.asked_rounds or None,
        "known": run.known or None,
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
    """Build the sets of ended and failed tasks; DynamoDB has no empty sets."""
    return {"ended": run.ended or None, "failed": run.failed or None}


def forgotten_at(run: DagRun, *, retention: timedelta) -> int:
    """Return the instant, in epoch seconds, at which a DAG run's records expire.

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
        asked_rounds=number(fields.get("asked_rounds", 0)),
        known=places_from(fields.get("known")),
        revision=number(fields["revision"]),
        ended=places_from(fields.get("ended")),
        failed=places_from(fields.get("failed")),
        repeats=places_from(fields.get("repeats")),
        stops_as=DagRunStatus(text(stops_as)) if stops_as is not None else None,
        reason=TaskReason(text(reason)) if reason is not None else None,
        ended_at=optional_instant(fields.get("ended_at")),
        tokens=tokens_from(fields.get("tokens")),
        follow="follow" in fields,
    )


def _attempt(value: Plain) -> AttemptId | None:
    return AttemptId.parse(text(value)) if value is not None else None


def dag_run_id_of(fields: Fields) -> DagRunId:
    """Return the DAG run in whose partition the item lies."""
    return DagRunId(text(fields["pk"]).rpartition("#")[2])


def places_from(value: Plain) -> frozenset[int]:
    """Places of tasks; DynamoDB has no empty sets. Raises ``Malformed``."""
    if value is None:
        return frozenset()
    if isinstance(value, frozenset):
        return value
    raise Malformed(f"{value!r} is no set of numbers.")


def tokens_from(value: Plain) -> tuple[str, ...]:
    """In the order in which they came; a request that was repeated has left its own twice."""
    return tuple(dict.fromkeys(text(each) for each in listed(value))) if value else ()


def row_fields(run: DagRun, pk: str, sk: str, *, expires_at: int) -> dict[str, Plain]:
    """Its row in the list of its DAG's runs."""
    return {"pk": pk, "sk": sk, "dag_run_id": run.dag_run_id, "expires_at": expires_at}


def looked_at(watch_at: datetime, dag_run_id: DagRunId, *, shards: Placement) -> dict[str, str]:
    """Build the index fields of the next look."""
    return {
        "watch_at": compact(watch_at),
        "watch_bucket": bucket(watch_at, JobId(dag_run_id), shards),
    }
