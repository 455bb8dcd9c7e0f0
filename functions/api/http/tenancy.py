"""Claims of a checked token or key: the tenant, and the scopes.

Nothing else in a request does, but for the paths of the stage's administration, whose scope no
tenant's client or key can be given (``infra/constructs/api/identity.py``).
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2

from api.http.body import body_text
from api.http.refusals import InsufficientRole, InsufficientScope, NoTenant, Unauthenticated
from timegate.domain.pools.lease_token import tenant_in
from timegate.domain.tenants.people import ROLE_SCOPES, PeopleRules, Person, Role
from timegate.domain.tenants.token_rules import TokenRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import ADMINISTRATION, TenantId, tenant_id

if TYPE_CHECKING:
    from timegate.usecases.services.api_services import ApiServices
    from timegate.usecases.services.worker_services import WorkerServices

#: Tenant of an administration's request that names none: no tenant has such a name.
STAGE = TenantId("(stage)")

#: Tenant of a request to a web hook before its signature is checked: no tenant has this name.
UNPROVEN = TenantId("(unproven)")

#: In front of every path, for requests by API key: the gateway asks for no token there, as a route
#: has an authorizer or none, and one for both would be a function in front of every request
#: (decision 170; ``infra/constructs/api/job_api.py``).
PREFIX = "/key"
_BEGINNING = f"{PREFIX}/v1/"
#: The id of the key that was admitted; empty before. No gateway sends an event with this name.
_MARK = "timegateKey"
#: The tenant of that key. It has no claim for it: of a token that may be ``sub``, or the client.
_OWNER = "timegateKeyTenant"


def tenant_of(event: APIGatewayProxyEventV2, claim: str, people: PeopleRules) -> TenantId:
    """The tenant of a program or a person.

    Raises ``Unauthenticated`` without a token, ``NoTenant`` without a usable claim.
    The gateway checks tokens before it calls us; a request without claims did not pass there.
    """
    claims = _claims(event)
    person = people.person(claims)
    said = claims.get(claim) if person is None else person.tenant
    try:
        return tenant_id(event.raw_event.get(_OWNER, said))
    except InvalidInput as error:
        raise NoTenant from error


def tenant_of_lease(event: APIGatewayProxyEventV2) -> TenantId:
    """The tenant that the lease token of a target names; raises ``Unauthenticated`` without one.

    Bytes that are no UTF-8 raise ``MalformedBody``, as they do everywhere.

    The gateway checks nothing here. The token is signed with a key that lies on the very attempt
    it speaks for, so a worker that names another tenant is refused before anything of its is read
    out or written (``usecases/pools/held_lease.py``).
    """
    try:
        said = json.loads(body_text(event) or "null")
    except (ValueError, RecursionError) as error:
        raise Unauthenticated from error
    tenant = tenant_in(said.get("lease_token")) if isinstance(said, dict) else None
    if tenant is None:
        raise Unauthenticated
    return tenant


def tenant_named(name: str | None) -> TenantId:
    """The tenant in a path of the administration; raises ``InvalidInput``.

    Without one: ``STAGE``. Only routes of the stage ask, once the scope has been checked.
    """
    if name is None:
        return STAGE
    try:
        return tenant_id(name)
    except InvalidInput as error:
        detail = "It has not the shape of a tenant's name."
        raise InvalidInput("tenant", "invalid_format", detail) from error


def check_token(event: APIGatewayProxyEventV2, rules: TokenRules, *, now: datetime) -> None:
    """Raise ``Unauthenticated`` unless the token is this stage's, and good now.

    The gateway asks for the same, and for the signature. Asked twice, an authorizer that is
    attached wrongly, or to nothing, refuses every caller.
    """
    if not rules.accepts(_claims(event), now=now):
        raise Unauthenticated


def unprefixed(event: dict[str, Any]) -> dict[str, Any]:
    """Return a request by key at the path it means, without claims; any other as it is."""
    path = event["rawPath"]
    unmarked = {name: said for name, said in event.items() if name not in {_MARK, _OWNER}}
    if not path.startswith(_BEGINNING):
        return unmarked
    return {
        **unmarked,
        _MARK: "",
        "rawPath": path.removeprefix(PREFIX),
        "requestContext": {**event["requestContext"], "authorizer": {}},
    }


def is_by_key(event: APIGatewayProxyEventV2) -> bool:
    """Tell if the request is to prove itself by a key, and by nothing else."""
    return _MARK in event.raw_event


def key_of(event: APIGatewayProxyEventV2) -> str | None:
    """The id of the key that the caller holds; ``None`` for any other caller."""
    return event.raw_event.get(_MARK)


def admit(
    event: APIGatewayProxyEventV2, services: "ApiServices | WorkerServices", *, now: datetime
) -> None:
    """Check the key, and put what it says where the gateway puts the claims of a token.

    Raises ``Unauthenticated`` without one, and ``ApiKeyRefused``.
    """
    kind, _, text = (event.headers.get("authorization") or "").partition(" ")
    if kind.lower() != "bearer" or not text:
        raise Unauthenticated
    key = services.keys_at_hand().admitted(text.strip(), now=now)
    granted = ("admin",) if key.tenant == ADMINISTRATION else key.scopes
    scopes = " ".join(f"{services.scope_prefix}/{scope}" for scope in granted)
    # None names a client: the tenant's own did not ask.
    claims = {"sub": key.subject, "scope": scopes}
    event["requestContext"]["authorizer"]["jwt"] = {"claims": claims}
    event.raw_event[_MARK] = key.key_id
    event.raw_event[_OWNER] = str(key.tenant)


def person_of(event: APIGatewayProxyEventV2, people: PeopleRules) -> Person | None:
    """The person who asks; ``None`` for a program."""
    return people.person(_claims(event))


def subject_of(event: APIGatewayProxyEventV2, people: PeopleRules) -> str | None:
    """The name of a person, or the subject of a program's token."""
    claims = _claims(event)
    person = people.person(claims)
    said = claims.get("sub") if person is None else person.name
    return str(said) if said else None


