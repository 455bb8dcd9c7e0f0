"""Operations as items, beside the jobs they are about."""

from collections.abc import Mapping
from datetime import timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import listed, reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.operations.operation import Opened, Operation, Tally
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import OperationId, parse_operation_id
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

Fields = Mapping[str, Plain]

#: The stream filter of ``operations`` names it: no other record of the table has it.
OPERATION_SK = "operation"
_PARTITION = "#operation#"
#: The partition of the index ``due`` in which running operations lie: there are never many. Buckets
#: of jobs begin with a minute.
WATCH_BUCKET = "operations"
_NAMES = {"cursor": "position", "watch_at": "due_at"}
#: Fields that are written at their default as well: conditions and the stream's filter name them.
_ALWAYS = ("status", "step")
_OPERATION = Part(
    Operation,
    without=("tenant", "operation_id", "tally", "opened"),
    names=_NAMES,
    always=_ALWAYS,
)
#: The fields that a step may change.
_PROGRESS = Part(
    Operation,
    only=(
        *(*_ALWAYS, "updated_at", "watch_at", "ended_at", "cursor", "exhausted"),
        *("chosen", "errors", "waits_for", "failure"),
    ),
    names=_NAMES,
    always=_ALWAYS,
)
_TALLY = Part(Tally, always=("matched", "done", "unchanged", "failed"))


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
        **_OPERATION.fields(operation),
        "tenant_key": listing_of(operation.tenant),
        "listed_at": f"{compact(operation.created_at)}#{operation.operation_id}",
        **progress_fields(operation, retention=retention),
    }


def progress_fields(operation: Operation, *, retention: timedelta) -> dict[str, Plain]:
    """Build the fields that a step may change; ``None`` removes a field."""
    ended_at, watch_at = operation.ended_at, operation.watch_at
    return {
        **_PROGRESS.fields(operation),
        **_TALLY.fields(operation.tally),
        "due_bucket": WATCH_BUCKET if watch_at is not None else None,
        "opened": [f"{compact(o.instant)}#{o.number}" for o in operation.opened] or None,
        "expires_at": int((ended_at + retention).timestamp()) if ended_at is not None else None,
    }


@reader_of("operation")
def operation_from_fields(fields: Fields) -> Operation:
    """Read an operation back; raises ``Malformed``."""
    tenant, operation_id = parse_operation_key(text(fields["pk"]), text(fields["sk"]))
    return _OPERATION.read(
        fields,
        tenant=tenant,
        operation_id=operation_id,
        tally=_TALLY.read(fields),
        opened=tuple(_opened(text(each)) for each in listed(fields.get("opened"))),
    )


def _opened(line: str) -> Opened:
    instant, _, attempt = line.partition("#")
    return Opened(instant=from_compact(instant), number=int(attempt))
