"""Routes of API keys: a tenant's own, and any tenant's for the administration of the stage."""

from dataclasses import replace
from functools import partial
from http import HTTPStatus

from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.refusals import InsufficientScope, KeysMakeNoKeys
from api.http.route import Scope, route
from api.http.tenancy import key_of, scopes_of
from api.tenants.keys import key_answers
from api.tenants.keys.key_views import key_view, made_key_view
from api.values.views import page_view
from timegate.contracts.tenants.api_key import NewKeyRequest
from timegate.domain.tenants.api_key import KeyScope
from timegate.domain.tenants.standing import refuse_erased
from timegate.domain.values.identity import asked_as
from timegate.domain.values.tenant_errors import TenantNotFound
from timegate.usecases.tenants.api_keys import NewKey, list_keys, make_key, revoke_key

_list = partial(
    route,
    "GET",
    answer=key_answers.ApiKeyList,
    success={200: "Every key of the tenant; ended ones for 30 days more."},
)
_make = partial(
    route,
    "POST",
    body=NewKeyRequest,
    body_is_optional=True,
    answer=key_answers.MadeApiKey,
    success={
        201: "The key; it is shown in this answer alone.",
        200: "The Idempotency-Key was used before with this body: the record, without the key.",
    },
    refusals=(409,),
    request_headers=("Idempotency-Key",),
    answer_headers=("Idempotency-Replayed",),
)
_revoke = partial(
    route,
    "POST",
    answer=key_answers.ApiKey,
    success={200: "The key as it is now."},
    refusals=(404, 409),
)


@_list("/v1/tenants/<tenant>/keys", operation="listTenantKeys", asks=Scope.ADMIN)
@_list("/v1/keys", operation="listKeys")
def list_all(exchange: Exchange) -> Reply:
    """List API keys.

    Without what proves them: no answer but the one that makes a key has that.
    """
    keys = list_keys(exchange.tenant, exchange.services, now=exchange.now)
    return Reply(body=page_view(keys, lambda each: key_view(each, now=exchange.now)))


@_make("/v1/tenants/<tenant>/keys", operation="createTenantKey", asks=Scope.ADMIN)
def make_for(exchange: Exchange) -> Reply:
    """Make an API key of a tenant.

    For a tenant that is on record, as the stage's administration. With an Idempotency-Key, the same
    request makes one key, for as long as it is listed.
    """
    settings = exchange.services.tenants.get(exchange.tenant)
    refuse_erased(settings)
    if not settings.version:
        raise TenantNotFound(exchange.tenant)
    return _made(exchange, _asked(exchange))


@_make("/v1/keys", operation="createKey")
def make(exchange: Exchange) -> Reply:
    """Make an API key.

    With scopes that the caller has itself. A key makes no keys: a person or a token does. With an
    Idempotency-Key, the same request makes one key, for as long as it is listed.
    """
    if key_of(exchange.event) is not None:
        raise KeysMakeNoKeys
    asked, prefix = _asked(exchange), exchange.services.scope_prefix
    held = scopes_of(exchange.event, exchange.people, prefix)
    own = tuple(scope for scope in KeyScope if f"{prefix}/{scope}" in held)
    lacking = next((scope for scope in asked.scopes or () if scope not in own), None)
    if lacking is not None:
        raise InsufficientScope(f"{prefix}/{lacking}")
    return _made(exchange, replace(asked, scopes=asked.scopes or own))


@_revoke("/v1/tenants/<tenant>/keys/<key_id>/revoke", operation="revokeTenantKey", asks=Scope.ADMIN)
def revoke_of(exchange: Exchange) -> Reply:
    """Revoke an API key of a tenant.

    It lets its holder in no more, within ten seconds everywhere.
    """
    return _revoked(exchange)


@_revoke("/v1/keys/<key_id>/revoke", operation="revokeKey")
def revoke(exchange: Exchange) -> Reply:
    """Revoke an API key.

    It lets its holder in no more, within ten seconds everywhere. The holder of a key may revoke
    that one alone.
    """
    own = key_of(exchange.event)
    if own is not None and own != exchange.path["key_id"]:
        raise KeysMakeNoKeys
    return _revoked(exchange)


def _asked(exchange: Exchange) -> NewKey:
    body = exchange.optional_body()
    return replace(
        body.parse(NewKeyRequest).to_domain(),
        asked_as=asked_as(exchange.tenant, idempotency_key(exchange)),
        request_hash=body.fingerprint,
    )


def _made(exchange: Exchange, asked: NewKey) -> Reply:
    services, now = exchange.services, exchange.now
    made = make_key(exchange.tenant, asked, services, by=exchange.caller, now=now)
    reply = Reply(body=made_key_view(made, now=now), status=HTTPStatus.CREATED)
    return reply.unless(replayed=made.text is None)


def _revoked(exchange: Exchange) -> Reply:
    now = exchange.now
    key = revoke_key(exchange.tenant, exchange.path["key_id"], exchange.services, now=now)
    return Reply(body=key_view(key, now=now))
