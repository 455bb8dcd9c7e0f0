"""Issuers of tokens, and what their tokens say of people."""

from dataclasses import dataclass

#: API Gateway's limit for an authorizer (http-api-quotas); AWS does not raise it.
MAX_AUDIENCES = 50


class TooManyAudiences(ValueError):
    """An authorizer of API Gateway takes fewer audiences than the stage needs."""

    def __init__(self, field: str, needed: int) -> None:
        super().__init__(
            f"{field}: {needed} audiences are needed and {MAX_AUDIENCES} are possible: use an"
            " issuer whose tokens share an audience, and name the tenant in a claim"
        )


@dataclass(frozen=True, kw_only=True)
class Issuer:
    """The stage's own pool, or an issuer of its owner's."""

    url: str
    audience: tuple[str, ...]
    #: The client with which people sign in to the console; empty: none do.
    console_client: str = ""
    #: The claim of people's roles; empty: Cognito's groups.
    roles_claim: str = ""
    #: Names of tenants whose clients the audience begins with, in that order. ``None``: it is no
    #: pool of the stage's, and its tokens name tenants by a claim.
    tenants: tuple[str, ...] | None = None
