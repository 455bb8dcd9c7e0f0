"""The audit trail: who changed what, when, and what it was before and after."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, is_dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact, rfc3339
from timegate.domain.values.payload import Payload, digest, digest_of
from timegate.domain.values.redaction import redact
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass, defaults_of, fields_of

if TYPE_CHECKING:
    from timegate.domain.dag_runs.progress import DagRun, TaskProgress
    from timegate.domain.tenants.api_key import ApiKey

#: Longer values are told by their digest: an entry is to stay small.
MAX_VALUE_BYTES = 4096
#: Characters of a text that is no longer as JSON, whatever they are.
_SURELY_SHORT = (MAX_VALUE_BYTES - 2) // len("\\u0000")
_SORTED = json.JSONEncoder(ensure_ascii=False, sort_keys=True)
#: Fields outside a definition and its standing: the clockwork's own, and keys.
_INTERNAL = frozenset(
    {
        *("tenant", "job_id", "dag_id", "dag_run_id", "operation_id", "freeze_id", "version"),
        *("asked_as", "request_hash", "last_operation", "runs_planned", "decided_until", "held_at"),
        *("runs_begun", "counted_until", "full", "paused_at", "reopens_from", "rolled_until"),
        *("anchored_at", "updated_at", "created_at", "next_run_at", "watch_at", "revision"),
        *("opened", "errors", "counts", "step", "cursor", "woken", "untallied", "uncounted"),
        *("creation", "resumed_at", "enabled_at", "absence_at", "former", "is_damaged"),
    }
)
#: Texts that callers chose freely and that may hold what others are not to read.
_DIGESTED = frozenset(
    {"payload", "payload_patch", "input", "parameters", "corrected", "result", "default"}
)


class ResourceKind(StrEnum):
    """Kinds of things that callers change."""

    JOB = "job"
    DAG = "dag"
    CALENDAR = "calendar"
    FREEZE = "freeze"
    POOL = "pool"
    OPERATION = "operation"
    RUN = "run"
    DAG_RUN = "dag_run"
    EVENT_TRIGGER = "event_trigger"
    TENANT = "tenant"
    RULE = "notification_rule"
    API_KEY = "api_key"


@dataclass(frozen=True, kw_only=True, slots=True)
class Resource:
    """One thing of a tenant that can be changed."""

    kind: ResourceKind
    id: str

    def __str__(self) -> str:
        """``job/<id>``."""
        return f"{self.kind}/{self.id}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Stamp:
    """On whose behalf something is changed, by which request, and when."""

    #: The token's subject, or who started the operation that makes the change.
    subject: str
    #: The operation of the API, or ``bulk.<kind>`` of one that works by itself.
    operation: str
    #: Id of the request, or of the operation.
    request_id: str
    at: datetime
    client_id: str | None = None
    source_ip: str | None = None
    #: The stage's administration.
    of_stage: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldChange:
    """A field, before and after, as JSON; ``None``: there was none, or is none any more."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditEntry:
    """One change of one thing."""

    tenant: TenantId
    resource: Resource
    stamp: Stamp
    changes: tuple[FieldChange, ...]
    #: Version of the thing, after the change; ``None``: it has none.
    version: int | None = None

    @property
    def position(self) -> str:
        """Return the entry's sort key: computed, so that a repetition meets its own record.

        A request may change a thing without versions twice, as a run that a later event replaces.
        """
        stamp, told = self.stamp, str(self.version)
        if self.version is None:
            told = _SORTED.encode([[each.field, each.before, each.after] for each in self.changes])
        seed = f"{stamp.request_id}\n{stamp.operation}\n{told}\n{self.resource}"
        return f"{compact(stamp.at)}#{hashlib.sha256(seed.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditFilter:
    """Filter of entries."""

    resource: Resource | None = None
    #: Both inclusive.
    since: datetime | None = None
    until: datetime | None = None
    #: A subject or a client.
    actor: str | None = None

    def matches(self, entry: AuditEntry) -> bool:
        """Tell if an entry of the span and thing is wanted."""
        return self.actor is None or self.actor in {entry.stamp.subject, entry.stamp.client_id}


def changed_fields(before: object | None, after: object | None) -> tuple[FieldChange, ...]:
    """List the fields that differ in two records, in the order in which they have them.

    A record that is new or gone lists the fields that are not at their default.
    """
    whole = before is None or after is None
    old, new = _told(before, whole=whole), _told(after, whole=whole)
    # Credentials are compared, and not shown.
    shown = redact(old), redact(new)
    return tuple(
        FieldChange(field=name, before=shown[0].get(name), after=shown[1].get(name))
        for name in {**new, **old}
        if old.get(name) != new.get(name)
    )


