"""Pauses of pools as items: a partition for each tenant, which no reader of workers meets."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query, first_rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.pools.pause import PoolPause, damaged_pause
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.tenant import TenantId

#: Pauses of a tenant that are read together.
MOST_READ = 1_000
#: The partition of the pauses, behind the tenant.
PAUSES = "pool#pauses"
#: No pool's name has a colon.
PAUSE_PREFIX = "pause:"
#: A pause that is over tells for so long why runs were late.
_OVER_KEPT_FOR = timedelta(days=90)

#: Conditions name the revision.
_PAUSE = Part(PoolPause, always=("revision",), without=("is_damaged",))
#: Fields that are read of a damaged record, each by itself: changes count on, and an end holds.
_APART = tuple(Part(PoolPause, only=(name,)) for name in ("revision", "until", "ended_at"))


def pauses_pk(tenant: TenantId) -> str:
    """Return the partition of the pauses of a tenant's pools, in the jobs table."""
    return f"{tenant}#{PAUSES}"


def pause_key(tenant: TenantId, pool: str) -> Key:
    """Return the key of a pool's last pause."""
    return Key(pk=pauses_pk(tenant), sk=f"{PAUSE_PREFIX}{pool}")


def pause_to_fields(tenant: TenantId, pause: PoolPause) -> dict[str, Plain]:
    """Return the item of a pause; one without an end is kept until it has one."""
    key, ends_at = pause_key(tenant, pause.pool), pause.ends_at
    kept_until = None if ends_at is None else int((ends_at + _OVER_KEPT_FOR).timestamp())
    return {"pk": key.pk, "sk": key.sk, **_PAUSE.fields(pause), "expires_at": kept_until}


def pause_from_fields(fields: Mapping[str, Plain]) -> PoolPause:
    """Read a pause back; a damaged record is one of which nothing is known but its end."""
    try:
        return _PAUSE.read(fields)
    except DAMAGE:
        pool = str(fields["sk"]).removeprefix(PAUSE_PREFIX)
        return damaged_pause(pool, **_readable(fields))


def _readable(fields: Mapping[str, Plain]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in _APART:
        with suppress(*DAMAGE):
            found |= part.arguments(fields)
    return found


def read_pause(engine: Engine, table: str, tenant: TenantId, pool: str) -> PoolPause | None:
    """Read a pool's last pause, strongly consistent."""
    found = read_pause_item(engine, table, tenant, pool)
    return None if found is None else pause_from_fields(found)


def read_pause_item(engine: Engine, table: str, tenant: TenantId, pool: str) -> Fields | None:
    """Read the item of a pool's last pause, strongly consistent."""
    key = pause_key(tenant, pool)
    # Workers and the sweeper may read jobs in batches, and get no single one.
    return engine.get_all({table: [key]})[table].get(key)


def read_pauses(
    engine: Engine, table: str, tenant: TenantId, pools: Collection[str]
) -> tuple[dict[str, PoolPause], bool]:
    """Read the last pause of these pools and of others, and tell if the tenant has still more.

    Pauses that are over are on record among them.
    """
    query = Query(table=table, of=pauses_pk(tenant), prefix=PAUSE_PREFIX)
    items = first_rows(engine, query, MOST_READ + 1)
    is_partial = len(items) > MOST_READ
    read = items[:MOST_READ]
    if is_partial:
        keys = [pause_key(tenant, pool) for pool in pools]
        read += engine.get_all({table: keys})[table].values() if keys else ()
    return {each.pool: each for each in map(pause_from_fields, read)}, is_partial
