"""API keys as items: one partition of the jobs table for each tenant, an item for each place."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import reader_of
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.domain.tenants.api_key import ApiKey
from timegate.domain.values.tenant import TenantId

KEY_PREFIX = "api-key#"
_KEY = Part(ApiKey)


def api_keys_pk(tenant: TenantId) -> str:
    """The partition of a tenant's keys; no job's id is such a word."""
    return f"{tenant}#api-keys"


def api_key_key(tenant: TenantId, slot: int) -> Key:
    """The key of a place."""
    return Key(pk=api_keys_pk(tenant), sk=f"{KEY_PREFIX}{slot:02}")


def slot_in(fields: Mapping[str, Plain]) -> int:
    """Return the place that an item's key names."""
    return int(str(fields["sk"]).removeprefix(KEY_PREFIX))


def api_key_to_fields(key: ApiKey) -> dict[str, Plain]:
    """The whole item; DynamoDB deletes it when it is listed no more."""
    place = api_key_key(key.tenant, key.slot)
    expires_at = int(key.listed_until.timestamp())
    return {"pk": place.pk, "sk": place.sk, **_KEY.fields(key), "expires_at": expires_at}


@reader_of("API key")
def api_key_from_fields(fields: Mapping[str, Plain]) -> ApiKey:
    """Read it back; raises ``Malformed``."""
    return _KEY.read(fields)


def api_key_write(table: str, before: ApiKey | None, after: ApiKey) -> Insert | Replace:
    """Store a key in a place that is free, or as it was read."""
    fields = api_key_to_fields(after)
    if before is None:
        return Insert(table=table, fields=fields, as_of=after.created_at)
    # Only its revocation may happen to a key meanwhile.
    still = {"digest": before.digest, "revoked_at": _KEY.fields(before).get("revoked_at")}
    return Replace(table=table, fields=fields, where=still)
