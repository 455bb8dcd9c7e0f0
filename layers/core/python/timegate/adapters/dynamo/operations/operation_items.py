"""Operations as items, beside the jobs they are about."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from timegate.adapters.dynamo.jobs.job_items import optional_instant, written
from timegate.adapters.dynamo.operations.settlement_items import (
    settlement_from_fields,
    settlement_to_fields,
)
from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, text, texts
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.definition import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.operation import (
    Backfill,
    BulkChange,
    ItemError,
    Opened,
    Operation,
    OperationKind,
    OperationStatus,
    Reprocess,
    Settlement,
    Tally,
    Task,
    WaitsFor,
)
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import JobId, OperationId, RunId, parse_operation_id
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]

#: The stream filter of ``operations`` names it: no other record of the table has it.
OPERATION_SK = "operation"
_PARTITION = "#operation#"
#: The partition of the index ``due`` in which running operations lie: there are never many. Buckets
#: of jobs begin with a minute.
WATCH_BUCKET = "operations"


def operation_key(tenant: TenantId, operation_id: OperationId) -> Key:
    """The key of an operation; no job can have it, for no job's id holds a ``#``."""
    return Key(pk=f"{tenant}{_PARTITION}{operation_id}", sk=OPERATION_SK)


def parse_operation_key(pk: str, sk: str) -> tuple[TenantId, OperationId]:
    """Read an operation's key back; raises ``Malformed``."""
    tenant, _, last = pk.rpartition(_PARTITION)
    operation_id = parse_operation_id(last)
    if not tenant or operation_id is None or sk != OPERATION_SK:
        raise Malformed(f"{pk!r}, {sk!r} is no operation's key.")
    return TenantId(tenant), operation_id


def listing_of(tenant: TenantId) -> str:
    """The partition of the index ``by_tenant`` that lists operations; no tenant is named so."""
    return f"{tenant}#operations"


def operation_to_fields(operation: Operation, *, retention: timedelta) -> dict[str, Plain]:
    """The whole item of an operation, index attributes included."""
    key = operation_key(operation.tenant, operation.operation_id)
    return {
        "pk": key.pk,
        "sk": key.sk,
        "tenant": operation.tenant,
        "kind": operation.kind,
        "task": _task_to_fields(operation.task),
        "request_hash": operation.request_hash,
        "created_by": operation.created_by,
        "created_at": compact(operation.created_at),
        "tenant_key": listing_of(operation.tenant),
        "listed_at": f"{compact(operation.created_at)}#{operation.operation_id}",
        "cancel_requested": operation.cancel_requested or None,
        **progress_fields(operation, retention=retention),
    }


def progress_fields(operation: Operation, *, retention: timedelta) -> dict[str, Plain]:
    """Build the fields that a step may change; ``None`` removes a field."""
    tally, ended_at, watch_at = operation.tally, operation.ended_at, operation.watch_at
    return {
        "status": operation.status,
        "step": operation.step,
        "updated_at": compact(operation.updated_at),
        "ended_at": written(ended_at),
        "due_bucket": WATCH_BUCKET if watch_at is not None else None,
        "due_at": written(watch_at),
        "matched": tally.matched,
        "done": tally.done,
        "unchanged": tally.unchanged,
        "failed": tally.failed,
        "position": operation.cursor,
        "exhausted": operation.exhausted or None,
        "opened": [f"{compact(o.instant)}#{o.number}" for o in operation.opened] or None,
        "chosen": [str(run) for run in operation.chosen] or None,
        "errors": [_error_to_fields(error) for error in operation.errors] or None,
        "waits_for": operation.waits_for,
        "failure": _error_to_fields(operation.failure) if operation.failure else None,
        "expires_at": int((ended_at + retention).timestamp()) if ended_at is not None else None,
    }


