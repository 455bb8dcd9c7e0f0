"""Keys of triggers: each names the run that it began, beside the job, for a while."""

from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import Key, job_pk
from timegate.adapters.dynamo.tables.reading import Fields, has_expired, reader_of, text
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.execution.triggers import KEY_KEPT, KeyedRun, TriggerKey
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.instants import compact, from_compact
from timegate.domain.values.tenant import TenantId

_PREFIX = "trigger#"


def keep_key(table: str, key: TriggerKey, attempt: Attempt, *, retention: timedelta) -> Insert:
    """Name the run of a key, unless the key names one; no longer than its run is kept."""
    place = _place(attempt.tenant, attempt.id.run.job_id, key)
    expires_at: datetime = attempt.created_at + min(KEY_KEPT, retention)
    return Insert(
        table=table,
        fields={
            "pk": place.pk,
            "sk": place.sk,
            "run": str(attempt.id.run),
            "request_hash": key.request_hash,
            "expires_at": int(expires_at.timestamp()),
        },
        as_of=attempt.created_at,
    )


def read_key(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, key: TriggerKey, *, now: datetime
) -> KeyedRun | None:
    """Read the run that a key names, strongly consistent; ``None``: it names none by now."""
    found = _found(engine, table, _place(tenant, job_id, key), now)
    return _read(found) if found is not None else None


def knows_key(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, key: TriggerKey, *, now: datetime
) -> bool:
    """Tell if the key names a run or the instant of a batch by now, strongly consistent."""
    return _found(engine, table, _place(tenant, job_id, key), now) is not None


def keep_batch(
    engine: Engine,
    table: str,
    tenant: TenantId,
    job_id: JobId,
    key: TriggerKey,
    at: datetime,
    retention: timedelta,
) -> datetime | None:
    """Keep the key of a batch with an instant, unless it is kept, and return the instant it has.

    ``None``: the key was used with another request.
    """
    place = _place(tenant, job_id, key)
    fields = {"pk": place.pk, "sk": place.sk, "at": compact(at), "request_hash": key.request_hash}
    expires_at = int((at + min(KEY_KEPT, retention)).timestamp())
    insert = Insert(table=table, fields={**fields, "expires_at": expires_at}, as_of=at)
    if engine.write(insert).done:
        return at
    found = engine.get(table, place) or {}
    if found.get("request_hash") != key.request_hash or "at" not in found:
        return None
    return from_compact(text(found["at"]))


def _found(engine: Engine, table: str, place: Key, now: datetime) -> Fields | None:
    found = engine.get(table, place)
    return None if found is None or has_expired(found, now) else found


@reader_of("key of a trigger")
def _read(fields: Fields) -> KeyedRun:
    return KeyedRun(run=RunId.parse(text(fields["run"])), request_hash=text(fields["request_hash"]))


def _place(tenant: TenantId, job_id: JobId, key: TriggerKey) -> Key:
    return Key(pk=job_pk(tenant, job_id), sk=f"{_PREFIX}{key.digest}")
