"""Making, listing and revoking API keys of a tenant."""

from collections.abc import Callable, Iterable
from dataclasses import replace
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
from timegate.domain.values.errors import IdempotencyConflict
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import ApiKeyNotFound, TenantChanged, TooManyApiKeys
from timegate.ports.stores import NamedPage
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable
from timegate.value_classes import dataclass

#: People make keys, and few at once.
MAX_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class NewKey:
    """A key to be made; ``None``: the usual."""

    name: str = ""
    scopes: tuple[KeyScope, ...] | None = None
    ends_at: datetime | None = None
    #: The Idempotency-Key, as a digest; empty: there is none.
    asked_as: str = ""
    #: Fingerprint of the request.
    request_hash: str = ""

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
    #: ``None``: an earlier request made it, and had the text in its answer.
    text: str | None


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
        asked_as=asked.asked_as,
        request_hash=asked.request_hash,
    )
    return MadeKey(key=key, text=str(KeyText(tenant=tenant, slot=slot, secret=secret)))


def list_keys(tenant: TenantId, services: ApiServices, *, now: datetime) -> NamedPage[ApiKey]:
    """The tenant's keys that can be read, by place; operators are told of the others."""
    found = services.keys_at_hand().store.list_keys(tenant, now=now)
    damaged = tuple((str(slot), detail) for slot, detail in found.damaged)
    event, telemetry = service_events.API_KEY_UNREADABLE, services.telemetry
    tell_of_unreadable(event, tenant, damaged, telemetry, named="slot")
    return NamedPage(rows=found.keys, damaged=damaged, cursor=None)


def make_key(
    tenant: TenantId, asked: NewKey, services: ApiServices, *, by: str, now: datetime
) -> MadeKey:
    """Make a key in the first free place, unless the same request has made it.

    Raises ``InvalidInput``, ``TooManyApiKeys``, ``IdempotencyConflict`` for an Idempotency-Key that
    was used with another body, and ``TenantChanged`` after losing every race.
    """
    keys = services.keys_at_hand()
    for _ in range(MAX_TRIES):
        found = keys.store.list_keys(tenant, now=now)
        there = {key.slot: key for key in found.keys}
        known = _asked_before(asked, there.values())
        if known is not None:
            return MadeKey(key=known, text=None)
        unreadable = [slot for slot, _ in found.damaged]
        slot = free_slot(there.values(), now=now, unreadable=unreadable)
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


def _asked_before(asked: NewKey, keys: Iterable[ApiKey]) -> ApiKey | None:
    """Find the key that a request with the same Idempotency-Key made.

    Two such requests at once contend for one place: the loser reads the keys again, and finds it.
    """
    found = (key for key in keys if asked.asked_as and key.asked_as == asked.asked_as)
    known = next(found, None)
    if known is not None and known.request_hash != asked.request_hash:
        raise IdempotencyConflict
    return known


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