@reader_of("operation")
def operation_from_fields(fields: Fields) -> Operation:
    """Read an operation back; raises ``Malformed``."""
    tenant, operation_id = parse_operation_key(text(fields["pk"]), text(fields["sk"]))
    kind, waits_for = OperationKind(text(fields["kind"])), fields.get("waits_for")
    failure = fields.get("failure")
    return Operation(
        tenant=tenant,
        operation_id=operation_id,
        kind=kind,
        task=_task_from_fields(kind, mapping(fields["task"])),
        request_hash=text(fields["request_hash"]),
        created_by=text(fields["created_by"]),
        created_at=from_compact(text(fields["created_at"])),
        updated_at=from_compact(text(fields["updated_at"])),
        watch_at=optional_instant(fields.get("due_at")),
        status=OperationStatus(text(fields["status"])),
        tally=_tally(fields),
        step=number(fields["step"]),
        cursor=_optional_text(fields.get("position")),
        exhausted=fields.get("exhausted") is True,
        opened=tuple(_opened(text(each)) for each in _listed(fields.get("opened"))),
        chosen=tuple(RunId.parse(text(each)) for each in _listed(fields.get("chosen"))),
        errors=tuple(_error(mapping(each)) for each in _listed(fields.get("errors"))),
        waits_for=WaitsFor(text(waits_for)) if waits_for is not None else None,
        failure=_error(mapping(failure)) if failure is not None else None,
        cancel_requested=fields.get("cancel_requested") is True,
        ended_at=optional_instant(fields.get("ended_at")),
    )


def _task_to_fields(task: Task) -> Fields:
    match task:
        case BulkChange(jobs=jobs, catch_up=catch_up):
            fields: dict[str, Plain] = {
                "status": jobs.status,
                "kind": jobs.kind,
                "priority": jobs.priority,
                "tags": dict(jobs.tags) or None,
                "catch_up": catch_up or None,
            }
        case Backfill():
            fields = {
                "job_id": task.job_id,
                "start": compact(task.start),
                "end": compact(task.end),
                "reprocess": task.reprocess,
                "max_concurrent": task.max_concurrent,
                "anchored_at": compact(task.anchored_at),
            }
        case Settlement():
            fields = settlement_to_fields(task)
    return {name: value for name, value in fields.items() if value is not None} or {"all": True}


def _task_from_fields(kind: OperationKind, fields: Fields) -> Task:
    if kind is OperationKind.BACKFILL:
        return Backfill(
            job_id=JobId(text(fields["job_id"])),
            start=from_compact(text(fields["start"])),
            end=from_compact(text(fields["end"])),
            reprocess=Reprocess(text(fields["reprocess"])),
            max_concurrent=number(fields["max_concurrent"]),
            anchored_at=from_compact(text(fields["anchored_at"])),
        )
    if kind in {OperationKind.REDRIVE, OperationKind.DISCARD}:
        return settlement_from_fields(fields)
    status, schedule = fields.get("status"), fields.get("kind")
    priority = fields.get("priority")
    jobs = JobFilter(
        status=JobStatus(text(status)) if status is not None else None,
        kind=ScheduleKind(text(schedule)) if schedule is not None else None,
        priority=Priority(text(priority)) if priority is not None else None,
        tags=tuple(sorted(texts(fields.get("tags")).items())),
    )
    return BulkChange(jobs=jobs, catch_up=fields.get("catch_up") is True)


def _tally(fields: Fields) -> Tally:
    return Tally(
        matched=number(fields["matched"]),
        done=number(fields["done"]),
        unchanged=number(fields["unchanged"]),
        failed=number(fields["failed"]),
    )


def _opened(written_: str) -> Opened:
    instant, _, attempt = written_.partition("#")
    return Opened(instant=from_compact(instant), number=int(attempt))


def _error_to_fields(error: ItemError) -> Fields:
    return {"item": error.item, "code": error.code, "detail": error.detail}


def _error(fields: Fields) -> ItemError:
    return ItemError(
        item=text(fields["item"]), code=text(fields["code"]), detail=text(fields["detail"])
    )


def _optional_text(value: Plain) -> str | None:
    return None if value is None else text(value)


def _listed(value: Plain) -> Sequence[Plain]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
