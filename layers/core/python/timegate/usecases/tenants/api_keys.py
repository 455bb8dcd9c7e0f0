"""Making, listing and revoking API keys of a tenant."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from timegate.domain.tenants.api_key import (
    DEFAULT_LIFETIME,
    MAX_KEYS,
    ApiKey,
    KeyScope,
    KeyText,
    check_lifetime,
    digest_of,
    free_slot,
    new_secret,
    slot_of,
)
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import ApiKeyNotFound, TenantChanged, TooManyApiKeys
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices

#: People make keys, and few at once.
MAX_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A key to be made; ``None``: the usual."""

    name: str = ""
    scopes: tuple[KeyScope, ...] | None = None
    ends_at: datetime | None = None

    @property
    def wanted_scopes(self) -> tuple[KeyScope, ...]:
        """The scopes that it is to have, in the order in which people read them."""
        return tuple(each for each in KeyScope if self.scopes is None or each in self.scopes)


@dataclass(frozen=True, kw_only=True, slots=True)
class Issuing:
    """On whose behalf a key is made, and from which fresh random bytes."""

    by: str
    new_seed: Callable[[], bytes]


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeKey:
    """A new key, and its text, which nothing keeps."""

    key: ApiKey
    text: str


def issue(
    tenant: TenantId, slot: int, asked: NewKey, issuing: Issuing, *, now: datetime
) -> MadeKey:
    """Make a key of a place; raises ``InvalidInput``."""
    ends_at = asked.ends_at or now + DEFAULT_LIFETIME
    check_lifetime(ends_at, now=now)
    secret = new_secret(issuing.new_seed())
    key = ApiKey(
        tenant=tenant,
        slot=slot,
        name=asked.name,
        digest=digest_of(secret),
        scopes=asked.wanted_scopes,
        created_at=now,
        created_by=issuing.by,
        ends_at=ends_at,
    )
    return MadeKey(key=key, text=str(KeyText(tenant=tenant, slot=slot, secret=secret)))


def make_key(
    tenant: TenantId, asked: NewKey, services: ApiServices, *, by: str, now: datetime
) -> MadeKey:
    """Make a key in the first free place.

    Raises ``InvalidInput``, ``TooManyApiKeys``, and ``TenantChanged`` after losing every race.
    """
    keys = services.keys_at_hand()
    for _ in range(MAX_TRIES):
        there = {key.slot: key for key in keys.store.list_keys(tenant)}
        slot = free_slot(there.values(), now=now)
        if slot is None:
            raise TooManyApiKeys(MAX_KEYS)
        made = issue(tenant, slot, asked, Issuing(by=by, new_seed=services.new_seed), now=now)
        if keys.store.put(there.get(slot), made.key):
            keys.forget(made.key)
            services.telemetry.event(
                service_events.API_KEY_MADE, tenant_id=tenant, key_id=made.key.key_id
            )
            return made
    raise TenantChanged(tenant)


def revoke_key(tenant: TenantId, key_id: str, services: ApiServices, *, now: datetime) -> ApiKey:
    """Let a key open nothing more; one that was revoked stays as it is.

    Other processes hear of it within ten seconds. Raises ``ApiKeyNotFound``, and
    ``TenantChanged`` after losing every race.
    """
    keys, slot = services.keys_at_hand(), slot_of(key_id)
    for _ in range(MAX_TRIES):
        key = keys.store.get(tenant, slot) if slot is not None else None
        if key is None or key.key_id != key_id:
            raise ApiKeyNotFound(key_id)
        if key.revoked_at is not None:
            return key
        revoked = replace(key, revoked_at=now)
        if keys.store.put(key, revoked):
            keys.forget(key)
            services.telemetry.event(
                service_events.API_KEY_REVOKED, tenant_id=tenant, key_id=key_id
            )
            return revoked
    raise TenantChanged(tenant)
