"""Issuers of tokens, and what their tokens say of people."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Issuer:
    """The stage's own pool, or an issuer of its owner's."""

    url: str
    audience: tuple[str, ...]
    #: The client with which people sign in to the console; empty: none do.
    console_client: str = ""
    #: The claim of people's roles; empty: Cognito's groups.
    roles_claim: str = ""
    #: Names of tenants whose clients the audience begins with, in that order.
    tenants: tuple[str, ...] = ()
