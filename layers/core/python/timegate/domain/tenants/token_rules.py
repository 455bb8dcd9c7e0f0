"""Rules of tokens: the gateway's checks of the claims, made once more."""

import math
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime

from timegate.domain.tenants.people import PeopleRules
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenRules:
    """The issuer of a stage's tokens, and for whom it makes them.

    Signatures are the gateway's to check: the code has the claims, and not the issuer's keys.
    """

    issuer: str
    audience: frozenset[str]
    people: PeopleRules = field(default_factory=PeopleRules)

    def accepts(self, claims: Mapping[str, object], *, now: datetime) -> bool:
        """Accept claims of this issuer, for this audience, valid now, and made for access.

        Claims come as the gateway hands them on: as text, lists in brackets.
        """
        return (
            claims.get("iss") == self.issuer
            and not self.audience.isdisjoint(_audience(claims))
            and _is_good(claims, now)
            # Cognito's tokens that say who a person is are signed for the same audience.
            and claims.get("token_use", "access") == "access"
        )


def _audience(claims: Mapping[str, object]) -> list[str]:
    """``aud``, and only of a token without one ``client_id``: as the gateway does."""
    said = claims["aud"] if "aud" in claims else claims.get("client_id")
    return said.strip("[]").replace(",", " ").split() if isinstance(said, str) else []


def _is_good(claims: Mapping[str, object], now: datetime) -> bool:
    """Expired at ``exp`` itself; a token that never expires is none."""
    at = now.astimezone(UTC).timestamp()
    begins, ends = _seconds(claims.get("nbf", "0")), _seconds(claims.get("exp"))
    return begins is not None and ends is not None and begins <= at < ends


def _seconds(claim: object) -> float | None:
    """Seconds since 1970, however the gateway writes them (``1.7637084E9``); ``None``: none."""
    try:
        seconds = float(str(claim))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) else None