def scopes_of(event: APIGatewayProxyEventV2, people: PeopleRules, prefix: str) -> frozenset[str]:
    """Everything that the token allows, and of a person's token what her roles allow as well."""
    claims = _claims(event)
    person = people.person(claims)
    scopes = _scopes(claims)
    return scopes if person is None else person.limits(scopes, prefix)


def check_scope(
    event: APIGatewayProxyEventV2, scope: str, people: PeopleRules, prefix: str
) -> None:
    """Raise ``InsufficientScope`` unless the token allows ``scope`` (``read``).

    The gateway asks for the same. Asked twice, one mistake in its routes opens nothing. Roles of
    people are checked here alone: raises ``InsufficientRole``.
    """
    needed = f"{prefix}/{scope}"
    if needed not in _scopes(_claims(event)):
        raise InsufficientScope(needed)
    person = people.person(_claims(event))
    if person is not None and needed not in person.limits(frozenset({needed}), prefix):
        able = [role for role in Role if scope in ROLE_SCOPES[role]]
        raise InsufficientRole(able, person.roles)


def _claims(event: APIGatewayProxyEventV2) -> Mapping[str, object]:
    authorizer = event["requestContext"].get("authorizer") or {}
    claims: Mapping[str, object] | None = (authorizer.get("jwt") or {}).get("claims")
    if not claims:
        raise Unauthenticated
    return claims


def _scopes(claims: Mapping[str, object]) -> frozenset[str]:
    """Read ``scope`` (RFC 8693, 4.2) and ``scp``, which some issuers use, as the gateway does."""
    texts = [claims.get("scope"), claims.get("scp")]
    # The gateway hands a list on as text in brackets.
    words = [text.strip("[]").replace(",", " ").split() for text in texts if isinstance(text, str)]
    return frozenset(word for each in words for word in each)
