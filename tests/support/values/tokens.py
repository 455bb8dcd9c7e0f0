"""Tokens as the gateway hands them on once it has checked them."""

from collections.abc import Mapping

from timegate.domain.tenants.token_rules import TokenRules

#: Whose tokens count: those of the samples (``events/``).
TOKEN_RULES = TokenRules(
    issuer="https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Sample",
    audience=frozenset({"timegate", "acme", "5h0administration"}),
)
#: What every token says beside the tenant and its scopes.
TOKEN: Mapping[str, object] = {
    "iss": TOKEN_RULES.issuer,
    "aud": "timegate",
    "exp": "4102444800",
}