def told_of_attempt(attempt: Attempt | None) -> Mapping[str, object] | None:
    """Return the fields of an attempt that callers change."""
    if attempt is None:
        return None
    return {
        "attempt": attempt.id.number,
        "state": attempt.state,
        "due_at": attempt.due_at,
        "cancel_requested": attempt.cancel_requested,
        "reason": attempt.reason,
        "resolution": attempt.resolution,
        "payload": attempt.payload,
        "terms": attempt.terms,
    }


def told_of_api_key(key: "ApiKey | None") -> Mapping[str, object] | None:
    """Return the fields of an API key; what proves it is none of them."""
    if key is None:
        return None
    return {
        "name": key.name,
        "scopes": key.scopes,
        "expires_at": key.ends_at,
        "created_by": key.created_by,
        "revoked_at": key.revoked_at,
    }


def told_of_dag_run(run: "DagRun | None") -> Mapping[str, object] | None:
    """Return the fields of a DAG run that callers change."""
    if run is None:
        return None
    return {
        "dag_id": run.dag_id,
        "dag_version": run.dag_version,
        "status": run.status,
        "reason": run.reason,
        "round": run.round,
        "put_back": len(run.repeats),
    }


def told_with_tasks(run: "DagRun", tasks: "Iterable[TaskProgress]") -> Mapping[str, object]:
    """The same, and what people decide about tasks: a field for each."""
    told = {f"tasks.{task.key}": _told_of_task(task) for task in tasks}
    return {**(told_of_dag_run(run) or {}), **told}


def _told_of_task(task: "TaskProgress") -> Mapping[str, object]:
    """Return the fields of a task that callers decide; a run's answer is none of them."""
    from timegate.domain.dag_runs.progress import TaskReason  # noqa: PLC0415 - few are told

    told: dict[str, object] = {"state": task.state, "reason": task.reason, "round": task.round}
    done = task.intervention
    if done is not None:
        told |= {"intervention": done.kind, "note": done.note}
        told |= {"members": list(done.members)} if done.members else {}
    if task.reason == TaskReason.FORCED and task.result is not None:
        told["result"] = task.result
    return told


def _told(record: object | None, *, whole: bool = False) -> Mapping[str, Any]:
    """A record's fields as JSON, with none that is internal; a job's timing is its own.

    ``whole``: without those at their default.
    """
    if record is None:
        return {}
    if isinstance(record, Mapping):
        return {str(name): _plain(str(name), value) for name, value in record.items()}
    told: dict[str, Any] = {}
    for name, value in _said(record) if whole else _held(record):
        if name == "timing":
            told |= _told(value, whole=whole)
        elif name not in _INTERNAL:
            told[name] = _short(_plain(name, value))
    return told


def _held(record: object) -> list[tuple[str, Any]]:
    """Return a record's fields, with their names."""
    return [(each.name, getattr(record, each.name)) for each in fields_of(type(record))]


def _said(record: object) -> list[tuple[str, Any]]:
    """Return those that have not the value that they have when their owner says nothing."""
    known = defaults_of(type(record))
    # Most have it, and are the very same value.
    said = [each for each in _held(record) if each[1] is not known.get(each[0], MISSING)]
    return [(name, value) for name, value in said if value != known.get(name, MISSING)]


def _plain(name: str, value: object) -> Any:  # noqa: ANN401 - JSON
    match value:
        case None | bool() | int() | float():
            return value
        case datetime():
            return rfc3339(value)
        case str():
            return _plain_text(name, value)
        case Payload():
            return digest_of(value)
        case Mapping():
            hidden = name == "headers"
            return {
                str(key): digest(str(each)) if hidden else _plain(str(key), each)
                for key, each in value.items()
            }
        case _:
            return _plain_container(name, value)


def _plain_container(name: str, value: object) -> Any:  # noqa: ANN401 - JSON
    if is_dataclass(value) and not isinstance(value, type):
        return {each: _plain(each, inner) for each, inner in _said(value)}
    if isinstance(value, frozenset | set):
        return sorted((_plain(name, each) for each in value), key=str)
    if isinstance(value, tuple | list):
        return [_plain(name, each) for each in value]
    return str(value)


def _plain_text(name: str, text: str) -> Any:  # noqa: ANN401 - JSON
    if name in _DIGESTED:
        return digest(text)
    if name == "url":
        # Any part but the place itself may be a credential.
        parts = urlsplit(text)
        host = parts.netloc.rpartition("@")[2]
        kept = urlunsplit((parts.scheme, host, parts.path, "", ""))
        return kept if kept == text else {"url": kept, **digest(text)}
    return str(text)


def _short(value: Any) -> Any:  # noqa: ANN401 - JSON
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str) and len(value) <= _SURELY_SHORT:
        return value
    text = _SORTED.encode(value)
    return value if len(text.encode()) <= MAX_VALUE_BYTES else digest(text)
