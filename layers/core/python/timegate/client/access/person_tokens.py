"""Tokens of a person who has signed in: one file, readable by its owner alone."""

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from timegate.client.access.private_files import changing, write_private
from timegate.value_classes import dataclass

#: A token is renewed so long before its end.
EARLY_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonTokens:
    """An access token, and the one that renews it."""

    access: str = field(repr=False)
    refresh: str | None = field(repr=False)
    #: Seconds since 1970.
    expires_at: float

    def is_good(self, now: float) -> bool:
        """Tell if the access token lets its holder in for a while."""
        return now < self.expires_at - EARLY_SECONDS

    @classmethod
    def granted(
        cls, body: Mapping[str, Any], *, now: float, refresh: str | None
    ) -> "PersonTokens | None":
        """Read the answer of a token endpoint; ``None`` for any other text.

        An issuer that does not rotate refresh tokens leaves the present one out.
        """
        access, lasts = body.get("access_token"), body.get("expires_in")
        if not (isinstance(access, str) and access and isinstance(lasts, int | float)):
            return None
        renewing = body.get("refresh_token")
        known = renewing if isinstance(renewing, str) else refresh
        return cls(access=access, refresh=known, expires_at=now + lasts)


def read_tokens(path: Path) -> PersonTokens | None:
    """Return the tokens in a file; ``None``: no person has signed in."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return PersonTokens(
            access=str(content["access_token"]),
            refresh=content["refresh_token"],
            expires_at=float(content["expires_at"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_tokens(path: Path, tokens: PersonTokens) -> None:
    """Replace the tokens in a file at once: another command reads the old ones or the new.

    Raises ``CredentialsError`` if the system refuses.
    """
    content = {
        "access_token": tokens.access,
        "refresh_token": tokens.refresh,
        "expires_at": tokens.expires_at,
    }
    write_private(path, json.dumps(content) + "\n", replace=True)


def forget_tokens(path: Path) -> None:
    """Remove the file, if there is one; raises ``CredentialsError`` if the system refuses."""
    with changing(path):
        path.unlink(missing_ok=True)
