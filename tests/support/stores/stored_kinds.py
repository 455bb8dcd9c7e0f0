"""The kinds of records in the two tables: how an item is recognised, named and read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from timegate.adapters.dynamo.auditing.audit_cursor_items import (
    FINISHED,
    LIVE,
    PARTS,
    cursor_from_fields,
    cursor_key_of,
    cursor_pk,
)
from timegate.adapters.dynamo.dag_runs.dag_run_items import dag_run_from_fields, dag_run_to_fields
from timegate.adapters.dynamo.dag_runs.dag_task_items import task_from_fields
from timegate.adapters.dynamo.jobs.gap_items import gap_from_fields
from timegate.adapters.dynamo.jobs.job_items import job_from_fields, job_to_fields
from timegate.adapters.dynamo.limits.rate_store import RATE_SK, rate_key
from timegate.adapters.dynamo.operations.operation_items import (
    OPERATION_SK,
    operation_from_fields,
    operation_key,
    parse_operation_key,
)
from timegate.adapters.dynamo.restrictions.restriction_items import (
    CALENDAR_PREFIX,
    IN_FORCE_SK,
    calendar_from_fields,
    calendar_key,
    in_force_from_fields,
    in_force_key,
    restrictions_pk,
)
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.keys import (
    DAG_RUN_SK,
    GAP_PREFIX,
    GOVERNOR_PREFIX,
    JOB_SK,
    TASK_PREFIX,
    Key,
    attempt_key,
    dag_run_key,
    gap_key,
    governor_key,
    job_key,
    owner_of_gaps,
    parse_attempt_key,
    parse_dag_run_key,
    task_key,
)
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tenants.tenant_items import TENANTS_PK, tenant_from_fields, tenant_key
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.calendars.calendar import Calendar
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.ledger import Gap
from timegate.domain.limits.rate_limit import RateKey
from timegate.domain.operations.operation import Operation
from timegate.domain.restrictions.restrictions import RestrictionsInForce
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId, DagRunId, JobId, OperationId, TaskKey
from timegate.domain.values.instants import from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]
Place = TypeVar("Place")
Record = TypeVar("Record")

#: How long a world keeps its records.
RETENTION = timedelta(days=30)


def _unwritten(record: object) -> dict[str, Plain]:
    message = f"No test puts {record}."
    raise TypeError(message)


@dataclass(frozen=True, kw_only=True)
class Kind(Generic[Place, Record]):
    """One kind of record."""

    #: ``jobs`` or ``runs``.
    table: str
    #: The name of an item's record; ``None`` for an item of another kind.
    place: Callable[[Fields], Place | None]
    key: Callable[[Place], Key]
    read: Callable[[Fields], Record]
    to_fields: Callable[[Record], Fields] = _unwritten


def _pk(item: Fields) -> str:
    return str(item["pk"])


def _sk(item: Fields) -> str:
    return str(item["sk"])


def _job_place(item: Fields) -> tuple[TenantId, JobId] | None:
    if _sk(item) != JOB_SK:
        return None
    tenant, _, job_id = _pk(item).rpartition("#")
    return TenantId(tenant), JobId(job_id)


def _attempt_place(item: Fields) -> tuple[TenantId, AttemptId] | None:
    if "state" not in item:
        return None
    try:
        return parse_attempt_key(_pk(item), _sk(item))
    except Malformed:
        return None


def _gap_place(item: Fields) -> tuple[TenantId, JobId, datetime, int] | None:
    if not _sk(item).startswith(GAP_PREFIX) or "void" in item:
        return None
    tenant, job_id = owner_of_gaps(_pk(item))
    last, _, version = _sk(item).removeprefix(GAP_PREFIX).partition("#")
    return tenant, job_id, from_compact(last), int(version)


def _operation_place(item: Fields) -> tuple[TenantId, OperationId] | None:
    return parse_operation_key(_pk(item), _sk(item)) if _sk(item) == OPERATION_SK else None


def _dag_run_place(item: Fields) -> tuple[TenantId, DagRunId] | None:
    if _sk(item) != DAG_RUN_SK:
        return None
    ref = parse_dag_run_key(_pk(item))
    return ref.tenant, ref.id


def _of_dag_run(
    prefix: str,
) -> Callable[[Fields], tuple[TenantId, DagRunId, TaskKey] | None]:
    def place(item: Fields) -> tuple[TenantId, DagRunId, TaskKey] | None:
        if not _sk(item).startswith(prefix):
            return None
        ref = parse_dag_run_key(_pk(item))
        return ref.tenant, ref.id, TaskKey(_sk(item).removeprefix(prefix))

    return place


def _tenant_place(item: Fields) -> TenantId | None:
    return TenantId(_sk(item)) if _pk(item) == TENANTS_PK else None


def _in_force_place(item: Fields) -> TenantId | None:
    if _sk(item) != IN_FORCE_SK:
        return None
    return TenantId(_pk(item).removesuffix(restrictions_pk(TenantId(""))))


def _calendar_place(item: Fields) -> tuple[TenantId, str] | None:
    if not _sk(item).startswith(CALENDAR_PREFIX) or "deleted" in item:
        return None
    tenant = _pk(item).removesuffix(restrictions_pk(TenantId("")))
    return TenantId(tenant), _sk(item).removeprefix(CALENDAR_PREFIX)


def _rate_place(item: Fields) -> RateKey | None:
    if _sk(item) != RATE_SK:
        return None
    tenant, _, name = _pk(item).partition("#key#")
    return RateKey(tenant=TenantId(tenant), name=name)


def _cursor_place(kind: str) -> Callable[[Fields], tuple[TenantId, JobId] | None]:
    prefix = cursor_pk(kind, 0).rstrip("0123456789")

    def place(item: Fields) -> tuple[TenantId, JobId] | None:
        if not _pk(item).startswith(prefix) or "void" in item:
            return None
        tenant, _, job_id = _sk(item).rpartition("#")
        return TenantId(tenant), JobId(job_id)

    return place


def _job_fields(job: Job) -> Fields:
    return job_to_fields(job, shards=ONE_SHARD)


def _attempt_fields(attempt: Attempt) -> Fields:
    return attempt_to_fields(attempt, shards=ONE_SHARD, retention=RETENTION)


def _dag_run_fields(run: DagRun) -> Fields:
    return dag_run_to_fields(run, shards=ONE_SHARD, retention=RETENTION)


JOBS = Kind[tuple[TenantId, JobId], Job](
    table="jobs",
    place=_job_place,
    key=lambda place: job_key(*place),
    read=job_from_fields,
    to_fields=_job_fields,
)
ATTEMPTS = Kind[tuple[TenantId, AttemptId], Attempt](
    table="runs",
    place=_attempt_place,
    key=lambda place: attempt_key(*place),
    read=attempt_from_fields,
    to_fields=_attempt_fields,
)
GAPS = Kind[tuple[TenantId, JobId, datetime, int], Gap](
    table="jobs",
    place=_gap_place,
    key=lambda place: gap_key(*place),
    read=gap_from_fields,
)
OPERATIONS = Kind[tuple[TenantId, OperationId], Operation](
    table="jobs",
    place=_operation_place,
    key=lambda place: operation_key(*place),
    read=operation_from_fields,
)
DAG_RUNS = Kind[tuple[TenantId, DagRunId], DagRun](
    table="runs",
    place=_dag_run_place,
    key=lambda place: dag_run_key(*place),
    read=dag_run_from_fields,
    to_fields=_dag_run_fields,
)
DAG_TASKS = Kind[tuple[TenantId, DagRunId, TaskKey], TaskProgress](
    table="runs",
    place=_of_dag_run(TASK_PREFIX),
    key=lambda place: task_key(*place),
    read=task_from_fields,
)
GOVERNORS = Kind[tuple[TenantId, DagRunId, TaskKey], Job](
    table="runs",
    place=_of_dag_run(GOVERNOR_PREFIX),
    key=lambda place: governor_key(*place),
    read=job_from_fields,
)
TENANTS = Kind[TenantId, TenantSettings](
    table="jobs", place=_tenant_place, key=tenant_key, read=tenant_from_fields
)
IN_FORCE = Kind[TenantId, RestrictionsInForce](
    table="jobs",
    place=_in_force_place,
    key=in_force_key,
    read=lambda item: in_force_from_fields(
        TenantId(_pk(item).removesuffix(restrictions_pk(TenantId("")))), item
    ),
)
CALENDARS = Kind[tuple[TenantId, str], Calendar](
    table="jobs",
    place=_calendar_place,
    key=lambda place: calendar_key(*place),
    read=calendar_from_fields,
)
USED_UNTIL = Kind[RateKey, int](
    table="jobs", place=_rate_place, key=rate_key, read=lambda item: number(item["used_until"])
)


def _cursors(kind: str) -> Kind[tuple[TenantId, JobId], AuditCursor]:
    # A world has one shard, and its cursors lie in one part.
    return Kind(
        table="jobs",
        place=_cursor_place(kind),
        key=lambda place: cursor_key_of(kind, ONE_SHARD.part_of(place[1], PARTS), *place),
        read=cursor_from_fields,
    )


AUDIT_LIVE = _cursors(LIVE)
AUDIT_FINISHED = _cursors(FINISHED)
