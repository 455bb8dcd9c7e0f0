"""A token counts if the stage's issuer gave it to one of its clients."""

from datetime import timedelta

import pytest

from tests.support.factories import NOW
from timegate.domain.tenants.token_rules import TokenRules

RULES = TokenRules(issuer="https://id.example.com/pool", audience=frozenset({"one", "two"}))
AT = int(NOW.timestamp())
#: Cognito's claims, from the gateway: without an audience, and everything as text.
GOOD: dict[str, object] = {
    "iss": "https://id.example.com/pool",
    "client_id": "one",
    "exp": str(AT + 1),
    "iat": str(AT),
    "token_use": "access",
}

ACCEPTED: dict[str, dict[str, object]] = {
    "of-cognito": {},
    "with-an-audience": {"aud": "two", "client_id": "else"},
    "for-several": {"aud": "[else two]"},
    "good-from-now": {"nbf": str(AT)},
    "in-exponents": {"exp": f"{AT + 1:.9E}"},
    "with-fractions": {"exp": f"{AT}.5"},
    "as-a-number": {"exp": AT + 1},
    "of-an-issuer-without-uses": {"token_use": None},
}
REFUSED: dict[str, dict[str, object]] = {
    "no-issuer": {"iss": None},
    "another-issuer": {"iss": "https://id.example.com/other"},
    "an-issuer-below": {"iss": "https://id.example.com/pool/"},
    "an-issuer-in-capitals": {"iss": "HTTPS://ID.EXAMPLE.COM/POOL"},
    "several-issuers": {"iss": ["https://id.example.com/pool"]},
    "no-audience": {"client_id": None},
    "an-empty-audience": {"aud": ""},
    "another-client": {"client_id": "three"},
    "another-audience": {"aud": "three"},
    "part-of-an-audience": {"aud": "on"},
    "an-audience-of-another-type": {"aud": 1},
    "no-expiry": {"exp": None},
    "expiring-now": {"exp": str(AT)},
    "expired": {"exp": str(AT - 1)},
    "never-expiring": {"exp": "Infinity"},
    "expiring-at-no-time": {"exp": "NaN"},
    "expiring-some-day": {"exp": "tomorrow"},
    "good-in-a-second": {"nbf": str(AT + 1)},
    "good-some-day": {"nbf": "tomorrow"},
    "who-a-person-is": {"token_use": "id"},
    "to-get-others-with": {"token_use": "refresh"},
}


def claims(changes: dict[str, object]) -> dict[str, object]:
    """A good token's, with these instead; ``None``: without."""
    return {name: value for name, value in (GOOD | changes).items() if value is not None}


@pytest.mark.parametrize("changes", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_a_token_of_the_stage_is_accepted(changes: dict[str, object]) -> None:
    """A token of the issuer for one of its audience counts from its first second to its last."""
    assert RULES.accepts(claims(changes), now=NOW)


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED.keys())
def test_any_other_token_is_not(changes: dict[str, object]) -> None:
    """A claim that is missing or cannot be read is no excuse."""
    assert not RULES.accepts(claims(changes), now=NOW)


def test_a_token_expires_while_it_is_held() -> None:
    """At ``exp`` it is no longer good (RFC 7519, 4.1.4)."""
    just_before = NOW + timedelta(milliseconds=999)

    assert RULES.accepts(GOOD, now=just_before)
    assert not RULES.accepts(GOOD, now=NOW + timedelta(seconds=1))


def test_a_stage_without_an_issuer_lets_no_caller_in() -> None:
    """A setting that is missing opens nothing."""
    assert not TokenRules(issuer="", audience=frozenset()).accepts(GOOD, now=NOW)
