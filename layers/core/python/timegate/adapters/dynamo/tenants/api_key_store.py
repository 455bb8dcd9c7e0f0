"""API keys, in the jobs table."""

from datetime import datetime

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tenants.api_key_items import (
    KEY_PREFIX,
    api_key_from_fields,
    api_key_key,
    api_key_write,
    api_keys_pk,
    slot_in,
)
from timegate.domain.tenants.api_key import ApiKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.api_key_store import KeysOnRecord


class DynamoApiKeyStore:
    """One item for each place of a tenant's."""

    def __init__(self, engine: Engine, *, table: str, audit: AuditWrites | None = None) -> None:
        self._engine = engine
        self._table = table
        self._audit = audit or AuditWrites(table=table)

    def get(self, tenant: TenantId, slot: int) -> ApiKey | None:
        """The key in a place, strongly consistent."""
        key = api_key_key(tenant, slot)
        found = self._engine.get_all({self._table: [key]})[self._table].get(key)
        return api_key_from_fields(found) if found is not None else None

    def list_keys(self, tenant: TenantId, *, now: datetime) -> KeysOnRecord:
        """Every key on record, by place, strongly consistent. A damaged one hides no other."""
        query = Query(
            table=self._table,
            of=api_keys_pk(tenant),
            prefix=KEY_PREFIX,
            as_of=now,
            consistent=True,
        )
        found = ((slot_in(fields), fields) for fields in rows(self._engine, query))
        keys, damaged = read_each(found, api_key_from_fields)
        return KeysOnRecord(keys=keys, damaged=damaged)

    def put(self, before: ApiKey | None, after: ApiKey) -> bool:
        """Store a key in its place; ``False``: the place is no more as read, ``before``."""
        # A key that takes the place of an ended one begins a trail of its own.
        told = before if before is not None and before.key_id == after.key_id else None
        write = api_key_write(self._table, before, after)
        return write_with(self._engine, write, self._audit.api_key(told, after))
