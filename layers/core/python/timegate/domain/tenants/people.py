"""People: what a person's token says of her name, her tenant and her roles."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from timegate.value_classes import dataclass


class Role(StrEnum):
    """A part that a person has, as her issuer gives it; several add up."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    EDITOR = "editor"
    ADMIN = "admin"


#: Scopes that a role allows; no person works as a worker.
ROLE_SCOPES: Mapping[Role, frozenset[str]] = {
    Role.VIEWER: frozenset({"read"}),
    Role.OPERATOR: frozenset({"read", "operate", "send"}),
    Role.EDITOR: frozenset({"read", "write", "operate", "send"}),
    # The stage's administration as well: it is given to the stage's own people.
    Role.ADMIN: frozenset({"read", "write", "operate", "send", "admin"}),
}

#: Addresses of a person's own machine to which an issuer sends the end of her sign-in from the
#: command line. Cognito takes no port that it does not know; one of three is free.
SIGN_IN_RETURNS = tuple(f"http://localhost:{port}/signed-in" for port in (41870, 41871, 41872))

#: Cognito's claim of a person's groups.
ROLES_CLAIM = "cognito:groups"
#: Claims that name a person, the most telling first. People may not choose their own.
_NAMES = ("username", "email", "sub")
#: Claims that name a token's client; issuers use one or another.
_CLIENTS = ("client_id", "azp", "cid")


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """A person who asks by a token of her own."""

    name: str
    #: The claim of her tenant, unchecked; ``None``: she has none.
    tenant: object
    roles: tuple[Role, ...]

    def limits(self, scopes: frozenset[str], prefix: str) -> frozenset[str]:
        """Return those of a token's scopes that her roles allow; ``prefix`` as in ``timegate``."""
        allowed = {f"{prefix}/{scope}" for role in self.roles for scope in ROLE_SCOPES[role]}
        return scopes & allowed


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleRules:
    """Rules by which a token is a person's, and not a program's."""

    #: The console's client; empty: people have none.
    client: str = ""
    roles_claim: str = ROLES_CLAIM
    #: Claim of a person's tenant, at an issuer of the stage's owner.
    tenant_claim: str = "client_id"
    #: Tenants with a client, by name, at the stage's own pool. There a person's user name begins
    #: with a tenant and ``/``; a name that is not in the list is the tenant itself. ``None``: the
    #: issuer is another one, at which people may choose their names.
    tenants: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls, said: Mapping[str, Any], audience: Sequence[str], *, tenant_claim: str
    ) -> "PeopleRules":
        """Return the rules of a stage; its tenants' names stand in the order of their clients."""
        names = said.get("tenants")
        return cls(
            client=said.get("client") or "",
            roles_claim=said.get("roles_claim") or ROLES_CLAIM,
            tenant_claim=tenant_claim,
            tenants=None if names is None else dict(zip(names, audience, strict=False)),
        )

    def person(self, claims: Mapping[str, object]) -> Person | None:
        """Return the person of checked claims; ``None`` for a program.

        A token of the console's client is a person's, and so is one that has roles: a person
        without any role is let do nothing, rather than everything that a program may.
        """
        of_console = self.client and self.client in {str(claims.get(each)) for each in _CLIENTS}
        if not of_console and self.roles_claim not in claims:
            return None
        name = next((str(claims[each]) for each in _NAMES if claims.get(each)), "")
        return Person(name=name, tenant=self._tenant(claims), roles=self._roles(claims))

    def _tenant(self, claims: Mapping[str, object]) -> object:
        if self.tenants is None:
            # A client is a program's tenant, and no person's.
            return None if self.tenant_claim in _CLIENTS else claims.get(self.tenant_claim)
        tenant, slash, _ = str(claims.get("username", "")).partition("/")
        return self.tenants.get(tenant, tenant) if slash else None

    def _roles(self, claims: Mapping[str, object]) -> tuple[Role, ...]:
        said = claims.get(self.roles_claim)
        # The gateway hands a list on as text in brackets.
        words = said.strip("[]").replace(",", " ").split() if isinstance(said, str) else []
        return tuple(role for role in Role if role in words)
