"""Items as rows of the archive: what a column asks for, and the whole item beside it.

Rows are made of plain fields. A record that no reader understands any more is archived as well.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from timegate.adapters.dynamo.audit_trail.audit_items import entry_to_fields
from timegate.adapters.dynamo.audit_trail.creation_entries import CREATION, TOLD_AT, creation_of
from timegate.adapters.dynamo.tables.keys import (
    DAG_RUN_SK,
    GAP_PREFIX,
    JOB_SK,
    TASK_PREFIX,
    job_of,
    owner_of_gaps,
    parse_attempt_key,
    parse_dag_run_key,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.archive.columns import ArchivedRow, Cell, RecordKind
from timegate.domain.dag_runs.progress import (
    ENDED_STATES,
    ENDED_STATUSES,
    DagRunStatus,
    TaskState,
)
from timegate.domain.runs.run_states import LIVE
from timegate.domain.tenants.audit_trail import ResourceKind
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.instants import from_compact

Fields = Mapping[str, Plain]

#: It signs the tokens of a lease, and callbacks answer with theirs; an archive is read by more
#: people than a table.
_SECRET = frozenset({"lease_key", "tokens"})
_AUDIT_MARK = "#audit#"
#: A state that a later release knows, or that says nothing, is archived by its instant.
_UNDER_WAY = frozenset(DagRunStatus) - ENDED_STATUSES
_AT_WORK = frozenset(TaskState) - ENDED_STATES
#: Cells of numbers have 64 bits; DynamoDB has 38 digits.
_MOST = 2**63
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def run_row(fields: Fields) -> ArchivedRow | None:
    """Return the row of an ended attempt, DAG run or task of one; ``None``: the item is none."""
    sk = str(fields["sk"])
    if sk == DAG_RUN_SK:
        return _dag_run_row(fields)
    return _task_row(fields) if sk.startswith(TASK_PREFIX) else _attempt_row(fields)


def _attempt_row(fields: Fields) -> ArchivedRow | None:
    try:
        tenant, attempt = parse_attempt_key(str(fields["pk"]), str(fields["sk"]))
    except Malformed:
        return None
    day = _day(fields.get("ended_at"))
    if day is None or str(fields.get("state")) in LIVE:
        return None
    cells: dict[str, Cell] = {
        "run_id": str(attempt.run),
        "job_id": attempt.run.job_id,
        "attempt": attempt.number,
        "origin": attempt.run.origin,
        "scheduled_at": _microseconds(attempt.run.scheduled_at),
        **_instants(fields, "due_at", "created_at", "started_at", "ended_at"),
        **_texts(fields, "state", "reason", "priority", "resource_class", "explanation", "result"),
        **_numbers(fields, "job_version", "fence"),
        **_error(fields),
        "record": record_text(fields),
    }
    return ArchivedRow(kind=RecordKind.ATTEMPTS, tenant=tenant, day=day, cells=cells)


def _dag_run_row(fields: Fields) -> ArchivedRow | None:
    """Return the row of a DAG run as it ended; one that is retried ends again."""
    day = _day(fields.get("ended_at"))
    if day is None or str(fields.get("status")) in _UNDER_WAY:
        return None
    run = parse_dag_run_key(str(fields["pk"]))
    cells: dict[str, Cell] = {
        "dag_run_id": run.id,
        **_instants(fields, "scheduled_at", "created_at", "ended_at"),
        **_texts(fields, "dag_id", "trigger", "status", "reason"),
        **_numbers(fields, "dag_version", "round", "tasks"),
        "record": record_text(fields),
    }
    return ArchivedRow(kind=RecordKind.DAG_RUNS, tenant=run.tenant, day=day, cells=cells)


def _task_row(fields: Fields) -> ArchivedRow | None:
    day = _day(fields.get("ended_at"))
    if day is None or str(fields.get("task_state")) in _AT_WORK:
        return None
    run = parse_dag_run_key(str(fields["pk"]))
    cells: dict[str, Cell] = {
        "dag_run_id": run.id,
        "task": str(fields["sk"]).removeprefix(TASK_PREFIX),
        "state": _text(fields.get("task_state")),
        **_instants(fields, "started_at", "ended_at"),
        **_texts(fields, "reason", "result"),
        **_numbers(fields, "round", "attempts"),
        **_error(fields),
        "record": record_text(fields),
    }
    return ArchivedRow(kind=RecordKind.DAG_TASKS, tenant=run.tenant, day=day, cells=cells)


def job_row(fields: Fields) -> ArchivedRow | None:
    """Return the row of a gap or of an entry of the audit trail; ``None``: it is neither.

    A job's record may have the entry of its creation.
    """
    pk, sk = str(fields["pk"]), str(fields["sk"])
    if sk.startswith(GAP_PREFIX):
        return _gap_row(fields, pk)
    if CREATION in fields and sk == JOB_SK:
        return _creation_row(fields)
    tenant, mark, resource = pk.partition(_AUDIT_MARK)
    return _audit_row(fields, tenant, resource) if mark and tenant else None


def record_text(fields: Fields) -> str:
    """Return the whole item as JSON, names in order, less what signs."""
    kept = {name: value for name, value in fields.items() if name not in _SECRET}
    return json.dumps(
        kept, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=sorted
    )


def _gap_row(fields: Fields, pk: str) -> ArchivedRow | None:
    day = _day(fields.get("recorded_at"))
    if day is None or "void" in fields:
        return None
    tenant, job_id = owner_of_gaps(pk)
    cells: dict[str, Cell] = {
        "job_id": job_id,
        "first_instant": _instant(fields.get("first")),
        "last_instant": _instant(fields.get("last")),
        "instants": _number(fields.get("count")),
        **_instants(fields, "recorded_at"),
        **_texts(fields, "reason"),
        **_numbers(fields, "job_version"),
        "record": record_text(fields),
    }
    return ArchivedRow(kind=RecordKind.GAPS, tenant=tenant, day=day, cells=cells)


def _creation_row(fields: Fields) -> ArchivedRow | None:
    """Return the row that the entry would have as an item of its own."""
    try:
        entry = creation_of(fields)
    except Malformed:
        entry = None
    if entry is not None:
        return _audit_row(entry_to_fields(entry), entry.tenant, str(entry.resource))
    pk, told = str(fields["pk"]), fields.get(CREATION)
    kept = {"pk": pk, "sk": fields.get(TOLD_AT), "changes": told}
    return _audit_row(kept, pk.rpartition("#")[0], f"{ResourceKind.JOB}/{job_of(pk)}")


def _audit_row(fields: Fields, tenant: str, resource: str) -> ArchivedRow | None:
    position = str(fields["sk"])
    at = position.partition("#")[0]
    day = _day(at)
    if day is None:
        return None
    stamp = fields.get("stamp")
    kind, _, thing = resource.partition("/")
    cells: dict[str, Cell] = {
        "position": position,
        "changed_at": _instant(at),
        "resource_kind": kind,
        "resource_id": thing,
        **_texts(stamp if isinstance(stamp, Mapping) else {}, "subject", "operation", "request_id"),
        **_texts(fields, "changes"),
        "record": record_text(fields),
    }
    return ArchivedRow(kind=RecordKind.AUDIT, tenant=tenant, day=day, cells=cells)


def _error(fields: Fields) -> dict[str, Cell]:
    error = fields.get("error")
    told = error if isinstance(error, Mapping) else {}
    return {f"error_{name}": _text(told.get(name)) for name in ("code", "type", "message")}


def _texts(fields: Fields, *names: str) -> dict[str, Cell]:
    return {name: _text(fields.get(name)) for name in names}


def _numbers(fields: Fields, *names: str) -> dict[str, Cell]:
    return {name: _number(fields.get(name)) for name in names}


def _instants(fields: Fields, *names: str) -> dict[str, Cell]:
    return {name: _instant(fields.get(name)) for name in names}


def _text(value: Plain) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Plain) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if abs(value) < _MOST else None


def _instant(value: Plain) -> int | None:
    try:
        return _microseconds(from_compact(value)) if isinstance(value, str) else None
    except TimegateError:
        return None


def _microseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def _day(value: Plain) -> str | None:
    """Return the day of an instant, in UTC."""
    if _instant(value) is None:
        return None
    text = str(value)
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}"
