"""Tokens as the gateway hands them on once it has checked them."""

from collections.abc import Mapping

from timegate.domain.tenants.people import PeopleRules
from timegate.domain.tenants.token_rules import TokenRules

#: Tokens of the samples (``events/``) count.
TOKEN_RULES = TokenRules(
    issuer="https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Sample",
    audience=frozenset({"timegate", "acme", "5h0administration", "5h0console"}),
    people=PeopleRules(client="5h0console", tenants={"red": "5h0red"}),
)
#: Claims of every token beside the tenant and its scopes.
TOKEN: Mapping[str, object] = {
    "iss": TOKEN_RULES.issuer,
    "aud": "timegate",
    "exp": "4102444800",
}
#: Scopes that the console's client asks for; roles narrow them down.
CONSOLE_SCOPES = "openid timegate/read timegate/write timegate/operate timegate/send timegate/admin"
#: Claims of a person without a role.
PERSON: Mapping[str, str] = {
    "client_id": "5h0console",
    "username": "acme/ada",
    "sub": "b4f8a4a8-0000-4000-8000-7d1d3c5a9e01",
    "scope": CONSOLE_SCOPES,
}
